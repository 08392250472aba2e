/** The first offset at or after `from` that holds no white space (XML 1.0 §2.3 [3] S). */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** XML 1.0 §2.11: every line end is read as LF. */
export function withLineFeeds(text: string): string {
  const first = text.indexOf("\r");
  if (first < 0) return text;
  // What stands between the tags of an indented document: one line end, then spaces.
  if (first === 0 && text.charCodeAt(1) === 0x0a && !text.includes("\r", 2)) return text.slice(1);
  return text.replace(/\r\n?/g, "\n");
}

/** XML 1.0 §3.3.3: in attribute values white space is read as spaces. */
export function withSpaces(text: string): string {
  return text.replace(/\r\n|[\t\n\r]/g, " ");
}
