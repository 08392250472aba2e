import type { InterfaceConfig } from "../../model/config.js";
import type { JsonMember, JsonNode } from "../../source/json.js";
import { isPortable } from "./paths.js";
import { readRestInterface, restNames } from "./rest-interface.js";
import { type Shape, startOf } from "./shape.js";
import { readSoapInterface, soapNames } from "./soap-interface.js";

/** The interfaces, in the order of the configuration. */
export function readInterfaces(shape: Shape, node: JsonNode | undefined, folder: string): readonly InterfaceConfig[] {
  const members = [...shape.map(node, '"interfaces"')];
  if (node?.kind === "object" && members.length === 0) {
    shape.diagnostics.error("CFG010", node.span, { message: "There is no interface to generate." });
  }
  checkCase(shape, members);
  return members.flatMap(([name, member]) => readInterface(shape, { name, folder, member }) ?? []);
}

/** One interface of the configuration. */
export interface InterfaceMember {
  readonly name: string;
  readonly folder: string;
  readonly member: JsonMember;
}

function readInterface(shape: Shape, { name, folder, member }: InterfaceMember): InterfaceConfig | undefined {
  if (!isInterfaceName(name)) {
    shape.diagnostics.error("CFG008", member.nameSpan, {
      message: `"${name.slice(0, 100)}" cannot name an interface.`,
    });
    return undefined;
  }
  const keys = shape.map(member.value, `interface "${name}"`);
  if (keys.has("wsdl") === keys.has("index")) {
    if (member.value.kind === "object") {
      const has = keys.has("wsdl") ? 'both "wsdl" and "index"' : 'neither "wsdl" nor "index"';
      shape.diagnostics.error("CFG011", startOf(member.value.span), { message: `Interface "${name}" has ${has}.` });
    }
    return undefined;
  }
  const what = `interface "${name}"`;
  if (keys.has("wsdl")) {
    return readSoapInterface(shape, {
      name,
      folder,
      span: member.value.span,
      members: shape.object(member.value, what, soapNames),
    });
  }
  return readRestInterface(shape, {
    name,
    folder,
    span: member.value.span,
    members: shape.object(member.value, what, restNames),
  });
}

/** Whether a name can be a folder, an import path and the start of a class name. */
export function isInterfaceName(name: string): boolean {
  return /^[a-z][A-Za-z0-9-]{0,63}$/.test(name) && isPortable(name) && name !== "index" && name !== "node_modules";
}

function checkCase(shape: Shape, members: readonly (readonly [string, JsonMember])[]): void {
  const seen = new Map<string, string>();
  for (const [name, { nameSpan }] of members) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      const message = `The interfaces "${other}" and "${name}" differ in letter case alone.`;
      shape.diagnostics.error("CFG009", nameSpan, { message });
    }
    seen.set(name.toLowerCase(), name);
  }
}
