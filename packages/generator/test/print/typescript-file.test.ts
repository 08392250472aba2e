import { expect, test } from "vitest";
import {
  type CodeSymbol,
  type Declaration,
  type Expression,
  runtimeType,
  runtimeValue,
  type TypeNode,
  TypeScriptFile,
  xs,
} from "../../src/print/index.js";

function printed(...declarations: readonly Declaration[]): string {
  const file = new TypeScriptFile({ package: "@p/client", path: "packages/client/src/v/a.ts" });
  file.add(...declarations);
  return file.print().split("\n").slice(1).join("\n");
}

function symbol(name: string, kind: "type" | "value", path: string, owner = "@p/client"): CodeSymbol {
  return { name, kind, module: { kind: "file", package: owner, entry: `${owner}/v`, path } };
}

function alias(type: TypeNode): Declaration {
  return { kind: "alias", name: "A", type };
}

function constant(value: Expression): Declaration {
  return { kind: "constant", name: "a", type: { kind: "keyword", name: "unknown" }, value };
}

const text: TypeNode = { kind: "keyword", name: "string" };
const literals = (count: number): TypeNode => ({
  kind: "union",
  members: Array.from({ length: count }, (_, index) => ({ kind: "literal", value: `value-${index}` }) as const),
});

test("imports follow from the symbols: packages first, types apart where there are only types", () => {
  const types = [
    symbol("Near", "type", "packages/client/src/v/types.ts"),
    symbol("Above", "type", "packages/client/src/w/deep/b.ts"),
    symbol("Far", "type", "packages/contract/src/v/types.ts", "@p/contract"),
    symbol("Own", "type", "packages/client/src/v/a.ts"),
    runtimeType("@bothends/runtime/client", "CallOptions"),
  ];
  const values = [runtimeValue("@bothends/runtime/client", "ServiceClient"), xs("string")];
  expect(
    printed(
      alias({ kind: "union", members: types.map((each) => ({ kind: "symbol", symbol: each })) }),
      constant({ kind: "array", items: values.map((each) => ({ kind: "symbol", symbol: each })) }),
    ),
  ).toBe(`import { type CallOptions, ServiceClient } from "@bothends/runtime/client";
import * as xs from "@bothends/runtime/xs";
import type { Far } from "@p/contract/v";
import type { Above } from "../w/deep/b.js";
import type { Near } from "./types.js";

export type A = Near | Above | Far | Own | CallOptions;

export const a: unknown = [ServiceClient, xs.string];
`);
});

test("a name from two places is a mistake", () => {
  const one = symbol("Twice", "type", "packages/client/src/v/b.ts");
  const two = symbol("Twice", "type", "packages/client/src/v/c.ts");
  const members = [one, two].map((each): TypeNode => ({ kind: "symbol", symbol: each }));
  expect(() => printed(alias({ kind: "union", members }))).toThrow(/two places/);
});

test("what is re-exported is not imported", () => {
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
    given: { kind: "array", item: literals(2) } as const,
    want: 'export type A = readonly ("value-0" | "value-1")[];',
  },
  {
    name: "a list of lists",
    given: { kind: "array", item: { kind: "array", item: text } } as const,
    want: "export type A = readonly (readonly string[])[];",
  },
  {
    name: "an intersection in a union",
    given: { kind: "union", members: [{ kind: "intersection", members: [text, text] }, text] } as const,
    want: "export type A = (string & string) | string;",
  },
  { name: "no alternatives", given: { kind: "union", members: [] } as const, want: "export type A = never;" },
])("prints $name", ({ given, want }) => {
  expect(printed(alias(given)).trim()).toBe(want);
});

test("an object stands on one line where it fits, else each entry on its own", () => {
  const entry = (key: string, length: number) => ({
    key,
    value: { kind: "literal", value: "x".repeat(length) } as const,
  });
  expect(printed(constant({ kind: "object", entries: [entry("a", 5), entry("b-c", 5)] }))).toContain(
    '= { a: "xxxxx", "b-c": "xxxxx" };',
  );
  const long = printed(constant({ kind: "object", entries: [entry("a", 60), entry("b", 60)] }));
  expect(long).toContain(`= {\n  a: "${"x".repeat(60)}",\n  b: "${"x".repeat(60)}",\n};`);
});

test("no line ends in a space", () => {
  const wide: TypeNode = {
    kind: "object",
    members: [{ kind: "property", name: "p", type: literals(20), optional: true }],
  };
  expect(printed(alias({ kind: "union", members: [wide, literals(20)] }))).not.toMatch(/ $/m);
});
