import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../..", import.meta.url));

export interface SourceFile {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below a folder of the repository, without build output. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  const files: SourceFile[] = [];
  const open = [join(root, folder)];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== "dist") open.push(path);
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

/** The imports and re-exports of a file, `import()` included. */
export function importsOf(file: SourceFile): readonly Import[] {
  const found: Import[] = [];
  const pattern = /(?:^|\n)[ \t]*(?:import|export)\b([^;'"]*?)(?:from\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;
  for (const match of file.text.matchAll(pattern)) {
    const specifier = match[2] ?? match[3];
    if (specifier === undefined) continue;
    const before = file.text.slice(0, match.index + match[0].length);
    found.push({ specifier, line: before.split("\n").length, typeOnly: /^\s*type\b/.test(match[1] ?? "") });
  }
  return found;
}
