import { expect, test } from "vitest";
import { catalogue } from "../../src/source/catalogue/index.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import type { SourceLimits } from "../../src/source/source-limits.js";
import { type FileRead, Sources } from "../../src/source/sources.js";
import type { Span } from "../../src/source/span.js";

const config: Span = { source: { path: "bothends.json", text: "" }, start: 0, end: 0 };
const request = { reference: config, expected: "a WSDL 1.1 document" };

type Files = Readonly<Record<string, string | Uint8Array | FileRead>>;

function load(files: Files, limits: Partial<SourceLimits> = {}) {
  const reads: string[] = [];
  const diagnostics = new Diagnostics();
  const readFile = (path: string): FileRead => {
    reads.push(path);
    const file = files[path];
    if (file === undefined) {
      return { kind: "problem", problem: "missing", message: "no such file" };
    }
    if (typeof file === "string") {
      return { kind: "file", bytes: new TextEncoder().encode(file) };
    }
    return file instanceof Uint8Array ? { kind: "file", bytes: file } : file;
  };
  const reported = () =>
    diagnostics.all.map(
      ({ span, code, message }) => `${span.source.path}@${span.start} ${catalogue[code].kind}: ${message}`,
    );
  return { sources: new Sources({ readFile, diagnostics, limits }), reads, reported };
}

test("a document is read only once", () => {
  const { sources, reads } = load({ "a.wsdl": "<a/>" });
  const first = sources.readXml("a.wsdl", request);
  expect(sources.readXml("a.wsdl", request)).toBe(first);
  expect(reads).toEqual(["a.wsdl"]);
  expect(first?.root.localName).toBe("a");
});

test("a location is relative to the document that contains it", () => {
  const { sources, reads } = load({ "x/a.wsdl": '<a location="../b.xsd"/>', "b.xsd": "<b/>" });
  const document = sources.readXml("x/a.wsdl", request);
  const reference = { source: document?.source ?? config.source, start: 13, end: 21 };
  expect(sources.readLocation("../b.xsd", { reference, expected: "a schema" })?.root.localName).toBe("b");
  expect(reads).toEqual(["x/a.wsdl", "b.xsd"]);
});

test("a remote location is refused with a suggested path, and nothing is read", () => {
  const { sources, reads, reported } = load({});
  const reference = { source: { path: "x/a.wsdl", text: "" }, start: 0, end: 0 };
  expect(sources.readLocation("http://x.example/b.xsd", { reference, expected: "a schema" })).toBeUndefined();
  expect(reported()).toEqual([
    'x/a.wsdl@0 import.remote: The location "http://x.example/b.xsd" is on the network. Documents are never downloaded.',
  ]);
  expect(reads).toEqual([]);
});

const found = [
  { fact: "an HTML page", bytes: "<!DOCTYPE html><html></html>" },
  { fact: "JSON", bytes: '{"a":1}' },
  { fact: "an empty file", bytes: "" },
  { fact: "only white space", bytes: " " },
  { fact: "text that is not XML", bytes: "a" },
  { fact: "gzip data", bytes: Uint8Array.of(0x1f, 0x8b, 8, 0) },
  { fact: "a PDF document", bytes: "%PDF-1.7" },
  { fact: "a zip archive", bytes: "PK\u0003\u0004" },
];

test.each(found)("$fact in place of a WSDL is described", ({ fact, bytes }) => {
  const { sources, reported } = load({ "a.wsdl": bytes });
  expect(sources.readXml("a.wsdl", request)).toBeUndefined();
  expect(reported()).toEqual([`a.wsdl@0 source.unexpected: Expected a WSDL 1.1 document, but found ${fact}.`]);
});

/** The bytes of a text in ISO 8859-1. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const page = (title: string, encoding = "") => `<!DOCTYPE html><meta charset="${encoding}"><title>${title}</title>`;

test.each([
  { bytes: new TextEncoder().encode(page("D\u00e9p\u00f4ts")), title: "D\u00e9p\u00f4ts" },
  { bytes: latin1(page("D\u00e9p\u00f4ts")), title: "D\u00e9p\u00f4ts" },
  { bytes: latin1(page("D\u00e9p\u00f4ts", "no-such")), title: "D\u00e9p\u00f4ts" },
  { bytes: latin1(page("\u00e4\u00ed\u00ea", "koi8-r")), title: "\u0414\u041c\u0419" },
  { bytes: new TextEncoder().encode(page("\u682a".repeat(200))), title: "\u682a".repeat(80) },
])("the title of a page is read in its encoding: $title", ({ bytes, title }) => {
  const { sources, reported } = load({ "a.wsdl": bytes });
  expect(sources.readXml("a.wsdl", request)).toBeUndefined();
  expect(reported()).toEqual([
    `a.wsdl@0 source.unexpected: Expected a WSDL 1.1 document, but found an HTML page with the title "${title}".`,
  ]);
});

const insteadOfJson = [
  { fact: "an HTML page", bytes: "\n<!doctype html>" },
  { fact: "XML", bytes: "\ufeff<a/>" },
  { fact: "gzip data", bytes: Uint8Array.of(0x1f, 0x8b, 8, 0) },
];

test.each(insteadOfJson)("$fact in place of an index is described", ({ fact, bytes }) => {
  const { sources, reported } = load({ "a.json": bytes });
  expect(sources.readText("a.json", { ...request, expected: "a discovery index" })).toBeUndefined();
  expect(reported()).toEqual([`a.json@0 source.unexpected: Expected a discovery index, but found ${fact}.`]);
});

const refused = [
  { given: "<!DOCTYPE a []><a/>", want: "xml.dtd" },
  { given: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', want: "xml.dtd" },
  { given: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', want: "xml.dtd" },
  { given: "<a><b></a>", want: "xml.not-well-formed" },
  { given: '<?xml version="1.0" encoding="utf-7"?><a/>', want: "xml.encoding" },
  { given: Uint8Array.of(0x3c, 0x61, 0xff, 0x2f, 0x3e), want: "xml.encoding" },
  { given: "<a>".repeat(300), want: "limit.depth" },
  { given: `<a ${Array.from({ length: 300 }, (_, index) => `b${index}=""`).join(" ")}/>`, want: "limit.attributes" },
  { given: `<${"a".repeat(300)}/>`, want: "limit.nameChars" },
];

test.each(refused)("$given is refused: $want", ({ given, want }) => {
  const { sources, reported } = load({ "a.wsdl": given });
  expect(sources.readXml("a.wsdl", request)).toBeUndefined();
  expect(reported().map((line) => line.split(/[ :]/)[1])).toEqual([want]);
});

const problems: readonly { fact: string; file: FileRead | undefined; want: string }[] = [
  { fact: "missing", file: undefined, want: "source.missing: The file a.wsdl does not exist." },
  {
    fact: "outside",
    file: { kind: "problem", problem: "outside", message: "" },
    want: "import.outside: The file a.wsdl is outside the root.",
  },
  {
    fact: "irregular",
    file: { kind: "problem", problem: "irregular", message: "" },
    want: "source.irregular: The path a.wsdl does not lead to a regular file.",
  },
  {
    fact: "unreadable",
    file: { kind: "problem", problem: "unreadable", message: "no permission" },
    want: "source.unreadable: The file a.wsdl cannot be read: no permission.",
  },
  {
    fact: "large",
    file: { kind: "problem", problem: "large", message: "" },
    want: "limit.fileBytes: The limit fileBytes (16777216) is exceeded.",
  },
];

test.each(problems)("a file that is $fact is reported at the position of the request", ({ file, want }) => {
  const { sources, reported } = load(file === undefined ? {} : { "a.wsdl": file });
  expect(sources.readXml("a.wsdl", request)).toBeUndefined();
  expect(reported()).toEqual([`bothends.json@0 ${want}`]);
});

const limits = [
  { limits: { fileBytes: 3 }, want: "limit.fileBytes" },
  { limits: { inputBytes: 7 }, want: "limit.inputBytes" },
  { limits: { inputFiles: 1 }, want: "limit.inputFiles" },
  { limits: { inputFiles: 0 }, want: "limit.inputFiles" },
  { limits: { imports: 1 }, want: "limit.imports" },
];

test.each(limits)("$limits refuses: $want", ({ limits: given, want }) => {
  const { sources, reported } = load({ "a.xsd": "<a/>", "b.xsd": "<b/>" }, given);
  const first = sources.readXml("a.xsd", request);
  const reference = { ...config, source: first?.source ?? config.source };
  if (first !== undefined) {
    sources.readLocation("b.xsd", { reference, expected: "a schema" });
  }
  expect(reported().map((line) => line.split(/[ :]/)[1])).toEqual([want]);
});

test("a text can start with a byte-order mark, and must be UTF-8", () => {
  const { sources, reported } = load({ "a.json": "\uFEFF{}", "b.json": Uint8Array.of(0x22, 0xe9, 0x22) });
  expect(sources.readText("a.json", request)?.text).toBe("{}");
  expect(sources.readText("b.json", request)).toBeUndefined();
  expect(reported()).toEqual([
    "b.json@1 source.encoding: Expected a WSDL 1.1 document in UTF-8, but some bytes are not UTF-8.",
  ]);
});

test.each([
  { text: "<a><b>some te", isCut: true },
  { text: "<a><b></b>\n", isCut: true },
  { text: '<a><b c="d', isCut: true },
  { text: "<a><b></b></", isCut: true },
  { text: "<a/>more", isCut: false },
  { text: "<a><b></a>", isCut: false },
  { text: "<a><b & c></b></a>", isCut: false },
])("a document that ends too early is recognized as cut: $text", ({ text, isCut }) => {
  const diagnostics = new Diagnostics();
  const readFile = (): FileRead => ({ kind: "file", bytes: new TextEncoder().encode(text) });
  new Sources({ readFile, diagnostics, limits: {} }).readXml("a.wsdl", request);
  expect(diagnostics.all).toMatchObject([{ code: "XML001" }]);
  const help = "The document ends too early: it was probably saved only in part. Save it again.";
  expect(diagnostics.all[0]?.help === help).toBe(isCut);
});
