import { type JSONVisitor, type ParseError, printParseErrorCode, visit } from "jsonc-parser";
import type { JsonValue } from "../model/rest.js";
import type { Code } from "./catalogue/index.js";
import { Diagnostics } from "./diagnostics.js";
import { describeLimitRemedy, type SourceLimits } from "./source-limits.js";
import type { SourceText, Span } from "./span.js";

/** A JSON value with its position: as a span, and as a JSON pointer (RFC 6901). */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface JsonPosition {
  readonly span: Span;
  readonly pointer: string;
}

/** A JSON object with its position. */
export interface JsonObjectNode extends JsonPosition {
  readonly kind: "object";
  /** The members, keyed by name, in document order. */
  readonly members: ReadonlyMap<string, JsonMember>;
}

/** A member of a JSON object. */
export interface JsonMember {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: JsonNode;
}

/** A JSON array with its position. */
export interface JsonArrayNode extends JsonPosition {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

/** A string, a number, a boolean or null, with its position. */
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
  /** Whether comments are allowed, although RFC 8259 forbids them. */
  readonly allowComments: boolean;
  readonly limits: JsonLimits;
  /** Whether command-line options can increase the limits. */
  readonly canIncreaseLimits: boolean;
  readonly codes: Readonly<Record<"syntax" | "duplicateKey" | keyof JsonLimits, Code>>;
  /**
   * The codes of diagnostics about names and values that some programs cannot read. May be undefined only if another
   * step checks the values, and if the document is never converted to a plain object, whose prototype a member named
   * `__proto__` would replace.
   */
  readonly portabilityCodes:
    | Readonly<Record<"prototypeName" | "surrogate" | "largeNumber" | "precision", Code>>
    | undefined;
}

/**
 * Reads a JSON document and reports its problems. Returns undefined if the document cannot be parsed or is too large.
 */
export function readJson(source: SourceText, rules: JsonRules, diagnostics: Diagnostics): JsonNode | undefined {
  const builder = new TreeBuilder(source, rules, diagnostics);
  const errors: ParseError[] = [];
  try {
    visit(source.text, builder.createVisitor(errors), {
      disallowComments: !rules.allowComments,
      allowTrailingComma: false,
    });
  } catch (error) {
    if (!(error instanceof LimitExceeded)) {
      throw error;
    }
    diagnostics.error(rules.codes[error.limit], error.span, {
      message: `${rules.subject} exceeds the limit ${error.limit} (${rules.limits[error.limit]}).`,
      ...(rules.canIncreaseLimits && describeLimitRemedy(error.limit, rules.limits)),
    });
    return undefined;
  }
  for (const { error, offset, length } of keepFirstErrors(errors)) {
    const isEmpty = source.text.trim() === "";
    const commaOffset = findTrailingComma(source.text, offset);
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
    const problem = isEmpty ? "is empty" : `is not JSON: ${describeError(name)}`;
    const span = { source, start: offset, end: offset + length };
    diagnostics.error(rules.codes.syntax, span, {
      message: `${rules.subject} ${problem}.`,
      help: isEmpty
        ? "The download or the last save has probably failed. Save the document again."
        : syntaxHelp.get(name),
    });
  }
  if (errors.length > 0) {
    return undefined;
  }
  diagnostics.addAll(builder.diagnostics.all);
  return builder.root;
}

/** The help for each error of the parser, keyed by the error's name in jsonc-parser. */
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
export function toJsonValue(node: JsonNode): JsonValue {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "array":
      return node.items.map(toJsonValue);
    case "object":
      return Object.fromEntries([...node.members.values()].map(({ name, value }) => [name, toJsonValue(value)]));
  }
}

/** Returns the value of a string node; undefined for other nodes. */
export function findStringValue(node: JsonNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/**
 * Keeps the first error at each offset, and at most 20 errors, because the parser reports a missing token several
 * times.
 */
function keepFirstErrors(errors: readonly ParseError[]): readonly ParseError[] {
  const offsets = new Set<number>();
  return errors.filter(({ offset }) => offsets.size < offsets.add(offset).size).slice(0, 20);
}

/** Returns the offset of the comma before the closing bracket at `offset`; undefined if there is none. */
function findTrailingComma(text: string, offset: number): number | undefined {
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
function describeError(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** Thrown to stop the parser at the first token that exceeds a limit. */
class LimitExceeded extends Error {
  readonly limit: keyof JsonLimits;
  readonly span: Span;

  constructor(limit: keyof JsonLimits, span: Span) {
    super(limit);
    this.limit = limit;
    this.span = span;
  }
}

/** An object or a list that the parser has not read to its end. */
interface OpenNode {
  readonly start: number;
  readonly pointer: string;
  /** The members of the object, or the items of the list. */
  readonly content: Map<string, JsonMember> | JsonNode[];
  /** The object member whose value is read next. A refused member is not added to the object. */
  member: { readonly name: string; readonly span: Span; readonly isRefused: boolean } | undefined;
}

/** Builds the tree while the parser reads the document, and checks the limits, names and values. */
class TreeBuilder {
  /** The problems with names and values. They are reported only if the document has no syntax errors. */
  readonly diagnostics: Diagnostics;
  root: JsonNode | undefined;
  readonly #source: SourceText;
  readonly #rules: JsonRules;
  readonly #openNodes: OpenNode[] = [];
  #keyCount = 0;
  #itemCount = 0;

  constructor(source: SourceText, rules: JsonRules, { strictness }: Diagnostics) {
    this.#source = source;
    this.#rules = rules;
    this.diagnostics = new Diagnostics(strictness);
  }

  /** Returns the functions that the parser calls. Syntax errors are added to `errors`. */
  createVisitor(errors: ParseError[]): JSONVisitor {
    return {
      onObjectBegin: (offset) => this.#open(offset, new Map()),
      onObjectProperty: (name, offset, length) => this.#readName(name, this.#getSpan(offset, length)),
      onObjectEnd: (offset, length) => this.#close(offset + length),
      onArrayBegin: (offset) => this.#open(offset, []),
      onArrayEnd: (offset, length) => this.#close(offset + length),
      onLiteralValue: (value: JsonScalarNode["value"], offset, length) => {
        const span = this.#getSpan(offset, length);
        this.#checkValue(value, span);
        this.#add({ kind: "scalar", value, span, pointer: this.#nextPointer() });
      },
      onSeparator: (separator, offset, length) => this.#countSeparator(separator, this.#getSpan(offset, length)),
      onError: (error, offset, length) => errors.push({ error, offset, length }),
    };
  }

  #open(start: number, content: OpenNode["content"]): void {
    this.#openNodes.push({ start, pointer: this.#nextPointer(), content, member: undefined });
    const span = this.#getSpan(start, 1);
    this.#checkLimit("jsonDepth", this.#openNodes.length, span);
    if (Array.isArray(content)) {
      this.#itemCount += 1;
      this.#checkLimit("jsonItems", this.#itemCount, span);
    }
  }

  #close(end: number): void {
    const openNode = this.#openNodes.pop();
    if (openNode === undefined) {
      return;
    }
    const { start, pointer, content } = openNode;
    const span = { source: this.#source, start, end };
    this.#add(
      Array.isArray(content)
        ? { kind: "array", items: content, span, pointer }
        : { kind: "object", members: content, span, pointer },
    );
  }

  /**
   * Counts commas and colons, which give the size of a document: a list has one more item than commas, and an object
   * has as many members as colons.
   */
  #countSeparator(separator: string, span: Span): void {
    if (separator === ":") {
      this.#keyCount += 1;
      this.#checkLimit("jsonKeys", this.#keyCount, span);
    } else if (Array.isArray(this.#openNodes.at(-1)?.content)) {
      this.#itemCount += 1;
      this.#checkLimit("jsonItems", this.#itemCount, span);
    }
  }

  #checkLimit(limit: keyof JsonLimits, count: number, span: Span): void {
    if (count > this.#rules.limits[limit]) {
      throw new LimitExceeded(limit, span);
    }
  }

  #readName(name: string, span: Span): void {
    const parent = this.#openNodes.at(-1);
    if (parent === undefined) {
      return;
    }
    this.#checkText(name, span);
    const { codes, portabilityCodes } = this.#rules;
    const isPrototype = name === "__proto__" && portabilityCodes !== undefined;
    const isDuplicate = !Array.isArray(parent.content) && parent.content.has(name);
    parent.member = { name, span, isRefused: isPrototype || isDuplicate };
    if (isPrototype) {
      this.diagnostics.error(portabilityCodes.prototypeName, span, {
        message: `The member ${this.#nextPointer()} is named "__proto__".`,
      });
    } else if (isDuplicate) {
      const message = `The member ${this.#nextPointer()} occurs twice.`;
      this.diagnostics.error(codes.duplicateKey, span, { message });
    }
  }

  /** Returns the pointer of the value that is read next. */
  #nextPointer(): string {
    const parent = this.#openNodes.at(-1);
    if (parent === undefined) {
      return "";
    }
    const { pointer, content, member } = parent;
    return Array.isArray(content)
      ? `${pointer}/${content.length}`
      : `${pointer}/${member?.name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }

  /** Adds a value to the object or list that contains it. */
  #add(value: JsonNode): void {
    const parent = this.#openNodes.at(-1);
    if (parent === undefined) {
      this.root ??= value;
    } else if (Array.isArray(parent.content)) {
      parent.content.push(value);
    } else if (parent.member !== undefined && !parent.member.isRefused) {
      const { name, span } = parent.member;
      parent.content.set(name, { name, nameSpan: span, value });
    }
  }

  #checkValue(value: JsonScalarNode["value"], span: Span): void {
    if (typeof value === "string") {
      this.#checkText(value, span);
    } else if (typeof value === "number") {
      this.#checkNumber(value, span);
    }
  }

  #checkText(text: string, span: Span): void {
    const { portabilityCodes } = this.#rules;
    if (portabilityCodes !== undefined && /\p{Surrogate}/u.test(text)) {
      this.diagnostics.error(portabilityCodes.surrogate, span, {
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
      this.diagnostics.error(portabilityCodes.largeNumber, span, { message: "The number is too large." });
    } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.diagnostics.warning(portabilityCodes.precision, span, { message: `The number is rounded to ${value}.` });
    }
  }

  #getSpan(offset: number, length: number): Span {
    return { source: this.#source, start: offset, end: offset + length };
  }
}
