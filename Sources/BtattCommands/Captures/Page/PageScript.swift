extension Page {
    /// The page's script: the ladder, of which only the rows in sight exist, and what the reader does with it.
    static let script = #"""
        "use strict";
        const data = JSON.parse(document.getElementById("data").textContent);
        const ROW = 26, KINDS = ["Discovery", "Read", "Write", "Notification", "Other", "Error"];
        const TIME = 0, DIRECTION = 1, OPCODE = 2, DETAIL = 3, HEX = 4, LATENCY = 5, ANSWERS = 6, KIND = 7;
        const $ = id => document.getElementById(id);
        const element = (name, className, text) => {
          const made = document.createElement(name);
          if (className) made.className = className;
          if (text !== undefined) made.textContent = text;
          return made;
        };
        const state = {
          connection: 0, search: "", kinds: KINDS.map(() => true), range: null, visible: [], selected: -1, pinned: false,
        };
        const connection = () => data.connections[state.connection];

        // Times are microseconds since the first packet.
        const clock = time => new Date(data.start / 1000 + time / 1000).toISOString().slice(11, 23)
          + String(Math.floor((data.start + time) % 1000)).padStart(3, "0");
        const seconds = time => (time / 1e6).toFixed(time < 1e9 ? 6 : 3);
        function duration(time) {
          if (time < 1000) return time + " µs";
          if (time < 1e6) return (time / 1000).toFixed(time < 1e5 ? 2 : 1) + " ms";
          return (time / 1e6).toFixed(time < 1e7 ? 2 : 1) + " s";
        }

        function select(index) {
          state.connection = index;
          $("connection").value = index;
          state.range = null;
          state.selected = -1;
          unpin();
          const chosen = connection(), facts = $("facts");
          facts.replaceChildren();
          for (const [name, value] of chosen.facts) {
            const fact = element("span", "", name + " ");
            fact.append(element("b", "", value));
            facts.append(fact);
          }
          $("left").textContent = chosen.left;
          $("right").textContent = chosen.right;
          $("scroll").scrollTop = 0;
          update();
        }

        /// Which rows are to be seen, and all that depends on it.
        function update() {
          const chosen = connection(), words = state.search.toLowerCase().split(" ").filter(word => word);
          state.visible = [];
          chosen.rows.forEach((row, index) => {
            const [from, to] = state.range || [-Infinity, Infinity];
            if (row[TIME] < from || row[TIME] > to) return;
            if (row[OPCODE] >= 0 && !state.kinds[row[KIND]]) return;
            if (words.length) {
              const text = (name(row) + " " + row[DETAIL] + " " + row[HEX]).toLowerCase();
              if (!words.every(word => text.includes(word))) return;
            }
            state.visible.push(index);
          });
          const shown = state.visible.length, all = chosen.rows.length;
          $("count").textContent = shown === all ? all.toLocaleString("en") + " rows"
            : shown.toLocaleString("en") + " of " + all.toLocaleString("en") + " rows";
          $("reset").hidden = !state.range;
          $("space").style.height = shown * ROW + "px";
          $("empty").hidden = shown > 0;
          draw();
          plots();
        }

        const name = row => row[OPCODE] < 0 ? "" : data.names[row[OPCODE]] || "PDU 0x" + row[OPCODE].toString(16);

        /// The rows in sight.
        function draw() {
          const scroll = $("scroll"), rows = connection().rows;
          const first = Math.max(0, Math.floor(scroll.scrollTop / ROW) - 8);
          const last = Math.min(state.visible.length, first + Math.ceil(scroll.clientHeight / ROW) + 16);
          const fragment = document.createDocumentFragment();
          for (let place = first; place < last; place++) {
            const index = state.visible[place], row = rows[index];
            const before = place > 0 ? rows[state.visible[place - 1]] : null;
            fragment.append(line(row, index, place, before));
          }
          $("rows").replaceChildren(fragment);
        }

        function line(row, index, place, before) {
          const isEvent = row[OPCODE] < 0;
          const made = element("div", "row" + (isEvent ? " event" : "") + (row[KIND] === 5 ? " failed" : "")
            + (index === state.selected ? " selected" : ""));
          made.style.top = place * ROW + "px";
          made.dataset.index = index;
          made.append(element("div", "time", seconds(row[TIME])));
          const gap = before ? row[TIME] - before[TIME] : 0;
          made.append(element("div", "gap" + (gap >= 1e6 ? " long" : ""), before ? "+" + duration(gap) : ""));
          const lane = element("div", "lane k" + row[KIND] + [" right", " left", " none"][row[DIRECTION]]);
          if (!isEvent) lane.append(element("i"));
          lane.append(element("span", "", isEvent ? row[DETAIL] : name(row)));
          made.append(lane, element("div", "latency", row[LATENCY] >= 0 ? duration(row[LATENCY]) : ""));
          made.append(element("div", "detail", isEvent ? "" : row[DETAIL]));
          return made;
        }

        // The card: what there is to know of one PDU.
        function card(index, x, y) {
          const row = connection().rows[index], made = $("card");
          made.replaceChildren();
          const title = element("h2", "k" + row[KIND], name(row) || row[DETAIL]);
          if (state.pinned) {
            const close = element("button", "", "Close");
            close.onclick = unpin;
            title.append(close);
          }
          made.append(title);
          if (row[OPCODE] >= 0 && row[DETAIL]) made.append(element("p", "", row[DETAIL]));
          const list = element("dl");
          const fact = (what, value) => list.append(element("dt", "", what), element("dd", "", value));
          fact("Time", clock(row[TIME]) + " UTC, " + seconds(row[TIME]) + " s");
          if (row[OPCODE] >= 0) {
            const from = [connection().left, connection().right, "unknown"][row[DIRECTION]];
            fact("From", from + ", " + row[HEX].length / 2 + " octets");
          }
          if (row[LATENCY] >= 0) {
            const asked = row[ANSWERS] >= 0 ? connection().rows[row[ANSWERS]] : null;
            fact("Answers", (asked ? name(asked) + " of " + seconds(asked[TIME]) + " s, " : "") + "after "
              + duration(row[LATENCY]));
          }
          made.append(list);
          if (row[HEX]) made.append(element("pre", "", dump(row[HEX])));
          made.hidden = false;
          made.classList.toggle("pinned", state.pinned);
          const width = made.offsetWidth, height = made.offsetHeight;
          made.style.left = Math.max(10, Math.min(x + 18, innerWidth - width - 20)) + "px";
          made.style.top = (y + 20 + height < innerHeight ? y + 20 : Math.max(10, y - height - 14)) + "px";
        }
        function dump(hex) {
          const lines = [];
          for (let start = 0; start < hex.length; start += 32) {
            const part = hex.slice(start, start + 32).match(/../g);
            const text = part.map(octet => {
              const code = parseInt(octet, 16);
              return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
            }).join("");
            lines.push((start / 2).toString(16).padStart(4, "0") + "  " + part.join(" ").padEnd(49) + text);
          }
          return lines.join("\n");
        }
        function unpin() {
          state.pinned = false;
          $("card").hidden = true;
        }
        function show(index) {
          state.selected = index;
          const place = state.visible.indexOf(index), scroll = $("scroll");
          if (place < 0) return;
          const top = place * ROW;
          if (top < scroll.scrollTop || top > scroll.scrollTop + scroll.clientHeight - ROW)
            scroll.scrollTop = top - scroll.clientHeight / 2;
          draw();
        }

        // What the reader does.
        const rowUnder = event => event.target.closest(".row");
        $("scroll").addEventListener("scroll", draw);
        $("rows").addEventListener("mousemove", event => {
          const row = rowUnder(event);
          if (row && !state.pinned) card(+row.dataset.index, event.clientX, event.clientY);
        });
        $("rows").addEventListener("mouseleave", () => { if (!state.pinned) unpin(); });
        $("rows").addEventListener("click", event => {
          const row = rowUnder(event);
          if (!row) return;
          state.pinned = true;
          show(+row.dataset.index);
          card(state.selected, event.clientX, event.clientY);
        });
        addEventListener("keydown", event => {
          if (event.key === "Escape") return unpin();
          if (event.target.matches("input, select") || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
          event.preventDefault();
          const place = state.visible.indexOf(state.selected) + (event.key === "ArrowDown" ? 1 : -1);
          const index = state.visible[Math.max(0, Math.min(place, state.visible.length - 1))];
          if (index === undefined) return;
          show(index);
          state.pinned = true;
          const box = document.querySelector(".row.selected").getBoundingClientRect();
          card(index, box.left + box.width / 3, box.top + 8);
        });
        $("search").addEventListener("input", event => { state.search = event.target.value; update(); });
        $("reset").onclick = () => { state.range = null; update(); };
        $("theme").onclick = () => { document.documentElement.classList.toggle("dark"); update(); };
        $("connection").onchange = event => select(+event.target.value);
        addEventListener("resize", () => { draw(); plots(); });
        const dark = matchMedia("(prefers-color-scheme: dark)");
        const follow = () => {
          document.documentElement.classList.toggle("dark", location.hash === "#dark"
            || (dark.matches && location.hash !== "#light"));
        };
        dark.addEventListener("change", () => { follow(); update(); });
        follow();

        data.connections.forEach((each, index) => {
          const option = element("option", "", each.title);
          option.value = index;
          $("connection").append(option);
        });
        KINDS.forEach((kind, index) => {
          const button = element("button", "kind k" + index);
          button.append(element("span", "", kind));
          button.setAttribute("aria-pressed", "true");
          button.onclick = () => {
            state.kinds[index] = !state.kinds[index];
            button.setAttribute("aria-pressed", state.kinds[index]);
            update();
          };
          $("kinds").append(button);
        });
        """#
}
