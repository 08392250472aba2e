import type { HandlerGroup, HandlerInterface, HandlerNode, HandlerOperation } from "./handlers.js";

/**
 * Where handlers stand in a scaffolded server: `src/vehicle/handlers.ts` puts together what the files beside it export.
 * A file holds one operation of a SOAP service, or one group of routes.
 */
export function handlersFile(module: string): string {
  return `src/${module}/handlers.ts`;
}

/** True for a node that has a file of its own. */
export function hasOwnFile(of: HandlerInterface, path: readonly string[], node: HandlerNode): boolean {
  return of.kind === "soap"
    ? node.kind === "operation"
    : path.length === 2 || (path.length === 1 && node.kind === "operation");
}

/** `src/vehicle/reg/check-usa.ts`. */
export function nodeFile(module: string, path: readonly string[]): string {
  return `src/${module}/${path.map(kebab).join("/")}.ts`;
}

/** `VehicleHandlers["reg"]["checkUSA"]`. */
export function nodeType(of: HandlerInterface, path: readonly string[]): string {
  return of.type + path.map((key) => `[${JSON.stringify(key)}]`).join("");
}

/** The text of a new file with one operation or one group. */
export function nodeText(
  of: HandlerInterface,
  path: readonly string[],
  node: HandlerNode,
  names: { readonly constant: string; readonly serverPackage: string },
): string {
  const from = `"${names.serverPackage}/${of.module}"`;
  const imported = needsFault(node)
    ? `import { type ${of.type}, ${faultOf(of)} } from ${from};`
    : `import type { ${of.type} } from ${from};`;
  const value = node.kind === "group" ? groupText(of, node, "") : handlerText(of, node, "");
  return `${imported}\n\nexport const ${names.constant}: ${nodeType(of, path)} = ${value};\n`;
}

/** An object literal with a handler per operation. */
export function groupText(of: HandlerInterface, group: HandlerGroup, indent: string): string {
  const inner = `${indent}  `;
  const members = group.children.map((child) => `${inner}${memberText(of, child, inner)},\n`);
  return `{\n${members.join("")}${indent}}`;
}

/** `list: async (input, context) => []`, or a group. */
export function memberText(of: HandlerInterface, node: HandlerNode, indent: string): string {
  return `${node.key}: ${node.kind === "group" ? groupText(of, node, indent) : handlerText(of, node, indent)}`;
}

function handlerText(of: HandlerInterface, operation: HandlerOperation, indent: string): string {
  const body =
    operation.answer === undefined
      ? of.kind === "soap"
        ? `throw new ${faultOf(of)}({ reason: "This operation is not written yet." });`
        : `throw new ${faultOf(of)}({ code: "not_implemented", message: "This operation is not written yet.", status: 501 });`
      : `return ${operation.answer};`;
  return `async (_input, _context) => {\n${indent}  ${body}\n${indent}}`;
}

function needsFault(node: HandlerNode): boolean {
  return node.kind === "group" ? node.children.some(needsFault) : node.answer === undefined;
}

function faultOf(of: HandlerInterface): string {
  return of.kind === "soap" ? "SoapFault" : "RestError";
}

/** The exported constant of a file: the last key, or all of them where that is taken or reserved. */
export function constantOf(path: readonly string[], taken: ReadonlySet<string>): string {
  const last = path[path.length - 1] ?? "handlers";
  if (!taken.has(last) && !reserved.has(last)) return last;
  const whole = path.map((key, index) => (index === 0 ? key : key.charAt(0).toUpperCase() + key.slice(1))).join("");
  let name = reserved.has(whole) ? `${whole}Handler` : whole;
  for (let count = 2; taken.has(name); count++) name = `${whole}${count}`;
  return name;
}

const reserved: ReadonlySet<string> = new Set(
  "delete new default class function return import export switch case in of void typeof null true false this enum with".split(
    " ",
  ),
);

function kebab(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
