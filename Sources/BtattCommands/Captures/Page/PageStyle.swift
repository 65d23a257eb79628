extension Page {
    /// The page's style: two columns of facts and plots above, the ladder below; light or dark as the reader's system is.
    static let style = #"""
        :root {
          --bg: #f7f7f5; --panel: #ffffff; --ink: #1b1e22; --muted: #5d646d; --line: #d9dce0; --hover: #eef3fb;
          --selected: #dfeafc; --discovery: #7a4fd0; --read: #2166d1; --write: #b64e10; --value: #0a7f60;
          --other: #626a75; --error: #c4213a; color-scheme: light;
        }
        :root.dark {
          --bg: #131519; --panel: #1b1e23; --ink: #e7e9ec; --muted: #a0a7b1; --line: #31363e; --hover: #242a33;
          --selected: #2b3850; --discovery: #b39bff; --read: #7db0ff; --write: #f59b61; --value: #4fd0aa;
          --other: #a0a7b1; --error: #ff7482; color-scheme: dark;
        }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body {
          background: var(--bg); color: var(--ink); display: flex; flex-direction: column; min-height: 640px;
          font: 13px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif;
        }
        header { padding: 12px 20px 0; display: flex; gap: 16px; align-items: baseline; flex-wrap: wrap; }
        h1 { font-size: 17px; font-weight: 650; margin: 0; overflow-wrap: anywhere; }
        header .about { color: var(--muted); flex: 1; }
        button, select, input {
          font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
          padding: 3px 9px;
        }
        button:hover { background: var(--hover); cursor: pointer; }
        :focus-visible { outline: 2px solid var(--read); outline-offset: 1px; }
        nav { display: flex; gap: 8px; padding: 10px 20px; flex-wrap: wrap; align-items: center; }
        nav label { display: inline-flex; align-items: center; gap: 5px; color: var(--muted); }
        nav select { max-width: 380px; }
        header input { width: 270px; }
        nav .grow { flex: 1; }
        .kind { display: inline-flex; align-items: center; gap: 6px; border-radius: 12px; }
        .kind::before { content: ""; width: 9px; height: 9px; border-radius: 50%; background: currentColor; }
        .kind span { color: var(--ink); }
        .kind[aria-pressed=false] { opacity: 0.45; text-decoration: line-through; }
        .facts { display: flex; gap: 6px 22px; flex-wrap: wrap; padding: 0 20px 8px; color: var(--muted); }
        .facts b { color: var(--ink); font-weight: 600; }
        .plots { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; padding: 0 20px 10px; }
        figure { margin: 0; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
        figcaption { padding: 7px 12px 0; font-weight: 600; display: flex; gap: 12px; white-space: nowrap; }
        figcaption small {
          color: var(--muted); font-weight: 400; font-size: 12px; overflow: hidden; text-overflow: ellipsis;
        }
        canvas { display: block; width: 100%; height: 150px; cursor: crosshair; }
        main {
          flex: 1; min-height: 260px; margin: 0 20px 14px; background: var(--panel); border: 1px solid var(--line);
          border-radius: 8px; display: flex; flex-direction: column; overflow: hidden;
        }
        .head, .row {
          display: grid; align-items: center; column-gap: 12px; padding: 0 12px;
          grid-template-columns: 96px 74px minmax(330px, 26%) 74px minmax(0, 1fr);
        }
        .head { height: 34px; border-bottom: 1px solid var(--line); color: var(--muted); font-weight: 600; }
        .head .ends { display: flex; justify-content: space-between; color: var(--ink); }
        .scroll { flex: 1; overflow: auto; position: relative; }
        .row {
          position: absolute; left: 0; right: 0; height: 26px; white-space: nowrap; font-variant-numeric: tabular-nums;
        }
        .row:hover { background: var(--hover); cursor: pointer; }
        .row.selected { background: var(--selected); }
        .row > * { overflow: hidden; text-overflow: ellipsis; }
        .row .time, .row .gap, .row .latency { color: var(--muted); text-align: right; font-size: 12px; }
        .row .gap.long { color: var(--ink); font-weight: 600; }
        .lane {
          height: 26px; position: relative; overflow: hidden;
          border-left: 2px solid var(--line); border-right: 2px solid var(--line);
        }
        .lane i { position: absolute; top: 50%; left: 2px; right: 2px; border-top: 1.5px solid currentColor; }
        .lane i::after {
          content: ""; position: absolute; top: -5px; border: 4px solid transparent;
        }
        .lane.right i::after { right: -1px; border-left: 7px solid currentColor; border-right: 0; }
        .lane.left i::after { left: -1px; border-right: 7px solid currentColor; border-left: 0; }
        .lane.none i { border-top-style: dotted; }
        .lane span {
          position: absolute; left: 50%; top: 50%; transform: translate(-50%, -50%); background: var(--panel);
          padding: 0 8px; border-radius: 4px; max-width: calc(100% - 40px); overflow: hidden; text-overflow: ellipsis;
        }
        .row:hover .lane span { background: var(--hover); }
        .row.selected .lane span { background: var(--selected); }
        .row.event .lane { border-color: transparent; }
        .row.event .lane span { left: 0; transform: translate(0, -50%); color: var(--muted); font-style: italic; }
        .k0 { color: var(--discovery); } .k1 { color: var(--read); } .k2 { color: var(--write); }
        .k3 { color: var(--value); } .k4 { color: var(--other); } .k5 { color: var(--error); }
        .row .detail { color: var(--ink); }
        .row.failed .detail { color: var(--error); }
        .card {
          position: fixed; z-index: 10; max-width: min(620px, calc(100vw - 40px)); background: var(--panel);
          border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; pointer-events: none;
          box-shadow: 0 6px 24px rgb(0 0 0 / 0.22);
        }
        .card.pinned { pointer-events: auto; border-color: var(--read); }
        .card h2 { font-size: 13px; margin: 0 0 4px; display: flex; gap: 12px; justify-content: space-between; }
        .card p { margin: 0 0 6px; overflow-wrap: anywhere; }
        .card dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 12px; margin: 0 0 6px; }
        .card dt { color: var(--muted); } .card dd { margin: 0; }
        .card pre {
          margin: 0; font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; overflow: auto;
          max-height: 240px;
        }
        .empty { padding: 30px; color: var(--muted); text-align: center; }
        @media (max-width: 1000px) { .plots { grid-template-columns: 1fr; } }
        @media print { .scroll { overflow: visible; } }
        """#
}
