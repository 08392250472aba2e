import { type Node as JsoncNode, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { withoutCredentials } from "../../source/address.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { reportCredentials } from "../../source/document-credentials.js";
import { firstErrors } from "../../source/json-errors.js";
import type { SourceText, Span } from "../../source/span.js";
import { type JsonLimits, withinJsonLimits } from "./json-limits.js";

/** A JSON value that knows where it stands: by span, and by JSON pointer (RFC 6901). */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonScalarNode;

interface Placed {
  readonly span: Span;
  readonly pointer: string;
}

export interface JsonObjectNode extends Placed {
  readonly kind: "object";
  /** In order; names are unique. */
  readonly members: ReadonlyMap<string, JsonMember>;
}

export interface JsonMember {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: JsonNode;
}

export interface JsonArrayNode extends Placed {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonScalarNode extends Placed {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
}

/** Reads JSON strictly (RFC 8259), with positions; undefined when something is wrong, and then it is reported. */
export function readJson(source: SourceText, limits: JsonLimits, diagnostics: Diagnostics): JsonNode | undefined {
  if (!withinJsonLimits(source, limits, diagnostics)) return undefined;

  const errors: ParseError[] = [];
  const tree = parseTree(source.text, errors, { disallowComments: true, allowTrailingComma: false });
  for (const { error, offset, length } of firstErrors(errors)) {
    const empty = source.text.trim() === "";
    const message = empty ? "The file is empty." : `The text is not JSON: ${spaced(printParseErrorCode(error))}.`;
    diagnostics.error("IDX002", { source, start: offset, end: offset + length }, { message });
  }
  if (errors.length > 0 || tree === undefined) return undefined;

  return new TreeReader(source, diagnostics).read(tree, "");
}

class TreeReader {
  readonly #source: SourceText;
  readonly #diagnostics: Diagnostics;

  constructor(source: SourceText, diagnostics: Diagnostics) {
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  read(node: JsoncNode, pointer: string): JsonNode {
    const span = this.#span(node);
    switch (node.type) {
      case "object":
        return { kind: "object", members: this.#members(node.children ?? [], pointer), span, pointer };
      case "array": {
        const items = (node.children ?? []).map((child, index) => this.read(child, `${pointer}/${index}`));
        return { kind: "array", items, span, pointer };
      }
      default:
        return { kind: "scalar", value: this.#scalar(node, { span, pointer }), span, pointer };
    }
  }

  #members(properties: readonly JsoncNode[], pointer: string): ReadonlyMap<string, JsonMember> {
    const members = new Map<string, JsonMember>();
    for (const property of properties) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) continue;
      const nameSpan = this.#span(key);
      const name = this.#text(String(key.value), nameSpan);
      const here = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (name === "__proto__") {
        this.#diagnostics.error("IDX005", nameSpan, { message: `The member ${here} is called "__proto__".` });
      } else if (members.has(name)) {
        this.#diagnostics.error("IDX004", nameSpan, { message: `The member ${here} is given twice.` });
      } else {
        members.set(name, { name, nameSpan, value: this.read(value, here) });
      }
    }
    return members;
  }

  #scalar(node: JsoncNode, place: Placed): JsonScalarNode["value"] {
    const value: unknown = node.value;
    if (typeof value === "string") return this.#withoutCredentials(this.#text(value, place.span), place);
    if (typeof value === "number") return this.#number(value, place.span);
    return typeof value === "boolean" ? value : null;
  }

  #text(text: string, span: Span): string {
    if (/\p{Surrogate}/u.test(text)) {
      this.#diagnostics.error("IDX007", span, { message: "The string holds half of a surrogate pair." });
    }
    return text;
  }

  #withoutCredentials(text: string, { span, pointer }: Placed): string {
    const without = withoutCredentials(text);
    if (without === text || pointer.endsWith("/pattern")) return text;
    const kept = isSent(pointer);
    reportCredentials(span, { address: `The address at ${pointer}`, kept }, this.#diagnostics);
    return kept ? text : without;
  }

  #number(value: number, span: Span): number {
    if (!Number.isFinite(value)) {
      this.#diagnostics.error("IDX006", span, { message: "The number is too large." });
    } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.#diagnostics.warning("IDX009", span, { message: `The number is kept as ${value}.` });
    }
    return value;
  }

  #span(node: JsoncNode): Span {
    return { source: this.#source, start: node.offset, end: node.offset + node.length };
  }
}

/** In a schema: values that both ends must have alike. */
function isSent(pointer: string): boolean {
  return /\/(?:default|const|enum\/[^/]+)$/.test(pointer);
}

/** `PropertyNameExpected` as `property name expected`. */
function spaced(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
