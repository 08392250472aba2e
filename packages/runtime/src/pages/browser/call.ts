/**
 * The part of a page's script that sends the requests of forms and shows the answers. A page calls `startForm` for each form with a function
 * that creates its request: `{ method, url, headers, body, upload }`.
 */
export const callScript = String.raw`
const settings = byId("settings") === null ? {} : JSON.parse(byId("settings").textContent);
const maxAnswers = 5;

function credentials() {
  const valueOf = (id) => byId(id).value;
  return credentialsOf(valueOf("scheme"), { user: valueOf("user"), password: valueOf("password"), token: valueOf("token") });
}

function startCredentials(changed) {
  const form = byId("credentials");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    for (const fields of form.querySelectorAll("[data-scheme]")) fields.hidden = fields.dataset.scheme !== byId("scheme").value;
    const authorization = credentials();
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
  const update = () => showCode(panelOf().querySelector("[data-request] pre"), requestText(request()), true);
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
    const authorization = credentials();
    copyText(requestText(request()), done, authorization === undefined ? "Copied." : "Copied without the credentials.");
  });
  block.querySelector("[data-curl]").addEventListener("click", () => {
    const authorization = credentials();
    const made = request();
    const file = made.upload === undefined ? "" : " Run it where the file is.";
    copyText(curlCommand(made, authorization), done, (authorization === undefined ? "Copied." : authorization.notice) + file);
  });
}

/* The request as text, without credentials. */
function requestText({ method, url, headers, body, upload }) {
  const [, host, target] = /^[^:]*:\/\/([^\/]*)(.*)$/.exec(url);
  const authorization = credentials();
  const all = { Host: host, ...headers, ...(authorization === undefined ? {} : { Authorization: authorization.shown }) };
  const lines = Object.entries(all).map(([name, value]) => name + ": " + value);
  const text = upload === undefined ? body || "" : "(" + sizeText(upload.size) + ")";
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
    const authorization = credentials();
    const sent = authorization === undefined ? headers : { ...headers, Authorization: authorization.header };
    const started = performance.now();
    const answer = await fetch(url, {
      method, headers: sent, body: upload || body, cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(120000),
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const time = Math.round(performance.now() - started);
    const name = answer.type === "opaqueredirect" ? "A redirect" : (answer.status + " " + answer.statusText).trim();
    const text = [name, time + " ms", sizeText(bytes.length)].join(" · ");
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
  const whole = bodyText(bytes, answer.headers.get("content-type") || "");
  const body = make("pre", { tabIndex: 0, ariaLabel: "Response body" });
  body.dataset.body = "";
  showCode(body, whole.slice(0, maxShown), false);
  const done = make("span", { className: "done", role: "status" });
  const copy = make("button", { type: "button", textContent: "Copy" });
  copy.addEventListener("click", () => copyText(whole, done, "Copied."));
  const bar = make("div", { className: "bar" }, make("span", { textContent: "Response body" }),
    make("span", { className: "actions" }, done, copy));
  const count = (number) => number.toLocaleString("en");
  const cut = make("p", { className: "cut", hidden: whole.length <= maxShown,
    textContent: "The first " + count(maxShown) + " of " + count(whole.length) + " characters are shown. Copy copies all." });
  const details = make("details", { className: "code", open: true },
    make("summary", {}, make("span", { className: answer.ok ? "good" : "bad", textContent: text })),
    folded("Response headers", "headers", headers.length, headers.join("\n")),
    folded("Request sent", "sent", undefined, requestText(request)), bar, cut, body);
  for (const earlier of [...results.children]) {
    if (earlier.matches("details")) earlier.open = false;
    else earlier.remove();
  }
  results.prepend(details);
  if (results.children.length > maxAnswers) results.lastElementChild.remove();
}

function folded(label, kind, count, text) {
  const pre = make("pre", { tabIndex: 0, ariaLabel: label });
  pre.dataset[kind] = "";
  showCode(pre, kind === "headers" ? "\n" + text : text, true);
  return make("details", {}, make("summary", { textContent: label + (count === undefined ? "" : " (" + count + ")") }), pre);
}

function sizeText(bytes) {
  return bytes < 1024 ? bytes + " bytes" : bytes < 1048576 ? (bytes / 1024).toFixed(1) + " KB" : (bytes / 1048576).toFixed(1) + " MB";
}

function bodyText(bytes, type) {
  if (bytes.length === 0) return "(no body)";
  const isText = /^text\/|[\/+](json|xml)\b|^$/i.test(type);
  if (!isText) return "(" + sizeText(bytes.length) + " of " + type + ")";
  const charset = /charset="?([^";\s]+)/i.exec(type);
  let text;
  try { text = new TextDecoder(charset === null ? "utf-8" : charset[1]).decode(bytes); }
  catch { text = new TextDecoder().decode(bytes); }
  if (text.length > 2000000) return text;
  return /json/i.test(type) ? indentedJson(text) : /xml/i.test(type) ? indentedXml(text) : text;
}
`;
