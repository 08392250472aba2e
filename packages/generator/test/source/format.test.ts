import { expect, test } from "vitest";
import { type Diagnostic, Diagnostics, formatDiagnostics } from "../../src/source/diagnostics.js";
import { getPosition } from "../../src/source/span.js";

function at(text: string, marked: string, path = "schemas/a.wsdl"): Diagnostic {
  const start = text.indexOf(marked);
  return {
    code: "XSD023",
    severity: "error",
    span: { source: { path, text }, start, end: start + marked.length },
    message: "There is no type.",
    help: undefined,
    remedy: undefined,
  };
}

function format(diagnostic: Diagnostic): string {
  return formatDiagnostics([diagnostic], { color: false });
}

test("a diagnostic shows its position, its line with carets, and its help", () => {
  expect(format({ ...at('<a>\n  <b type="t:C"/>\n</a>', "t:C"), help: "Did you mean t:D?" })).toBe(
    [
      "schemas/a.wsdl:2:12: error XSD023 (xsd.unknown-type): There is no type.",
      '  2 |   <b type="t:C"/>',
      "    |            ^^^",
      "  help: Did you mean t:D?",
      "",
    ].join("\n"),
  );
});

const excerpts = [
  { fact: "tabs are two columns", text: "\t<b\tc/>", marked: "c", want: ["  1 |   <b  c/>", "    |       ^"] },
  { fact: "a character outside the BMP is one", text: "😀<b/>", marked: "b", want: ["  1 | 😀<b/>", "    |   ^"] },
  {
    fact: "a span of several lines is marked on its first line",
    text: "<a\nb/>",
    marked: "a\nb",
    want: ["  1 | <a", "    |  ^"],
  },
  { fact: "CR LF ends a line", text: "<a>\r\n<b/>\r\n", marked: "b", want: ["  2 | <b/>", "    |  ^"] },
  { fact: "an empty span is marked by one caret", text: "<a>", marked: "", want: ["  1 | <a>", "    | ^"] },
  {
    fact: "control characters are shown as code points",
    text: "\u001b[31m\u202e<b/>",
    marked: "b",
    want: ["  1 | <U+001B>[31m<U+202E><b/>", `    | ${" ".repeat(21)}^`],
  },
];

test.each(excerpts)("the excerpt of a diagnostic: $fact", ({ text, marked, want }) => {
  expect(format(at(text, marked)).split("\n").slice(1, 3)).toEqual(want);
});

test("a long line is shown around the position", () => {
  const [, line = "", carets = ""] = format(at(`${"a".repeat(5_000)}HERE${"b".repeat(5_000)}`, "HERE")).split("\n");
  expect(line.length).toBeLessThan(140);
  expect(line).toContain("…aaa");
  expect(line.endsWith("b…")).toBe(true);
  expect(line.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1)).toBe("HERE");
});

const secret = "scott:tiger-and-more";
const withSecret = `<a location="http://${secret}@h/x" name="b"/>`;

test.each([
  { fact: "credentials before the position", marked: "name", shown: "name" },
  { fact: "credentials after the position", marked: "location", shown: "location" },
  { fact: "credentials at the position", marked: secret, shown: "***" },
  { fact: "credentials inside the position", marked: `http://${secret}@h/x`, shown: "http://***@h/x" },
  { fact: "credentials that begin before the position", marked: "tiger-and-more@h/x", shown: "***@h/x" },
  { fact: "credentials that end after the position", marked: "http://scott", shown: "http://***" },
])("$fact are shown as three asterisks, and the carets are below them", ({ marked, shown }) => {
  const [, line = "", carets = ""] = format(at(withSecret, marked)).split("\n");
  expect(line).toBe('  1 | <a location="http://***@h/x" name="b"/>');
  expect(line.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1)).toBe(shown);
});

test("credentials in a long line are shown as three asterisks", () => {
  const text = `${"a".repeat(200)} http://${"s".repeat(500)}@h HERE ${"b".repeat(200)}`;
  const [, line = "", carets = ""] = format(at(text, "HERE")).split("\n");
  expect(line).toContain("| …***@h HERE b");
  expect(line).not.toContain("s");
  expect(line.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1)).toBe("HERE");
});

test("control characters in messages are shown as code points", () => {
  expect(format({ ...at("<a/>", "a"), message: "No \u001b]0;x\u0007 here\nat all" })).toContain(
    "No <U+001B>]0;x<U+0007> here<U+000A>at all",
  );
});

test("diagnostics are sorted by position; fifty of each severity are shown, and the others are counted", () => {
  const text = "x".repeat(200);
  const source = { path: "b.xsd", text };
  const diagnostics = new Diagnostics();
  for (let start = 59; start >= 0; start -= 1) {
    diagnostics.error("XSD023", { source, start, end: start + 1 }, { message: `${start}` });
  }
  diagnostics.warning("XSD030", { source: { path: "a.xsd", text }, start: 9, end: 9 }, { message: "first" });
  const shown = formatDiagnostics(diagnostics.all, { color: false });
  const heads = shown.split("\n").filter((line) => line.includes(" XSD"));
  expect(heads[0]).toBe("a.xsd:1:10: warning XSD030 (xsd.not-imported): first");
  expect(heads[1]).toBe("b.xsd:1:1: error XSD023 (xsd.unknown-type): 0");
  expect(heads).toHaveLength(51);
  expect(shown.endsWith("… and 10 more errors.\n")).toBe(true);
});

test("without diagnostics, the text is empty", () => {
  expect(formatDiagnostics([], { color: true })).toBe("");
});

test("colors are added only on request", () => {
  expect(formatDiagnostics([at("<a/>", "a")], { color: true })).toContain("\u001b[1;31merror XSD023\u001b[0m");
});

test("lines end as in XML, and columns count characters", () => {
  const source = { path: "a", text: "a\r\nb\rc\n😀d" };
  expect(["a", "b", "c", "d"].map((letter) => getPosition(source, source.text.indexOf(letter)))).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 1 },
    { line: 3, column: 1 },
    { line: 4, column: 2 },
  ]);
});
