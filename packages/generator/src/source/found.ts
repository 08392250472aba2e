/** Says what bytes are that ought to be XML: undefined where they may well be. */
export function foundInsteadOfXml(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "an empty file";
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip data";
  const start = latin1(bytes.subarray(0, 1024));
  if (start.startsWith("%PDF")) return "a PDF document";
  if (start.startsWith("PK\u0003\u0004")) return "a zip archive";
  if (/^(?:\u00fe\u00ff|\u00ff\u00fe)/.test(start)) return undefined;
  const text = start.replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
  if (text === "") return bytes.length > 1024 ? undefined : "white space alone";
  if (/^<(?:!doctype\s+html|html)\b/i.test(text)) return "an HTML page";
  if (/^(?:\{|\[)/.test(text)) return "JSON";
  if (!text.startsWith("<") && !text.includes("\0")) return "text that is not XML";
  return undefined;
}

/** Says what bytes are that ought to be JSON: undefined where they may well be, or are a text with a mistake in it. */
export function foundInsteadOfJson(bytes: Uint8Array): string | undefined {
  const found = bytes.length === 0 ? undefined : foundInsteadOfXml(bytes);
  if (found !== undefined) return /^(?:JSON|white space|text)/.test(found) ? undefined : found;
  return /^(?:\u00ef\u00bb\u00bf)?\s*</.test(latin1(bytes.subarray(0, 1024))) ? "XML" : undefined;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
