import { posix } from "node:path";
import { avoidDeviceName, Scope } from "../plan/typescript-names.js";
import { capitalize } from "../text.js";
import type { HandlerGroup, HandlerNode, HandlerTree, LocatedNode } from "./handler-tree.js";

// Lists the handlers that a server needs, and writes the files of new handlers.

/** The language and the style of new files. */
export interface CodeStyle {
  /** The extension of the files: `.ts`, `.mjs`. */
  readonly extension: string;
  /** Whether JavaScript files use `require` and `exports`, not `import` and `export`. */
  readonly isCommonJs: boolean;
  readonly specifiers: SpecifierStyle;
}

/**
 * The end of a relative import: the extension of the compiled file (`./check-usa.js`), that of the source
 * (`./check-usa.ts`), or none (`./check-usa`).
 */
export type SpecifierStyle = "compiled" | "source" | "none";

/** The style of a new server. */
const defaultStyle: CodeStyle = { extension: ".ts", isCommonJs: false, specifiers: "compiled" };

/**
 * Creates the handler files of an interface: one file for each operation or group of routes, and a file that combines
 * the handlers.
 */
export function createHandlers(
  tree: HandlerTree,
  serverPackage: string,
  style: CodeStyle = defaultStyle,
): ReadonlyMap<string, string> {
  const { extension, isCommonJs, specifiers } = style;
  const handlersFile = getHandlersFile(tree.folder, extension);
  const files = new Map<string, string>();
  const imports: string[] = [];
  const usedNames = new Set<string>();

  const formatNodeText = (node: HandlerNode, path: readonly string[], indent: string): string => {
    if (hasOwnFile(tree, path, node)) {
      const constant = chooseConstant(path, usedNames);
      usedNames.add(constant);
      const file = getNodeFile(tree, path, extension);
      files.set(file, formatNode(tree, path, node, { constant, serverPackage, file, isCommonJs }));
      imports.push(formatImport(constant, getImportSpecifier(handlersFile, file, specifiers), isCommonJs));
      return constant === node.key ? constant : `${node.key}: ${constant}`;
    }
    const children = node.kind === "group" ? node.children : [];
    const members = children.map(
      (child) => `${indent}  ${formatNodeText(child, [...path, child.key], `${indent}  `)},\n`,
    );
    return `${path.length === 0 ? "" : `${node.key}: `}{\n${members.join("")}${indent}}`;
  };

  const objectText = formatNodeText(tree.root, [], "");
  const importText = [...imports].sort().join("\n");
  const [module, constant] = [`"${serverPackage}/${tree.module}"`, getHandlersConstantName(tree)];
  files.set(
    handlersFile,
    isJavaScript(handlersFile)
      ? `${importText}\n\n${formatTypedConstant(constant, objectText, {
          comment: `/**\n * The handlers of all operations.\n * @type {import(${module}).${tree.type}}\n */`,
          isCommonJs,
        })}`
      : `import type { ${tree.type} } from ${module};\n${importText}\n\n/** The handlers of all operations. TypeScript reports missing handlers. */\nexport const ${constant}: ${tree.type} = ${objectText};\n`,
  );
  return files;
}

function formatImport(name: string, specifier: string, isCommonJs: boolean): string {
  return isCommonJs ? `const { ${name} } = require("${specifier}");` : `import { ${name} } from "${specifier}";`;
}

/** Formats the export of a constant in JavaScript. Its comment contains its type. */
function formatTypedConstant(
  name: string,
  value: string,
  { comment, isCommonJs }: { readonly comment: string; readonly isCommonJs: boolean },
): string {
  return isCommonJs
    ? `${comment}\nconst ${name} = ${value};\n\nmodule.exports = { ${name} };\n`
    : `${comment}\nexport const ${name} = ${value};\n`;
}

/** Returns the name of the constant with an interface's handlers, such as `vehicleHandlers`. */
export function getHandlersConstantName(tree: HandlerTree): string {
  return `${tree.type.charAt(0).toLowerCase()}${tree.type.slice(1)}`;
}

/** Returns the specifier that one file of the server uses to import another, such as `./reg/check-usa.js`. */
export function getImportSpecifier(importer: string, file: string, style: SpecifierStyle = "compiled"): string {
  const relativePath = posix.relative(posix.dirname(importer), file);
  const path =
    style === "source"
      ? relativePath
      : style === "none"
        ? relativePath.replace(/\.[cm]?[jt]sx?$/, "")
        : relativePath.replace(/\.([cm]?)tsx?$/, ".$1js");
  return path.startsWith("../") ? path : `./${path}`;
}

/**
 * Returns the file that combines the handlers of an interface in a scaffolded server: `src/vehicle/handlers.ts`. Each
 * other file in the folder contains one operation of a SOAP service, or one group of routes.
 */
export function getHandlersFile(folder: string, extension = ".ts"): string {
  return `${folder}/handlers${extension}`;
}

/** Whether a handler or a group of handlers has a separate file. */
export function hasOwnFile(tree: HandlerTree, path: readonly string[], node: HandlerNode): boolean {
  return tree.kind === "soap"
    ? node.kind === "operation"
    : path.length === 2 || (path.length === 1 && node.kind === "operation");
}

/** Returns the handlers and groups below a path that have separate files, the node at the path included. */
export function listNodesWithFiles(tree: HandlerTree, { path, node }: LocatedNode): readonly LocatedNode[] {
  if (hasOwnFile(tree, path, node)) {
    return [{ path, node }];
  }
  const children = node.kind === "group" ? node.children : [];
  return children.flatMap((child) => listNodesWithFiles(tree, { path: [...path, child.key], node: child }));
}

/**
 * Returns the path of the file for a handler or a group, such as `src/vehicle/reg/check-usa.ts`. The language, and so
 * the extension, may be that of another file: `.mts` or `.js`.
 */
export function getNodeFile(tree: HandlerTree, path: readonly string[], otherFile = ".ts"): string {
  return `${getNodeFolder(tree, path)}${getExtension(otherFile)}`;
}

/** Returns the extension of a file, without the mark of JSX: `.mts`, `.js`. */
export function getExtension(path: string): string {
  return /\.[cm]?[jt]s(?=x?$)/.exec(path)?.[0] ?? ".ts";
}

export function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

/** Returns the folder of a group, such as `src/vehicle/reg`. */
export function getNodeFolder(tree: HandlerTree, path: readonly string[]): string {
  const words: string[] = [];
  let group: HandlerGroup | undefined = tree.root;
  for (const key of path) {
    words.push(group === undefined ? getFileWord(key) : (listWordsIn(group).get(key) ?? getFileWord(key)));
    const child: HandlerNode | undefined = group?.children.find((node) => node.key === key);
    group = child?.kind === "group" ? child : undefined;
  }
  return [tree.folder, ...words].join("/");
}

const wordsOfGroups = new WeakMap<HandlerGroup, ReadonlyMap<string, string>>();

/**
 * Returns the file or folder name of each child of a group, keyed by the child's key. The names are all different, so
 * that no file replaces another.
 */
function listWordsIn(group: HandlerGroup): ReadonlyMap<string, string> {
  const knownWords = wordsOfGroups.get(group);
  if (knownWords !== undefined) {
    return knownWords;
  }
  const files = new Scope(["handlers"]);
  const folders = new Scope();
  const words = new Map(
    group.children.map(({ kind, key }) => [key, (kind === "group" ? folders : files).takeName(getFileWord(key))]),
  );
  wordsOfGroups.set(group, words);
  return words;
}

/** The maximum length of a file name without its extension. Common file systems allow 255 bytes. */
const maxFileWord = 200;

/** Returns the default name of a handler's file or folder: `check-usa`. */
export function getFileWord(key: string): string {
  return avoidDeviceName(toKebabCase(key).slice(0, maxFileWord));
}

/** Formats the type of a handler or a group: `VehicleHandlers["reg"]["checkUSA"]`. */
export function formatNodeType(tree: HandlerTree, path: readonly string[]): string {
  return tree.type + path.map((key) => `[${JSON.stringify(key)}]`).join("");
}

/**
 * Returns the handler type of a group: that of the interface (`VehicleHandlers`), or that of a service (`RegHandlers`).
 * Undefined for groups that are not services.
 */
export function getTypeOfGroup(tree: HandlerTree, path: readonly string[]): string | undefined {
  const group = tree.root.children.find((child) => path.length === 1 && child.key === path[0]);
  return path.length === 0 ? tree.type : group?.kind === "group" ? group.service?.type : undefined;
}

/** Formats a new file with one handler or one group of handlers, in the language of its path. */
export function formatNode(
  tree: HandlerTree,
  path: readonly string[],
  node: HandlerNode,
  names: {
    readonly constant: string;
    readonly serverPackage: string;
    readonly file: string;
    readonly isCommonJs: boolean;
  },
): string {
  const module = `"${names.serverPackage}/${tree.module}"`;
  const value = formatValue(tree, node, "");
  const type = formatNodeType(tree, path);
  if (isJavaScript(names.file)) {
    const { constant, serverPackage, isCommonJs } = names;
    const faultImport = formatImport(getFaultClass(tree), `${serverPackage}/${tree.module}`, isCommonJs);
    const comment = `/** @type {import(${module}).${type}} */`;
    return `${faultImport}\n\n${formatTypedConstant(constant, value, { comment, isCommonJs })}`;
  }
  const importStatement = `import { type ${tree.type}, ${getFaultClass(tree)} } from ${module};`;
  return `${importStatement}\n\nexport const ${names.constant}: ${type} = ${value};\n`;
}

/** Formats an object literal with a handler for each operation of a group. */
function formatGroup(tree: HandlerTree, group: HandlerGroup, indent: string): string {
  const memberIndent = `${indent}  `;
  const members = group.children.map((child) => `${memberIndent}${formatMember(tree, child, memberIndent)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

/** Formats a member for a handler or a group: `list: async (_input, _context) => { … }`. */
export function formatMember(tree: HandlerTree, node: HandlerNode, indent: string): string {
  return `${node.key}: ${formatValue(tree, node, indent)}`;
}

/** Formats a class member for a handler or a group. `type` is the type of the class: `QuotesHandlers`. */
export function formatClassMember(
  tree: HandlerTree,
  node: HandlerNode,
  { type, indent, isTypeScript }: { readonly type: string; readonly indent: string; readonly isTypeScript: boolean },
): string {
  const memberType = `${type}[${JSON.stringify(node.key)}]`;
  const start = isTypeScript
    ? `readonly ${node.key}: ${memberType}`
    : `/** @type {${memberType}} */\n${indent}${node.key}`;
  return `${start} = ${formatValue(tree, node, indent)};`;
}

/** Formats a new handler, or an object literal with new handlers. */
export function formatValue(tree: HandlerTree, node: HandlerNode, indent: string): string {
  return node.kind === "group" ? formatGroup(tree, node, indent) : formatHandler(tree, indent);
}

/** The error message of new handlers. It identifies handlers that the user has not implemented yet. */
export const notImplementedMessage = "This operation is not implemented yet.";

/** Formats a new handler. The handler throws an error, because an empty answer would look like a result. */
function formatHandler(tree: HandlerTree, indent: string): string {
  const fault =
    tree.kind === "soap"
      ? `{ reason: "${notImplementedMessage}" }`
      : `{ code: "not_implemented", message: "${notImplementedMessage}", status: 501 }`;
  return `async (_input, _context) => {\n${indent}  throw new ${getFaultClass(tree)}(${fault});\n${indent}}`;
}

/** Returns the name of the error class that new handlers throw. */
export function getFaultClass(tree: HandlerTree): string {
  return tree.kind === "soap" ? "SoapFault" : "RestError";
}

/**
 * Chooses the name of the constant that a handler file exports: the last key of the handler's path, or all keys if that
 * name is taken or reserved.
 */
export function chooseConstant(path: readonly string[], usedNames: ReadonlySet<string>): string {
  const lastKey = path[path.length - 1] ?? "handlers";
  if (!usedNames.has(lastKey) && !reservedWords.has(lastKey)) {
    return lastKey;
  }
  const allKeys = path.map((key, index) => (index === 0 ? key : capitalize(key))).join("");
  let name = reservedWords.has(allKeys) ? `${allKeys}Handler` : allKeys;
  for (let count = 2; usedNames.has(name); count++) {
    name = `${allKeys}${count}`;
  }
  return name;
}

const reservedWords: ReadonlySet<string> = new Set(
  "delete new default class function return import export switch case in of void typeof null true false this enum with".split(
    " ",
  ),
);

function toKebabCase(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
