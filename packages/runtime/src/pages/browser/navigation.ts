/** Filters lists by the words in the search field; the keyboard moves between field and results. */
export const searchPart = String.raw`
function startSearch() {
  const field = document.getElementById("search");
  if (field === null) return;
  const items = [...document.querySelectorAll("[data-items] > li")];
  const found = document.getElementById("found");
  const all = found.textContent;
  const links = () => items.filter((item) => !item.hidden).map((item) => item.querySelector("a"));
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    for (const item of items) {
      const text = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
    for (const section of document.querySelectorAll("[data-group]"))
      section.hidden = section.querySelector("[data-items] > li:not([hidden])") === null;
    const count = links().length;
    found.textContent = words.length === 0 ? all : count === 0 ? "No match" : count + " of " + all;
  };
  const move = (event, step) => {
    const shown = links();
    const next = shown.indexOf(document.activeElement) + step;
    if (shown.length === 0) return;
    event.preventDefault();
    (next < 0 ? field : shown[Math.min(next, shown.length - 1)]).focus();
  };
  field.addEventListener("input", filter);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") move(event, 1);
    if (event.key === "Enter" && field.value !== "" && links().length > 0) links()[0].click();
    if (event.key === "Escape") { field.value = ""; filter(); }
  });
  for (const list of document.querySelectorAll("[data-items]")) {
    list.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") move(event, 1);
      if (event.key === "ArrowUp") move(event, -1);
    });
  }
  document.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== "/" || !isPlain || event.target.matches("input, select, textarea") || !field.checkVisibility()) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  const current = document.querySelector("[data-items] [aria-current]");
  const scrolled = current === null ? null : current.closest(".scroll");
  if (scrolled !== null) scrolled.scrollTop = current.offsetTop - scrolled.offsetTop - scrolled.clientHeight / 3;
  filter();
}
`;

/** Tabs by the pattern of WAI-ARIA: one is in the tab order, arrow keys, Home and End select. The hash names the tab. */
export const tabsPart = `
function startTabs(selected) {
  const list = document.querySelector("[role=tablist]");
  const tabs = list === null ? [] : [...list.querySelectorAll("[role=tab]")];
  const named = () => tabs.find((tab) => "#" + tab.dataset.tab === location.hash);
  const select = (chosen) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      const panel = document.getElementById(tab.getAttribute("aria-controls"));
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panel.hidden = !isChosen;
      panel.removeAttribute("data-later");
    }
    selected(chosen);
  };
  const choose = (tab) => {
    history.replaceState(null, "", "#" + tab.dataset.tab);
    select(tab);
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const last = tabs.length - 1;
      const next = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      tabs[next].focus();
      choose(tabs[next]);
    });
  });
  window.addEventListener("hashchange", () => { if (named() !== undefined) select(named()); });
  if (tabs.length > 0) select(named() || tabs[0]);
}
`;
