import {
  clark,
  escapeAttribute,
  escapeText,
  isName,
  isNCName,
  isXmlText,
  splitClark,
  splitQName,
  XmlError,
  XmlReader,
} from "@bothends/xml";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each([
  { given: "plain Łódź 😀", text: "plain Łódź 😀", attribute: "plain Łódź 😀" },
  { given: "a<b>&c", text: "a&lt;b&gt;&amp;c", attribute: "a&lt;b&gt;&amp;c" },
  { given: `"'`, text: `"'`, attribute: "&quot;'" },
  { given: "\t\n\r", text: "\t\n&#13;", attribute: "&#9;&#10;&#13;" },
  { given: "]]>", text: "]]&gt;", attribute: "]]&gt;" },
])("$given is escaped in text and in attributes", ({ given, text, attribute }) => {
  expect(escapeText(given)).toBe(text);
  expect(escapeAttribute(given)).toBe(attribute);
});

test.each(["\0", "\u0001", "\u000b", "\u001f", "\ud800", "x\udc00", "\udc00\ud800", "\ufffe", "\uffff"])(
  "%j cannot be written",
  (text) => {
    expect(isXmlText(text)).toBe(false);
    expect(() => escapeText(text)).toThrow(XmlError);
    expect(() => escapeAttribute(text)).toThrow(expect.objectContaining({ code: "xml.character" }));
  },
);

test("written values are read back", () => {
  const anyText = fc.string({
    unit: fc.oneof(fc.constantFrom(..."<>&\"'\r\n\t ]"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
  });
  fc.assert(
    fc.property(anyText, anyText, (text, value) => {
      fc.pre(isXmlText(text) && isXmlText(value));
      const reader = new XmlReader(`<a b="${escapeAttribute(value)}">${escapeText(text)}</a>`);
      reader.next();
      expect(reader.attribute("", "b")).toBe(value);
      expect(reader.readText()).toBe(text);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test.each([
  ["a", true, true],
  ["_a-1.é·", true, true],
  ["a:b", true, false],
  [":", true, false],
  ["", false, false],
  ["1a", false, false],
  ["-a", false, false],
  ["a b", false, false],
  ["a\n", false, false],
  ["×", false, false],
  ["\u{10000}", true, true],
  ["\u{f0000}", false, false],
])("%j: a Name %s, an NCName %s", (text, name, ncName) => {
  expect([isName(text), isNCName(text)]).toEqual([name, ncName]);
});

test("names in Clark notation are joined and split", () => {
  expect(clark("u", "a")).toBe("{u}a");
  expect(clark("", "a")).toBe("a");
  expect(splitClark("{u}a")).toEqual({ namespace: "u", localName: "a" });
  expect(splitClark("{u}v}a")).toEqual({ namespace: "u}v", localName: "a" });
  expect(splitClark("a")).toEqual({ namespace: "", localName: "a" });
});

test.each([
  ["p:a", { prefix: "p", localName: "a" }],
  ["a", { prefix: "", localName: "a" }],
  [":a", undefined],
  ["a:", undefined],
  ["a:b:c", undefined],
  ["", undefined],
])("the QName %j is split, or refused", (text, want) => {
  expect(splitQName(text)).toEqual(want);
});
