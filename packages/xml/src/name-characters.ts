// Names as defined in XML 1.0, fifth edition (§2.3 [4], [4a], [5]) and Namespaces in XML 1.0 (§3 [4] NCName). This
// module is separate from `clark-names.ts`, because clients need only `clark-names.ts` for most messages.

/** The namespaces of the reserved prefixes `xml` and `xmlns` (Namespaces in XML 1.0 §3). */
export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";
export const xmlnsNamespace = "http://www.w3.org/2000/xmlns/";

/** The characters that may begin an NCName, and those that may follow, as parts of a class in a regular expression. */
export const nameStart =
  "A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF" +
  "\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}";
export const nameContinuation = `${nameStart}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040`;

const wholeNCNamePattern = /* @__PURE__ */ new RegExp(`^[${nameStart}][${nameContinuation}]*$`, "u");
const wholeNamePattern = /* @__PURE__ */ new RegExp(`^[:${nameStart}][:${nameContinuation}]*$`, "u");

/** Whether a string is a Name (XML 1.0 §2.3 [5]), which may contain colons. */
export function isName(text: string): boolean {
  return wholeNamePattern.test(text);
}

/** Whether a string is an NCName: a name without colons. */
export function isNCName(text: string): boolean {
  return wholeNCNamePattern.test(text);
}

/**
 * Splits a lexical QName (Namespaces in XML 1.0 §4): `tns:Vehicle`, `Vehicle`. Returns undefined for any other string.
 */
export function splitQName(text: string): { readonly prefix: string; readonly localName: string } | undefined {
  const colon = text.indexOf(":");
  if (colon < 0) {
    return isNCName(text) ? { prefix: "", localName: text } : undefined;
  }
  const prefix = text.slice(0, colon);
  const localName = text.slice(colon + 1);
  return isNCName(prefix) && isNCName(localName) ? { prefix, localName } : undefined;
}
