import type { MappedType, ModulePath, ModuleType } from "../../model/config.js";
import { type JsonNode, stringValue } from "../../source/json.js";
import { type ConfigReader, type ConfigText, readPath } from "./config-values.js";

/** Reads `typeMap`: for each type, a keyword such as `Date`, or the exports of a module. */
export function readTypeMap(
  reader: ConfigReader,
  node: JsonNode | undefined,
  folder: string,
): ReadonlyMap<string, MappedType> {
  const types = new Map<string, MappedType>();
  for (const [name, { nameSpan: keySpan, value }] of reader.readMap(node, '"typeMap"')) {
    const subject = `"${name}" in "typeMap"`;
    const type =
      value.kind === "object"
        ? readModuleType(reader, value, { subject, folder })
        : reader.readText(value, subject, "a type, or an object with a module")?.text;
    if (type !== undefined) {
      types.set(name, { type, keySpan, span: value.span });
    }
  }
  return types;
}

const exportNames = ["type", "read", "write"] as const;

function readModuleType(
  reader: ConfigReader,
  node: JsonNode,
  { subject, folder }: { readonly subject: string; readonly folder: string },
): ModuleType | undefined {
  const members = reader.readObject(node, subject, ["module", ...exportNames]);
  const owner = { span: node.span, subject };
  const text = reader.readText(reader.readRequired(members, "module", owner), '"module"');
  const [type, read, write] = exportNames.map((name) =>
    readExport(reader, reader.readRequired(members, name, owner), name),
  );
  const module = text && readModule(reader, text, folder);
  if (module === undefined || type === undefined || read === undefined || write === undefined) {
    return undefined;
  }
  return { module, type, read, write };
}

/** Reads the name of an export, which the code uses as a member of the imported module. */
function readExport(reader: ConfigReader, node: JsonNode | undefined, name: string): string | undefined {
  if (node === undefined) {
    return undefined;
  }
  const text = stringValue(node);
  if (text !== undefined && text.length <= 200 && /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text)) {
    return text;
  }
  reader.diagnostics.error("CFG016", node.span, {
    message: `"${name}" must be the name of an export: letters, digits, _ and $.`,
  });
  return undefined;
}

/** Reads a module specifier: a package name, with or without a path, or a file relative to the configuration. */
function readModule(reader: ConfigReader, text: ConfigText, folder: string): ModulePath | undefined {
  if (/^\.{1,2}\//.test(text.text)) {
    if (!/\.m?js$/.test(text.text)) {
      reader.diagnostics.error("CFG016", text.span, {
        message: `The file "${text.text.slice(0, 200)}" must have the extension .js or .mjs, as in an import.`,
      });
      return undefined;
    }
    const file = readPath(reader, text, folder);
    return file === undefined ? undefined : { file };
  }
  if (text.text.length <= 214 && /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(text.text)) {
    return { package: text.text };
  }
  reader.diagnostics.error("CFG016", text.span, {
    message: `"${text.text.slice(0, 200)}" is neither a file, such as "./decimals.js", nor the name of a package.`,
  });
  return undefined;
}
