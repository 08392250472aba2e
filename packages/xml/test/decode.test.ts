import { decodeText, decodeXml, XmlError } from "@bothends/xml";
import { expect, test } from "vitest";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string, big: boolean): Uint8Array =>
  Uint8Array.from(
    [...text]
      .flatMap((range) => range.split(""))
      .flatMap((unit) => {
        const code = unit.charCodeAt(0);
        return big ? [code >> 8, code & 255] : [code & 255, code >> 8];
      }),
  );
const mark = "\ufeff";
const text = "<a>Łódź é 😀</a>";
const declared = (encoding: string, body = "<a>é</a>"): string => `<?xml version="1.0" encoding="${encoding}"?>${body}`;

const cases: readonly {
  readonly name: string;
  readonly given: Uint8Array;
  readonly charset?: string;
  readonly want: string;
}[] = [
  { name: "UTF-8 by default", given: bytes(text), want: text },
  { name: "UTF-8 with a mark", given: bytes(mark + text), want: text },
  { name: "UTF-16 big-endian with a mark", given: utf16(mark + text, true), want: text },
  { name: "UTF-16 little-endian with a mark", given: utf16(mark + text, false), want: text },
  {
    name: "UTF-16 with a mark and a declaration",
    given: utf16(mark + declared("UTF-16"), false),
    want: declared("UTF-16"),
  },
  { name: "UTF-16 with a declaration alone", given: utf16(declared("utf-16"), true), want: declared("utf-16") },
  { name: "UTF-16 without anything", given: utf16(text, false), want: text },
  {
    name: "UTF-16 by charset, little-endian by its first character",
    given: utf16(text, false),
    charset: "utf-16",
    want: text,
  },
  { name: "UTF-16LE by charset", given: utf16("é", false), charset: "UTF-16LE", want: "é" },
  {
    name: "a mark over a charset",
    given: utf16(mark + declared("utf-16"), false),
    charset: "utf-8",
    want: declared("utf-16"),
  },
  {
    name: "a charset over a declaration",
    given: latin(declared("utf-8")),
    charset: "ISO-8859-1",
    want: declared("utf-8"),
  },
  {
    name: "a charset over a declaration of UTF-16",
    given: bytes(declared("utf-16")),
    charset: "utf-8",
    want: declared("utf-16"),
  },
  {
    name: "ISO-8859-1 by declaration",
    given: latin(declared("iso-8859-1", "<a>é\u0080</a>")),
    want: declared("iso-8859-1", "<a>é\u0080</a>"),
  },
  {
    name: "windows-1252 by declaration",
    given: latin(declared("Windows-1252", "<a>\u0080\u0099\u0081é</a>")),
    want: declared("Windows-1252", "<a>€™\u0081é</a>"),
  },
  { name: "US-ASCII by charset", given: bytes("<a/>"), charset: "US-ASCII", want: "<a/>" },
];

test.each(cases)("the encoding of a document is recognized: $name", ({ given, charset, want }) => {
  expect(decodeXml(given, charset)).toBe(want);
});

const platform = [
  { encoding: "windows-1250", body: [0x8a, 0xe8], want: "Šč" },
  { encoding: "windows-1251", body: [0xcf, 0xf0], want: "Пр" },
  { encoding: "windows-1255", body: [0xe0], want: "א" },
  { encoding: "ISO-8859-2", body: [0xb1], want: "ą" },
  { encoding: "ISO-8859-15", body: [0xa4], want: "€" },
  { encoding: "Shift_JIS", body: [0x93, 0xfa], want: "日" },
  { encoding: "EUC-JP", body: [0xc6, 0xfc], want: "日" },
  { encoding: "GB18030", body: [0xd6, 0xd0], want: "中" },
  { encoding: "Big5", body: [0xa4, 0xa4], want: "中" },
  { encoding: "EUC-KR", body: [0xc7, 0xd1], want: "한" },
];

test.each(platform)("$encoding is decoded on request only", ({ encoding, body, want }) => {
  const document = Uint8Array.from([...bytes(declared(encoding, "<a>")), ...body, ...bytes("</a>")]);
  expect(decodeXml(document, undefined, "platform")).toBe(declared(encoding, `<a>${want}</a>`));
  expect(decodeXml(document, encoding, "platform")).toContain(want);
  expect(decodeText(document, encoding, "platform")).toContain(want);
  expect(() => decodeXml(document)).toThrow("is not supported");
  expect(() => decodeText(document, encoding)).toThrow("is not supported");
});

test("the listed encodings are the same when others are accepted too", () => {
  expect(decodeXml(latin(declared("iso-8859-1", "<a>\u0080</a>")), undefined, "platform")).toContain("\u0080");
  expect(() => decodeXml(latin("<a>é</a>"), "us-ascii", "platform")).toThrow(XmlError);
});

test("malformed bytes of an encoding of the platform are fatal at their position", () => {
  const document = Uint8Array.from([...bytes(declared("shift_jis", "<a>日"))].slice(0, -3).concat(0x93, 0x20));
  expect(() => decodeXml(document, undefined, "platform")).toThrow(expect.objectContaining({ code: "xml.encoding" }));
});

test("a declaration of an encoding of the platform contradicts a mark", () => {
  expect(() => decodeXml(bytes(mark + declared("windows-1250")), undefined, "platform")).toThrow(XmlError);
});

test("single-byte documents of any size are decoded", () => {
  const long = `<a>${"é".repeat(20_000)}</a>`;
  expect(decodeXml(latin(long), "latin1")).toBe(long);
});

test.each([
  { name: "UTF-8", given: bytes(mark + mark + text) },
  { name: "UTF-16", given: utf16(mark + mark + text, false) },
  { name: "UTF-8 with a charset", given: bytes(mark + mark + text), charset: "utf-8" },
])("a second byte order mark is text before the document element: $name", ({ given, charset }) => {
  expect(() => decodeXml(given, charset)).toThrow(
    expect.objectContaining({ code: "xml.not-well-formed", line: 1, column: 1 }),
  );
});

const refused: readonly {
  readonly name: string;
  readonly given: Uint8Array;
  readonly charset?: string;
  readonly offset: number;
}[] = [
  { name: "a byte that UTF-8 never has", given: Uint8Array.of(0x3c, 0x61, 0xff), offset: 2 },
  { name: "an overlong UTF-8 form", given: Uint8Array.of(0x3c, 0xc0, 0xbc), offset: 1 },
  { name: "a surrogate in UTF-8", given: Uint8Array.of(0x3c, 0xed, 0xa0, 0x80), offset: 1 },
  { name: "UTF-8 cut in the middle", given: bytes("<a>é").subarray(0, 4), offset: 3 },
  {
    name: "malformed UTF-8 far in",
    given: Uint8Array.from([...bytes(`${"é".repeat(3000)}\ufffd`), 0xff, 0x41]),
    offset: 3001,
  },
  { name: "half a unit of UTF-16", given: utf16(mark + text, true).subarray(0, 7), offset: 2 },
  { name: "half a pair in UTF-16", given: utf16(`${mark}<a>\ud800</a>`, true), offset: 3 },
  { name: "more than ASCII", given: latin("<a>é</a>"), charset: "us-ascii", offset: 3 },
  { name: "an unknown charset", given: bytes("<a/>"), charset: "utf-7", offset: 0 },
  { name: "an encoding of the platform", given: bytes("<a/>"), charset: "windows-1250", offset: 0 },
  { name: "an unknown declared encoding", given: bytes(declared("x-user")), offset: 0 },
  { name: "a declaration against the mark", given: bytes(mark + declared("iso-8859-1")), offset: 0 },
  { name: "a declaration of UTF-16 in single bytes", given: bytes(declared("utf-16")), offset: 0 },
  { name: "a declaration of UTF-8 in UTF-16", given: utf16(declared("utf-8"), true), offset: 0 },
];

test.each(refused)("$name is fatal", ({ given, charset, offset }) => {
  try {
    decodeXml(given, charset);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(XmlError);
    expect(error).toMatchObject({ code: "xml.encoding", offset });
  }
});

test("text without a declaration is decoded by its mark, then the charset, then UTF-8", () => {
  expect(decodeText(bytes(`${mark}é`), "iso-8859-1")).toBe("é");
  expect(decodeText(latin("é"), "iso-8859-1")).toBe("é");
  expect(decodeText(bytes("<?xml version='1.0' encoding='utf-16'?>"))).toContain("utf-16");
  expect(() => decodeText(latin("é"))).toThrow(XmlError);
});

test("the error about a wrong declaration names the encoding of the bytes", () => {
  expect(() => decodeXml(utf16(mark + declared("utf-8"), false))).toThrow(
    "The document declares the encoding utf-8, but its bytes are utf-16le.",
  );
});
