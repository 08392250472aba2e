import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { sequence, wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

// Replaces the type of a member by another simple type: an enumeration with another base type, a union with an
// enumeration, or a type without listed values. The compiler shows which code is affected.

const listOf = (name: string, base: string, ...values: readonly string[]) =>
  `<simpleType name="${name}"><restriction base="${base}">${values.map((value) => `<enumeration value="${value}"/>`).join("")}</restriction></simpleType>`;
const unionOf = (...members: readonly string[]) =>
  `<simpleType name="K"><union memberTypes="${members.join(" ")}"/></simpleType>`;
const part = listOf("P", "string", "1", "2");

const versions: readonly { readonly title: string; readonly types: string }[] = [
  ...["string", "token", "int", "long", "decimal", "double"].map((base) => ({
    title: `enumeration of ${base}`,
    types: listOf("K", base, "1", "2"),
  })),
  { title: "enumeration of boolean", types: listOf("K", "boolean", "1") },
  { title: "enumeration with three values", types: listOf("K", "string", "1", "2", "3") },
  { title: "restricted enumeration", types: `${part}<simpleType name="K"><restriction base="t:P"/></simpleType>` },
  { title: "union with string", types: part + unionOf("t:P", "string") },
  { title: "union with int", types: part + unionOf("t:P", "int") },
  { title: "union of enumerations", types: part + listOf("Q", "string", "3") + unionOf("t:P", "t:Q") },
  {
    title: "string",
    types: '<simpleType name="K"><restriction base="string"><maxLength value="9"/></restriction></simpleType>',
  },
];

const sources = versions.map(({ types }) => wsdlOf(types + sequence('<element name="a" type="t:K"/>')));
const pairs = versions.flatMap((old, oldIndex) =>
  versions.flatMap((now, newIndex) => (old === now ? [] : [{ old: old.title, now: now.title, oldIndex, newIndex }])),
);

/** A function that returns a text for every value of a type. It compiles only if it lists all of them. */
const listing = (values: readonly string[]) =>
  `export function show(v: Listed["a"]): string { switch (v) { ${values.map((value) => `case ${value}: return "";`).join(" ")} } }`;
const texts = ['"1"', '"2"', '"3"'];
const lists = [1, 2, 3]
  .map((count) => texts.slice(0, count))
  .flatMap((each) => [each, each.map((text) => text.replaceAll('"', ""))])
  .concat([["true"]]);

/**
 * The errors for pairs of versions, if the compiler refuses a value of the first version's type for the second one, and
 * for versions with lists of values.
 */
function findErrors(): ReadonlyMap<string, string> {
  const files = new Map(sources.flatMap((each, index) => [...modulesIn(`v${index}`, each)]));
  for (const { oldIndex, newIndex } of pairs) {
    const importType = (name: string, index: number) =>
      `import type { T as ${name} } from "./v${index}/contract/src/api/types.js";`;
    files.set(
      `${oldIndex}-${newIndex}.ts`,
      `${importType("From", oldIndex)}\n${importType("To", newIndex)}\ndeclare const v: From["a"];\nexport const w: To["a"] = v;`,
    );
  }
  for (const index of versions.keys()) {
    for (const [list, values] of lists.entries()) {
      files.set(
        `list-${index}-${list}.ts`,
        `import type { T as Listed } from "./v${index}/contract/src/api/types.js";\n${listing(values)}`,
      );
    }
  }
  return compileErrors(files);
}

let errors: ReadonlyMap<string, string> | undefined;

test.each(pairs)("code is affected as the compiler shows: $old to $now", ({ oldIndex, newIndex }) => {
  errors ??= findErrors();
  const [before = {}, after = {}] = [sources[oldIndex], sources[newIndex]];
  const changes = withoutVanishedNames(diffContracts(sideOf(before), sideOf(after)).changes);
  const isWriteRefused = errors.has(`${oldIndex}-${newIndex}.ts`);
  const isReadRefused = errors.has(`${newIndex}-${oldIndex}.ts`);
  // Code of both sides may list every value of the type, whichever of them sends it.
  const isListRefused = lists.some(
    (_, list) =>
      !errors?.has(`list-${oldIndex}-${list}.ts`) && errors?.get(`list-${newIndex}-${list}.ts`)?.startsWith("TS2366"),
  );
  for (const [operation, writers, readers] of [
    ["Put", "callers", "handlers"],
    ["Get", "handlers", "callers"],
  ] as const) {
    const found = changes.filter(({ operations }) => operations.includes(operation));
    const [write, read] = [worstOf(found, writers), worstOf(found, readers)];
    // Code that imports a name that vanished does not compile.
    if (found.some(({ vanishedNames = [] }) => vanishedNames.length > 0)) {
      expect([operation, write, read]).toEqual([operation, "breaks", "breaks"]);
      continue;
    }
    expect([operation, write !== "none"]).toEqual([operation, isWriteRefused || isListRefused]);
    // Code that compares a value with one that its type no longer has does not compile.
    expect([operation, read !== "none"]).toEqual([operation, isReadRefused || (isWriteRefused && read === "some")]);
  }
});
