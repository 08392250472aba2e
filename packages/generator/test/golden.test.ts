import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { restMembers, soapMembers } from "../src/read/config/read-interfaces.js";

import { type Case, filesBelow, goldenCases } from "./cases/case.js";
import { expectedFiles, shownFiles } from "./cases/expected.js";
import { generateCase } from "./cases/generate-case.js";
import { rewriteCases } from "./cases/rewrite.js";
import { isServedWsdl, isSharedWsdl, servedPieces } from "./cases/served-wsdl.js";
import { shuffleImports } from "./cases/shuffle-imports.js";
import { complaints } from "./cases/type-check.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const decoder = new TextDecoder();

const cases = goldenCases(folder).map((each) => ({ each, title: `${each.area}/${each.name}` }));

test.each(cases)("$title generates the expected files", ({ each }) => {
  const outcome = generateCase(each);
  expect(
    outcome.diagnostics.filter(({ severity }) => severity === "error"),
    outcome.text,
  ).toEqual([]);

  const expected = filesBelow(join(each.folder, "expected"));
  const found = expectedFiles(each, outcome);
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [path, bytes] of expected) {
    expect(found.get(path), `${path}: look at it, and run pnpm golden if it is right`).toBe(decoder.decode(bytes));
  }
});

test("every pattern of the files that an area shows matches a file of one of its cases", () => {
  const unused = Object.entries(shownFiles).flatMap(([area, patterns]) => {
    const paths = cases.flatMap(({ each }) => (each.area === area ? [...generateCase(each).tree.keys()] : []));
    return patterns
      .filter((pattern) => !paths.some((path) => pattern.test(path)))
      .map((pattern) => `${area}: ${pattern}`);
  });
  expect(unused).toEqual([]);
});

test("the expected files and the programs that use them compile with all strict options", {
  timeout: 60_000,
}, () => {
  const trees = cases.map(({ each, title }) => ({
    name: title.replace("golden/", ""),
    files: withUsage(each, generateCase(each).tree),
  }));
  expect(complaints(repository, trees)).toEqual([]);
});

test("every served WSDL can be used as a source", { timeout: 60_000 }, async () => {
  const problems: Record<string, string> = {};
  let served = 0;
  // References that a lenient configuration leaves unresolved are also unresolved in the served WSDL.
  const whole = cases.filter(
    ({ each }) => !decoder.decode(each.input.get("bothends.json")).includes('"lenient": true'),
  );
  for (const { each, title } of whole) {
    const { tree } = generateCase(each);
    for (const path of tree.keys()) {
      if (!isServedWsdl(path) || isSharedWsdl(path)) {
        continue;
      }
      const text = servedPieces(path, tree)
        .map((piece) => (typeof piece === "string" ? piece : (piece.get("name") ?? "http://here.example")))
        .join("");
      const { diagnostics, text: report } = generateCase({
        ...each,
        input: new Map([["served.wsdl", new TextEncoder().encode(text)]]),
      });
      served += 1;
      if (diagnostics.some(({ severity }) => severity === "error")) {
        problems[`${title}: ${path}`] = report;
      }
    }
  }
  expect(problems).toEqual({});
  expect(served).toBeGreaterThan(20);
});

test("the code of a served WSDL contains the document in its golden file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "served-"));
  try {
    let documents = 0;
    for (const [index, { each }] of cases.entries()) {
      const { tree } = generateCase(each);
      const paths = [...tree.keys()].filter(isServedWsdl);
      for (const path of paths) {
        const file = join(folder, `${index}`, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, tree.get(path) ?? "");
      }
      for (const path of paths.filter((candidate) => !isSharedWsdl(candidate))) {
        const [document]: readonly unknown[] = Object.values(await import(join(folder, `${index}`, path)));
        const pieces = servedPieces(path, tree).map((piece) =>
          typeof piece === "string" ? piece : Object.fromEntries(piece),
        );
        expect(pieces).toEqual(Array.isArray(document) ? document.flat() : document);
        documents += 1;
      }
    }
    expect(documents).toBeGreaterThan(20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a test interface uses every key of bothends.json", () => {
  const text = cases
    .filter(({ each }) => each.name === "every-key")
    .map(({ each }) => decoder.decode(each.input.get("bothends.json")))
    .join();
  expect([...soapMembers, ...restMembers].filter((key) => !text.includes(`"${key}":`))).toEqual([]);
});

test("generating twice gives the same bytes", { timeout: 60_000 }, () => {
  expect(cases.flatMap(({ each }) => differences(each, generateCase(each).tree))).toEqual([]);
});

test("the order of imports and includes does not matter", { timeout: 60_000 }, () => {
  const shuffled = cases.flatMap(({ each }) => {
    const input = shuffleImports(each.input);
    return input === undefined ? [] : [{ each, shuffled: { ...each, input } }];
  });
  expect(shuffled.length).toBeGreaterThanOrEqual(2);
  expect(shuffled.flatMap(({ each, shuffled: other }) => differences(each, generateCase(other).tree))).toEqual([]);
});

test("rewriting removes obsolete files of a case and changes nothing else", () => {
  withCopy(({ copy, original }) => {
    expect(rewriteCases({ folder: copy, environment: {} })).toEqual([]);
    writeFileSync(join(copy, original.area, original.name, "expected/stale.ts"), "");
    expect(rewriteCases({ folder: copy, environment: {} })).toEqual([`${original.area}/${original.name}`]);
    expect([...filesBelow(join(copy, original.area, original.name))]).toEqual([...filesBelow(original.folder)]);
  });
});

test("nothing is rewritten in CI", () => {
  withCopy(({ copy, original }) => {
    const stale = join(copy, original.area, original.name, "expected/stale.ts");
    writeFileSync(stale, "");
    expect(() => rewriteCases({ folder: copy, environment: { CI: "true" } })).toThrow("not under CI");
    expect(filesBelow(join(copy, original.area, original.name, "expected")).has("stale.ts")).toBe(true);
  });
});

/** Returns the files of a case, and the program that uses them, with the modules that its configuration names. */
function withUsage({ usage, input }: Case, tree: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const modules = [...input].filter(([path]) => path.endsWith(".ts"));
  return usage === undefined
    ? tree
    : new Map([
        ...tree,
        ...modules.map(([path, text]) => [path, decoder.decode(text)] as const),
        ["usage/src/usage.ts", usage],
      ]);
}

/** The files that another run gives in another way. */
function differences(each: Case, tree: ReadonlyMap<string, string>): readonly string[] {
  const before = generateCase(each).tree;
  const paths = new Set([...before.keys(), ...tree.keys()]);
  return [...paths].filter((path) => before.get(path) !== tree.get(path)).map((path) => `${each.name}: ${path}`);
}

/** Runs on a copy of the first case in another folder, from which the templates can also be found. */
function withCopy(run: (copied: { readonly copy: string; readonly original: Case }) => void): void {
  const [first] = cases;
  if (first === undefined) {
    throw new Error("There are no cases.");
  }
  const copy = mkdtempSync(join(tmpdir(), "rewriting-"));
  try {
    cpSync(first.each.folder, join(copy, first.each.area, first.each.name), { recursive: true });
    run({ copy, original: first.each });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
