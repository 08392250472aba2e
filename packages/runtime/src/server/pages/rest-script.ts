import { callScript } from "./call-script.js";

/** The script of a route's page: every endpoint has a form of its own. */
export const restScript = `(() => {
"use strict";
${callScript}
${String.raw`
const textOf = (id) => byId(id).value;

/* The value of a field; undefined: it is not sent. */
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

/* What is no number, or would lose digits as one, is sent as it stands: the server says what is wrong with it. */
function asNumber(text) {
  return text.trim() !== "" && String(Number(text)) === text.trim() ? Number(text) : text;
}

function pairsOf(name, value) {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(name + "[]", item));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => pairsOf(name + "[" + key + "]", item));
  return [encodeURIComponent(name) + "=" + encodeURIComponent(value === null ? "" : String(value))];
}

/* What may be left out is written where one of its variables has a text. */
function written(path, values) {
  return path.map((piece) => {
    if (typeof piece === "string") return piece;
    if (piece.optional === undefined) return (values.get(piece.variable) || "").split("/").map(encodeURIComponent).join("/");
    return isGiven(piece.optional, values) ? written(piece.optional, values) : "";
  }).join("");
}

function isGiven(path, values) {
  return path.some((piece) => piece.optional ? isGiven(piece.optional, values) : typeof piece !== "string" && values.get(piece.variable));
}

function requestOf(form, { fields, path }) {
  const method = form.querySelector("[data-method]").value;
  const inPath = new Map(fields.filter(({ place }) => place === "path").map(({ id, name }) => [name, textOf(id)]));
  const filled = written(path, inPath);
  const given = fields.filter(({ place }) => place !== "path").map((field) => [field.name, valueOf(field)]);
  const values = given.filter(([, value]) => value !== undefined);
  const headers = { Accept: "application/json" };
  const authorization = authorizationOf();
  if (authorization !== "") headers.Authorization = authorization;
  const url = facts.prefix + filled.replace(/^\//, "");
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
