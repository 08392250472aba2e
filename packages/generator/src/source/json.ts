import { createScanner, type Node as JsoncNode, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonValue } from "../model/rest.js";
import type { Code } from "./catalogue/index.js";
import type { Diagnostics } from "./diagnostics.js";
import { raiseLimit, type SourceLimits } from "./source-limits.js";
import type { SourceText, Span } from "./span.js";

/** A JSON value with its position: as a span, and as a JSON pointer (RFC 6901). */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface JsonPosition {
  readonly span: Span;
  readonly pointer: string;
}

export interface JsonObjectNode extends JsonPosition {
  readonly kind: "object";
  /** The members by name, in document order. */
  readonly members: ReadonlyMap<string, JsonMember>;
}

export interface JsonMember {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: JsonNode;
}

export interface JsonArrayNode extends JsonPosition {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonScalarNode extends JsonPosition {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

/** Limits on the size of a JSON document. */
export type JsonLimits = Pick<SourceLimits, "jsonDepth" | "jsonKeys" | "jsonItems">;

/** The rules for one kind of document, and the codes of its diagnostics. */
export interface JsonRules {
  /** The subject of messages, such as `The configuration`. */
  readonly subject: string;
  /** Whether comments are allowed, which RFC 8259 forbids. */
  readonly allowComments: boolean;
  readonly limits: JsonLimits;
  /** Whether options can raise the limits. */
  readonly canRaiseLimits: boolean;
  readonly codes: Readonly<Record<"syntax" | "duplicateKey" | keyof JsonLimits, Code>>;
  /**
   * The codes for names and values that some programs cannot read. Undefined if the document is never converted to a plain object, in
   * which a member `__proto__` would replace the prototype, and each of its values is checked in another way.
   */
  readonly portabilityCodes:
    | Readonly<Record<"prototypeName" | "surrogate" | "largeNumber" | "precision", Code>>
    | undefined;
}

/** Reads a JSON document and reports its problems; undefined if it cannot be parsed or is too large. */
export function readJson(source: SourceText, rules: JsonRules, diagnostics: Diagnostics): JsonNode | undefined {
  if (!isWithinLimits(source, rules, diagnostics)) {
    return undefined;
  }

  const errors: ParseError[] = [];
  const options = { disallowComments: !rules.allowComments, allowTrailingComma: false };
  const tree = parseTree(source.text, errors, options);
  for (const { error, offset, length } of firstErrorPerOffset(errors)) {
    const isEmpty = source.text.trim() === "";
    const commaOffset = trailingComma(source.text, offset);
    if (commaOffset !== undefined) {
      diagnostics.error(
        rules.codes.syntax,
        { source, start: commaOffset, end: commaOffset + 1 },
        {
          message: `${rules.subject} has a comma after the last ${source.text[offset] === "]" ? "item of a list" : "member of an object"}.`,
          help: "Remove the comma.",
        },
      );
      continue;
    }
    if (source.text[offset] === "'") {
      diagnostics.error(
        rules.codes.syntax,
        { source, start: offset, end: offset + length },
        {
          message: `${rules.subject} has a string in single quotes.`,
          help: "Write the string in double quotes.",
        },
      );
      break;
    }
    const name = printParseErrorCode(error);
    const problem = isEmpty ? "is empty" : `is not JSON: ${errorWords(name)}`;
    const span = { source, start: offset, end: offset + length };
    diagnostics.error(rules.codes.syntax, span, {
      message: `${rules.subject} ${problem}.`,
      help: isEmpty
        ? "The download or the last save has probably failed. Save the document again."
        : syntaxHelp.get(name),
    });
  }
  if (errors.length > 0 || tree === undefined) {
    return undefined;
  }

  return new TreeReader(source, rules, diagnostics).read(tree, "");
}

/** The help for each error of the parser, by its name in jsonc-parser. */
const syntaxHelp: ReadonlyMap<string, string> = new Map([
  ["InvalidSymbol", "Write names and strings in double quotes; only true, false and null have no quotes."],
  ["InvalidNumberFormat", "Write the number in digits, such as 1 or 0.5, or as a string in double quotes."],
  ["PropertyNameExpected", 'Write the name of a member in double quotes, then a colon and its value: "name": "value".'],
  ["ValueExpected", "Write a value here, or remove the colon or comma before it."],
  ["ColonExpected", "Write a colon between the name and the value."],
  ["CommaExpected", "Write a comma between two members or items."],
  ["CloseBraceExpected", "Add the missing }. If the end of the document is missing, save it again."],
  ["CloseBracketExpected", "Add the missing ]. If the end of the document is missing, save it again."],
  ["EndOfFileExpected", "Remove the text after the last bracket: a document contains only one value."],
  ["InvalidCommentToken", "Remove the comment."],
  ["UnexpectedEndOfComment", "End the comment with */."],
  ["UnexpectedEndOfString", "Add the closing quotation mark on the same line."],
  ["InvalidUnicode", "Write four hexadecimal digits after \\u."],
  ["InvalidEscapeCharacter", 'Write \\\\ for a backslash; the other escapes are \\" \\/ \\b \\f \\n \\r \\t and \\u.'],
  ["InvalidCharacter", "Write control characters in strings as escapes, such as \\n and \\t."],
]);

/** Converts a node to a plain value. The document must not allow members named `__proto__`. */
export function jsonValue(node: JsonNode): JsonValue {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "array":
      return node.items.map(jsonValue);
    case "object":
      return Object.fromEntries([...node.members.values()].map(({ name, value }) => [name, jsonValue(value)]));
  }
}

/** Returns the value of a string node; undefined for other nodes. */
export function stringValue(node: JsonNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

// Token kinds of the scanner. jsonc-parser declares them as a const enum, which cannot be imported with isolatedModules.
const openBrace = 1;
const closeBrace = 2;
const openBracket = 3;
const closeBracket = 4;
const comma = 5;
const colon = 6;
const endOfFile = 17;

/** Checks the nesting depth and the numbers of members and items before parsing, because the parser is recursive. */
function isWithinLimits(source: SourceText, rules: JsonRules, diagnostics: Diagnostics): boolean {
  const scanner = createScanner(source.text, true);
  const isListStack: boolean[] = [];
  let keys = 0;
  let items = 0;
  for (let token: number = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) {
      isListStack.push(token === openBracket);
      if (token === openBracket) {
        items += 1;
      }
    } else if (token === closeBrace || token === closeBracket) {
      isListStack.pop();
    } else if (token === colon) {
      keys += 1;
    } else if (token === comma && isListStack.at(-1) === true) {
      items += 1;
    }

    const { jsonDepth, jsonKeys, jsonItems } = rules.limits;
    const isTooDeep = isListStack.length > jsonDepth;
    if (!isTooDeep && keys <= jsonKeys && items <= jsonItems) {
      continue;
    }
    const exceededName = isTooDeep ? "jsonDepth" : keys > jsonKeys ? "jsonKeys" : "jsonItems";
    const start = scanner.getTokenOffset();
    diagnostics.error(
      rules.codes[exceededName],
      { source, start, end: start + scanner.getTokenLength() },
      {
        message: `${rules.subject} exceeds the limit ${exceededName} (${rules.limits[exceededName]}).`,
        ...(rules.canRaiseLimits && raiseLimit(exceededName, rules.limits)),
      },
    );
    return false;
  }
  return true;
}

/** Keeps the first error at each offset, and at most 20 errors: the parser reports a missing token several times. */
function firstErrorPerOffset(errors: readonly ParseError[]): readonly ParseError[] {
  const offsets = new Set<number>();
  return errors.filter(({ offset }) => offsets.size < offsets.add(offset).size).slice(0, 20);
}

/** Returns the offset of the comma before the closing bracket at `offset`; undefined if there is none. */
function trailingComma(text: string, offset: number): number | undefined {
  if (text[offset] !== "}" && text[offset] !== "]") {
    return undefined;
  }
  let previousOffset = offset - 1;
  while (previousOffset >= 0 && /\s/.test(text[previousOffset] ?? "")) {
    previousOffset -= 1;
  }
  return text[previousOffset] === "," ? previousOffset : undefined;
}

/** Converts `PropertyNameExpected` to `property name expected`. */
function errorWords(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

class TreeReader {
  readonly #source: SourceText;
  readonly #rules: JsonRules;
  readonly #diagnostics: Diagnostics;

  constructor(source: SourceText, rules: JsonRules, diagnostics: Diagnostics) {
    this.#source = source;
    this.#rules = rules;
    this.#diagnostics = diagnostics;
  }

  read(node: JsoncNode, pointer: string): JsonNode {
    const span = this.#spanOf(node);
    switch (node.type) {
      case "object":
        return { kind: "object", members: this.#readMembers(node.children ?? [], pointer), span, pointer };
      case "array": {
        const items = (node.children ?? []).map((child, index) => this.read(child, `${pointer}/${index}`));
        return { kind: "array", items, span, pointer };
      }
      default:
        return { kind: "scalar", value: this.#readScalar(node, span), span, pointer };
    }
  }

  #readMembers(properties: readonly JsoncNode[], pointer: string): ReadonlyMap<string, JsonMember> {
    const members = new Map<string, JsonMember>();
    for (const property of properties) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) {
        continue;
      }
      const nameSpan = this.#spanOf(key);
      const name = String(key.value);
      this.#checkText(name, nameSpan);
      const memberPointer = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const { codes, portabilityCodes } = this.#rules;
      if (name === "__proto__" && portabilityCodes !== undefined) {
        this.#diagnostics.error(portabilityCodes.prototypeName, nameSpan, {
          message: `The member ${memberPointer} is named "__proto__".`,
        });
      } else if (members.has(name)) {
        const message = `The member ${memberPointer} occurs twice.`;
        this.#diagnostics.error(codes.duplicateKey, nameSpan, { message });
      } else {
        members.set(name, { name, nameSpan, value: this.read(value, memberPointer) });
      }
    }
    return members;
  }

  #readScalar(node: JsoncNode, span: Span): JsonScalarNode["value"] {
    const value: unknown = node.value;
    if (typeof value === "string") {
      this.#checkText(value, span);
      return value;
    }
    if (typeof value === "number") {
      this.#checkNumber(value, span);
      return value;
    }
    return typeof value === "boolean" ? value : null;
  }

  #checkText(text: string, span: Span): void {
    const { portabilityCodes } = this.#rules;
    if (portabilityCodes !== undefined && /\p{Surrogate}/u.test(text)) {
      this.#diagnostics.error(portabilityCodes.surrogate, span, {
        message: "The string contains an unpaired surrogate.",
      });
    }
  }

  #checkNumber(value: number, span: Span): void {
    const { portabilityCodes } = this.#rules;
    if (portabilityCodes === undefined) {
      return;
    }
    if (!Number.isFinite(value)) {
      this.#diagnostics.error(portabilityCodes.largeNumber, span, { message: "The number is too large." });
    } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#diagnostics.warning(portabilityCodes.precision, span, { message: `The number is rounded to ${value}.` });
    }
  }

  #spanOf(node: JsoncNode): Span {
    return { source: this.#source, start: node.offset, end: node.offset + node.length };
  }
}
