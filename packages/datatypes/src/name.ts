import { isName } from "@bothends/xml";

/** XML 1.0 §2.3 [7] Nmtoken: what may stand in a name after its first character. */
export function isNmtoken(text: string): boolean {
  return text !== "" && isName(`_${text}`);
}

/** RFC 3066 as XSD 1.0 Part 2 §3.3.3 has it. */
export function isLanguage(text: string): boolean {
  return /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/.test(text);
}
