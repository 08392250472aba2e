import { findNearestName } from "@bothends/xml";
import type {
  ConfiguredName,
  InterfaceConfig,
  ResponseConfig,
  RestInterfaceConfig,
  SettingPosition,
  SoapInterfaceConfig,
  Tolerance,
} from "../../model/config.js";
import { quoteShellWord } from "../../source/document-addresses.js";
import { findStringValue, type JsonMember, type JsonNode } from "../../source/json.js";
import type { Span } from "../../source/span.js";
import {
  type ConfigEntry,
  type ConfigReader,
  type ConfigText,
  getStart,
  isPortable,
  readPath,
  readTypeMap,
} from "./config-values.js";

/** The name, position and members of an interface in the configuration. */
interface InterfaceSource {
  readonly name: string;
  readonly folder: string;
  readonly span: Span;
  readonly members: ReadonlyMap<string, JsonMember>;
}

/** Reads the interfaces in the order of the configuration. */
export function readInterfaces(
  reader: ConfigReader,
  node: JsonNode | undefined,
  folder: string,
): readonly InterfaceConfig[] {
  const members = [...reader.readMap(node, '"interfaces"')];
  if (node?.kind === "object" && members.length === 0) {
    reader.diagnostics.error("CFG010", node.span, { message: "There is no interface to generate." });
  }
  refuseSameNameInOtherCase(reader, members);
  return members.flatMap(([name, member]) => readInterface(reader, { name, folder, member }) ?? []);
}

function refuseSameNameInOtherCase(reader: ConfigReader, members: readonly (readonly [string, JsonMember])[]): void {
  const nameByLowerCase = new Map<string, string>();
  for (const [name, { nameSpan }] of members) {
    const otherName = nameByLowerCase.get(name.toLowerCase());
    if (otherName !== undefined) {
      const message = `The interfaces "${otherName}" and "${name}" differ only in letter case.`;
      reader.diagnostics.error("CFG009", nameSpan, { message });
    }
    nameByLowerCase.set(name.toLowerCase(), name);
  }
}

interface InterfaceMember {
  readonly name: string;
  readonly folder: string;
  readonly member: JsonMember;
}

function readInterface(reader: ConfigReader, { name, folder, member }: InterfaceMember): InterfaceConfig | undefined {
  if (!isInterfaceName(name)) {
    reader.diagnostics.error("CFG008", member.nameSpan, {
      message: `The name "${name.slice(0, 100)}" is not a valid interface name.`,
    });
    return undefined;
  }
  const membersByKey = reader.readMap(member.value, `interface "${name}"`);
  if (membersByKey.has("wsdl") === membersByKey.has("index")) {
    const misspelledName = membersByKey.has("wsdl") ? undefined : findMisspelledName(membersByKey);
    if (misspelledName !== undefined) {
      reader.diagnostics.error("CFG003", misspelledName.span, {
        message: `Unknown member "${misspelledName.name}" in interface "${name}".`,
        help: `Did you mean "${misspelledName.suggestion}"?`,
      });
    } else if (member.value.kind === "object") {
      const foundKeys = membersByKey.has("wsdl") ? 'both "wsdl" and "index"' : 'neither "wsdl" nor "index"';
      reader.diagnostics.error("CFG011", getStart(member.value.span), {
        message: `The interface "${name}" has ${foundKeys}.`,
        help: findAddressHelp(membersByKey),
      });
    }
    return undefined;
  }
  const subject = `interface "${name}"`;
  if (membersByKey.has("wsdl")) {
    return readSoapInterface(reader, {
      name,
      folder,
      span: member.value.span,
      members: reader.readObject(member.value, subject, soapMembers),
    });
  }
  return readRestInterface(reader, {
    name,
    folder,
    span: member.value.span,
    members: reader.readObject(member.value, subject, restMembers),
  });
}

/** Finds a member that is probably a misspelled "wsdl" or "index", such as `wsdls`. */
function findMisspelledName(membersByKey: ReadonlyMap<string, JsonMember>) {
  for (const [name, { nameSpan }] of membersByKey) {
    const suggestion = findNearestName(name, ["wsdl", "index"]);
    if (suggestion !== undefined && suggestion !== name) {
      return { name, suggestion, span: nameSpan };
    }
  }
  return undefined;
}

/** Returns the help for a source that is an address instead of a file; undefined if the source is a file. */
function findAddressHelp(membersByKey: ReadonlyMap<string, JsonMember>): string | undefined {
  const texts = [...membersByKey.values()].map(({ value }) => findStringValue(value) ?? "");
  const address = texts.find((text) => /^https?:\/\//i.test(text));
  return address === undefined
    ? undefined
    : `Documents are never downloaded. Run npx bothends fetch ${quoteShellWord(address)} --into schemas, and name the file that it writes.`;
}

/** The members of a SOAP interface in `bothends.json`. */
export const soapMembers = [
  "wsdl",
  "ambient",
  "wireNames",
  "soap12Action",
  "conventions",
  "tolerate",
  "lenient",
  "typeMap",
  "typeFiles",
  "operations",
  "names",
];

/** Reads a SOAP interface: its WSDLs and its settings. */
function readSoapInterface(
  reader: ConfigReader,
  { name, folder, span, members }: InterfaceSource,
): SoapInterfaceConfig {
  const findMemberValue = (key: string) => members.get(key)?.value;
  const wireNames = reader.readObject(findMemberValue("wireNames"), '"wireNames"', ["namespaces", "operations"]);
  const wsdl = reader.readTexts(findMemberValue("wsdl"), '"wsdl"').flatMap((text) => {
    const path = readPath(reader, text, folder);
    return path === undefined ? [] : [{ path, span: text.span }];
  });
  const wsdlValue = findMemberValue("wsdl");
  if (wsdlValue?.kind === "array" && wsdlValue.items.length === 0) {
    reader.diagnostics.error("CFG010", getStart(wsdlValue.span), { message: `The interface "${name}" has no WSDL.` });
  }
  const ambient = toNamedItems(reader.readTexts(findMemberValue("ambient"), '"ambient"'));
  for (const argument of ambient) {
    checkOptionName(reader, argument.name, { kind: "soap", span: argument.span });
  }
  return {
    kind: "soap",
    name,
    span,
    settings: listSettings(members),
    wsdl,
    ambient,
    wireNames: {
      namespaces: readNamespaces(reader, reader.readTextMap(wireNames.get("namespaces")?.value, '"namespaces"')),
      operations: toNamedItems(reader.readTexts(wireNames.get("operations")?.value, '"operations"')),
    },
    soap12Action: reader.readBoolean(findMemberValue("soap12Action"), '"soap12Action"'),
    conventions: reader.readChoice(findMemberValue("conventions"), '"conventions"', ["standard", "asmx"]),
    tolerate: readTolerate(reader, findMemberValue("tolerate")),
    lenient: reader.readBoolean(findMemberValue("lenient"), '"lenient"'),
    typeMap: readTypeMap(reader, findMemberValue("typeMap"), folder),
    typeFiles: reader.readChoice(findMemberValue("typeFiles"), '"typeFiles"', ["one", "namespace"]),
    operations:
      findMemberValue("operations") === undefined
        ? undefined
        : toNamedItems(reader.readTexts(findMemberValue("operations"), '"operations"')),
    names: toConfiguredNames(reader.readTextMap(findMemberValue("names"), '"names"')),
  };
}

/** The settings whose changes a diff reports at their positions in `bothends.json`. */
const reportedSettings: readonly string[] = [
  "ambient",
  "base",
  "conventions",
  "names",
  "operations",
  "responses",
  "routes",
  "soap12Action",
  "tolerate",
  "typeMap",
];

function listSettings(members: ReadonlyMap<string, JsonMember>): readonly SettingPosition[] {
  return reportedSettings.flatMap((name) => {
    const member = members.get(name);
    return member === undefined ? [] : listSettingsOf(member, []);
  });
}

/** Returns the positions of a setting, of its members and of the values in it. */
function listSettingsOf({ name, nameSpan, value }: JsonMember, parents: readonly string[]): readonly SettingPosition[] {
  const path = [...parents, name];
  const members = value.kind === "object" ? [...value.members.values()] : [];
  const values = value.kind === "array" ? value.items : [value];
  return [
    { path, span: nameSpan },
    ...members.flatMap((member) => listSettingsOf(member, path)),
    ...values.flatMap((item) =>
      item.kind === "scalar" ? [{ path: [...path, String(item.value)], span: item.span }] : [],
    ),
  ];
}

function toNamedItems(
  texts: readonly ConfigText[],
): readonly { readonly name: string; readonly span: ConfigText["span"] }[] {
  return texts.map(({ text, span }) => ({ name: text, span }));
}

/**
 * The names of the options that all clients have. Ambient arguments and variables of the base path become options too,
 * so their names must be different.
 */
export const clientOptions: Readonly<Record<"soap" | "rest", readonly string[]>> = {
  soap: (
    "timeout signal headers authorization hooks limits retries transport connectTimeout agent proxy tls maxSockets maxQueued " +
    "socketPath safeOperations observe onCall onError requestId stream onUploadProgress baseUrl address port protocol wireNames unknown tolerate onTolerated illegalCharacters validate"
  ).split(" "),
  rest: (
    "timeout signal headers authorization hooks limits retries transport connectTimeout agent proxy tls maxSockets maxQueued " +
    "socketPath safeOperations observe onCall onError requestId stream onUploadProgress siteUrl wireNames plainPermalinks validate"
  ).split(" "),
};

/** Reports a name that conflicts with a client option. */
function checkOptionName(
  reader: ConfigReader,
  name: string,
  option: { readonly kind: "soap" | "rest"; readonly span: Span },
): void {
  if (!clientOptions[option.kind].includes(name)) {
    return;
  }
  reader.diagnostics.error("CFG015", option.span, {
    message: `The name "${name}" is already the name of a client option.`,
  });
}

function readNamespaces(
  reader: ConfigReader,
  slots: ReadonlyMap<string, ConfigText>,
): SoapInterfaceConfig["wireNames"]["namespaces"] {
  const slotByNamespace = new Map<string, string>();
  return [...slots].map(([slot, { text, span }]) => {
    const otherSlot = slotByNamespace.get(text);
    if (otherSlot !== undefined) {
      reader.diagnostics.error("CFG013", span, {
        message: `The members "${otherSlot}" and "${slot}" name the same namespace.`,
      });
    }
    slotByNamespace.set(text, slot);
    return { slot, namespace: text, span };
  });
}

const tolerances: readonly Tolerance[] = ["enumeration", "facets", "nil", "empty", "fixed", "namespaces"];

function readTolerate(reader: ConfigReader, node: JsonNode | undefined): readonly Tolerance[] {
  return reader.readTexts(node, '"tolerate"').flatMap(({ text, span }) => {
    const tolerance = tolerances.find((name) => name === text);
    if (tolerance === undefined) {
      const suggestion = findNearestName(text, tolerances);
      reader.diagnostics.error("CFG005", span, {
        message: `The value "${text.slice(0, 100)}" in "tolerate" is not allowed. The allowed values are ${tolerances.join(", ")}.`,
        help: suggestion === undefined ? undefined : `Did you mean "${suggestion}"?`,
      });
    }
    return tolerance ?? [];
  });
}

/** Converts the entries of `names` to configured names, keyed by the names in the source. */
function toConfiguredNames(texts: ReadonlyMap<string, ConfigEntry>): ReadonlyMap<string, ConfiguredName> {
  return new Map([...texts].map(([key, { text, span, keySpan }]) => [key, { name: text, span, keySpan }]));
}

/** The members of a REST interface in `bothends.json`. */
export const restMembers = ["index", "base", "wireNames", "routes", "unversioned", "names", "responses"];

type Base = RestInterfaceConfig["base"];

/** Reads a REST interface: its index and its settings. */
function readRestInterface(
  reader: ConfigReader,
  { name, folder, span, members }: InterfaceSource,
): RestInterfaceConfig | undefined {
  const findMemberValue = (key: string) => members.get(key)?.value;
  const index = reader.readText(findMemberValue("index"), '"index"');
  const path = index === undefined ? undefined : readPath(reader, index, folder);
  const base = readBase(reader, findMemberValue("base"));
  const wireNames = reader.readObject(findMemberValue("wireNames"), '"wireNames"', ["segments"]);
  const settings: Omit<RestInterfaceConfig, "index"> = {
    kind: "rest",
    name,
    span,
    settings: listSettings(members),
    base,
    wireNames: { segments: toNamedItems(reader.readTexts(wireNames.get("segments")?.value, '"segments"')) },
    routes:
      findMemberValue("routes") === undefined
        ? undefined
        : toNamedItems(reader.readTexts(findMemberValue("routes"), '"routes"')),
    unversioned: toNamedItems(reader.readTexts(findMemberValue("unversioned"), '"unversioned"')),
    names: toConfiguredNames(reader.readTextMap(findMemberValue("names"), '"names"')),
    responses: readResponses(reader, findMemberValue("responses"), folder),
  };
  return index === undefined || path === undefined ? undefined : { ...settings, index: { path, span: index.span } };
}

function readBase(reader: ConfigReader, node: JsonNode | undefined): Base {
  if (findStringValue(node) !== undefined) {
    return {
      path: readBasePath(reader, reader.readText(node, '"base"'), new Map()),
      values: new Map(),
      language: undefined,
    };
  }
  const members = reader.readObject(node, '"base"', ["path", "values", "language"]);
  const values = new Map<string, readonly ConfigText[]>();
  for (const [variable, { nameSpan, value }] of reader.readMap(members.get("values")?.value, '"values"')) {
    checkOptionName(reader, variable, { kind: "rest", span: nameSpan });
    values.set(variable, reader.readTexts(value, `the values of "${variable}"`));
  }
  const path = readBasePath(reader, reader.readText(members.get("path")?.value, '"path"'), values);
  checkValues(reader, { path, values, node: members.get("values")?.value });
  return {
    path,
    values: new Map([...values].map(([variable, texts]) => [variable, texts.map(({ text }) => text)])),
    language: readLanguage(reader, members.get("language")?.value, values),
  };
}

function readBasePath(
  reader: ConfigReader,
  path: ConfigText | undefined,
  values: ReadonlyMap<string, unknown>,
): string {
  if (path === undefined) {
    return "/wp-json";
  }
  if (!/^(?:\/(?:\{[A-Za-z_]\w*\}|[\w.~-]+))+$/.test(path.text) || /\/\.{1,2}(?:\/|$)/.test(path.text)) {
    const message = `The base path "${path.text}" is invalid. Write a path such as "/wp-json" or "/{lang}/api".`;
    reader.diagnostics.error("CFG012", path.span, { message });
    return "/wp-json";
  }
  for (const variable of listVariables(path.text)) {
    if (!values.has(variable)) {
      reader.diagnostics.error("CFG012", path.span, {
        message: `The variable {${variable}} of the base path has no values.`,
      });
    }
  }
  return path.text;
}

function listVariables(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function checkValues(
  reader: ConfigReader,
  base: {
    readonly path: string;
    readonly values: ReadonlyMap<string, readonly ConfigText[]>;
    readonly node: JsonNode | undefined;
  },
): void {
  const variables = listVariables(base.path);
  for (const [variable, texts] of base.values) {
    if (!variables.includes(variable) && base.node !== undefined) {
      reader.diagnostics.error("CFG012", base.node.span, { message: `The base path has no variable {${variable}}.` });
    }
    if (texts.length === 0 && base.node !== undefined) {
      reader.diagnostics.error("CFG012", base.node.span, {
        message: `The variable {${variable}} needs at least one value.`,
      });
    }
    for (const { text, span } of texts) {
      if (!/^[\w.~-]+$/.test(text) || /^\.{1,2}$/.test(text)) {
        reader.diagnostics.error("CFG012", span, { message: `The value "${text}" cannot be a segment of a path.` });
      }
    }
  }
}

function readLanguage(
  reader: ConfigReader,
  node: JsonNode | undefined,
  values: ReadonlyMap<string, unknown>,
): Base["language"] {
  if (node === undefined) {
    return undefined;
  }
  const members = reader.readObject(node, '"language"', ["variable", "argument"]);
  const variable = reader.readText(members.get("variable")?.value, '"variable"');
  if (variable !== undefined && !values.has(variable.text)) {
    reader.diagnostics.error("CFG012", variable.span, { message: `The base path has no variable {${variable.text}}.` });
  }
  return { variable: variable?.text, argument: reader.readText(members.get("argument")?.value, '"argument"')?.text };
}

/**
 * Reads `responses`. A value names a file (`schemas/block.json`) or a schema in a file
 * (`schemas/objects.json#/$defs/block`).
 */
function readResponses(reader: ConfigReader, node: JsonNode | undefined, folder: string): readonly ResponseConfig[] {
  return [...reader.readTextMap(node, '"responses"')].flatMap(([key, { text, span, keySpan }]) => {
    const [file = "", ...fragment] = text.split("#");
    const path = readPath(reader, { text: file, span }, folder);
    return path === undefined ? [] : [{ key, keySpan, span, path, pointer: fragment.join("#") }];
  });
}

/**
 * Whether a name is valid for an interface, and for the folder, the import path and the classes that are named after
 * it.
 */
export function isInterfaceName(name: string): boolean {
  return /^[a-z][A-Za-z0-9-]{0,63}$/.test(name) && isPortable(name) && name !== "index" && name !== "node_modules";
}
