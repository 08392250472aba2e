import type { SoapInterfaceConfig } from "../../model/config.js";
import { checkOptionName } from "./client-options.js";
import { type InterfaceParts, named, namedMap } from "./interface-parts.js";
import { readPath } from "./paths.js";
import { type ConfigText, type Shape, startOf } from "./shape.js";

export const soapNames = [
  "wsdl",
  "ambient",
  "wireNames",
  "soap12Action",
  "conventions",
  "lenient",
  "typeMap",
  "typeFiles",
  "operations",
  "names",
];

/** A SOAP interface: its WSDLs, and what they cannot say. */
export function readSoapInterface(shape: Shape, { name, folder, span, members }: InterfaceParts): SoapInterfaceConfig {
  const at = (key: string) => members.get(key)?.value;
  const wireNames = shape.object(at("wireNames"), '"wireNames"', ["namespaces", "operations"]);
  const wsdl = shape.texts(at("wsdl"), '"wsdl"').flatMap((text) => {
    const path = readPath(shape, text, folder);
    return path === undefined ? [] : [{ path, span: text.span }];
  });
  const list = at("wsdl");
  if (list?.kind === "array" && list.items.length === 0) {
    shape.diagnostics.error("CFG010", startOf(list.span), { message: `Interface "${name}" names no WSDL.` });
  }
  const ambient = named(shape.texts(at("ambient"), '"ambient"'));
  for (const argument of ambient) checkOptionName(shape, argument.name, { of: "soap", span: argument.span });
  return {
    kind: "soap",
    name,
    span,
    wsdl,
    ambient,
    wireNames: {
      namespaces: readNamespaces(shape, shape.textMap(wireNames.get("namespaces")?.value, '"namespaces"')),
      operations: named(shape.texts(wireNames.get("operations")?.value, '"operations"')),
    },
    soap12Action: shape.boolean(at("soap12Action"), '"soap12Action"'),
    conventions: shape.choice(at("conventions"), '"conventions"', ["standard", "asmx"]),
    lenient: shape.boolean(at("lenient"), '"lenient"'),
    typeMap: new Map(
      [...shape.textMap(at("typeMap"), '"typeMap"')].map(([name, { text, span }]) => [name, { type: text, span }]),
    ),
    typeFiles: shape.choice(at("typeFiles"), '"typeFiles"', ["one", "namespace"]),
    operations: at("operations") === undefined ? undefined : named(shape.texts(at("operations"), '"operations"')),
    names: namedMap(shape.textMap(at("names"), '"names"')),
  };
}

function readNamespaces(
  shape: Shape,
  slots: ReadonlyMap<string, ConfigText>,
): SoapInterfaceConfig["wireNames"]["namespaces"] {
  const seen = new Map<string, string>();
  return [...slots].map(([slot, { text, span }]) => {
    const other = seen.get(text);
    if (other !== undefined) {
      shape.diagnostics.error("CFG013", span, { message: `"${other}" and "${slot}" stand for one namespace.` });
    }
    seen.set(text, slot);
    return { slot, namespace: text, span };
  });
}
