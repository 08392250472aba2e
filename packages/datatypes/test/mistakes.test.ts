import { expect, test } from "vitest";
import { list, restriction } from "../src/derivation.js";
import { enumeration } from "../src/facets.js";
import { emptyContext } from "../src/index.js";
import * as xs from "../src/xs.js";

// Frequent mistakes in texts, which the message of the error names. The reason does not contain the text.

const base64Url = "it is base64url, which has - and _ instead of + and /";
const padding = "its padding, = or == at the end, is missing";

test.each([
  [xs.base64Binary, "AQI", padding],
  [xs.base64Binary, "AQIDBA", padding],
  [xs.base64Binary, "AQ=", padding],
  [xs.base64Binary, "-_-_", base64Url],
  [xs.base64Binary, "AQI-_w", base64Url],
  [
    xs.base64Binary,
    "data:image/png;base64,AQID",
    "it is a data: URI, of which only the text after the comma is Base64",
  ],
  [xs.base64Binary, "0x0102", "it seems to be hexadecimal text"],
  [xs.base64Binary, "0x01020304AB!", undefined],
  [xs.base64Binary, "a b!", undefined],
  [xs.hexBinary, "ABC", "the number of its digits is odd"],
  [xs.hexBinary, "0xABCD", "it must have only digits"],
  [xs.hexBinary, "AB-CD", "it must have only digits"],
  [xs.hexBinary, "AB:CD", "it must have only digits"],
  [xs.hexBinary, "SGVsbG8gd29ybGQ=", "it seems to be Base64 instead of hexadecimal text"],
  [xs.hexBinary, "zz", undefined],
] as const)("mistake %# in binary text", (type, text, reason) => {
  expect(() => type.read(text, emptyContext)).toThrow(
    expect.objectContaining({ reason: reason === undefined ? undefined : expect.stringContaining(reason) }),
  );
});

const codes = list([restriction([xs.string], [[enumeration, ["A", "B"]]], "t:Code")], [], "t:Codes");

test.each([
  [codes, "A,B", "white space must separate its items, not the character ,"],
  [codes, "A, B", "white space must separate its items, not the character ,"],
  [codes, "A;B", "white space must separate its items, not the character ;"],
  [list([xs.int], [], "t:Ints"), "1|2", "white space must separate its items, not the character |"],
  [list([xs.int], [], "t:Ints"), "1,x", undefined],
  [codes, "A,,B", 'it must be one of "A", "B"'],
  [codes, "A B C", 'it must be one of "A", "B"'],
])("mistake %# in a list", (type, text, reason) => {
  expect(() => type.read(text, emptyContext)).toThrow(expect.objectContaining({ reason }));
});
