// XML 1.0 (5th edition) §2.3: NameStartChar and NameChar.
const nameStart =
  "A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const nameRest = `${nameStart}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}`;

const name = new RegExp(`^[:${nameStart}][:${nameRest}]*$`, "u");
const ncName = new RegExp(`^[${nameStart}][${nameRest}]*$`, "u");
const nmtoken = new RegExp(`^[:${nameRest}]+$`, "u");

/** XML 1.0 §2.3 Name. */
export function isName(text: string): boolean {
  return name.test(text);
}

/** Namespaces in XML 1.0 §3 NCName: a Name without a colon. */
export function isNCName(text: string): boolean {
  return ncName.test(text);
}

/** XML 1.0 §2.3 Nmtoken. */
export function isNmtoken(text: string): boolean {
  return nmtoken.test(text);
}

/** RFC 3066 as XSD 1.0 Part 2 §3.3.3 has it. */
export function isLanguage(text: string): boolean {
  return /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(text);
}
