import type { SourceFile } from "ts-morph";
import { type CodeStyle, getExtension, isJavaScript, type SpecifierStyle } from "../handler-files.js";
import { type HandlerTree, listNodes } from "../handler-tree.js";
import { findHandlersObject, findObjectAt, listServerFilesWith, listServiceTrees } from "./find-handlers.js";
import { listNeighbours } from "./neighbouring-handlers.js";
import { findImportedSource } from "./resolve-names.js";

// Finds the language and the style of a server's files, in which new files are written.

/** Returns the style of most files with handlers; if the server has no handlers, that of most of its files. */
export function findCodeStyle(files: readonly SourceFile[], trees: readonly HandlerTree[]): CodeStyle {
  const handlerFiles = trees.flatMap((tree) => listHandlerFiles(files, tree));
  return readCodeStyle(findTypicalFile(handlerFiles.length > 0 ? handlerFiles : listServerFilesWith(files, "")), files);
}

/** Returns the files with the handlers of an interface or a service. */
export function listHandlerFiles(files: readonly SourceFile[], tree: HandlerTree): readonly SourceFile[] {
  const trees = findHandlersObject(files, tree) === undefined ? listServiceTrees(tree) : [tree];
  return trees.flatMap((each) => {
    const paths = [[], ...listNodes(each.root).flatMap(({ path, node }) => (node.kind === "group" ? [path] : []))];
    const objects = paths.flatMap((path) => findObjectAt(files, each, path) ?? []);
    const neighbours = objects.flatMap((object) => listNeighbours(object).map(({ file }) => file));
    return neighbours.length > 0 ? neighbours : objects.map((object) => object.getSourceFile());
  });
}

/** Returns a file in the most usual language; undefined if there are no files. */
export function findTypicalFile(files: readonly SourceFile[]): SourceFile | undefined {
  const filesByLanguage = new Map<string, SourceFile[]>();
  for (const file of files) {
    const language = `${getExtension(file.getFilePath())} ${isCommonJs(file)}`;
    filesByLanguage.set(language, [...(filesByLanguage.get(language) ?? []), file]);
  }
  const [mostUsed] = [...filesByLanguage.values()].sort((left, right) => right.length - left.length);
  return mostUsed?.[0];
}

/** Returns the style of a file. Without one, new files are written as in a new server. */
export function readCodeStyle(file: SourceFile | undefined, files: readonly SourceFile[]): CodeStyle {
  return {
    extension: getExtension(file?.getFilePath() ?? ""),
    isCommonJs: file !== undefined && isCommonJs(file),
    specifiers: findSpecifierStyle(file === undefined ? files : [file, ...files]),
  };
}

/** Whether a JavaScript file uses `require` and `exports`. */
export function isCommonJs(file: SourceFile): boolean {
  const [path, text] = [file.getFilePath(), file.getFullText()];
  return (
    path.endsWith(".cjs") ||
    (isJavaScript(path) &&
      /\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/.test(text) &&
      file.getImportDeclarations().length === 0 &&
      !file.getStatements().some((statement) => /^export\b/.test(statement.getText())))
  );
}

/** Returns the style of the first relative import in the files. */
export function findSpecifierStyle(files: readonly SourceFile[]): SpecifierStyle {
  for (const file of files) {
    for (const specifier of listRelativeSpecifiers(file)) {
      if (/\.[cm]?tsx?$/.test(specifier)) {
        return "source";
      }
      return /\.[cm]?jsx?$/.test(specifier) ? "compiled" : "none";
    }
  }
  return "compiled";
}

/** Returns the specifiers with which a file imports other files of the server. */
function listRelativeSpecifiers(file: SourceFile): readonly string[] {
  const imported = file
    .getImportDeclarations()
    .filter((declaration) => findImportedSource(declaration) !== undefined)
    .map((declaration) => declaration.getModuleSpecifierValue());
  const required = [...file.getFullText().matchAll(/\brequire\s*\(\s*["']([^"']+)["']\s*\)/g)].flatMap(
    ([, specifier = ""]) => (/\.(?:json|node)$/.test(specifier) ? [] : [specifier]),
  );
  return [...imported, ...required].filter((specifier) => specifier.startsWith("."));
}
