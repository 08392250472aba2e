import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeText } from "../src/escape.js";
import { messageLimits } from "../src/limits.js";
import { escapeLongText } from "../src/long-text.js";
import { XmlReader } from "../src/reader.js";

/** The text of a document with one element. */
function read(content: string): string {
  const reader = new XmlReader(`<r>${content}</r>`, messageLimits);
  reader.next();
  reader.next();
  return reader.text;
}

const piece = fc.constantFrom(
  "&",
  "<",
  ">",
  "\r",
  "\n",
  '"',
  "'",
  "plain text ",
  "é",
  "€",
  "\u{1F600}",
  "\uFEFF",
  ";",
  "]]>",
  "&amp;",
);
/** Texts of up to 40,000 characters: several blocks, dense or not. */
const texts = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 60 }),
    fc.integer({ min: 1, max: 3_000 }),
    fc.integer({ min: 0, max: 9_000 }),
  )
  .map(([pieces, times, before]) =>
    ("x".repeat(before) + pieces.join("").repeat(times)).slice(0, 40_000).replace(/[\ud800-\udbff]$/, ""),
  );

test("long texts are escaped as short ones", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(escapeLongText(text)).toBe(escapeText(text));
    }),
    { numRuns: 200 },
  );
});

test("a long text is read back as written", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(read(escapeLongText(text))).toBe(text);
    }),
    { numRuns: 200 },
  );
});

const long = "&lt;td&gt;".repeat(2_000);

test.each([
  { fact: "character references", content: `${long}&#65;&#x1F600;${long}`, inside: "A\u{1F600}" },
  { fact: "a reference with many zeros", content: `${long}&#${"0".repeat(9_000)}65;${long}`, inside: "A" },
  { fact: "line ends", content: `${long}\r\n${long}`, inside: "\n" },
])("a long text may have $fact", ({ content, inside }) => {
  const text = "<td>".repeat(2_000);
  expect(read(content)).toBe(`${text}${inside}${text}`);
});

test.each([
  { fact: "an unknown entity", content: `${long}&nbsp;`, offset: 3 + long.length },
  { fact: "a bare ampersand", content: `${"x".repeat(20_000)}& ${long}`, offset: 3 + 20_000 },
])("$fact in a long text is refused at its position", ({ content, offset }) => {
  expect(() => read(content)).toThrow(expect.objectContaining({ offset }));
});

test("a character that XML forbids in a long text is refused", () => {
  expect(() => escapeLongText(`${"<".repeat(20_000)}\u0001`)).toThrow("XML forbids the character U+0001.");
});
