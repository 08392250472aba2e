import { nearestName } from "@bothends/xml";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type JsonMember, type JsonNode, stringOf } from "../../source/json.js";
import type { Span } from "../../source/span.js";

// What file systems can hold. What is written there is bounded by `pathChars` and `pathSegment`.
const maxPath = 4_000;
const maxStep = 240;

/** A path of the configuration, relative to the root and normalised; undefined where it is none, and then reported. */
export function readPath(shape: Shape, text: ConfigText, folder: string): string | undefined {
  const problem = pathProblem(text.text);
  const path = problem === undefined ? joinPath(folder, text.text) : undefined;
  if (path === "") {
    shape.diagnostics.error("CFG006", text.span, {
      message: `The path "${text.text.slice(0, 200)}" is the root folder itself.`,
      help: "Name a file or a folder inside the root.",
    });
    return undefined;
  }
  if (path !== undefined && path.length <= maxPath) {
    return path;
  }
  const why = problem ?? (path === undefined ? "leads outside the root" : `has more than ${maxPath} characters`);
  shape.diagnostics.error("CFG006", text.span, {
    message: `The path "${text.text.slice(0, 200)}" ${why}.`,
    help: path === undefined && problem === undefined ? "Set a wider root with --root." : undefined,
  });
  return undefined;
}

/** What keeps a text from being a relative path that every file system can hold; undefined: nothing. */
function pathProblem(path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) {
    return "is not relative";
  }
  if (path.startsWith("/") || path.includes("\\")) {
    return "must be relative, with / between its segments";
  }
  const step = path.split("/").find((each) => each.length > maxStep || (!/^\.{0,2}$/.test(each) && !isPortable(each)));
  return step === undefined
    ? undefined
    : `has a segment that is not portable to every file system: "${step.slice(0, maxStep)}"`;
}

/** Whether a file or folder may bear the name on Windows too. */
export function isPortable(step: string): boolean {
  return (
    !/[<>:"|?*\p{Cc}]/u.test(step) && !/[. ]$/.test(step) && !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(step)
  );
}

function joinPath(folder: string, path: string): string | undefined {
  const steps: string[] = [];
  for (const step of `${folder}/${path}`.split("/")) {
    if (step === "" || step === ".") {
      continue;
    }
    if (step !== "..") {
      steps.push(step);
    } else if (steps.pop() === undefined) {
      return undefined;
    }
  }
  return steps.join("/");
}

/** A text of the configuration and its place. */
export interface ConfigText {
  readonly text: string;
  readonly span: Span;
}

/** A text beside the name it is for. */
export interface ConfigEntry extends ConfigText {
  readonly keySpan: Span;
}

type Members = ReadonlyMap<string, JsonMember>;

/** Takes values of the configuration apart, reporting each that is not of the kind it should be. */
export class Shape {
  readonly diagnostics: Diagnostics;

  constructor(diagnostics: Diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** An object with members of these names alone. */
  object(node: JsonNode | undefined, what: string, names: readonly string[]): Members {
    const members = this.map(node, what);
    for (const [name, { nameSpan }] of members) {
      if (!names.includes(name)) {
        const meant = nearestName(name, names);
        this.diagnostics.error("CFG003", nameSpan, {
          message: `Unknown member "${name}" in ${what}.`,
          help: meant === undefined ? `Allowed members: ${quoted(names)}.` : `Did you mean "${meant}"?`,
        });
      }
    }
    return members;
  }

  /** An object whose member names are data. */
  map(node: JsonNode | undefined, what: string): Members {
    if (node === undefined || node.kind === "object") {
      return node?.members ?? new Map();
    }
    this.#wrongKind(node, what, "an object");
    return new Map();
  }

  /** A member that must be there. */
  required(members: Members, name: string, of: { readonly span: Span; readonly what: string }): JsonNode | undefined {
    const member = members.get(name);
    if (member === undefined) {
      this.diagnostics.error("CFG004", startOf(of.span), {
        message: `${capital(of.what)} lacks the required member "${name}".`,
      });
    }
    return member?.value;
  }

  text(node: JsonNode | undefined, what: string): ConfigText | undefined {
    if (node === undefined) {
      return undefined;
    }
    const text = stringOf(node);
    if (text !== undefined && text !== "" && !/\p{Cc}|\p{Surrogate}/u.test(text)) {
      return { text, span: node.span };
    }
    this.#wrongKind(node, what, "a non-empty string without control characters");
    return undefined;
  }

  boolean(node: JsonNode | undefined, what: string): boolean {
    if (node === undefined) return false;
    if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
    this.#wrongKind(node, what, "true or false");
    return false;
  }

  /** One of several words; the first where there is none. */
  choice<Word extends string>(node: JsonNode | undefined, what: string, words: readonly [Word, ...Word[]]): Word {
    const word = words.find((each) => stringOf(node) === each);
    if (node !== undefined && word === undefined)
      this.#wrongKind(node, what, words.map((each) => `"${each}"`).join(" or "));
    return word ?? words[0];
  }

  /** A whole number, 0 or more. */
  count(node: JsonNode, what: string): number | undefined {
    const value = node.kind === "scalar" ? node.value : undefined;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    this.#wrongKind(node, what, "a whole number, 0 or more");
    return undefined;
  }

  /** A list of different strings. */
  texts(node: JsonNode | undefined, what: string): readonly ConfigText[] {
    if (node !== undefined && node.kind !== "array") {
      this.#wrongKind(node, what, "a list of strings");
    }
    const seen = new Set<string>();
    const texts: ConfigText[] = [];
    for (const item of node?.kind === "array" ? node.items : []) {
      const text = this.text(item, `an item of ${what}`);
      if (text !== undefined && seen.has(text.text)) {
        this.diagnostics.error("CFG013", text.span, { message: `"${text.text}" occurs twice in ${what}.` });
      } else if (text !== undefined) {
        seen.add(text.text);
        texts.push(text);
      }
    }
    return texts;
  }

  /** An object from names to strings. */
  textMap(node: JsonNode | undefined, what: string): ReadonlyMap<string, ConfigEntry> {
    const texts = new Map<string, ConfigEntry>();
    for (const [name, { nameSpan, value }] of this.map(node, what)) {
      const text = this.text(value, `"${name}" in ${what}`);
      if (text !== undefined) {
        texts.set(name, { ...text, keySpan: nameSpan });
      }
    }
    return texts;
  }

  #wrongKind(node: JsonNode, what: string, wanted: string): void {
    this.diagnostics.error("CFG005", node.span, { message: `${capital(what)} must be ${wanted}.` });
  }
}

/** The first character of a span, for what is missing in it. */
export function startOf(span: Span): Span {
  return { ...span, end: Math.min(span.end, span.start + 1) };
}

function capital(what: string): string {
  return what.charAt(0).toUpperCase() + what.slice(1);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
