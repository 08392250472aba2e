import { expect, test } from "vitest";
import { diffContracts, type Level } from "../src/index.js";
import { element, wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom } from "./proof/packages.js";

// Choices become sequences, and the reverse. Code that reads each member separately may compile although code that
// relies on members that exclude each other does not.

const groups: readonly (readonly [kind: "choice" | "sequence", a: string, b: string, isOptional: boolean])[] = (
  ["choice", "sequence"] as const
).flatMap((kind) =>
  [false, true].flatMap((isOptional) =>
    [
      ["a", "b"],
      ["a", "b?"],
      ["a?", "b?"],
    ].map(([a = "", b = ""]) => [kind, a, b, isOptional] as const),
  ),
);
const states = ["", element("key")].flatMap((outside) =>
  groups.map(([kind, a, b, isOptional]) => ({
    kind,
    outside,
    title: `${outside && "key, "}${kind} (${a}, ${b})${isOptional ? "?" : ""}`,
    sources: wsdlOf(
      `<complexType name="T"><sequence>${outside}<${kind}${isOptional ? ' minOccurs="0"' : ""}>${element(a)}${element(b)}</${kind}></sequence></complexType>`,
    ),
  })),
);
const pairs = states.flatMap((before) =>
  states
    .filter((after) => after !== before && after.outside === before.outside)
    .filter(({ kind }) => kind !== before.kind || kind === "choice")
    .map((after) => ({ before, after })),
);

function typesOf(sources: Sources): string {
  return [...generatedFrom(sources)].find(([path]) => path.endsWith("/types.ts"))?.[1] ?? "";
}

/** The literals that code may write. */
const literals = [{}, { a: "x" }, { b: "x" }, { a: "x", b: "x" }];

test("code that reads or writes a group fails exactly where the diff says so", () => {
  const files = new Map(states.map(({ sources }, index) => [`s${index}.ts`, typesOf(sources)]));
  const pathsOf = (before: number, after: number) => {
    const start = `import type * as Old from "./s${before}.js";\nimport type * as New from "./s${after}.js";\n`;
    const outside = states[before]?.outside === "" ? {} : { key: "x" };
    const programs = {
      members: ["a", "b"].map((name) => `declare const v: New.T; export const r: Old.T["${name}"] = v.${name};`),
      whole: ["declare const v: New.T; export const r: Old.T = v;"],
      extended: ["export interface Extended extends New.T { readonly more?: number }"],
      written: literals.map((literal) => `export const w: New.T = ${JSON.stringify({ ...outside, ...literal })};`),
    };
    const add = (list: readonly string[], name: string) =>
      list.map((text, index) => {
        const path = `p${before}-${after}-${name}${index}.ts`;
        files.set(path, `${start}${text}\n`);
        return path;
      });
    return {
      members: add(programs.members, "member"),
      whole: add(programs.whole, "whole"),
      extended: add(programs.extended, "extended"),
      written: add(programs.written, "written"),
    };
  };
  const indexed = pairs.map(({ before, after }) => {
    const [from, to] = [states.indexOf(before), states.indexOf(after)];
    return { before, after, old: pathsOf(from, from), current: pathsOf(from, to) };
  });
  const errors = compileErrors(files);
  const problems = indexed.flatMap(({ before, after, old, current }) => {
    const fails = (path: string | undefined) => path !== undefined && errors.has(path);
    const changes = diffContracts(sideOf(before.sources), sideOf(after.sources)).changes.filter(
      ({ direction }) => direction !== "output",
    );
    if (changes.length > 1) {
      return [];
    }
    // Code of both sides may extend the type of an object.
    const isExtensible = !current.extended.some((path, index) => !fails(old.extended[index]) && fails(path));
    const isKept = isExtensible && !current.whole.some(fails);
    const reading: Level = current.members.some(fails) ? "breaks" : isKept ? "none" : "some";
    const isWritable = !current.written.some((path, index) => !fails(old.written[index]) && fails(path));
    const [callers, handlers] = [worstOf(changes, "callers"), worstOf(changes, "handlers")];
    return handlers === reading && (callers === "none") === (isWritable && isExtensible)
      ? []
      : [`${before.title} -> ${after.title}: callers ${callers} (${isWritable}), handlers ${handlers} (${reading})`];
  });
  expect(problems).toEqual([]);
}, 300_000);
