/** The part of a route's page, which has a form for each endpoint. */
export const routePart = String.raw`
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

/* An optional part is written if one of its variables has a value; a required variable without one is shown in braces. */
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

function requestOf(form, { fields, path }) {
  const method = form.querySelector("[data-method]").value;
  const inPath = new Map(fields.filter(({ location }) => location === "path").map(({ id, name }) => [name, textOf(id)]));
  const routePath = writePath(path, inPath);
  const values = fields.filter(({ location }) => location !== "path").map((field) => [field.name, valueOf(field)])
    .filter(([, value]) => value !== undefined);
  const headers = { Accept: "application/json" };
  const url = facts.prefix + routePath.replace(/^\//, "");
  const file = form.querySelector("[data-file]");
  const upload = file === null ? undefined : file.files[0];
  if (method === "GET" || method === "DELETE" || upload !== undefined) {
    const query = values.flatMap(([name, value]) => pairsOf(name, value)).join("&");
    const address = url + (query === "" ? "" : facts.joiner + query);
    if (upload === undefined) return { method, url: address, headers };
    headers["Content-Type"] = upload.type || "application/octet-stream";
    headers["Content-Disposition"] = "attachment; filename=\"" + upload.name.replace(/[^ -~]|["\\]/g, "_") + "\"";
    return { method, url: address, headers, upload };
  }
  headers["Content-Type"] = "application/json";
  const body = Object.fromEntries(values);
  return { method, url, headers, body: JSON.stringify(body, null, values.length === 0 ? 0 : 2) };
}

const updates = facts.endpoints.map((endpoint, index) => {
  const form = byId("call-" + index);
  const panel = form.closest(".console");
  const { update, copyFrom } = startForm({
    form, makeRequest: () => requestOf(form, endpoint), panelOf: () => panel,
  });
  copyFrom(panel.querySelector("[data-request]"));
  update();
  return update;
});
if (byId("credentials") !== null) startCredentials(() => { for (const update of updates) update(); });
startTabs(() => {});
startSearch();
`;
