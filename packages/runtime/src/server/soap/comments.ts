import { DONE, END, START, TEXT, type XmlLimits, XmlReader } from "@bothends/xml";

/**
 * Whether a comment or processing instruction stands inside a value. The recorded service refuses such a message; a
 * reader that joins the text around it and one that stops there would see two different values.
 */
export function hasSplitValue(text: string, limits: XmlLimits): boolean {
  if (!text.includes("<!--") && text.indexOf("<?", 1) < 0) return false;
  const reader = new XmlReader(text, limits);
  // The start of an element that has had no child and no more than text so far.
  let start = -1;
  let hasText = false;
  for (let event = reader.next(); event !== DONE; event = reader.next()) {
    if (event === START) {
      start = reader.offset;
      hasText = false;
    } else if (event === TEXT) hasText ||= reader.text.trim() !== "";
    else if (event === END) {
      if (start >= 0 && hasText && hasMarkup(text.slice(start, reader.offset))) return true;
      start = -1;
    }
  }
  return false;
}

/** An element without children is text, CDATA sections, and what splits it. */
function hasMarkup(element: string): boolean {
  for (let at = element.indexOf("<", 1); at >= 0; at = element.indexOf("<", at)) {
    if (!element.startsWith("<![CDATA[", at)) return true;
    at = element.indexOf("]]>", at);
  }
  return false;
}
