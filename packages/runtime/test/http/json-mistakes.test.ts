import fc from "fast-check";
import { expect, test } from "vitest";
import { describeJsonMistake, findJsonEnding, findJsonMistake, formatPosition } from "../../src/http/json-mistakes.js";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON in which a few characters are replaced, removed or inserted. */
const damagedJson = fc
  .tuple(
    fc.json(),
    fc.array(fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom(..."{}[]\",:'\\ \n\t\u00a0-+.0e1tu/=a", "\\u00", "")), {
      maxLength: 3,
    }),
  )
  .map(([json, edits]) =>
    edits.reduce((text, [position, removed, inserted]) => {
      const offset = position % (text.length + 1);
      return text.slice(0, offset) + inserted + text.slice(offset + removed);
    }, json),
  );

test("finds a mistake in each text that JSON.parse refuses, and in no other", () => {
  fc.assert(
    fc.property(damagedJson, (text) => {
      const mistake = findJsonMistake(text);
      expect(mistake === undefined).toBe(parses(text));
      expect(mistake?.offset ?? 0).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 5_000, seed: 12 },
  );
});

const trailingComma = "A comma precedes a closing bracket, which JSON does not allow.";
const singleQuotes = "A name or a text is in single quotation marks";
const python = "It contains None, True or False, as Python writes these values";
const unknownLiteral = "It contains undefined, NaN or Infinity, which JSON does not have";
const numberForm = "A number has a form that JSON does not allow";

test.each([
  ['{"a":1,}', "line 1, column 8", trailingComma],
  ["[\n  1,\n  2,\n]", "line 4, column 1", trailingComma],
  ["{'a':1}", "line 1, column 2", singleQuotes],
  ["{\"a\":\n's3cret'}", "line 2, column 1", singleQuotes],
  ["{“a”:1}", "line 1, column 2", "in other quotation marks than"],
  ["[object Object]", "line 1, column 2", 'the text "[object Object]": it must be converted with'],
  ['{"a":[object Object]}', "line 1, column 7", "it must be converted with JSON.stringify"],
  ['{"a":None}', "line 1, column 6", python],
  ['{"a":True,"b":2}', "line 1, column 6", python],
  ['{"a":TRUE}', "line 1, column 6", "JSON has only true, false and null, in lower case."],
  ['{"a":undefined}', "line 1, column 6", unknownLiteral],
  ["[NaN,1]", "line 1, column 2", unknownLiteral],
  ["[-Infinity]", "line 1, column 2", unknownLiteral],
  ['{"a":1, // s3cret\n"b":2}', "line 1, column 9", "It contains a comment"],
  ['{"a":{{s3cret}}}', "line 1, column 7", "a placeholder of a template"],
  [`{"a":$${"{s3cret}"}}`, "line 1, column 6", "a placeholder of a template"],
  ['{"a":01}', "line 1, column 6", numberForm],
  ["[.5]", "line 1, column 2", numberForm],
  ["[+1]", "line 1, column 2", numberForm],
  ['{"a":1,5}', "line 1, column 8", "A number may have a decimal comma"],
  ["{title:1}", "line 1, column 2", "A name is not in quotation marks."],
  ['{"a":s3cret}', "line 1, column 6", "A text is not in quotation marks."],
  ['{"a":}', "line 1, column 6", "A value or a member is missing."],
  ["[1,,2]", "line 1, column 4", "A value or a member is missing."],
  ['{"a"="b"}', "line 1, column 5", "A name is followed by = instead of a colon."],
  ['{"a" 1}', "line 1, column 6", "A colon is missing after a name."],
  ['{"a":1;"b":2}', "line 1, column 7", "A semicolon is in the place of a comma."],
  ['{"a":[1}', "line 1, column 8", "A closing bracket is not of the same kind as the opening one."],
  ['{"a":"say "s3cret""}', "line 1, column 12", "A text may contain a quotation mark that is not written as"],
  ['{"a":1\n"b":2}', "line 2, column 1", "A comma is missing between two values or members."],
  ['{"a":"b" "c":2}', "line 1, column 10", "A comma is missing between two values or members."],
  ['{"a":"b\n"}', "line 1, column 8", "A text contains a line break or another control character"],
  ['{"a":"C:\\temp\\s3cret"}', "line 1, column 14", "A text contains a backslash"],
  ['{"a":"s3cret}', "line 1, column 6", "A text has no closing quotation mark."],
  ['{\u00a0"a":1}', "line 1, column 2", "It contains an invisible character"],
  ["[\ufeff1]", "line 1, column 2", "It contains an invisible character"],
  ['{"a":1\0}', "line 1, column 7", "It contains a byte of the value 0"],
  ['{"a":!}', "line 1, column 6", ""],
])("describes the mistake in %j", (text, position, cause) => {
  const mistake = findJsonMistake(text);
  expect(mistake).toBeDefined();
  if (mistake !== undefined) {
    expect(formatPosition(text, mistake)).toBe(position);
    const description = describeJsonMistake(text, mistake);
    expect(description).toContain(cause);
    expect(description === "").toBe(cause === "");
    expect(description).not.toContain("s3cret");
  }
});

test.each([
  ['{"a', "incomplete"],
  ['{"a":tru', "incomplete"],
  ['{"a":"\\u00', "incomplete"],
  ['[{"a":1}', "incomplete"],
  ['{"a":1} x', "followed"],
  ["[1][2]", "followed"],
  ['{"a}', undefined],
  ["{'a': 1", undefined],
  ["x", undefined],
  ["[1]", undefined],
])("the ending of %j is %s", (text, ending) => {
  expect(findJsonEnding(text)).toBe(ending);
});
