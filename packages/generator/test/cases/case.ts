import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileRead, ReadFile, SourceLimits } from "@bothends/generator";

/** A test case: a folder in `golden/<area>`, `refusals/<area>` or `warnings/<area>`. */
export interface Case {
  /** `golden/xsd`, `refusals/wsdl`. */
  readonly area: string;
  readonly name: string;
  /** The absolute path of the folder. */
  readonly folder: string;
  /** The sources by path, including those that all cases of the area share. */
  readonly input: ReadonlyMap<string, Uint8Array>;
  readonly options: CaseOptions;
  /** `usage.ts`: a program that uses the generated code and must compile. */
  readonly usage: string | undefined;
}

/** The members of `case.json`. */
export interface CaseOptions {
  /**
   * The features on the page of supported features for which this is the test case, by group: with the result in a
   * golden (`{ "choice": "a union" }`), only the names in a refusal (`["choice"]`).
   */
  readonly shows?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly limits?: Partial<SourceLimits>;
  /** Files that exist but cannot be read. */
  readonly problems?: Readonly<Record<string, Problem>>;
  /** Whether the project files of the packages are expected too. */
  readonly projectFiles?: boolean;
}

type Problem = Extract<FileRead, { readonly kind: "problem" }>["problem"];

/** The WSDL around a `schema.xsd` in a case without a WSDL. */
const sender = "sender.wsdl";

/** Cases that generate packages, with the expected files. */
export function goldenCases(folder: string): readonly Case[] {
  return casesBelow(folder, "golden");
}

/** Cases with errors, with the expected diagnostics. */
export function refusalCases(folder: string): readonly Case[] {
  return casesBelow(folder, "refusals");
}

/** Cases with warnings or infos and without errors, with the expected diagnostics. */
export function warningCases(folder: string): readonly Case[] {
  return casesBelow(folder, "warnings");
}

/** Reads the sources of a case, and simulates the file errors that it declares. */
export function readerOf({ input, options }: Pick<Case, "input" | "options">): ReadFile {
  return (path) => {
    const problem = options.problems?.[path];
    if (problem !== undefined) {
      return { kind: "problem", problem, message: "permission denied (EACCES)" };
    }
    const bytes = input.get(path);
    return bytes === undefined
      ? { kind: "problem", problem: "missing", message: "there is no such file" }
      : { kind: "file", bytes };
  };
}

/** Returns all files below a folder by relative path, sorted by name; none if the folder does not exist. */
export function filesBelow(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const visit = (path: string): void => {
    for (const entry of entriesOf(join(folder, path))) {
      const inside = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        visit(inside);
      } else {
        files.set(inside, readFileSync(join(folder, inside)));
      }
    }
  };
  visit("");
  return files;
}

function casesBelow(folder: string, kind: string): readonly Case[] {
  return foldersIn(join(folder, kind)).flatMap((area) => casesIn(folder, `${kind}/${area}`));
}

function casesIn(folder: string, area: string): readonly Case[] {
  return foldersIn(join(folder, area)).map((name) => {
    const path = join(folder, area, name);
    const input = new Map(filesBelow(join(path, "input")));
    if (isSchemaAlone(input)) {
      input.set(sender, readFileSync(join(folder, "cases", sender)));
    }
    return { area, name, folder: path, input, options: optionsOf(path), usage: usageOf(path) };
  });
}

function isSchemaAlone(input: ReadonlyMap<string, Uint8Array>): boolean {
  return input.has("schema.xsd") && ![...input.keys()].some((path) => path.endsWith(".wsdl"));
}

function optionsOf(folder: string): CaseOptions {
  const path = join(folder, "case.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

function usageOf(folder: string): string | undefined {
  const path = join(folder, "usage.ts");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function entriesOf(folder: string) {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
