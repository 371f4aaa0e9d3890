"use strict";
(() => {
  const root = document.documentElement;
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const PHONE = 700; // px: narrower ones get the legend above
  const PAPER = 680; // px: a plot on A4
  let printing = false;

  // ---- colours

  const chosen = () => root.dataset.theme || "auto";

  function palette() {
    if (printing) {
      return { ink: "#000000", line: "#d0d7de", paper: "#ffffff" };
    }
    const style = getComputedStyle(root);
    const of = (name) => style.getPropertyValue(name).trim();
    return { ink: of("--ink"), line: of("--line"), paper: of("--raised") };
  }

  function choose(theme) {
    if (theme === "auto") {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = theme;
    }
    document.querySelectorAll(".theme input").forEach((input) => {
      input.checked = input.value === theme;
    });
    try {
      localStorage.setItem("monpro-theme", theme);
    } catch {
      // a page from a file may have no storage: the choice then lasts as long as the page
    }
    restyle();
  }

  // ---- plots

  function layout(div, given) {
    const { ink, line, paper } = palette();
    const width = printing ? PAPER : div.clientWidth;
    const narrow = width < PHONE;
    const entries = figures[div.dataset.plot].data.length;
    const axis = { gridcolor: line, linecolor: ink, zerolinecolor: line, tickcolor: ink };
    return {
      ...given,
      width: printing ? PAPER : undefined,
      autosize: !printing,
      height: narrow ? 340 + 20 * Math.ceil(entries / Math.max(1, Math.floor(width / 180))) : 460,
      margin: { l: 60, r: 15, t: 15, b: 55 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: ink, size: narrow ? 11 : 13 },
      hovermode: "closest",
      hoverlabel: { bgcolor: paper, bordercolor: ink, font: { color: ink }, align: "left" },
      showlegend: true,
      legend: narrow ? { orientation: "h", x: 0, y: 1.03, yanchor: "bottom" } : { x: 1.02, y: 0.93 },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: line, activecolor: ink },
      xaxis: { ...given.xaxis, ...axis, fixedrange: narrow },
      yaxis: { ...given.yaxis, ...axis, fixedrange: narrow },
    };
  }

  function draw(div) {
    const { data, layout: given } = figures[div.dataset.plot];
    const config = {
      displaylogo: false,
      responsive: false, // a resize draws anew, with the legend where it fits
      displayModeBar: div.clientWidth < PHONE ? false : "hover",
      modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]],
    };
    return Plotly.react(div, data, layout(div, given), config).then(() => {
      div.dataset.drawn = "yes";
    });
  }

  const canvases = [...document.querySelectorAll("[data-plot]")];
  const restyle = () => canvases.forEach(draw);

  let resizing = 0;
  window.addEventListener("resize", () => {
    clearTimeout(resizing);
    resizing = setTimeout(restyle, 150);
  });
  system.addEventListener("change", restyle);
  window.addEventListener("beforeprint", () => {
    printing = true;
    restyle();
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    restyle();
  });

  // ---- tables

  // A cell as a number: its first one, 10^x as a power; what has none comes last, either way.
  function value(cell) {
    const text = cell.textContent.trim();
    const power = /^10\^(-?[\d.]+)/.exec(text);
    if (power) {
      return Number(power[1]) > 300 ? 1e300 * Number(power[1]) : 10 ** Number(power[1]);
    }
    const number = /-?\d+(\.\d+)?/.exec(text);
    return number && /^[-~<>(*]*\s*\d/.test(text) ? Number(number[0]) : null;
  }

  function compare(a, b, numbers, sign) {
    if (!numbers) {
      return sign * a.textContent.localeCompare(b.textContent, "en", { numeric: true });
    }
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) {
      return (x === null) - (y === null);
    }
    return sign * (x - y);
  }

  function sort(header) {
    const table = header.closest("table");
    const column = [...header.parentElement.children].indexOf(header);
    const numbers = header.classList.contains("number");
    const up = header.getAttribute("aria-sort") !== "ascending";
    header.parentElement.querySelectorAll("th").forEach((one) => one.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
      rows.sort((a, b) => compare(a.cells[column], b.cells[column], numbers, up ? 1 : -1));
      body.append(...rows); // those already there are moved
    }
  }

  document.querySelectorAll("thead th").forEach((header) => {
    header.querySelector("button").addEventListener("click", () => sort(header));
  });

  // ---- begin

  document.querySelector(".theme").hidden = false;
  document.querySelectorAll(".theme input").forEach((input) => {
    input.addEventListener("change", () => choose(input.value));
  });
  let kept = null;
  try {
    kept = localStorage.getItem("monpro-theme");
  } catch {
    kept = null;
  }
  if (kept === "light" || kept === "dark") {
    choose(kept);
  } else {
    restyle();
  }
})();
