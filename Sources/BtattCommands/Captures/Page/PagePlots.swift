extension Page {
    /// The two plots over time: how long answers took, and how many octets went each way.
    static let plots = #"""
        const MARGIN = { left: 62, right: 14, top: 10, bottom: 24 };
        const colour = variable => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
        const COLOURS = ["--discovery", "--read", "--write", "--value", "--other", "--error"];

        /// The span of time that is shown.
        function span() {
          if (state.range) return state.range;
          const rows = connection().rows;
          const first = rows.length ? rows[0][TIME] : 0, last = rows.length ? rows[rows.length - 1][TIME] : 1;
          return [first, Math.max(last, first + 1000)];
        }

        /// Round numbers that divide a span into about `count` parts.
        function ticks(from, to, count) {
          const rough = (to - from) / count, power = 10 ** Math.floor(Math.log10(rough));
          const step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough) || 10 * power;
          const found = [];
          for (let tick = Math.ceil(from / step) * step; tick <= to + step / 1e6; tick += step) found.push(tick);
          return [found, step];
        }

        /// A canvas at the resolution of the screen, its axes drawn.
        function canvas(id, yTicks, yLabel, toY) {
          const made = $(id), ratio = devicePixelRatio || 1, width = made.clientWidth, height = made.clientHeight;
          made.width = width * ratio;
          made.height = height * ratio;
          const context = made.getContext("2d");
          context.scale(ratio, ratio);
          context.clearRect(0, 0, width, height);
          context.font = '11px system-ui, "DejaVu Sans", sans-serif';
          const [from, to] = span(), inner = width - MARGIN.left - MARGIN.right;
          const x = time => MARGIN.left + (time - from) / (to - from) * inner;
          context.strokeStyle = colour("--line");
          context.fillStyle = colour("--muted");
          context.lineWidth = 1;
          context.textAlign = "right";
          context.textBaseline = "middle";
          for (const tick of yTicks) {
            const y = Math.round(toY(tick, height)) + 0.5;
            context.beginPath();
            context.moveTo(MARGIN.left, y);
            context.lineTo(width - MARGIN.right, y);
            context.stroke();
            context.fillText(yLabel(tick), MARGIN.left - 7, y);
          }
          context.textAlign = "center";
          context.textBaseline = "top";
          const [times, step] = ticks(from / 1e6, to / 1e6, Math.max(3, inner / 110));
          const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step))));
          for (const time of times) {
            const place = x(time * 1e6);
            context.fillText(time.toFixed(digits) + " s", Math.min(place, width - 24), height - MARGIN.bottom + 7);
          }
          return { context, width, height, x, inner, from, to };
        }

        let points = [];
        function plots() {
          latencies();
          throughput();
        }

        /// How long answers took, on a logarithmic scale: each answer a point in the colour of its kind.
        function latencies() {
          const rows = connection().rows, [from, to] = span();
          const shown = state.visible.filter(index => rows[index][LATENCY] >= 0
            && rows[index][TIME] >= from && rows[index][TIME] <= to);
          let low = 3, high = 5;
          for (const index of shown) {
            const power = Math.log10(Math.max(1, rows[index][LATENCY]));
            low = Math.min(low, Math.floor(power));
            high = Math.max(high, Math.ceil(power));
          }
          const powers = [];
          for (let power = low; power <= high; power++) powers.push(power);
          const toY = (power, height) =>
            MARGIN.top + (high - power) / (high - low) * (height - MARGIN.top - MARGIN.bottom);
          const label = power => duration(10 ** power).replace(/\.0+(?= )/, "");
          const plot = canvas("latency", powers, label, toY);
          points = [];
          for (const index of shown) {
            const row = rows[index], asked = row[ANSWERS] >= 0 ? rows[row[ANSWERS]] : row;
            const x = plot.x(row[TIME]), y = toY(Math.log10(Math.max(1, row[LATENCY])), plot.height);
            points.push([x, y, index]);
            plot.context.fillStyle = colour(COLOURS[row[KIND] === 5 ? 5 : asked[KIND]]);
            plot.context.globalAlpha = shown.length > 2000 ? 0.5 : 0.8;
            plot.context.beginPath();
            plot.context.arc(x, y, shown.length > 2000 ? 1.8 : 2.6, 0, 7);
            plot.context.fill();
          }
          plot.context.globalAlpha = 1;
          const sorted = shown.map(index => rows[index][LATENCY]).sort((a, b) => a - b);
          const percentile = part => duration(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)]);
          $("latency-about").textContent = sorted.length === 0 ? "no answers"
            : sorted.length.toLocaleString("en") + " answers, half of them within " + percentile(0.5) + ", 99 % within "
              + percentile(0.99) + ", all within " + percentile(1);
        }

        /// Octets a second, up from the left side, down from the right.
        function throughput() {
          const rows = connection().rows, [from, to] = span();
          const inner = $("throughput").clientWidth - MARGIN.left - MARGIN.right;
          const count = Math.max(20, Math.floor(inner / 5)), width = (to - from) / count;
          const bins = [new Float64Array(count), new Float64Array(count)];
          const totals = [0, 0];
          for (const index of state.visible) {
            const row = rows[index];
            if (row[OPCODE] < 0 || row[TIME] < from || row[TIME] > to) continue;
            const side = row[DIRECTION] === 1 ? 1 : 0, octets = row[HEX].length / 2;
            bins[side][Math.min(count - 1, Math.floor((row[TIME] - from) / width))] += octets;
            totals[side] += octets;
          }
          const rate = octets => octets / (width / 1e6);
          const most = Math.max(1, ...bins.map(bin => rate(bin.reduce((a, b) => Math.max(a, b), 0))));
          const [up] = ticks(0, most, 3), top = Math.max(most, up[up.length - 1]);
          const isMirrored = totals[0] > 0 && totals[1] > 0;
          const all = isMirrored ? [...up.slice(1).map(tick => -tick), ...up] : totals[1] > 0 ? up.map(tick => -tick) : up;
          const highest = totals[0] > 0 ? top : 0, lowest = totals[1] > 0 ? -top : 0;
          const toY = (value, height) => MARGIN.top
            + (highest - value) / Math.max(1, highest - lowest) * (height - MARGIN.top - MARGIN.bottom);
          const label = value => Math.abs(value) >= 10000 ? Math.abs(value) / 1000 + " kB/s" : Math.abs(value) + " B/s";
          const plot = canvas("throughput", all, label, toY);
          const zero = toY(0, plot.height);
          bins.forEach((bin, side) => {
            plot.context.fillStyle = colour(side === 0 ? "--write" : "--value");
            bin.forEach((octets, index) => {
              if (!octets) return;
              const x = MARGIN.left + index / count * plot.inner, y = toY((side ? -1 : 1) * rate(octets), plot.height);
              plot.context.fillRect(x, Math.min(y, zero), Math.max(1, plot.inner / count - 1), Math.max(1, Math.abs(y - zero)));
            });
          });
          const seconds = Math.max(1e-6, (to - from) / 1e6);
          const side = (name, total) => name + " " + total.toLocaleString("en") + " octets, "
            + (total / seconds).toFixed(total / seconds < 100 ? 1 : 0) + " B/s";
          $("throughput-about").textContent =
            "↑ " + side(connection().left, totals[0]) + " · ↓ " + side(connection().right, totals[1]);
        }

        // Dragging over a plot chooses a span of time; a click on a point goes to its row.
        for (const id of ["latency", "throughput"]) {
          const made = $(id);
          let start = null;
          const timeAt = event => {
            const [from, to] = span(), inner = made.clientWidth - MARGIN.left - MARGIN.right;
            return from + Math.max(0, Math.min(1, (event.offsetX - MARGIN.left) / inner)) * (to - from);
          };
          const nearest = event => {
            let best = null, least = 12 ** 2;
            for (const point of id === "latency" ? points : []) {
              const distance = (point[0] - event.offsetX) ** 2 + (point[1] - event.offsetY) ** 2;
              if (distance < least) [best, least] = [point, distance];
            }
            return best;
          };
          made.addEventListener("mousedown", event => { start = event; });
          made.addEventListener("mousemove", event => {
            if (start) {
              plots();
              const context = made.getContext("2d");
              context.fillStyle = colour("--read");
              context.globalAlpha = 0.18;
              context.fillRect(start.offsetX, 0, event.offsetX - start.offsetX, made.clientHeight - MARGIN.bottom);
              context.globalAlpha = 1;
              return;
            }
            const point = nearest(event);
            if (point && !state.pinned) card(point[2], event.clientX, event.clientY);
            else if (!state.pinned) $("card").hidden = true;
          });
          made.addEventListener("mouseleave", () => { if (!state.pinned) unpin(); });
          made.addEventListener("dblclick", () => { state.range = null; update(); });
          addEventListener("mouseup", event => {
            if (!start) return;
            const began = start;
            start = null;
            if (event.target !== made || Math.abs(event.offsetX - began.offsetX) < 5) {
              const point = event.target === made ? nearest(event) : null;
              if (point) show(point[2]);
              plots();
              return;
            }
            state.range = [timeAt(began), timeAt(event)].sort((a, b) => a - b);
            update();
          });
        }
        if (data.connections.length) select(0);
        else document.querySelector("main").hidden = true;
        """#
}
