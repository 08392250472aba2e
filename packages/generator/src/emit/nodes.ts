import type { CodeSymbol, Expression, Keyword, Literal, ObjectEntry, PropertyNode, TypeNode } from "../print/index.js";

// Short forms of the nodes that emitters make most.

export function keyword(name: Keyword, ...types: readonly TypeNode[]): TypeNode {
  return { kind: "keyword", name, arguments: types };
}

export function typeOf(symbol: CodeSymbol, ...types: readonly TypeNode[]): TypeNode {
  return { kind: "symbol", symbol, arguments: types };
}

export function literalType(value: Literal): TypeNode {
  return { kind: "literal", value };
}

export function arrayOf(item: TypeNode): TypeNode {
  return { kind: "array", item };
}

/** A union without repetitions of keywords; unions in it are opened. */
export function union(...types: readonly TypeNode[]): TypeNode {
  const members: TypeNode[] = [];
  for (const type of types.flatMap((each) => (each.kind === "union" ? each.members : [each]))) {
    const twice =
      type.kind === "keyword" && members.some((member) => member.kind === "keyword" && member.name === type.name);
    if (!twice) members.push(type);
  }
  return members.length === 1 ? (members[0] ?? keyword("never")) : { kind: "union", members };
}

/** `T | null`. */
export function orNull(type: TypeNode, holds = true): TypeNode {
  return holds ? union(type, keyword("null")) : type;
}

/** An optional member is `?: T | undefined`, so that values that may be undefined can be passed on. */
export function property(
  name: string,
  type: TypeNode,
  facts: { readonly optional?: boolean; readonly readonly?: boolean; readonly documentation?: string | undefined } = {},
): PropertyNode {
  return {
    kind: "property",
    name,
    type: facts.optional && !isUnknown(type) ? union(type, keyword("undefined")) : type,
    optional: facts.optional ?? false,
    readonly: facts.readonly ?? false,
    documentation: facts.documentation,
  };
}

/** `unknown` includes undefined. */
function isUnknown(type: TypeNode): boolean {
  return type.kind === "keyword" && type.name === "unknown";
}

export function literal(value: Literal): Expression {
  return { kind: "literal", value };
}

export function symbolOf(symbol: CodeSymbol): Expression {
  return { kind: "symbol", symbol };
}

export function local(name: string): Expression {
  return { kind: "local", name };
}

export function objectOf(entries: readonly (ObjectEntry | undefined)[]): Expression {
  return { kind: "object", entries: entries.filter((entry) => entry !== undefined) };
}

export function entry(key: string, value: Expression, documentation?: string): ObjectEntry {
  return { key, value, documentation };
}

export function call(callee: Expression, ...values: readonly Expression[]): Expression {
  return { kind: "call", callee, arguments: values };
}
