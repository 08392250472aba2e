/**
 * The part that all scripts share: it makes a call and shows the answer in the form's `[data-result]`, which has elements
 * for the request, the headers and the body. Answers are always shown as text.
 */
const callScript = String.raw`
const byId = (id) => document.getElementById(id);
const facts = byId("facts") === null ? {} : JSON.parse(byId("facts").textContent);
const maxShown = 400000;

async function call(form, makeRequest) {
  const button = form.querySelector("button");
  if (button.getAttribute("aria-busy") === "true") return;
  const status = form.querySelector(".status");
  const result = form.querySelector("[data-result]");
  button.setAttribute("aria-busy", "true");
  status.className = "status";
  status.textContent = "Calling…";
  result.hidden = true;
  try {
    const request = makeRequest();
    result.querySelector("[data-sent]").textContent = sentText(request);
    const started = performance.now();
    const answer = await fetch(request.url, {
      method: request.method, headers: request.headers, body: request.body,
      cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(120000),
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const time = Math.round(performance.now() - started);
    const name = answer.type === "opaqueredirect" ? "A redirect" : answer.status + " " + answer.statusText;
    status.textContent = [name.trim(), time + " ms", bytes.length.toLocaleString("en") + " bytes"].join(" · ");
    status.classList.add(answer.ok ? "good" : "bad");
    const headers = [...answer.headers].map(([name, value]) => name + ": " + value).join("\n");
    result.querySelector("[data-headers]").textContent = headers;
    result.querySelector("[data-body]").textContent = bodyText(bytes, answer.headers.get("content-type") || "");
    result.hidden = false;
  } catch (error) {
    status.textContent = "The call failed: " + (error.name === "TimeoutError" ? "there was no answer in time." : error.message);
    status.classList.add("bad");
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function sentText({ method, url, headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) =>
    name + ": " + (/^authorization$/i.test(name) ? "…" : value));
  const { pathname, search } = new URL(url, document.URL);
  const text = body instanceof Blob ? "(" + body.size.toLocaleString("en") + " bytes)" : body || "";
  return [method + " " + pathname + search, ...lines].join("\n") + (text === "" ? "" : "\n\n" + text);
}

function bodyText(bytes, type) {
  if (bytes.length === 0) return "(no body)";
  const isText = /^text\/|[\/+](json|xml)\b|^$/i.test(type);
  if (!isText) return "(" + bytes.length.toLocaleString("en") + " bytes of " + type + ")";
  const charset = /charset="?([^";\s]+)/i.exec(type);
  let text;
  try { text = new TextDecoder(charset === null ? "utf-8" : charset[1]).decode(bytes); }
  catch { text = new TextDecoder().decode(bytes); }
  if (text.length > maxShown) return text.slice(0, maxShown) + "\n… (cut)";
  return /json/i.test(type) ? indentedJson(text) : /xml/i.test(type) ? indentedXml(text) : text;
}

/* Adds only white space: numbers, escapes and the order of members are not changed. */
function indentedJson(text) {
  const shown = [];
  let depth = 0;
  let last = "";
  const line = () => shown.push("\n" + "  ".repeat(depth));
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s{}[\],:"]+|"/g)) {
    const ends = token === "}" || token === "]";
    if (ends) depth = Math.max(0, depth - 1);
    if (ends ? last !== "{" && last !== "[" : last === "{" || last === "[" || last === ",") line();
    shown.push(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth += 1;
    last = token;
  }
  return shown.join("");
}

/* Starts a new line between adjacent tags. Text that has lines or CDATA is not changed. */
function indentedXml(text) {
  if (/\n\s*</.test(text.replace(/^<\?[^]*?\?>\s*/, "")) || text.includes("<![CDATA[")) return text;
  let depth = 0;
  return text.replace(/></g, ">\n<").split("\n").reduce((lines, line) => {
    const closes = /^<\//.test(line);
    if (closes) depth = Math.max(0, depth - 1);
    const last = lines.length - 1;
    const opened = closes && /^\s*<[^\/!?]/.test(lines[last]) && !/<\/|\/>$/.test(lines[last]);
    if (opened) lines[last] += line;
    else lines.push("  ".repeat(depth) + line);
    if (/^<[^\/!?]/.test(line) && !/\/>$|<\//.test(line)) depth += 1;
    return lines;
  }, []).join("\n");
}
`;

/** Hides the items of lists that do not contain the words in the `[data-filter]` field. */
export const filterScript = String.raw`
for (const field of document.querySelectorAll("[data-filter]")) {
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    let count = 0;
    for (const list of document.querySelectorAll("[data-filtered]")) {
      let shown = 0;
      for (const item of list.querySelectorAll("li")) {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) shown += 1;
      }
      const section = list.closest("section");
      if (section !== null) section.hidden = shown === 0;
      count += shown;
    }
    document.getElementById("found").textContent = count === 0 ? "Nothing contains these words." : count + " found";
  });
}
`;

/** The script of an operation's page: fields and requests depend on the selected protocol. */
export const operationScript = `(() => {
"use strict";
${callScript}
${String.raw`
const form = byId("call");
const protocol = byId("protocol");

function applies(field) {
  return /^soap/.test(protocol.value) ? field.soap !== undefined : field.parameter !== undefined;
}

function showFields() {
  facts.fields.forEach((field, index) => { byId("row-" + index).hidden = !applies(field); });
}

function escaped(text) {
  return text.replace(/[&<>\r]/g, (character) => "&#" + character.charCodeAt(0) + ";");
}

function valuesOf(field, index) {
  const { value } = byId("field-" + index);
  return field.control === "lines" ? value.split("\n").filter((line) => line !== "") : [value];
}

function elements(place) {
  return facts.fields.map((field, index) => {
    if (field.soap === undefined || field.soap.place !== place) return "";
    return valuesOf(field, index).map((value) => {
      if (value === "" && field.soap.optional) return "";
      return field.control === "xml" ? value : field.soap.start + escaped(value) + field.soap.end;
    }).join("");
  }).join("");
}

function soapRequest({ url, headers, start }) {
  const blocks = elements("header");
  const header = blocks === "" ? "" : "<soap:Header>" + blocks + "</soap:Header>";
  const body = facts.wrapper[0] + elements("body") + facts.wrapper[1];
  return { method: "POST", url, headers, body: start + header + "<soap:Body>" + body + "</soap:Body></soap:Envelope>" };
}

function httpRequest({ method, url, replace }) {
  const pairs = facts.fields.flatMap((field, index) =>
    field.parameter === undefined ? [] : valuesOf(field, index).map((value) => [field.parameter, value]));
  if (replace) {
    const filled = pairs.reduce((text, [name, value]) => text.replace("(" + name + ")", () => encodeURIComponent(value)), url);
    return { method, url: filled, headers: {} };
  }
  const text = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  if (method === "GET") return { method, url: url + (text === "" ? "" : "?" + text), headers: {} };
  return { method, url, headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: text };
}

protocol.addEventListener("change", showFields);
showFields();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const chosen = facts.protocols[protocol.value];
  call(form, () => chosen.start === undefined ? httpRequest(chosen) : soapRequest(chosen));
});
`}
})();
`;

/** The script of a route's page, which has a form for each endpoint. */
export const restScript = `(() => {
"use strict";
${callScript}
${String.raw`
const textOf = (id) => byId(id).value;

/* The value of a field; undefined if it is not sent. */
function valueOf({ id, kind, numbers }) {
  if (kind === "checks") {
    const chosen = [...document.querySelectorAll("[data-of='" + id + "']")].filter((box) => box.checked);
    return chosen.length === 0 ? undefined : chosen.map((box) => box.value);
  }
  const text = textOf(id);
  if (text === "") return undefined;
  if (kind === "boolean") return text === "true";
  if (kind === "number") return asNumber(text);
  if (kind === "lines") return text.split("\n").filter((line) => line !== "").map((line) => numbers ? asNumber(line) : line);
  if (kind !== "json") return text;
  try { return JSON.parse(text); } catch { return text; }
}

/* Text that is not a number, or would lose digits as one, is sent as text: the server reports what is wrong with it. */
function asNumber(text) {
  return text.trim() !== "" && String(Number(text)) === text.trim() ? Number(text) : text;
}

function pairsOf(name, value) {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(name + "[]", item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => pairsOf(name + "[" + key + "]", item));
  return [encodeURIComponent(name) + "=" + encodeURIComponent(value === null ? "" : String(value))];
}

/* An optional part is written if one of its variables has a value. */
function writePath(path, values) {
  return path.map((piece) => {
    if (typeof piece === "string") return piece;
    if (piece.optional === undefined) return (values.get(piece.variable) || "").split("/").map(encodeURIComponent).join("/");
    return hasValue(piece.optional, values) ? writePath(piece.optional, values) : "";
  }).join("");
}

function hasValue(path, values) {
  return path.some((piece) => piece.optional ? hasValue(piece.optional, values) : typeof piece !== "string" && values.get(piece.variable));
}

function requestOf(form, { fields, path }) {
  const method = form.querySelector("[data-method]").value;
  const inPath = new Map(fields.filter(({ location }) => location === "path").map(({ id, name }) => [name, textOf(id)]));
  const routePath = writePath(path, inPath);
  const values = fields.filter(({ location }) => location !== "path").map((field) => [field.name, valueOf(field)])
    .filter(([, value]) => value !== undefined);
  const headers = { Accept: "application/json" };
  const authorization = authorizationOf();
  if (authorization !== "") headers.Authorization = authorization;
  const url = facts.prefix + routePath.replace(/^\//, "");
  const file = form.querySelector("[data-file]");
  const upload = file === null ? undefined : file.files[0];
  if (method === "GET" || method === "DELETE" || upload !== undefined) {
    const query = values.flatMap(([name, value]) => pairsOf(name, value)).join("&");
    const address = url + (query === "" ? "" : facts.joiner + query);
    if (upload === undefined) return { method, url: address, headers };
    headers["Content-Type"] = upload.type || "application/octet-stream";
    headers["Content-Disposition"] = "attachment; filename=\"" + upload.name.replace(/[^ -~]|["\\]/g, "_") + "\"";
    return { method, url: address, headers, body: upload };
  }
  headers["Content-Type"] = "application/json";
  return { method, url, headers, body: JSON.stringify(Object.fromEntries(values)) };
}

function authorizationOf() {
  const user = textOf("user");
  if (user === "") return "";
  const bytes = new TextEncoder().encode(user + ":" + textOf("password"));
  return "Basic " + btoa(String.fromCharCode(...bytes));
}

if (byId("credentials") !== null) byId("credentials").addEventListener("submit", (event) => event.preventDefault());
facts.endpoints.forEach((endpoint, index) => {
  const form = byId("call-" + index);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    call(form, () => requestOf(form, endpoint));
  });
});
`}
})();
`;
