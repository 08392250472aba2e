import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../..", import.meta.url));

export interface SourceFile {
  /** The path, relative to the repository, with `/` as the separator. */
  readonly path: string;
  readonly text: string;
}

/** Returns the TypeScript files below a folder of the repository, except for build output. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  const files: SourceFile[] = [];
  const open = [join(root, folder)];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== "dist") {
        open.push(path);
      }
      if (entry.isFile() && entry.name.endsWith(".ts")) {
        files.push({ path: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") });
      }
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly typeOnly: boolean;
}

const statement = /^[ \t]*(?:import|export)\b([^;'"()]*?)\bfrom\s*"([^"]+)"/gm;
const bare = /^[ \t]*import\s*"([^"]+)"/gm;
const dynamic = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** Returns the imports and re-exports of a file, including `import()`. */
export function importsOf(file: SourceFile): readonly Import[] {
  const lineAt = (offset: number) => file.text.slice(0, offset).split("\n").length;
  const found = [...file.text.matchAll(statement)].map((match) => ({
    specifier: match[2] ?? "",
    line: lineAt(match.index),
    typeOnly: namesTypesAlone(match[1] ?? ""),
  }));
  const others = [bare, dynamic].flatMap((pattern) => [...file.text.matchAll(pattern)]);
  return [
    ...found,
    ...others.map((match) => ({ specifier: match[1] ?? "", line: lineAt(match.index), typeOnly: false })),
  ];
}

function namesTypesAlone(clause: string): boolean {
  if (/^\s*type\b/.test(clause)) {
    return true;
  }
  const names = /^\s*\{([^}]*)\}\s*$/
    .exec(clause)?.[1]
    ?.split(",")
    .filter((name) => name.trim() !== "");
  return names?.every((name) => /^\s*type\s/.test(name)) ?? false;
}
