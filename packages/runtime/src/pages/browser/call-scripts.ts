// Parts of the scripts for pages with forms. One part shows and copies text, one writes curl commands, and one sends
// requests.

/**
 * The part of the pages' scripts that shows text with colors and indentation, and copies it to the clipboard. Text is
 * inserted only as text nodes, so it cannot become markup.
 */
export const codeScript = String.raw`
const byId = (id) => document.getElementById(id);
const maxColored = 100000;
const maxShown = 200000;

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/* The tokens of XML, [kind, text]. Joined, the texts equal the input. */
function splitXml(text) {
  const outside = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<[?!][^>]*>?|<\/?[^\s<>\/]*|[^<]+/y;
  const inside = /\/?>|"[^"]*"?|'[^']*'?|[^\s"'>\/=]+|[^]/y;
  const tokens = [];
  let inTag = false;
  for (let at = 0; at < text.length; ) {
    const pattern = inTag ? inside : outside;
    pattern.lastIndex = at;
    const [token] = pattern.exec(text);
    at = pattern.lastIndex;
    if (inTag) {
      const kind = /^["']/.test(token) ? "value" : token.endsWith(">") ? "tag" : /^[\s=\/]/.test(token) ? "" : "name";
      tokens.push([kind, token]);
      inTag = kind !== "tag";
    } else {
      inTag = /^<[^?!]/.test(token);
      tokens.push([inTag || token === "<" ? "tag" : /^<[?!](?!\[CDATA)/.test(token) ? "comment" : "", token]);
    }
  }
  return tokens;
}

function splitJson(text) {
  const pattern = /("(?:[^"\\]|\\[^])*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[^"\d\-tfn]+|[^]/g;
  return [...text.matchAll(pattern)].flatMap(([token, string, colon]) => {
    if (string !== undefined) return colon === undefined ? [["value", string]] : [["name", string], ["", colon]];
    return [[/^(?:-?\d|(?:true|false|null)$)/.test(token) ? "number" : "", token]];
  });
}

/* A message: its first line, its headers, and its body as XML, JSON or text. */
function splitHttp(text) {
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end + 2);
  const lines = head.split(/(?<=\n)/).flatMap((line, index) => {
    const colon = index === 0 ? -1 : line.indexOf(":");
    return colon < 0 ? [[index === 0 ? "head" : "", line]] : [["name", line.slice(0, colon)], ["", line.slice(colon)]];
  });
  return [...lines, ...splitBody(text.slice(head.length))];
}

function splitBody(text) {
  return /^\s*</.test(text) ? splitXml(text) : /^\s*[{["]/.test(text) ? splitJson(text) : [["", text]];
}

function showCode(element, text, isMessage) {
  const tokens = text.length > maxColored ? [["", text]] : isMessage ? splitHttp(text) : splitBody(text);
  element.replaceChildren(...tokens.map(([kind, token]) =>
    kind === "" ? document.createTextNode(token) : make("span", { className: "t-" + kind, textContent: token })));
}

/* Adds only white space. Numbers, escapes and the order of members stay unchanged. */
function indentJson(text) {
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

/* Starts a new line between adjacent tags. Multi-line text and CDATA stay unchanged. */
function indentXml(text) {
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

/* Without a secure context, navigator.clipboard is missing, so the text is copied from a hidden field. */
async function copyText(text, done, message) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = make("textarea", { value: text, className: "skip" });
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    copied = document.execCommand("copy");
    field.remove();
    if (focused !== null) focused.focus();
  }
  done.textContent = copied ? message : "Not copied: the browser does not allow it.";
  clearTimeout(done.timer);
  done.timer = setTimeout(() => { done.textContent = ""; }, 8000);
}

for (const element of document.querySelectorAll("[data-code]")) showCode(element, element.textContent, true);
`;

/**
 * The part of a page's script that copies curl commands to the clipboard. Credentials are left out of the commands, and
 * a notice says so.
 */
export const curlScript = String.raw`
/* Quotes a word for a POSIX shell: within single quotes, only the quote is special. */
function quoteForShell(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

function writeCurlCommand({ method, url, headers, body, upload }, credentials) {
  const words = ["curl " + quoteForShell(url)];
  if (/[{}[\]]/.test(url)) words.push("--globoff");
  const sends = body !== undefined || upload !== undefined;
  if (method !== (sends ? "POST" : "GET")) words.push("--request " + method);
  for (const [name, value] of Object.entries(headers)) words.push("--header " + quoteForShell(name + ": " + value));
  if (credentials !== undefined) words.push(credentials.curl);
  if (upload !== undefined) words.push("--data-binary " + quoteForShell("@" + upload.name));
  else if (body !== undefined) words.push("--data-raw " + quoteForShell(body));
  return words.join(" \\\n  ");
}

/* The credentials entered on the page: the header to send, and a placeholder for commands. */
function readCredentials(scheme, { user, password, token }) {
  if (scheme === "basic" && user + password !== "") {
    const bytes = new TextEncoder().encode(user + ":" + password);
    const [name] = user.split(":");
    return {
      header: "Basic " + btoa(String.fromCharCode(...bytes)), shown: "Basic …", state: "user name and password",
      curl: "--user " + quoteForShell(name), notice: "Copied without the password: curl asks for it.",
    };
  }
  if (scheme === "bearer" && token !== "") {
    return {
      header: "Bearer " + token, shown: "Bearer …", state: "token",
      curl: '--header "Authorization: Bearer $TOKEN"', notice: "Copied without the token: set the variable TOKEN.",
    };
  }
  return undefined;
}
`;

/**
 * The part of a page's script that sends the requests of forms and shows the answers. For each form, a page calls
 * `startForm` with a function that creates the request: `{ method, url, headers, body, upload }`.
 */
export const callScript = String.raw`
const settings = byId("settings") === null ? {} : JSON.parse(byId("settings").textContent);
const maxAnswers = 5;

function getCredentials() {
  const readValue = (id) => byId(id).value;
  return readCredentials(readValue("scheme"), { user: readValue("user"), password: readValue("password"), token: readValue("token") });
}

function startCredentials(changed) {
  const form = byId("credentials");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    for (const fields of form.querySelectorAll("[data-scheme]")) fields.hidden = fields.dataset.scheme !== byId("scheme").value;
    const authorization = getCredentials();
    byId("authorized").textContent = authorization === undefined ? "none" : authorization.state;
    changed();
  });
}

/* panelOf returns the element that shows the request and its answers. */
function startForm({ form, makeRequest, panelOf }) {
  const request = () => {
    const made = makeRequest();
    const [path, ...query] = new URL(made.url, document.URL).href.split("?");
    return { ...made, url: [path.replace(/%7B(\w+)%7D/g, "{$1}"), ...query].join("?") };
  };
  const update = () => showCode(panelOf().querySelector("[data-request] pre"), formatRequest(request()), true);
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, request(), panelOf().querySelector("[data-results]"));
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return { update, copyFrom: (block) => startCopying(block, request) };
}

function startCopying(block, request) {
  const done = block.querySelector(".done");
  block.querySelector("[data-copy]").addEventListener("click", () => {
    const authorization = getCredentials();
    copyText(formatRequest(request()), done, authorization === undefined ? "Copied." : "Copied without the credentials.");
  });
  block.querySelector("[data-curl]").addEventListener("click", () => {
    const authorization = getCredentials();
    const made = request();
    const file = made.upload === undefined ? "" : " Run it where the file is.";
    copyText(writeCurlCommand(made, authorization), done, (authorization === undefined ? "Copied." : authorization.notice) + file);
  });
}

/* The request as text, without credentials. */
function formatRequest({ method, url, headers, body, upload }) {
  const [, host, target] = /^[^:]*:\/\/([^\/]*)(.*)$/.exec(url);
  const authorization = getCredentials();
  const all = { Host: host, ...headers, ...(authorization === undefined ? {} : { Authorization: authorization.shown }) };
  const lines = Object.entries(all).map(([name, value]) => name + ": " + value);
  const text = upload === undefined ? body || "" : "(" + formatSize(upload.size) + ")";
  return [method + " " + target + " HTTP/1.1", ...lines].join("\n") + (text === "" ? "" : "\n\n" + text);
}

async function send(form, request, results) {
  const button = form.querySelector("[type=submit]");
  if (button.getAttribute("aria-busy") === "true") return;
  const status = form.querySelector(".status");
  button.setAttribute("aria-busy", "true");
  status.className = "status";
  status.textContent = "Sending…";
  try {
    const { method, url, headers, body, upload } = request;
    const authorization = getCredentials();
    const sent = authorization === undefined ? headers : { ...headers, Authorization: authorization.header };
    const started = performance.now();
    const answer = await fetch(url, {
      method, headers: sent, body: upload || body, cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(120000),
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const time = Math.round(performance.now() - started);
    const name = answer.type === "opaqueredirect" ? "A redirect" : (answer.status + " " + answer.statusText).trim();
    const text = [name, time + " ms", formatSize(bytes.length)].join(" · ");
    status.textContent = text;
    status.classList.add(answer.ok ? "good" : "bad");
    showAnswer(results, { answer, bytes, text, request });
  } catch (error) {
    status.textContent = "The call failed: " + (error.name === "TimeoutError" ? "there was no answer in time." : error.message);
    status.classList.add("bad");
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/* Adds an answer, expanded. Earlier answers are collapsed, and the oldest is removed. */
function showAnswer(results, { answer, bytes, text, request }) {
  const headers = [...answer.headers].map(([name, value]) => name + ": " + value);
  const whole = formatBody(bytes, answer.headers.get("content-type") || "");
  const body = make("pre", { tabIndex: 0, ariaLabel: "Response body" });
  body.dataset.body = "";
  showCode(body, whole.slice(0, maxShown), false);
  const done = make("span", { className: "done", role: "status" });
  const copy = make("button", { type: "button", textContent: "Copy" });
  copy.addEventListener("click", () => copyText(whole, done, "Copied."));
  const bar = make("div", { className: "bar" }, make("span", { textContent: "Response body" }),
    make("span", { className: "actions" }, done, copy));
  const formatCount = (number) => number.toLocaleString("en");
  const cut = make("p", { className: "cut", hidden: whole.length <= maxShown,
    textContent: "The first " + formatCount(maxShown) + " of " + formatCount(whole.length) + " characters are shown. Copy copies all." });
  const details = make("details", { className: "code", open: true },
    make("summary", {}, make("span", { className: answer.ok ? "good" : "bad", textContent: text })),
    createFold("Response headers", "headers", headers.length, headers.join("\n")),
    createFold("Request sent", "sent", undefined, formatRequest(request)), bar, cut, body);
  for (const earlier of [...results.children]) {
    if (earlier.matches("details")) earlier.open = false;
    else earlier.remove();
  }
  results.prepend(details);
  if (results.children.length > maxAnswers) results.lastElementChild.remove();
}

function createFold(label, kind, count, text) {
  const pre = make("pre", { tabIndex: 0, ariaLabel: label });
  pre.dataset[kind] = "";
  showCode(pre, kind === "headers" ? "\n" + text : text, true);
  return make("details", {}, make("summary", { textContent: label + (count === undefined ? "" : " (" + count + ")") }), pre);
}

function formatSize(bytes) {
  return bytes < 1024 ? bytes + " bytes" : bytes < 1048576 ? (bytes / 1024).toFixed(1) + " KB" : (bytes / 1048576).toFixed(1) + " MB";
}

function formatBody(bytes, type) {
  if (bytes.length === 0) return "(no body)";
  const isText = /^text\/|[\/+](json|xml)\b|^$/i.test(type);
  if (!isText) return "(" + formatSize(bytes.length) + " of " + type + ")";
  const charset = /charset="?([^";\s]+)/i.exec(type);
  let text;
  try { text = new TextDecoder(charset === null ? "utf-8" : charset[1]).decode(bytes); }
  catch { text = new TextDecoder().decode(bytes); }
  if (text.length > 2000000) return text;
  return /json/i.test(type) ? indentJson(text) : /xml/i.test(type) ? indentXml(text) : text;
}
`;
