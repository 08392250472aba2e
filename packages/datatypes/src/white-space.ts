type WhiteSpace = "preserve" | "replace" | "collapse";

const untidy = /[\t\n\r]|^ | $| {2}/;

/** Text as the whiteSpace facet normalises it (XSD 1.0 Part 2 §4.3.6). */
export function normalizeWhiteSpace(text: string, whiteSpace: WhiteSpace): string {
  if (whiteSpace === "preserve") {
    return text;
  }
  if (whiteSpace === "replace") {
    return text.replace(/[\t\n\r]/g, " ");
  }
  if (!untidy.test(text)) {
    return text;
  }
  return splitItems(text).join(" ");
}

/** The items of a list's text; white space alone has none. */
export function splitItems(text: string): string[] {
  const items = text.split(/[ \t\n\r]+/);
  if (items[0] === "") {
    items.shift();
  }
  if (items.at(-1) === "") {
    items.pop();
  }
  return items;
}
