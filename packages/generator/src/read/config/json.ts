import { createScanner, type Node as JsoncNode, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Diagnostics } from "../../source/diagnostics.js";
import { firstErrors } from "../../source/json-errors.js";
import type { SourceText, Span } from "../../source/span.js";

/** A value of the configuration that knows where it stands. */
export type ConfigNode =
  | { readonly kind: "object"; readonly span: Span; readonly members: ReadonlyMap<string, ConfigMember> }
  | { readonly kind: "array"; readonly span: Span; readonly items: readonly ConfigNode[] }
  | { readonly kind: "string"; readonly span: Span; readonly text: string }
  | { readonly kind: "boolean"; readonly span: Span; readonly value: boolean }
  | { readonly kind: "number"; readonly span: Span; readonly value: number }
  | { readonly kind: "null"; readonly span: Span };

export interface ConfigMember {
  readonly nameSpan: Span;
  readonly value: ConfigNode;
}

const maxChars = 1024 * 1024;
const maxDepth = 16;

/** Reads JSON with comments; undefined when it is none, and then that is reported. */
export function readConfigJson(source: SourceText, diagnostics: Diagnostics): ConfigNode | undefined {
  const tooLarge = overLimit(source.text);
  if (tooLarge !== undefined) {
    diagnostics.error("CFG014", { source, start: 0, end: 0 }, { message: tooLarge });
    return undefined;
  }
  const errors: ParseError[] = [];
  const tree = parseTree(source.text, errors, { disallowComments: false, allowTrailingComma: false });
  for (const { error, offset, length } of firstErrors(errors)) {
    const words = printParseErrorCode(error).replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`);
    diagnostics.error(
      "CFG001",
      { source, start: offset, end: offset + length },
      { message: `The configuration is not JSON: ${words.toLowerCase()}.` },
    );
  }
  if (errors.length > 0 || tree === undefined) {
    return undefined;
  }
  return nodeOf(tree, source, diagnostics);
}

// Depth is counted on the tokens: the parser and what follows it recurse.
function overLimit(text: string): string | undefined {
  if (text.length > maxChars) {
    return `The configuration has more than ${maxChars} characters.`;
  }
  const scanner = createScanner(text, true);
  let depth = 0;
  // The token kinds of jsonc-parser are a const enum: 1 to 4 are { } [ ], 17 is the end.
  for (let token: number = scanner.scan(); token !== 17; token = scanner.scan()) {
    depth += token === 1 || token === 3 ? 1 : token === 2 || token === 4 ? -1 : 0;
    if (depth > maxDepth) {
      return `The configuration is nested more than ${maxDepth} deep.`;
    }
  }
  return undefined;
}

function nodeOf(node: JsoncNode, source: SourceText, diagnostics: Diagnostics): ConfigNode {
  const span = { source, start: node.offset, end: node.offset + node.length };
  switch (node.type) {
    case "object":
      return { kind: "object", span, members: membersOf(node.children ?? [], source, diagnostics) };
    case "array":
      return { kind: "array", span, items: (node.children ?? []).map((each) => nodeOf(each, source, diagnostics)) };
    case "string":
      return { kind: "string", span, text: String(node.value) };
    case "boolean":
      return { kind: "boolean", span, value: node.value === true };
    case "number":
      return { kind: "number", span, value: Number(node.value) };
    default:
      return { kind: "null", span };
  }
}

function membersOf(
  properties: readonly JsoncNode[],
  source: SourceText,
  diagnostics: Diagnostics,
): ReadonlyMap<string, ConfigMember> {
  const members = new Map<string, ConfigMember>();
  for (const property of properties) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) {
      continue;
    }
    const name = String(key.value);
    const nameSpan = { source, start: key.offset, end: key.offset + key.length };
    if (members.has(name)) {
      diagnostics.error("CFG002", nameSpan, { message: `The member "${name}" is given twice.` });
    } else {
      members.set(name, { nameSpan, value: nodeOf(value, source, diagnostics) });
    }
  }
  return members;
}
