import { refusal } from "./refusal.js";

const space = "[ \\t\\r\\n]";
const equals = `${space}*=${space}*`;
const quoted = (value: string): string => `(?:"(?:${value})"|'(?:${value})')`;

// XML 1.0 §2.8 [23] to [26], §4.3.3 [80], §2.9 [32]; any minor version is read as 1.0.
const declaration = new RegExp(
  `<\\?xml${space}+version${equals}${quoted("1\\.[0-9]+")}` +
    `(?:${space}+encoding${equals}${quoted("[A-Za-z][A-Za-z0-9._-]*")})?` +
    `(?:${space}+standalone${equals}${quoted("yes|no")})?${space}*\\?>`,
  "y",
);

/** Whether an XML declaration, good or bad, begins at an offset. */
export function beginsDeclaration(text: string, at: number): boolean {
  return text.startsWith("<?xml", at) && /[ \t\r\n]/.test(text.charAt(at + 5));
}

/** Where the XML declaration at an offset ends. */
export function declarationEnd(text: string, at: number): number {
  declaration.lastIndex = at;
  if (declaration.test(text)) return declaration.lastIndex;
  throw refusal(text, at, "The XML declaration is malformed.");
}

/** The encoding that the XML declaration at the very start of a text names, in lower case. */
export function declaredEncoding(text: string): string | undefined {
  const match = /^<\?xml[ \t\r\n][^?>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/.exec(text);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
