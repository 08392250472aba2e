/**
 * What the pages' scripts share: making a call and showing its answer. A form holds one `[data-result]` with places for
 * the status, the request, the headers and the body. Whatever arrives is shown as text.
 */
export const callScript = String.raw`
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
    status.textContent = "The call failed: " + (error.name === "TimeoutError" ? "no answer in time." : error.message);
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

/* Only space is added: numbers, escapes and the order of members stay as they came. */
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

/* Tags that touch are put on lines of their own; text that already has lines or CDATA stays as it is. */
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

/** Leaves of a list those items whose text has what stands in the `[data-filter]` field. */
export const filterScript = String.raw`
for (const field of document.querySelectorAll("[data-filter]")) {
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    let found = 0;
    for (const list of document.querySelectorAll("[data-filtered]")) {
      let shown = 0;
      for (const item of list.querySelectorAll("li")) {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) shown += 1;
      }
      const section = list.closest("section");
      if (section !== null) section.hidden = shown === 0;
      found += shown;
    }
    document.getElementById("found").textContent = found === 0 ? "Nothing has these words." : found + " found";
  });
}
`;
