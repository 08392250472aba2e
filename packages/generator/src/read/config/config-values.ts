import { findNearestName } from "@bothends/xml";
import type { MappedType, ModulePath, ModuleType } from "../../model/config.js";
import { type Diagnostics, formatQuotedList } from "../../source/diagnostics.js";
import { quoteShellWord } from "../../source/document-addresses.js";
import { findStringValue, type JsonMember, type JsonNode } from "../../source/json.js";
import type { Span } from "../../source/span.js";
import { capitalize } from "../../text.js";

// The limits of common file systems, in characters. For generated files, the lower limits `pathChars` and `pathSegment`
// apply.
const maxPathLength = 4_000;
const maxSegmentLength = 240;

/** Reads a path and resolves it relative to the root. Reports an invalid path and returns undefined. */
export function readPath(reader: ConfigReader, { text, span }: ConfigText, folder: string): string | undefined {
  if (/^https?:\/\//i.test(text)) {
    reader.diagnostics.error("CFG006", span, {
      message: `The text "${text.slice(0, 200)}" is an address, not a path. Documents are never downloaded.`,
      help: `Run npx bothends fetch ${quoteShellWord(text)} --into schemas, and name the file that it writes.`,
    });
    return undefined;
  }
  const problem = findPathProblem(text);
  const path = problem === undefined ? joinPath(folder, text) : undefined;
  if (path === "") {
    reader.diagnostics.error("CFG006", span, {
      message: `The path "${text.slice(0, 200)}" leads to the root folder.`,
      help: "Name a file or a folder inside the root.",
    });
    return undefined;
  }
  if (path !== undefined && path.length <= maxPathLength) {
    return path;
  }
  const reason =
    problem ?? (path === undefined ? "leads outside the root" : `has more than ${maxPathLength} characters`);
  reader.diagnostics.error("CFG006", span, {
    message: `The path "${text.slice(0, 200)}" ${reason}.`,
    help: path === undefined && problem === undefined ? "Set a wider root with --root." : findPathHelp(text),
  });
  return undefined;
}

/** Returns the help for common mistakes in paths: wildcards and backslashes. */
function findPathHelp(path: string): string | undefined {
  if (path.includes("*")) {
    return "List every file by name: wildcards such as * are not supported.";
  }
  const pathWithSlashes = path.replaceAll("\\", "/").replace(/^\.\//, "");
  return path.includes("\\") && findPathProblem(pathWithSlashes) === undefined
    ? `Write "${pathWithSlashes}".`
    : undefined;
}

/** Returns why a string is not a portable relative path, as the end of a sentence; undefined if the path is valid. */
function findPathProblem(path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    return "is not relative";
  }
  if (path.startsWith("/") || path.includes("\\")) {
    return "must be relative, with / between its segments";
  }
  const segment = path
    .split("/")
    .find(
      (candidate) => candidate.length > maxSegmentLength || (!/^\.{0,2}$/.test(candidate) && !isPortable(candidate)),
    );
  return segment === undefined
    ? undefined
    : `has a segment that is not portable to every file system: "${segment.slice(0, maxSegmentLength)}"`;
}

/** Whether a file or folder can have this name on every operating system, including Windows. */
export function isPortable(segment: string): boolean {
  return (
    !/[<>:"|?*\p{Cc}]/u.test(segment) &&
    !/[. ]$/.test(segment) &&
    !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment)
  );
}

function joinPath(folder: string, path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of `${folder}/${path}`.split("/")) {
    if (segment === "" || segment === ".") {
      continue;
    }
    if (segment !== "..") {
      segments.push(segment);
    } else if (segments.pop() === undefined) {
      return undefined;
    }
  }
  return segments.join("/");
}

/** A string in the configuration, and its span. */
export interface ConfigText {
  readonly text: string;
  readonly span: Span;
}

/** A member of an object whose value is a string, with the spans of its key and value. */
export interface ConfigEntry extends ConfigText {
  readonly keySpan: Span;
}

type Members = ReadonlyMap<string, JsonMember>;

/** Example values of required members, keyed by member name. */
const exampleValues: ReadonlyMap<string, string> = new Map([
  ["packages", '{ "path": "generated", "name": "generated" }'],
  ["contract", '{ "path": "generated/contract", "name": "@generated/contract" }'],
  ["interfaces", '{ "quotes": { "wsdl": ["quotes.wsdl"] } }'],
  ["path", '"generated/contract"'],
  ["name", '"@generated/contract"'],
]);

/** Reads values of the configuration, and reports values of the wrong type. `subject` names the value in messages. */
export class ConfigReader {
  readonly diagnostics: Diagnostics;

  constructor(diagnostics: Diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Reads an object with known member names. Reports members with any other name. */
  readObject(node: JsonNode | undefined, subject: string, names: readonly string[]): Members {
    const members = this.readMap(node, subject);
    for (const [name, { nameSpan }] of members) {
      if (!names.includes(name)) {
        const suggestion = findNearestName(name, names);
        this.diagnostics.error("CFG003", nameSpan, {
          message: `Unknown member "${name}" in ${subject}.`,
          help:
            suggestion === undefined ? `Allowed members: ${formatQuotedList(names)}.` : `Did you mean "${suggestion}"?`,
        });
      }
    }
    return members;
  }

  /** Reads an object whose members can have any name. */
  readMap(node: JsonNode | undefined, subject: string): Members {
    if (node === undefined || node.kind === "object") {
      return node?.members ?? new Map();
    }
    this.#reportWrongType(node, subject, "an object", findObjectHelp(node, subject));
    return new Map();
  }

  /** Returns the value of a required member. Reports the member if it is absent. */
  readRequired(
    members: Members,
    name: string,
    owner: { readonly span: Span; readonly subject: string },
  ): JsonNode | undefined {
    const member = members.get(name);
    const example = exampleValues.get(name);
    if (member === undefined) {
      this.diagnostics.error("CFG004", getStart(owner.span), {
        message: `${capitalize(owner.subject)} lacks the required member "${name}".`,
        help: example && `Add the member, for example "${name}": ${example}.`,
      });
    }
    return member?.value;
  }

  readText(
    node: JsonNode | undefined,
    subject: string,
    expected = "a non-empty string without control characters",
  ): ConfigText | undefined {
    if (node === undefined) {
      return undefined;
    }
    const text = findStringValue(node);
    if (text !== undefined && text !== "" && !/\p{Cc}|\p{Surrogate}/u.test(text)) {
      return { text, span: node.span };
    }
    this.#reportWrongType(node, subject, expected);
    return undefined;
  }

  readBoolean(node: JsonNode | undefined, subject: string): boolean {
    if (node === undefined) {
      return false;
    }
    if (node.kind === "scalar" && typeof node.value === "boolean") {
      return node.value;
    }
    const text = findStringValue(node);
    const help = text === "true" || text === "false" ? `Write ${text} without quotation marks.` : undefined;
    this.#reportWrongType(node, subject, "true or false", help);
    return false;
  }

  /** Reads a string that must be one of several choices. The first choice is the default. */
  readChoice<Choice extends string>(
    node: JsonNode | undefined,
    subject: string,
    choices: readonly [Choice, ...Choice[]],
  ): Choice {
    const choice = choices.find((choice) => findStringValue(node) === choice);
    if (node !== undefined && choice === undefined) {
      const text = findStringValue(node)?.toLowerCase() ?? "";
      const suggestion = choices.find((allowedText) => allowedText === text) ?? findNearestName(text, choices);
      const help = suggestion === undefined ? undefined : `Did you mean "${suggestion}"?`;
      this.#reportWrongType(node, subject, choices.map((choice) => `"${choice}"`).join(" or "), help);
    }
    return choice ?? choices[0];
  }

  /** Reads a non-negative integer. */
  readCount(node: JsonNode, subject: string): number | undefined {
    const value = node.kind === "scalar" ? node.value : undefined;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) {
      return value;
    }
    this.#reportWrongType(node, subject, "a whole number, 0 or more");
    return undefined;
  }

  /** Reads a list of strings, and reports duplicates. */
  readTexts(node: JsonNode | undefined, subject: string): readonly ConfigText[] {
    if (node !== undefined && node.kind !== "array") {
      const text = findStringValue(node);
      this.#reportWrongType(
        node,
        subject,
        "a list of strings",
        text && `Write the text in brackets: [${JSON.stringify(text)}].`,
      );
    }
    const knownTexts = new Set<string>();
    const texts: ConfigText[] = [];
    for (const item of node?.kind === "array" ? node.items : []) {
      const entry = this.readText(item, `an item of ${subject}`);
      if (entry !== undefined && knownTexts.has(entry.text)) {
        this.diagnostics.error("CFG013", entry.span, {
          message: `The value "${entry.text}" occurs twice in ${subject}.`,
        });
      } else if (entry !== undefined) {
        knownTexts.add(entry.text);
        texts.push(entry);
      }
    }
    return texts;
  }

  /** Reads an object whose values are strings. */
  readTextMap(node: JsonNode | undefined, subject: string): ReadonlyMap<string, ConfigEntry> {
    const texts = new Map<string, ConfigEntry>();
    for (const [name, { nameSpan, value }] of this.readMap(node, subject)) {
      const text = this.readText(value, `"${name}" in ${subject}`);
      if (text !== undefined) {
        texts.set(name, { ...text, keySpan: nameSpan });
      }
    }
    return texts;
  }

  #reportWrongType(node: JsonNode, subject: string, expected: string, help?: string): void {
    this.diagnostics.error("CFG005", node.span, { message: `${capitalize(subject)} must be ${expected}.`, help });
  }
}

/** Returns the help for an interface, or a list of interfaces, that is not an object. */
function findObjectHelp(node: JsonNode, subject: string): string | undefined {
  if (subject === '"interfaces"') {
    return 'Give each interface a name: { "quotes": { "wsdl": ["quotes.wsdl"] } }.';
  }
  if (!/^interface /i.test(subject)) {
    return undefined;
  }
  const [firstItem = node] = node.kind === "array" ? node.items : [];
  const path = findStringValue(firstItem) ?? "quotes.wsdl";
  const source = /\.json$/i.test(path) ? `"index": ${JSON.stringify(path)}` : `"wsdl": [${JSON.stringify(path)}]`;
  return `Write { ${source} }.`;
}

/** Returns the span of the first character, where a missing member is reported. */
export function getStart(span: Span): Span {
  return { ...span, end: Math.min(span.end, span.start + 1) };
}

/** Reads `typeMap`, which maps a type to a keyword such as `Date` or to the exports of a module. */
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

/** Reads the name of a module's export. Generated code uses the name as an identifier. */
function readExport(reader: ConfigReader, node: JsonNode | undefined, name: string): string | undefined {
  if (node === undefined) {
    return undefined;
  }
  const text = findStringValue(node);
  if (text !== undefined && text.length <= 200 && /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text)) {
    return text;
  }
  reader.diagnostics.error("CFG016", node.span, {
    message: `The member "${name}" must be the name of an export, which consists of letters, digits, _ and $.`,
  });
  return undefined;
}

/** Reads a module specifier: a package name, with or without a path, or a file relative to the configuration. */
function readModule(reader: ConfigReader, specifier: ConfigText, folder: string): ModulePath | undefined {
  const { text, span } = specifier;
  if (/^\.{1,2}\//.test(text)) {
    if (!/\.m?js$/.test(text)) {
      reader.diagnostics.error("CFG016", span, {
        message: `The file "${text.slice(0, 200)}" must have the extension .js or .mjs, as in an import statement.`,
      });
      return undefined;
    }
    const file = readPath(reader, specifier, folder);
    return file === undefined ? undefined : { file };
  }
  if (text.length <= 214 && /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(text)) {
    return { package: text };
  }
  reader.diagnostics.error("CFG016", span, {
    message: `The module "${text.slice(0, 200)}" is neither a file, such as "./decimals.js", nor the name of a package.`,
  });
  return undefined;
}
