import type { HandlerGroup, HandlerInterface, HandlerNode } from "./handler-tree.js";

/** The handler files of a new server: one per operation or group of routes, and the file that combines them. */
export function createHandlers(target: HandlerInterface, serverPackage: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const taken = new Set<string>();

  const literal = (node: HandlerNode, path: readonly string[], indent: string): string => {
    if (hasOwnFile(target, path, node)) {
      const constant = constantOf(path, taken);
      taken.add(constant);
      const file = nodeFile(target.folder, path);
      files.set(file, nodeText(target, path, node, { constant, serverPackage }));
      imports.push(`import { ${constant} } from "${importSpecifier(target.folder, file)}";`);
      return constant === node.key ? constant : `${node.key}: ${constant}`;
    }
    const children = node.kind === "group" ? node.children : [];
    const members = children.map((child) => `${indent}  ${literal(child, [...path, child.key], `${indent}  `)},\n`);
    return `${path.length === 0 ? "" : `${node.key}: `}{\n${members.join("")}${indent}}`;
  };

  const whole = literal(target.root, [], "");
  const head = [...imports].sort().join("\n");
  files.set(
    handlersFile(target.folder),
    `import type { ${target.type} } from "${serverPackage}/${target.module}";\n${head}\n\n/** Every operation with its handler. A missing one does not compile. */\nexport const ${handlersConstant(target)}: ${target.type} = ${whole};\n`,
  );
  return files;
}

/** `vehicleHandlers`. */
export function handlersConstant(target: HandlerInterface): string {
  return `${target.type.charAt(0).toLowerCase()}${target.type.slice(1)}`;
}

/** The specifier that the handlers file imports another file of its folder with. */
export function importSpecifier(folder: string, file: string): string {
  return `./${file.slice(`src/${folder}/`.length).replace(/\.ts$/, ".js")}`;
}

/**
 * The file of a scaffolded server that combines the handlers of an interface, `src/vehicle/handlers.ts`. The files beside it
 * have one operation of a SOAP service or one group of routes each.
 */
export function handlersFile(folder: string): string {
  return `src/${folder}/handlers.ts`;
}

/** Whether a node has its own file. */
export function hasOwnFile(target: HandlerInterface, path: readonly string[], node: HandlerNode): boolean {
  return target.kind === "soap"
    ? node.kind === "operation"
    : path.length === 2 || (path.length === 1 && node.kind === "operation");
}

/** `src/vehicle/reg/check-usa.ts`. */
export function nodeFile(folder: string, path: readonly string[]): string {
  return `src/${folder}/${path.map(kebab).join("/")}.ts`;
}

/** `VehicleHandlers["reg"]["checkUSA"]`. */
export function nodeType(target: HandlerInterface, path: readonly string[]): string {
  return target.type + path.map((key) => `[${JSON.stringify(key)}]`).join("");
}

/** The text of a new file with one operation or one group. */
export function nodeText(
  target: HandlerInterface,
  path: readonly string[],
  node: HandlerNode,
  names: { readonly constant: string; readonly serverPackage: string },
): string {
  const from = `"${names.serverPackage}/${target.module}"`;
  const imported = `import { type ${target.type}, ${faultOf(target)} } from ${from};`;
  const value = node.kind === "group" ? groupText(target, node, "") : handlerText(target, "");
  return `${imported}\n\nexport const ${names.constant}: ${nodeType(target, path)} = ${value};\n`;
}

/** An object literal with a handler per operation. */
export function groupText(target: HandlerInterface, group: HandlerGroup, indent: string): string {
  const inner = `${indent}  `;
  const members = group.children.map((child) => `${inner}${memberText(target, child, inner)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

/** `list: async (input, context) => []`, or a group. */
export function memberText(target: HandlerInterface, node: HandlerNode, indent: string): string {
  return `${node.key}: ${node.kind === "group" ? groupText(target, node, indent) : handlerText(target, indent)}`;
}

/** A new handler says that it is not written: an empty answer would look like a result. */
function handlerText(target: HandlerInterface, indent: string): string {
  const fault =
    target.kind === "soap"
      ? '{ reason: "This operation is not written yet." }'
      : '{ code: "not_implemented", message: "This operation is not written yet.", status: 501 }';
  return `async (_input, _context) => {\n${indent}  throw new ${faultOf(target)}(${fault});\n${indent}}`;
}

function faultOf(target: HandlerInterface): string {
  return target.kind === "soap" ? "SoapFault" : "RestError";
}

/** The name of a file's exported constant: the last key, or all keys if that is taken or reserved. */
export function constantOf(path: readonly string[], taken: ReadonlySet<string>): string {
  const last = path[path.length - 1] ?? "handlers";
  if (!taken.has(last) && !reserved.has(last)) {
    return last;
  }
  const whole = path.map((key, index) => (index === 0 ? key : key.charAt(0).toUpperCase() + key.slice(1))).join("");
  let name = reserved.has(whole) ? `${whole}Handler` : whole;
  for (let count = 2; taken.has(name); count++) {
    name = `${whole}${count}`;
  }
  return name;
}

const reserved: ReadonlySet<string> = new Set(
  "delete new default class function return import export switch case in of void typeof null true false this enum with".split(
    " ",
  ),
);

export function kebab(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
