import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Case, filesBelow, goldenCases, refusalCases, warningCases } from "./case.js";
import { diagnosticsPage, diagnosticsText } from "./diagnostics-page.js";
import { expectedFiles } from "./expected.js";
import { generateCase } from "./generate-case.js";
import { supportPage, supportText } from "./support.js";

/** The folder of the cases, and the environment. */
export interface Rewriting {
  /** The folder with `golden`, `refusals` and `warnings`. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Replaces the expected files of each case by its result. Returns the cases that changed. */
export function rewriteCases({ folder, environment }: Rewriting): readonly string[] {
  refuseUnderCi(environment);
  return [
    ...goldenCases(folder).filter((each) => rewriteGolden(each)),
    ...[...refusalCases(folder), ...warningCases(folder)].filter((each) => rewriteDiagnostics(each)),
  ].map(({ area, name }) => `${area}/${name}`);
}

/** Writes the pages that are made from the cases. Returns the paths of those that changed. */
export function rewritePages({ folder, environment }: Rewriting, repository: string): readonly string[] {
  refuseUnderCi(environment);
  const pages = [
    { page: supportPage, text: supportText(folder) },
    { page: diagnosticsPage, text: diagnosticsText(folder) },
  ];
  return pages.flatMap(({ page, text }) => {
    const path = join(repository, page);
    if (existsSync(path) && readFileSync(path, "utf8") === text) {
      return [];
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return [page];
  });
}

function refuseUnderCi(environment: Rewriting["environment"]): void {
  if (environment["CI"] !== undefined && environment["CI"] !== "") {
    throw new Error("Goldens are written by people who look at them: not under CI.");
  }
}

function rewriteGolden(testCase: Case): boolean {
  const outcome = generateCase(testCase);
  if (outcome.tree.size === 0) {
    throw new Error(`${testCase.area}/${testCase.name} is refused:\n${outcome.text}`);
  }
  const files = expectedFiles(testCase, outcome);
  const folder = join(testCase.folder, "expected");
  if (isSame(filesBelow(folder), files)) {
    return false;
  }
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return true;
}

function rewriteDiagnostics(testCase: Case): boolean {
  const { text } = generateCase(testCase);
  const before = filesBelow(testCase.folder).get("expected.txt");
  if (before !== undefined && new TextDecoder().decode(before) === text) {
    return false;
  }
  writeFileSync(join(testCase.folder, "expected.txt"), text);
  return true;
}

function isSame(before: ReadonlyMap<string, Uint8Array>, after: ReadonlyMap<string, string>): boolean {
  const decoder = new TextDecoder();
  return before.size === after.size && [...before].every(([path, bytes]) => decoder.decode(bytes) === after.get(path));
}
