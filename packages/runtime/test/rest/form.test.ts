import { expect, test } from "vitest";
import { readPhpForm } from "../../src/rest/php-form.js";

const bounds = { pairs: 5, paramName: 40, paramValue: 20 };

const cases: readonly { readonly given: string; readonly want: object }[] = [
  { given: "", want: {} },
  { given: "a=1&b=2", want: { a: "1", b: "2" } },
  { given: "a=1&a=2", want: { a: "2" } },
  { given: "a", want: { a: "" } },
  { given: "=1&&a=", want: { a: "" } },
  { given: "a=b=c", want: { a: "b=c" } },
  { given: "a[]=1&a[]=2", want: { a: ["1", "2"] } },
  { given: "a%5B%5D=1", want: { a: ["1"] } },
  { given: "a[0]=1&a[1]=2", want: { a: ["1", "2"] } },
  { given: "a[3]=1&a[]=2", want: { a: { "3": "1", "4": "2" } } },
  { given: "a[x]=1&a[y][z]=2", want: { a: { x: "1", y: { z: "2" } } } },
  { given: "a[x]y=1", want: { a: { x: "1" } } },
  { given: "a[x=1", want: { a_x: "1" } },
  { given: "a.b=1&c d=2", want: { a_b: "1", c_d: "2" } },
  { given: "a=1&a[]=2", want: { a: ["2"] } },
  { given: "a[]=1&a=2", want: { a: "2" } },
  { given: "a=+%20%2B", want: { a: "  +" } },
  { given: "a=%C3%A9%zz%", want: { a: "é%zz%" } },
  { given: "a=%ff", want: { a: "\uFFFD" } },
  { given: "__proto__=1&a[__proto__][b]=1&c[constructor][prototype]=1", want: {} },
  { given: "constructor=1", want: { constructor: "1" } },
];

test.each(cases)("the form $given is read as $want", ({ given, want }) => {
  expect(Object.fromEntries(readPhpForm(given, bounds))).toEqual(want);
  expect(({} as Record<string, unknown>)["b"]).toBeUndefined();
});

test.each([
  { given: "a&".repeat(6), limit: "pairs" },
  { given: `${"a".repeat(41)}=1`, limit: "paramName" },
  { given: `a=${"a".repeat(21)}`, limit: "paramValue" },
])("more than a limit is refused: $limit", ({ given, limit }) => {
  expect(() => readPhpForm(given, bounds)).toThrow(expect.objectContaining({ limit }));
});

test("names with too many brackets are ignored", () => {
  const wide = { ...bounds, paramName: 1000 };
  expect(readPhpForm(`a${"[x]".repeat(100)}=1`, wide).size).toBe(0);
});
