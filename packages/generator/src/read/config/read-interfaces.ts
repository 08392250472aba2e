import type {
  ConfiguredName,
  InterfaceConfig,
  ResponseConfig,
  RestInterfaceConfig,
  SoapInterfaceConfig,
} from "../../model/config.js";
import { type JsonMember, type JsonNode, stringOf } from "../../source/json.js";
import type { Span } from "../../source/span.js";
import { type ConfigEntry, type ConfigText, isPortable, readPath, type Shape, startOf } from "./config-values.js";

/** What the readers of both kinds are given. */
interface InterfaceParts {
  readonly name: string;
  readonly folder: string;
  readonly span: Span;
  readonly members: ReadonlyMap<string, JsonMember>;
}

/** Texts as named, located things. */
function named(texts: readonly ConfigText[]): readonly { readonly name: string; readonly span: ConfigText["span"] }[] {
  return texts.map(({ text, span }) => ({ name: text, span }));
}

/** The other names of things, by their names on the wire. */
function namedMap(texts: ReadonlyMap<string, ConfigEntry>): ReadonlyMap<string, ConfiguredName> {
  return new Map([...texts].map(([key, { text, span, keySpan }]) => [key, { name: text, span, keySpan }]));
}

/** The options that every client has: nothing that a schema adds to them may have one of these names. */
export const clientOptions: Readonly<Record<"soap" | "rest", readonly string[]>> = {
  soap: (
    "timeout signal headers authorization hooks limits retries transport connectTimeout agent proxy tls maxSockets maxQueued " +
    "baseUrl address protocol wireNames unknown illegalCharacters"
  ).split(" "),
  rest: (
    "timeout signal headers authorization hooks limits retries transport connectTimeout agent proxy tls maxSockets maxQueued " +
    "siteUrl wireNames plainPermalinks validate"
  ).split(" "),
};

/** Reports a name that would take the place of a client's own option. */
function checkOptionName(shape: Shape, name: string, at: { readonly of: "soap" | "rest"; readonly span: Span }): void {
  if (!clientOptions[at.of].includes(name)) return;
  shape.diagnostics.error("CFG015", at.span, { message: `"${name}" is the name of a client option.` });
}

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
function readSoapInterface(shape: Shape, { name, folder, span, members }: InterfaceParts): SoapInterfaceConfig {
  const at = (key: string) => members.get(key)?.value;
  const wireNames = shape.object(at("wireNames"), '"wireNames"', ["namespaces", "operations"]);
  const wsdl = shape.texts(at("wsdl"), '"wsdl"').flatMap((text) => {
    const path = readPath(shape, text, folder);
    return path === undefined ? [] : [{ path, span: text.span }];
  });
  const list = at("wsdl");
  if (list?.kind === "array" && list.items.length === 0) {
    shape.diagnostics.error("CFG010", startOf(list.span), { message: `Interface "${name}" has no WSDL.` });
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
      shape.diagnostics.error("CFG013", span, { message: `"${other}" and "${slot}" refer to the same namespace.` });
    }
    seen.set(text, slot);
    return { slot, namespace: text, span };
  });
}

export const restNames = ["index", "base", "wireNames", "routes", "names", "responses"];

type Base = RestInterfaceConfig["base"];

/** A REST interface: its index, and what that cannot say. */
function readRestInterface(
  shape: Shape,
  { name, folder, span, members }: InterfaceParts,
): RestInterfaceConfig | undefined {
  const at = (key: string) => members.get(key)?.value;
  const index = shape.text(at("index"), '"index"');
  const path = index === undefined ? undefined : readPath(shape, index, folder);
  const base = readBase(shape, at("base"));
  const wireNames = shape.object(at("wireNames"), '"wireNames"', ["segments"]);
  const rest: Omit<RestInterfaceConfig, "index"> = {
    kind: "rest",
    name,
    span,
    base,
    wireNames: { segments: named(shape.texts(wireNames.get("segments")?.value, '"segments"')) },
    routes: at("routes") === undefined ? undefined : named(shape.texts(at("routes"), '"routes"')),
    names: namedMap(shape.textMap(at("names"), '"names"')),
    responses: readResponses(shape, at("responses"), folder),
  };
  return index === undefined || path === undefined ? undefined : { ...rest, index: { path, span: index.span } };
}

/** `schemas/block.json`, or a place in a file: `schemas/objects.json#/$defs/block`. */
function readResponses(shape: Shape, node: JsonNode | undefined, folder: string): readonly ResponseConfig[] {
  return [...shape.textMap(node, '"responses"')].flatMap(([key, { text, span, keySpan }]) => {
    const [file = "", ...fragment] = text.split("#");
    const path = readPath(shape, { text: file, span }, folder);
    return path === undefined ? [] : [{ key, keySpan, span, path, pointer: fragment.join("#") }];
  });
}

function readBase(shape: Shape, node: JsonNode | undefined): Base {
  if (stringOf(node) !== undefined) {
    return { path: checkedPath(shape, shape.text(node, '"base"'), new Map()), values: new Map(), language: undefined };
  }
  const members = shape.object(node, '"base"', ["path", "values", "language"]);
  const values = new Map<string, readonly ConfigText[]>();
  for (const [variable, { nameSpan, value }] of shape.map(members.get("values")?.value, '"values"')) {
    checkOptionName(shape, variable, { of: "rest", span: nameSpan });
    values.set(variable, shape.texts(value, `the values of "${variable}"`));
  }
  const path = checkedPath(shape, shape.text(members.get("path")?.value, '"path"'), values);
  checkValues(shape, { path, values, node: members.get("values")?.value });
  return {
    path,
    values: new Map([...values].map(([variable, texts]) => [variable, texts.map(({ text }) => text)])),
    language: readLanguage(shape, members.get("language")?.value, values),
  };
}

function checkedPath(shape: Shape, path: ConfigText | undefined, values: ReadonlyMap<string, unknown>): string {
  if (path === undefined) {
    return "/wp-json";
  }
  if (!/^(?:\/(?:\{[A-Za-z_]\w*\}|[\w.~-]+))+$/.test(path.text) || /\/\.{1,2}(?:\/|$)/.test(path.text)) {
    const message = `The base path "${path.text}" is invalid. Write a path such as "/wp-json" or "/{lang}/api".`;
    shape.diagnostics.error("CFG012", path.span, { message });
    return "/wp-json";
  }
  for (const variable of variablesOf(path.text)) {
    if (!values.has(variable)) {
      shape.diagnostics.error("CFG012", path.span, {
        message: `The variable {${variable}} of the base path has no values.`,
      });
    }
  }
  return path.text;
}

function checkValues(
  shape: Shape,
  base: {
    readonly path: string;
    readonly values: ReadonlyMap<string, readonly ConfigText[]>;
    readonly node: JsonNode | undefined;
  },
): void {
  const variables = variablesOf(base.path);
  for (const [variable, texts] of base.values) {
    if (!variables.includes(variable) && base.node !== undefined) {
      shape.diagnostics.error("CFG012", base.node.span, { message: `The base path has no variable {${variable}}.` });
    }
    if (texts.length === 0 && base.node !== undefined) {
      shape.diagnostics.error("CFG012", base.node.span, {
        message: `The variable {${variable}} needs at least one value.`,
      });
    }
    for (const { text, span } of texts) {
      if (!/^[\w.~-]+$/.test(text) || /^\.{1,2}$/.test(text)) {
        shape.diagnostics.error("CFG012", span, { message: `"${text}" cannot be a segment of a path.` });
      }
    }
  }
}

function variablesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function readLanguage(
  shape: Shape,
  node: JsonNode | undefined,
  values: ReadonlyMap<string, unknown>,
): Base["language"] {
  if (node === undefined) {
    return undefined;
  }
  const members = shape.object(node, '"language"', ["variable", "argument"]);
  const variable = shape.text(members.get("variable")?.value, '"variable"');
  if (variable !== undefined && !values.has(variable.text)) {
    shape.diagnostics.error("CFG012", variable.span, { message: `The base path has no variable {${variable.text}}.` });
  }
  return { variable: variable?.text, argument: shape.text(members.get("argument")?.value, '"argument"')?.text };
}

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
interface InterfaceMember {
  readonly name: string;
  readonly folder: string;
  readonly member: JsonMember;
}

function readInterface(shape: Shape, { name, folder, member }: InterfaceMember): InterfaceConfig | undefined {
  if (!isInterfaceName(name)) {
    shape.diagnostics.error("CFG008", member.nameSpan, {
      message: `"${name.slice(0, 100)}" is not a valid interface name.`,
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
      const message = `The interfaces "${other}" and "${name}" differ only in letter case.`;
      shape.diagnostics.error("CFG009", nameSpan, { message });
    }
    seen.set(name.toLowerCase(), name);
  }
}
