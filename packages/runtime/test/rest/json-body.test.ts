import { expect, test } from "vitest";
import { readJsonBody } from "../../src/rest/php-json.js";

const bounds = { jsonDepth: 3, jsonKeys: 4, jsonItems: 10 };
const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each<{ readonly given: string; readonly want: unknown }>([
  { given: "{}", want: {} },
  { given: '{"a":[1,"[[[[{{{{",{}]}', want: { a: [1, "[[[[{{{{", {}] } },
  { given: '{"a":"\\"]]]]\\\\"}', want: { a: '"]]]]\\' } },
  { given: '{"a":1,"a":2}', want: { a: 2 } },
  { given: '"x"', want: "x" },
  { given: '{"a":"\\ud83d\\ude00"}', want: { a: "😀" } },
  { given: '{"constructor":"x"}', want: { constructor: "x" } },
  { given: "12345678901234567890", want: 12345678901234567000 },
])("the JSON body $given is read", ({ given, want }) => {
  expect(readJsonBody(bytesOf(given), bounds)).toEqual(want);
});

test.each([
  { given: "{", code: 4 },
  { given: '{"a":1,}', code: 4 },
  { given: '{"a":1} x', code: 4 },
  { given: "\uFEFF{}", code: 4 },
  { given: '{"a', code: 4 },
  { given: '{"a\\', code: 4 },
  { given: "[[[[]]]]", code: 1 },
  { given: '{"a":1,"b":1,"c":1,"d":1,"e":1}', code: 1 },
  { given: "[1,2,3,4,5,6,7,8,9,10,11,12]", code: 1 },
  { given: `${"[".repeat(1_000_000)}`, code: 1 },
  { given: '{"__proto__":1}', code: 9 },
  { given: '{"a":[{"\\u005f_proto__":1}]}', code: 9 },
  { given: '{"constructor":{"prototype":1}}', code: 9 },
  { given: '{"a":1e400}', code: 7 },
  { given: `{"a":1${"0".repeat(310)}}`, code: 7 },
  { given: '{"a":"\\ud800"}', code: 10 },
  { given: '{"\\udc00":1}', code: 10 },
])("the JSON body $given is refused with the code $code of PHP", ({ given, code }) => {
  expect(() => readJsonBody(bytesOf(given), bounds)).toThrow(expect.objectContaining({ code }));
});

test("bytes that are not UTF-8 are refused", () => {
  expect(() => readJsonBody(new Uint8Array([0x22, 0xff, 0x22]), bounds)).toThrow(expect.objectContaining({ code: 5 }));
});
