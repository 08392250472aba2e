import { callScript, codeScript, curlScript } from "./call-scripts.js";

/**
 * Filters lists by the words in the search field, and moves the focus between the field and the results with arrow
 * keys.
 */
const searchScriptPart = String.raw`
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

/**
 * Shows the panel of the selected tab, according to the WAI-ARIA pattern for tabs: the Tab key reaches only the
 * selected tab; the arrow keys, Home and End select another tab. The fragment of the page's URL contains the tab's
 * name.
 */
const tabsScriptPart = `
function startTabs(selected) {
  const list = document.querySelector("[role=tablist]");
  const tabs = list === null ? [] : [...list.querySelectorAll("[role=tab]")];
  const findTabInHash = () => tabs.find((tab) => "#" + tab.dataset.tab === location.hash);
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
  window.addEventListener("hashchange", () => { if (findTabInHash() !== undefined) select(findTabInHash()); });
  if (tabs.length > 0) select(findTabInHash() || tabs[0]);
}
`;

/** Creates the request of an operation from the fields of its form, for the protocol that the user chose. */
const operationScriptPart = String.raw`
let protocol = "";
const form = byId("call");

function applies(field) {
  return /^soap/.test(protocol) ? field.soap !== undefined : field.parameter !== undefined;
}

function escapeValue(text) {
  return text.replace(/[&<>\r]/g, (character) => "&#" + character.charCodeAt(0) + ";");
}

function listValues(field, index) {
  const { value } = byId("field-" + index);
  return field.control === "lines" ? value.split("\n").filter((line) => line !== "") : [value];
}

/* Indents XML only if each line starts with a tag: white space may be part of a text. */
function indentLines(text, indent) {
  const lines = text.split("\n");
  return lines.every((line) => /^\s*</.test(line)) ? lines.map((line) => indent + line).join("\n") : indent + text;
}

function writeElements(place, indent) {
  return settings.fields.flatMap((field, index) => {
    if (field.soap === undefined || field.soap.place !== place) return [];
    return listValues(field, index).flatMap((value) => {
      if (value.trim() === "" && (field.soap.optional || field.control === "xml")) return [];
      return [field.control === "xml" ? indentLines(value, indent) : indent + field.soap.start + escapeValue(value) + field.soap.end];
    });
  });
}

function createSoapRequest({ url, headers, start }) {
  const [open, close] = settings.wrapper;
  const inside = writeElements("body", open === "" ? "    " : "      ");
  const body = open === "" ? inside : inside.length === 0 ? ["    " + open + close] : ["    " + open, ...inside, "    " + close];
  const blocks = writeElements("header", "    ");
  const header = blocks.length === 0 ? [] : ["  <soap:Header>", ...blocks, "  </soap:Header>"];
  const lines = [start, ...header, "  <soap:Body>", ...body, "  </soap:Body>", "</soap:Envelope>"];
  return { method: "POST", url, headers, body: lines.join("\n") };
}

function createHttpRequest({ method, url, replace }) {
  const pairs = settings.fields.flatMap((field, index) =>
    field.parameter === undefined ? [] : listValues(field, index).map((value) => [field.parameter, value]));
  if (replace) {
    const filled = pairs.reduce((text, [name, value]) => text.replace("(" + name + ")", () => encodeURIComponent(value)), url);
    return { method, url: filled, headers: {} };
  }
  const text = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  if (method === "GET") return { method, url: url + (text === "" ? "" : "?" + text), headers: {} };
  return { method, url, headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: text };
}

const { update, copyFrom } = startForm({
  form,
  makeRequest: () => {
    const chosen = settings.protocols[protocol];
    return chosen.start === undefined ? createHttpRequest(chosen) : createSoapRequest(chosen);
  },
  panelOf: () => byId(protocol + "-panel"),
});
for (const block of document.querySelectorAll("[data-request]")) copyFrom(block);
startTabs((tab) => {
  protocol = tab.dataset.tab;
  settings.fields.forEach((field, index) => { byId("row-" + index).hidden = !applies(field); });
  for (const link of document.querySelectorAll(".aside a")) link.hash = location.hash;
  update();
});
startCredentials(update);
startSearch();
`;

/** Creates the requests of a route's endpoints from the fields of their forms. */
const routeScriptPart = String.raw`
const readText = (id) => byId(id).value;

/* The value of a field; undefined if it is not sent. */
function readValue({ id, kind, numbers }) {
  if (kind === "checks") {
    const chosen = [...document.querySelectorAll("[data-of='" + id + "']")].filter((box) => box.checked);
    return chosen.length === 0 ? undefined : chosen.map((box) => box.value);
  }
  const text = readText(id);
  if (text === "") return undefined;
  if (kind === "boolean") return text === "true";
  if (kind === "number") return convertToNumber(text);
  if (kind === "lines") return text.split("\n").filter((line) => line !== "").map((line) => numbers ? convertToNumber(line) : line);
  if (kind !== "json") return text;
  try { return JSON.parse(text); } catch { return text; }
}

/* Text that is not a number, or would lose digits as a number, is sent as text: the server reports the error. */
function convertToNumber(text) {
  return text.trim() !== "" && String(Number(text)) === text.trim() ? Number(text) : text;
}

function listPairs(name, value) {
  if (Array.isArray(value)) return value.flatMap((item) => listPairs(name + "[]", item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => listPairs(name + "[" + key + "]", item));
  return [encodeURIComponent(name) + "=" + encodeURIComponent(value === null ? "" : String(value))];
}

/* Writes an optional part if one of its variables has a value. Shows a required variable without a value in braces. */
function writePath(path, values) {
  return path.map((piece) => {
    if (typeof piece === "string") return piece;
    if (piece.optional !== undefined) return hasValue(piece.optional, values) ? writePath(piece.optional, values) : "";
    return (values.get(piece.variable) || "{" + piece.variable + "}").split("/").map(encodeURIComponent).join("/");
  }).join("");
}

function hasValue(path, values) {
  return path.some((piece) => piece.optional ? hasValue(piece.optional, values) : typeof piece !== "string" && values.get(piece.variable));
}

function createRequest(form, { fields, path }) {
  const method = form.querySelector("[data-method]").value;
  const inPath = new Map(fields.filter(({ location }) => location === "path").map(({ id, name }) => [name, readText(id)]));
  const routePath = writePath(path, inPath);
  const values = fields.filter(({ location }) => location !== "path").map((field) => [field.name, readValue(field)])
    .filter(([, value]) => value !== undefined);
  const headers = { Accept: "application/json" };
  const url = settings.prefix + routePath.replace(/^\//, "");
  const file = form.querySelector("[data-file]");
  const upload = file === null ? undefined : file.files[0];
  if (method === "GET" || method === "DELETE" || upload !== undefined) {
    const query = values.flatMap(([name, value]) => listPairs(name, value)).join("&");
    const address = url + (query === "" ? "" : settings.joiner + query);
    if (upload === undefined) return { method, url: address, headers };
    headers["Content-Type"] = upload.type || "application/octet-stream";
    headers["Content-Disposition"] = "attachment; filename=\"" + upload.name.replace(/[^ -~]|["\\]/g, "_") + "\"";
    return { method, url: address, headers, upload };
  }
  headers["Content-Type"] = "application/json";
  const body = Object.fromEntries(values);
  return { method, url, headers, body: JSON.stringify(body, null, values.length === 0 ? 0 : 2) };
}

const updates = settings.endpoints.map((endpoint, index) => {
  const form = byId("call-" + index);
  const panel = form.closest(".console");
  const { update, copyFrom } = startForm({
    form, makeRequest: () => createRequest(form, endpoint), panelOf: () => panel,
  });
  copyFrom(panel.querySelector("[data-request]"));
  update();
  return update;
});
if (byId("credentials") !== null) startCredentials(() => { for (const update of updates) update(); });
startTabs(() => {});
startSearch();
`;

/** Joins parts to a script that declares no global names. */
function createScript(...parts: readonly string[]): string {
  return `(() => {\n"use strict";${parts.join("")}})();\n`;
}

/** The script for a page with a searchable list. */
export const searchScript: string = createScript(searchScriptPart, "startSearch();\n");

/** The script for the page of a SOAP operation. */
export const operationScript: string = createScript(
  codeScript,
  curlScript,
  callScript,
  searchScriptPart,
  tabsScriptPart,
  operationScriptPart,
);

/** The script for the page of a route. */
export const routeScript: string = createScript(
  codeScript,
  curlScript,
  callScript,
  searchScriptPart,
  tabsScriptPart,
  routeScriptPart,
);
