import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  type CodeSymbol,
  code,
  comment,
  documented,
  type Fragment,
  identifier,
  literal,
  object,
  separateByBlankLines,
  TypeScriptFile,
  typeBody,
  wrappableValue,
} from "../../src/print/index.js";
import { complaints } from "../emit/type-check.js";

/** The lines of a fragment, as a file prints them. */
function printed(fragment: Fragment): string {
  const file = new TypeScriptFile({ package: "@p/client", path: "packages/client/src/a.ts" });
  file.add([{ kind: "function", name: "f", code: fragment }]);
  return file.print().split("\n").slice(2, -1).join("\n");
}

const long = identifier("x".repeat(60));
const owned: CodeSymbol = {
  name: "Local",
  kind: "value",
  module: { kind: "file", package: "@p/client", entry: "@p/client", path: "packages/client/src/a.ts" },
};

test("a template prints its own text, indented relative to its first line", () => {
  const body = [code`return 1;`, code`return 2;`];
  expect(
    printed(code`
      class ${identifier("A")} {
        readonly b = new ${owned}(a, ${literal("b")});

        c() {
          ${body}
        }
      }
    `),
  ).toBe(`class A {
  readonly b = new Local(a, "b");

  c() {
    return 1;
    return 2;
  }
}`);
});

test.each([
  {
    name: "the parameters of a signature break before its type",
    given: code`f(a: ${long}, b: ${long}): Promise<${long}> {`,
    want: `f(\n  a: ${"x".repeat(60)},\n  b: ${"x".repeat(60)},\n): Promise<${"x".repeat(60)}> {`,
  },
  {
    name: "the last type argument has no comma",
    given: code`a: Map<${long}, ${long}>;`,
    want: `a: Map<\n  ${"x".repeat(60)},\n  ${"x".repeat(60)}\n>;`,
  },
  {
    name: "a last object stays on the line of its call",
    given: code`f("a", ${object([long, long])});`,
    want: `f("a", {\n  ${"x".repeat(60)},\n  ${"x".repeat(60)},\n});`,
  },
  {
    name: "a last array stays on the line of its call",
    given: code`f(${literal("a")}, [${long}, ${long}]);`,
    want: `f("a", [\n  ${"x".repeat(60)},\n  ${"x".repeat(60)},\n]);`,
  },
  {
    name: "the specifier of an import has no comma",
    given: code`() => import(${literal("x".repeat(110))});`,
    want: `() => import(\n  "${"x".repeat(110)}"\n);`,
  },
  {
    name: "parentheses around a value have no comma, and a call in them has one",
    given: code`return (await ${long}(${long})).${long};`,
    want: `return (\n  await ${"x".repeat(60)}(\n    ${"x".repeat(60)},\n  )\n).${"x".repeat(60)};`,
  },
  {
    name: "the parameters of an arrow function have commas",
    given: code`const f = (${long}, ${long}) => 1;`,
    want: `const f = (\n  ${"x".repeat(60)},\n  ${"x".repeat(60)},\n) => 1;`,
  },
  {
    name: "a rest parameter has no comma",
    given: code`f(${long}, ...${long}): void;`,
    want: `f(\n  ${"x".repeat(60)},\n  ...${"x".repeat(60)}\n): void;`,
  },
  {
    name: "the key of an element has no comma",
    given: code`a = ${long}[${long}];`,
    want: `a = ${"x".repeat(60)}[\n  ${"x".repeat(60)}\n];`,
  },
  {
    name: "the parameter of an index signature has no comma",
    given: code`readonly [${long}: ${long}]: string;`,
    want: `readonly [\n  ${"x".repeat(60)}: ${"x".repeat(60)}\n]: string;`,
  },
  {
    name: "a value that does not fit behind an arrow is on the next line",
    given: code`f(): ${long} =>${wrappableValue(long)};`,
    want: `f(): ${"x".repeat(60)} =>\n  ${"x".repeat(60)};`,
  },
])("printed code: $name", ({ given, want }) => {
  expect(printed(given)).toBe(want);
});

test("braces on one line are an object, or a type where semicolons separate", () => {
  expect(printed(code`a = { b: ${literal(1)}, c };`)).toBe("a = { b: 1, c };");
  expect(printed(code`a: { b: ${long}; c: ${long}; };`)).toBe(
    `a: {\n  b: ${"x".repeat(60)};\n  c: ${"x".repeat(60)};\n};`,
  );
});

test("a list fills its brackets, and empty type arguments are left out", () => {
  const none: readonly Fragment[] = [];
  expect(printed(code`f<${none}>(${none}, ${[code`a`, code`b`]})[${none}];`)).toBe("f(a, b)[];");
});

test("a line with nothing but an empty hole is left out, and the blank line before it", () => {
  expect(
    printed(code`
      ${comment(undefined)}
      class A {
        a;

        ${separateByBlankLines([])}
      }`),
  ).toBe("class A {\n  a;\n}");
});

test("fragments are separated by blank lines, and members of a type by line ends", () => {
  expect(printed(code`${separateByBlankLines([code`a`, code`b`])}`)).toBe("a\n\nb");
  expect(printed(code`type A = ${typeBody([code`a: 1`, documented("The b.", code`b: 2`)])}`)).toBe(
    "type A = {\n  a: 1;\n  /**\n   * The b.\n   */\n  b: 2;\n}",
  );
  expect(printed(code`type A = ${typeBody([])}`)).toBe("type A = {}");
});

test.each([
  { name: "closes no bracket", given: () => code`f(${long}` },
  { name: "opens no bracket", given: () => code`f ${long})` },
  {
    name: "has a line end inside of brackets",
    given: () => code`
      f(
        ${long})`,
  },
  {
    name: "has several lines and begins on the first",
    given: () => code`f {
      ${long}`,
  },
  { name: "has a list beside other code", given: () => code`f ${[long]} g` },
])("a template that $name causes an internal error", ({ given }) => {
  expect(given).toThrow();
});

test("a template does not accept a string in a hole", () => {
  const print = fileURLToPath(new URL("../../src/print/index.js", import.meta.url));
  const use = (hole: string) =>
    `import { code, identifier, literal } from ${JSON.stringify(print)};\nexport const a: unknown = code\`\${${hole}}\`;\nexport const b: unknown = [identifier, literal];\n`;
  expect(complaints(new Map([["a.ts", use('identifier("a")')]]))).toEqual([]);
  for (const hole of ['"a"', "1", '["a"]', '{ layout: "a", kind: "word", members: [] }']) {
    expect(complaints(new Map([["a.ts", use(hole)]])).join("\n")).toMatch(/error TS2(322|345)/);
  }
});
