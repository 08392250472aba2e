import { describe, expect, test } from "vitest";
import { FormLimitError } from "../../src/http/body-collector.js";
import { decodePart, encodePart, readForm, writeForm } from "../../src/protocol/http/form-encoding.js";

describe("a name or value is decoded", () => {
  test.each([
    { text: "plain", want: "plain" },
    { text: "A+B", want: "A B" },
    { text: "A%20B", want: "A B" },
    { text: "%2B", want: "+" },
    { text: "%C5%81%C3%B3d%C5%BA", want: "Łódź" },
    { text: "%F0%9F%98%80", want: "😀" },
    { text: "%E9%E8", want: "\uFFFD\uFFFD" },
    { text: "%ff", want: "\uFFFD" },
    { text: "%EF%BB%BFa", want: "\uFEFFa" },
    { text: "%00", want: "\0" },
    { text: "%zz%4", want: "%zz%4" },
    { text: "%", want: "%" },
    { text: "%%41", want: "%A" },
    { text: "%+1", want: "% 1" },
    { text: "%u0141", want: "Ł" },
    { text: "%U0141", want: "Ł" },
    { text: "%uD83D%uDE00", want: "😀" },
    { text: "%uD83D", want: "\uFFFD" },
    { text: "%u12", want: "%u12" },
    { text: "%u12g4", want: "%u12g4" },
    { text: "%C5%u0041", want: "\uFFFDA" },
    { text: "\u00C5\u0081", want: "Ł" },
    { text: "Ł%41", want: "ŁA" },
  ])("$text as $want", ({ text, want }) => {
    expect(decodePart(text)).toBe(want);
  });

  test("and encoded so that decoding returns the same value", () => {
    for (const text of ["", "a b+c&d=e;f%", "Łódź 😀", "!'()*~-._", "\0\r\n", "%u0141", "__proto__"]) {
      expect(decodePart(encodePart(text))).toBe(text);
      expect(encodePart(text)).toMatch(/^[A-Za-z0-9._~%-]*$/);
    }
  });
});

describe("a form is read", () => {
  test.each([
    { text: "", want: [] },
    {
      text: "a=1&b=2",
      want: [
        ["a", ["1"]],
        ["b", ["2"]],
      ],
    },
    { text: "a=1&a=2", want: [["a", ["1", "2"]]] },
    { text: "&&a=1&&", want: [["a", ["1"]]] },
    { text: "a", want: [] },
    { text: "a=", want: [["a", [""]]] },
    { text: "=x", want: [["", ["x"]]] },
    { text: "a=1=2", want: [["a", ["1=2"]]] },
    { text: "a=A;b=B", want: [["a", ["A;b=B"]]] },
    {
      text: "__proto__=x&constructor=y",
      want: [
        ["__proto__", ["x"]],
        ["constructor", ["y"]],
      ],
    },
    { text: "a%5B%5D=1", want: [["a[]", ["1"]]] },
  ])("$text as $want", ({ text, want }) => {
    expect([...readForm(text)]).toEqual(want);
  });

  test("by the charset of its bytes", () => {
    const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes);
    expect(readForm("a=%E9", { decode: latin1 }).get("a")).toEqual(["é"]);
  });

  test.each([
    { text: "a=1&b=2&c=3", limit: "pairs" },
    { text: "a&b&c", limit: "pairs" },
    { text: "abcd=1", limit: "paramName" },
    { text: "a=12345", limit: "paramValue" },
  ])("within its limits: $text", ({ text, limit }) => {
    const limits = { pairs: 2, paramName: 3, paramValue: 4 };
    expect(() => readForm(text, { limits })).toThrowError(expect.objectContaining({ limit }));
    expect(() => readForm(text, { limits })).toThrowError(FormLimitError);
  });
});

test("a form is written", () => {
  expect(
    writeForm([
      ["a b", "1&2"],
      ["c", ""],
    ]),
  ).toBe("a%20b=1%262&c=");
});
