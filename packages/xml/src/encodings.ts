/** The encodings that are read. A name the list does not have is refused, not guessed. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "utf-16" | "iso-8859-1" | "windows-1252" | "us-ascii";

const names: ReadonlyMap<string, Encoding> = new Map<string, Encoding>([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["utf-16", "utf-16"],
  ["utf16", "utf-16"],
  ["iso-10646-ucs-2", "utf-16"],
  ["utf-16le", "utf-16le"],
  ["utf-16be", "utf-16be"],
  ["iso-8859-1", "iso-8859-1"],
  ["iso_8859-1", "iso-8859-1"],
  ["iso8859-1", "iso-8859-1"],
  ["latin1", "iso-8859-1"],
  ["latin-1", "iso-8859-1"],
  ["l1", "iso-8859-1"],
  ["windows-1252", "windows-1252"],
  ["cp1252", "windows-1252"],
  ["cp-1252", "windows-1252"],
  ["us-ascii", "us-ascii"],
  ["ascii", "us-ascii"],
  ["ansi_x3.4-1968", "us-ascii"],
  ["iso646-us", "us-ascii"],
]);

/** The encoding that a charset parameter or an XML declaration names; undefined when it is not one of ours. */
export function encodingNamed(name: string): Encoding | undefined {
  return names.get(name.trim().toLowerCase());
}

/** The encoding and length of a byte-order mark (XML 1.0 Appendix F.1). */
export function byteOrderMark(bytes: Uint8Array): { readonly encoding: Encoding; readonly length: number } | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: "utf-8", length: 3 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", length: 2 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", length: 2 };
  return undefined;
}

/** What windows-1252 has at 0x80 to 0x9F; 0 where it has nothing, which is read as the control character of that number. */
export const windows1252 = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
] as const;
