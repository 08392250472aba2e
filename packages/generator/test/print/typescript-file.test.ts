import { expect, test } from "vitest";
import {
  array,
  arrayType,
  type CodeSymbol,
  code,
  type Declaration,
  entry,
  type Fragment,
  intersection,
  key,
  literal,
  literalUnion,
  object,
  objectType,
  runtimeType,
  runtimeValue,
  TypeScriptFile,
  union,
  use,
  xs,
} from "../../src/print/index.js";

function printed(...declarations: readonly Declaration[]): string {
  const file = new TypeScriptFile({ package: "@p/client", path: "packages/client/src/v/a.ts" });
  file.add(declarations);
  return file.print().split("\n").slice(1).join("\n");
}

function symbol(name: string, kind: "type" | "value", path: string, owner = "@p/client"): CodeSymbol {
  return { name, kind, module: { kind: "file", package: owner, entry: `${owner}/v`, path } };
}

function alias(type: Fragment): Declaration {
  return { kind: "alias", name: "A", code: code`export type A = ${type};` };
}

function constant(value: Fragment): Declaration {
  return { kind: "constant", name: "a", code: code`export const a: unknown = ${value};` };
}

const literals = (count: number): Fragment =>
  literalUnion(Array.from({ length: count }, (_, index) => `value-${index}`));

test("imports follow from the symbols: packages first, and `import type` where only types are used", () => {
  const types = [
    symbol("Near", "type", "packages/client/src/v/types.ts"),
    symbol("Above", "type", "packages/client/src/w/deep/b.ts"),
    symbol("Far", "type", "packages/contract/src/v/types.ts", "@p/contract"),
    symbol("Own", "type", "packages/client/src/v/a.ts"),
    runtimeType("@bothends/runtime/soap-client", "CallOptions"),
  ];
  const values = [runtimeValue("@bothends/runtime/soap-client", "ServiceClient"), xs("string")];
  expect(
    printed(alias(union(...types.map(use))), constant(array(values.map(use)))),
  ).toBe(`import { type CallOptions, ServiceClient } from "@bothends/runtime/soap-client";
import * as xs from "@bothends/runtime/xs/basic";
import type { Far } from "@p/contract/v";
import type { Above } from "../w/deep/b.js";
import type { Near } from "./types.js";

export type A = Near | Above | Far | Own | CallOptions;

export const a: unknown = [ServiceClient, xs.string];
`);
});

test("a file that uses a kind of types imports the whole of xs, and only that", () => {
  expect(
    printed(constant(array([xs("string"), xs("attribute")].map(use)))),
  ).toBe(`import * as xs from "@bothends/runtime/xs";

export const a: unknown = [xs.string, xs.attribute];
`);
});

test("a name from two modules causes an internal error", () => {
  const first = symbol("Twice", "type", "packages/client/src/v/b.ts");
  const second = symbol("Twice", "type", "packages/client/src/v/c.ts");
  expect(() => printed(alias(union(use(first), use(second))))).toThrow(/two modules/);
});

test("re-exported names are not imported", () => {
  const symbols = [
    symbol("B", "type", "packages/client/src/v/b.ts"),
    symbol("b", "value", "packages/client/src/v/b.ts"),
  ];
  expect(printed({ kind: "reexport", symbols })).toBe(
    'export type { B } from "./b.js";\nexport { b } from "./b.js";\n',
  );
});

test.each([
  { name: "a short union", given: literals(2), want: 'export type A = "value-0" | "value-1";' },
  {
    name: "a long union",
    given: literals(9),
    want: `export type A =\n${Array.from({ length: 9 }, (_, index) => `  | "value-${index}"`).join("\n")};`,
  },
  {
    name: "a list of a union",
    given: arrayType(literals(2)),
    want: 'export type A = readonly ("value-0" | "value-1")[];',
  },
  {
    name: "a list of lists",
    given: arrayType(arrayType(code`string`)),
    want: "export type A = readonly (readonly string[])[];",
  },
  {
    name: "an intersection in a union",
    given: union(intersection(code`string`, code`string`), code`string`),
    want: "export type A = (string & string) | string;",
  },
  {
    name: "a union in a union",
    given: union(union(code`string`, code`null`), code`null`),
    want: "export type A = string | null;",
  },
  { name: "no alternatives", given: union(), want: "export type A = never;" },
])("prints $name", ({ given, want }) => {
  expect(printed(alias(given)).trim()).toBe(want);
});

test("an object is on one line if it fits, otherwise each entry has a separate line", () => {
  const textEntry = (name: string, length: number) => entry(name, literal("x".repeat(length)));
  expect(printed(constant(object([textEntry("a", 5), textEntry("b-c", 5)])))).toContain(
    '= { a: "xxxxx", "b-c": "xxxxx" };',
  );
  const long = printed(constant(object([textEntry("a", 60), textEntry("b", 60)])));
  expect(long).toContain(`= {\n  a: "${"x".repeat(60)}",\n  b: "${"x".repeat(60)}",\n};`);
});

test("an entry whose value is a name that equals its key is the name only", () => {
  const local = symbol("b", "value", "packages/client/src/v/a.ts");
  const entries = [
    entry("a", code`a`),
    entry("b", use(local)),
    entry("c", use(local)),
    entry("string", use(xs("string"))),
  ];
  expect(printed(constant(object(entries)))).toContain("= { a, b, c: b, string: xs.string };");
});

test("no line ends in a space", () => {
  const wide = objectType([code`${key("p")}?: ${literals(20)}`]);
  expect(printed(alias(union(wide, literals(20), wide)))).not.toMatch(/ $/m);
});
