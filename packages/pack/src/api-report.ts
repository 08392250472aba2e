import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Node, Project, type SourceFile } from "ts-morph";
import { readManifest } from "./manifest.js";
import { packedFolder } from "./pack-package.js";
import type { Published } from "./published.js";

/**
 * Describes the public API of a built package: the declarations that each entry exports, then the unexported
 * declarations that these mention. A change in this text is visible to users.
 */
export function createApiReport({ folder }: Published): string {
  const dist = join(packedFolder, folder, "dist");
  const project = new Project({ compilerOptions: { types: [], removeComments: true } });
  project.addSourceFilesAtPaths(
    readdirSync(dist, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".d.ts"))
      .map((file) => join(dist, file)),
  );
  const { name, exports } = readManifest(folder);
  const entries = Object.keys(exports).map((path) => ({
    title: path === "." ? name : `${name}${path.slice(1)}`,
    declarations: listExportedDeclarations(
      project.getSourceFileOrThrow(join(dist, `${path === "." ? "index" : path}.d.ts`)),
    ),
  }));
  const exported = new Set(entries.flatMap(({ declarations }) => [...declarations.values()]));
  const hiddenDeclarations = project
    .getSourceFiles()
    .flatMap(listDeclarations)
    .filter((text) => !exported.has(text));
  const sections = [
    ...entries.map(({ title, declarations }) => formatSection(title, [...declarations.values()])),
    formatSection("not exported", hiddenDeclarations),
  ];
  return sections.join("\n");
}

function formatSection(title: string, texts: readonly string[]): string {
  return `==== ${title}\n\n${[...new Set(texts)].sort().join("\n")}\n`;
}

function listExportedDeclarations(file: SourceFile): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, declarations] of file.getExportedDeclarations()) {
    texts.set(name, declarations.map((declaration) => getText(declaration)).join("\n"));
  }
  return texts;
}

function listDeclarations(file: SourceFile): readonly string[] {
  return file
    .getStatements()
    .filter((statement) => !Node.isImportDeclaration(statement) && !Node.isExportDeclaration(statement))
    .map(getText);
}

/**
 * Returns the text of a declaration without comments. The bundler adds numbers to names that several modules declare,
 * such as `attachments$1`; the text has the names from the sources, which are the exported names.
 */
function getText(declaration: Node): string {
  const statement = Node.isVariableDeclaration(declaration) ? declaration.getVariableStatementOrThrow() : declaration;
  return statement
    .getText()
    .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, "")
    .replaceAll(/\b([A-Za-z_]\w*)\$\d+\b/g, "$1")
    .replace(/^(?:export )?declare /, "");
}
