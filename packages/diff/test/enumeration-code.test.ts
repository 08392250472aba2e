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

/** The pairs of versions for which the compiler refuses a value of the first version's type for the second one. */
function findRefusals(): ReadonlySet<string> {
  const files = new Map(sources.flatMap((each, index) => [...modulesIn(`v${index}`, each)]));
  for (const { oldIndex, newIndex } of pairs) {
    const importType = (name: string, index: number) =>
      `import type { T as ${name} } from "./v${index}/contract/src/api/types.js";`;
    files.set(
      `${oldIndex}-${newIndex}.ts`,
      `${importType("From", oldIndex)}\n${importType("To", newIndex)}\ndeclare const v: From["a"];\nexport const w: To["a"] = v;`,
    );
  }
  return new Set(compileErrors(files).keys());
}

let refusals: ReadonlySet<string> | undefined;

test.each(pairs)("code is affected as the compiler shows: $old to $now", ({ oldIndex, newIndex }) => {
  refusals ??= findRefusals();
  const [before = {}, after = {}] = [sources[oldIndex], sources[newIndex]];
  const changes = withoutVanishedNames(diffContracts(sideOf(before), sideOf(after)).changes);
  const isWriteRefused = refusals.has(`${oldIndex}-${newIndex}.ts`);
  const isReadRefused = refusals.has(`${newIndex}-${oldIndex}.ts`);
  for (const [operation, writers, readers] of [
    ["Put", "callers", "handlers"],
    ["Get", "handlers", "callers"],
  ] as const) {
    const found = changes.filter(({ operations }) => operations.includes(operation));
    const [write, read] = [worstOf(found, writers), worstOf(found, readers)];
    expect([operation, write !== "none"]).toEqual([operation, isWriteRefused]);
    // Code that compares a value with one that its type no longer has does not compile.
    expect([operation, read !== "none"]).toEqual([operation, isReadRefused || (isWriteRefused && read === "some")]);
  }
});
