// The page of `decode --html`: one file without anything from elsewhere. The conversations are JSON in it, the script makes
// a ladder diagram of them of which only the rows in sight exist, so that many thousands of PDUs stay quick.

/// A page that shows conversations.
enum Page {
    /// The page as HTML.
    /// - Parameters:
    ///   - title: the file that is shown.
    ///   - about: a line about it.
    ///   - data: what the script shows.
    static func html(title: String, about: String, data: JSONObject) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
        script-src 'unsafe-inline'">
        <title>\(escaped(title))</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        <header>
        <h1>\(escaped(title))</h1>
        <span class="about">\(escaped(about))</span>
        <input id="search" type="search" placeholder="Find a name, UUID, value, octets" aria-label="Find">
        <button id="theme" title="Light or dark">Light / dark</button>
        </header>
        <nav>
        <label>Connection <select id="connection"></select></label>
        <span id="kinds" style="display: contents"></span>
        <span class="grow"></span>
        <span id="count"></span>
        <button id="reset" hidden>All times</button>
        </nav>
        <div class="facts" id="facts"></div>
        <div class="plots">
        <figure><figcaption>Time to answer <small id="latency-about"></small></figcaption>
        <canvas id="latency"></canvas></figure>
        <figure><figcaption>Throughput <small id="throughput-about"></small></figcaption>
        <canvas id="throughput"></canvas></figure>
        </div>
        <main>
        <div class="head"><span style="text-align: right">Time (s)</span><span style="text-align: right">Since</span>
        <span class="ends"><span id="left"></span><span id="right"></span></span>
        <span style="text-align: right">Answer</span><span>What it says</span></div>
        <div class="scroll" id="scroll" tabindex="0"><div id="space"></div><div id="rows"></div>
        <div class="empty" id="empty" hidden>Nothing matches.</div></div>
        </main>
        <div class="card" id="card" hidden></div>
        <script type="application/json" id="data">\(inScript(data.line))</script>
        <script>
        \(script)
        \(plots)
        </script>
        </body>
        </html>

        """
    }

    /// Text between tags.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// JSON inside a script element, which a `<` in a device's name could end.
    private static func inScript(_ json: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(json.utf8.count)
        for unit in json.utf8 {
            if unit == 0x3C { result += Array("\\u003c".utf8) } else { result.append(unit) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
