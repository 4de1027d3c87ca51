// Sorting, filtering and searching the claims; the state is kept in the address, so that a view can be sent to others.
(() => {
  "use strict";
  const form = document.getElementById("_filters");
  const table = document.getElementById("_table");
  if (!form || !table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const shown = document.getElementById("_shown");
  const heads = [...table.tHead.rows[0].cells].filter((cell) => cell.dataset.sort);
  const state = new URLSearchParams(location.search);
  const filters = ["topic", "verdict", "metric", "hardware"];

  form.hidden = false;
  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = state.get("sort") === head.dataset.sort && state.get("down") !== "1";
      change({ sort: head.dataset.sort, down: down ? "1" : "" });
    });
  }
  for (const name of [...filters, "q"]) {
    form.elements[name].addEventListener("input", (event) => change({ [name]: event.target.value }));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    for (const key of [...state.keys()]) state.delete(key);
    change({});
  });
  addEventListener("popstate", () => {
    const now = new URLSearchParams(location.search);
    for (const key of [...state.keys()]) state.delete(key);
    for (const [key, value] of now) state.set(key, value);
    show();
  });
  addEventListener("hashchange", openTarget);
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
  show();
  openTarget();

  function change(values) {
    for (const [key, value] of Object.entries(values)) {
      if (value) state.set(key, value);
      else state.delete(key);
    }
    const query = state.toString();
    history.replaceState(null, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
    show();
  }

  function show() {
    for (const name of [...filters, "q"]) {
      const field = form.elements[name];
      if (field.value !== (state.get(name) || "")) field.value = state.get(name) || "";
    }
    let count = 0;
    for (const row of rows) {
      row.hidden = !matches(row);
      if (!row.hidden) count += 1;
    }
    shown.textContent = shown.dataset.text.replace("{n}", count).replace("{all}", rows.length);
    sort();
  }

  function matches(row) {
    const words = (state.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const text = row.textContent.toLowerCase();
    const chosen = (name) => !state.get(name) || row.dataset[name].split(" ").includes(state.get(name));
    return filters.every(chosen) && words.every((word) => text.includes(word));
  }

  function sort() {
    const key = state.get("sort");
    const down = state.get("down") === "1";
    const order = key ? [...rows].sort((a, b) => compare(a.dataset[key], b.dataset[key])) : rows;
    if (key && down) order.reverse();
    for (const row of order) body.append(row);
    for (const head of heads) {
      const active = head.dataset.sort === key;
      head.setAttribute("aria-sort", active ? (down ? "descending" : "ascending") : "none");
    }
  }

  function compare(a, b) {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : String(a).localeCompare(String(b));
  }

  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") target.open = true;
  }
})();
