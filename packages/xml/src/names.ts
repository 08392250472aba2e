/** Names of XML 1.0, fifth edition (§2.3 [4], [4a], [5]) and of Namespaces in XML 1.0 (§3 [4] NCName). */

const start =
  "A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF" +
  "\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}";
const rest = `${start}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040`;

const ncName = new RegExp(`[${start}][${rest}]*`, "uy");
const wholeNCName = new RegExp(`^[${start}][${rest}]*$`, "u");
const wholeName = new RegExp(`^[:${start}][:${rest}]*$`, "u");

const STARTS = 1;
const CONTINUES = 2;
/** What each ASCII character may do in an NCName. */
const ascii = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(character)) ascii[code] = STARTS | CONTINUES;
  else if (/[-.0-9]/.test(character)) ascii[code] = CONTINUES;
}

/** Where the NCName that begins at `at` ends; `at` itself when none begins there. */
export function ncNameEnd(text: string, at: number): number {
  let code = text.charCodeAt(at);
  if (code < 128) {
    if (ascii[code] !== 3) return at;
    let end = at + 1;
    code = text.charCodeAt(end);
    while (code < 128 && ascii[code] !== 0) {
      end += 1;
      code = text.charCodeAt(end);
    }
    if (!(code >= 128)) return end;
  }
  ncName.lastIndex = at;
  return ncName.test(text) ? ncName.lastIndex : at;
}

const COLON = 0x3a;

/** Where an expected name ends that begins at `at`; -1 when another stands there. Whether it goes on is not looked at. */
export function expectedNameEnd(text: string, at: number, prefix: string, localName: string): number {
  const start = prefix === "" ? at : at + prefix.length + 1;
  const end = start + localName.length;
  if (text.slice(start, end) !== localName) return -1;
  if (prefix === "") return end;
  return text.charCodeAt(start - 1) === COLON && text.slice(at, start - 1) === prefix ? end : -1;
}

/** Whether a text is a Name: what an element or attribute may be called before namespaces. */
export function isName(text: string): boolean {
  return wholeName.test(text);
}

/** Whether a text is an NCName: a name without a colon. */
export function isNCName(text: string): boolean {
  return wholeNCName.test(text);
}
