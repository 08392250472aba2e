import type { HandlerInterface, HandlerNode } from "./handlers.js";
import { constantOf, handlersFile, hasOwnFile, nodeFile, nodeText } from "./layout.js";

/** The handler files of a new server: one per operation or route group, and the file that puts them together. */
export function createHandlers(of: HandlerInterface, serverPackage: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const imports: string[] = [];
  const taken = new Set<string>();

  const literal = (node: HandlerNode, path: readonly string[], indent: string): string => {
    if (hasOwnFile(of, path, node)) {
      const constant = constantOf(path, taken);
      taken.add(constant);
      const file = nodeFile(of.module, path);
      files.set(file, nodeText(of, path, node, { constant, serverPackage }));
      imports.push(`import { ${constant} } from "${relative(of.module, file)}";`);
      return constant === node.key ? constant : `${node.key}: ${constant}`;
    }
    const children = node.kind === "group" ? node.children : [];
    const members = children.map((child) => `${indent}  ${literal(child, [...path, child.key], `${indent}  `)},\n`);
    return `${path.length === 0 ? "" : `${node.key}: `}{\n${members.join("")}${indent}}`;
  };

  const whole = literal(of.root, [], "");
  const head = [...imports].sort().join("\n");
  files.set(
    handlersFile(of.module),
    `import type { ${of.type} } from "${serverPackage}/${of.module}";\n${head}\n\n/** Every operation with its handler. One that is missing does not compile. */\nexport const ${handlersConstant(of)}: ${of.type} = ${whole};\n`,
  );
  return files;
}

/** `vehicleHandlers`. */
export function handlersConstant(of: HandlerInterface): string {
  return `${of.type.charAt(0).toLowerCase()}${of.type.slice(1)}`;
}

/** How a file of an interface's folder is imported from the handlers file. */
export function relative(module: string, file: string): string {
  return `./${file.slice(`src/${module}/`.length).replace(/\.ts$/, ".js")}`;
}
