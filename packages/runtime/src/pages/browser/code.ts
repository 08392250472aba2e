/**
 * The part of every page's script that shows and copies text: colors, indentation, clipboard. Text is inserted only as text nodes, so it
 * cannot become markup.
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
function xmlTokens(text) {
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

function jsonTokens(text) {
  const pattern = /("(?:[^"\\]|\\[^])*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[^"\d\-tfn]+|[^]/g;
  return [...text.matchAll(pattern)].flatMap(([token, string, colon]) => {
    if (string !== undefined) return colon === undefined ? [["value", string]] : [["name", string], ["", colon]];
    return [[/^(?:-?\d|(?:true|false|null)$)/.test(token) ? "number" : "", token]];
  });
}

/* A message: its first line, its headers, and its body as XML, JSON or text. */
function httpTokens(text) {
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end + 2);
  const lines = head.split(/(?<=\n)/).flatMap((line, index) => {
    const colon = index === 0 ? -1 : line.indexOf(":");
    return colon < 0 ? [[index === 0 ? "head" : "", line]] : [["name", line.slice(0, colon)], ["", line.slice(colon)]];
  });
  return [...lines, ...bodyTokens(text.slice(head.length))];
}

function bodyTokens(text) {
  return /^\s*</.test(text) ? xmlTokens(text) : /^\s*[{["]/.test(text) ? jsonTokens(text) : [["", text]];
}

function showCode(element, text, isMessage) {
  const tokens = text.length > maxColored ? [["", text]] : isMessage ? httpTokens(text) : bodyTokens(text);
  element.replaceChildren(...tokens.map(([kind, token]) =>
    kind === "" ? document.createTextNode(token) : make("span", { className: "t-" + kind, textContent: token })));
}

/* Adds only white space. Numbers, escapes and the order of members stay unchanged. */
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

/* Starts a new line between adjacent tags. Multi-line text and CDATA stay unchanged. */
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

/* Without a secure context, navigator.clipboard is missing: copies a hidden field instead. */
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

/** The part of a page's script that writes curl commands for the clipboard. Credentials are left out, and a notice says so. */
export const curlScript = String.raw`
/* Quotes a word for a POSIX shell: within single quotes, only the quote is special. */
function shellWord(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

function curlCommand({ method, url, headers, body, upload }, credentials) {
  const words = ["curl " + shellWord(url)];
  if (/[{}[\]]/.test(url)) words.push("--globoff");
  const sends = body !== undefined || upload !== undefined;
  if (method !== (sends ? "POST" : "GET")) words.push("--request " + method);
  for (const [name, value] of Object.entries(headers)) words.push("--header " + shellWord(name + ": " + value));
  if (credentials !== undefined) words.push(credentials.curl);
  if (upload !== undefined) words.push("--data-binary " + shellWord("@" + upload.name));
  else if (body !== undefined) words.push("--data-raw " + shellWord(body));
  return words.join(" \\\n  ");
}

/* The credentials entered on the page: the header to send, and a placeholder for commands. */
function credentialsOf(scheme, { user, password, token }) {
  if (scheme === "basic" && user + password !== "") {
    const bytes = new TextEncoder().encode(user + ":" + password);
    const [name] = user.split(":");
    return {
      header: "Basic " + btoa(String.fromCharCode(...bytes)), shown: "Basic …", state: "user name and password",
      curl: "--user " + shellWord(name), notice: "Copied without the password: curl asks for it.",
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
