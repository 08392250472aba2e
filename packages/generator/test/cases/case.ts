import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileRead, ReadFile, SourceLimits } from "@bothends/generator";

/** One folder of `golden/<area>`, `refusals/<area>` or `warnings/<area>`. */
export interface Case {
  /** `golden/xsd`, `refusals/wsdl`. */
  readonly area: string;
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** The sources, by path; what the area's cases share among them. */
  readonly input: ReadonlyMap<string, Uint8Array>;
  readonly options: CaseOptions;
  /** `usage.ts`: a program that uses what is generated, and must compile with it. */
  readonly usage: string | undefined;
}

/** What `case.json` says. */
export interface CaseOptions {
  /**
   * The features that the case stands for on the page of what is supported, by their group there: each of a golden with what
   * becomes of it (`{ "choice": "a union" }`), those of a refusal by name (`["choice"]`).
   */
  readonly shows?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly limits?: Partial<SourceLimits>;
  /** Files that are there, and cannot be read. */
  readonly problems?: Readonly<Record<string, Problem>>;
  /** The project files of the packages belong to what the case shows. */
  readonly projectFiles?: boolean;
}

type Problem = Extract<FileRead, { readonly kind: "problem" }>["problem"];

/** The WSDL that a `schema.xsd` without one is wrapped in. */
const sender = "sender.wsdl";

/** Inputs that give packages, with the files that come of them. */
export function goldenCases(folder: string): readonly Case[] {
  return casesBelow(folder, "golden");
}

/** Inputs with an error, and the text of their diagnostics. */
export function refusalCases(folder: string): readonly Case[] {
  return casesBelow(folder, "refusals");
}

/** Inputs with warnings or infos, and without errors. */
export function warningCases(folder: string): readonly Case[] {
  return casesBelow(folder, "warnings");
}

/** Sources that are the case's own files, or stand for what a disk would answer. */
export function readerOf({ input, options }: Pick<Case, "input" | "options">): ReadFile {
  return (path) => {
    const problem = options.problems?.[path];
    if (problem !== undefined) {
      return { kind: "problem", problem, message: "EACCES" };
    }
    const bytes = input.get(path);
    return bytes === undefined
      ? { kind: "problem", problem: "missing", message: "there is no such file" }
      : { kind: "file", bytes };
  };
}

/** Every file below a folder, by its path in it, in the order of the names; none where there is no folder. */
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
