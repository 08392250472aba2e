import { expect, test } from "vitest";
import { markCalls } from "../src/mark-pure.js";

const cases = [
  { given: "const a = f();", want: "const a = /* @__PURE__ */ f();" },
  {
    given: "export const a = new Map([g()]);",
    want: "export const a = /* @__PURE__ */ new Map([/* @__PURE__ */ g()]);",
  },
  { given: "const a = /* @__PURE__ */ f();", want: undefined },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the code that is marked
  { given: "const a = `${b}`;", want: "const a = /* @__PURE__ */ (() => (`${b}`))();" },
  { given: "const a = [...b];", want: "const a = /* @__PURE__ */ (() => ([...b]))();" },
  { given: "const a = { b: c.d };", want: "const a = /* @__PURE__ */ (() => ({ b: c.d }))();" },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the code that is marked
  { given: "const a = () => `${b}`;", want: undefined },
  { given: "const a = await b.c;", want: undefined },
  { given: "const a = () => f();", want: undefined },
  { given: "const a = 1;", want: undefined },
  { given: "f();", want: undefined },
  { given: "for (const a of b()) { c(a); }", want: undefined },
];

test.each(cases)("$given is marked where a constant calls a function", ({ given, want }) => {
  expect(markCalls(given, "module.ts")?.code).toBe(want);
});
