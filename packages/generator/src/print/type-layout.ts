import { comment } from "./comment.js";
import type { MemberNode, Parameter, PropertyNode, TypeNode, TypeParameter } from "./declaration.js";
import { expressionLayout } from "./expression-layout.js";
import { ident } from "./ident.js";
import { key } from "./key.js";
import type { Group, Layout } from "./layout.js";
import { lit } from "./lit.js";
import { symbolText } from "./symbol-text.js";
import { unreachable } from "./unreachable.js";

/** A type as it stands in code. */
export function typeLayout(type: TypeNode): Layout {
  switch (type.kind) {
    case "keyword":
      return [type.name, argumentsLayout(type.arguments)];
    case "symbol":
      return [symbolText(type.symbol), argumentsLayout(type.arguments)];
    case "parameter":
      return ident(type.name);
    case "literal":
      return lit(type.value);
    case "array":
      return ["readonly ", bracketed(type.item), "[]"];
    case "union":
      return unionLayout(type.members);
    case "intersection":
      return intersectionLayout(type.members);
    case "object":
      return objectTypeLayout(type.members);
    case "valuesOf":
      return `(typeof ${symbolText(type.symbol)})[number]`;
    default:
      return unreachable(type);
  }
}

/** `name: T, other?: U` between parentheses. */
export function parametersLayout(parameters: readonly Parameter[]): Layout {
  if (parameters.length === 0) return "()";
  return { ...list(parameters.map(parameterLayout), "(", ")"), first: true };
}

/** `<T extends U = V>`, or nothing. */
export function typeParametersLayout(parameters: readonly TypeParameter[] = []): Layout {
  if (parameters.length === 0) return [];
  const items = parameters.map(
    (parameter): Layout => [
      `${ident(parameter.name)} extends `,
      typeLayout(parameter.extends),
      parameter.default === undefined ? [] : [" = ", typeLayout(parameter.default)],
    ],
  );
  return { ...list(items, "<", ">"), lastBare: true };
}

/** `export interface … {` members `}` and object types share their members. */
export function membersLayout(members: readonly MemberNode[], width: number): readonly Layout[] {
  return members.map((member) => [documentationLines(member.documentation, width), memberLayout(member), ";"]);
}

/** The doc comment above something, or nothing. */
export function documentationLines(documentation: string | undefined, width: number): Layout {
  if (documentation === undefined || documentation.trim() === "") return [];
  return { kind: "lines", lines: comment(documentation, width) };
}

/** Comma-separated items in brackets. */
export function list(items: readonly Layout[], open: string, close: string): Group {
  return {
    kind: "group",
    flat: { open, separator: ", ", close },
    broken: { open, before: "", after: ",", close },
    items,
  };
}

function memberLayout(member: MemberNode): Layout {
  if (member.kind === "index") return ["readonly [name: string]: ", typeLayout(member.type)];
  if (member.kind === "method") {
    return [
      `${key(member.name)}${member.optional ? "?" : ""}`,
      typeParametersLayout(member.typeParameters),
      parametersLayout(member.parameters),
      ": ",
      typeLayout(member.returns),
    ];
  }
  return [propertyHead(member), typeLayout(member.type)];
}

function propertyHead(property: PropertyNode): string {
  return `${property.readonly ? "readonly " : ""}${key(property.name)}${property.optional ? "?" : ""}: `;
}

function parameterLayout(parameter: Parameter): Layout {
  const head = `${ident(parameter.name)}${parameter.optional ? "?" : ""}: `;
  const type = typeLayout(parameter.type);
  return parameter.default === undefined ? [head, type] : [head, type, " = ", expressionLayout(parameter.default)];
}

function argumentsLayout(types: readonly TypeNode[] | undefined): Layout {
  return types === undefined || types.length === 0 ? [] : { ...list(types.map(typeLayout), "<", ">"), lastBare: true };
}

function objectTypeLayout(members: readonly MemberNode[]): Layout {
  if (members.length === 0) return "{}";
  const documented = members.some((member) => member.documentation !== undefined);
  return {
    kind: "group",
    flat: { open: "{ ", separator: "; ", close: " }" },
    broken: { open: "{", before: "", after: ";", close: "}" },
    items: members.map((member) => [documentationLines(member.documentation, 90), memberLayout(member)]),
    tall: documented,
  };
}

function unionLayout(members: readonly TypeNode[]): Layout {
  if (members.length === 0) return "never";
  if (members.length === 1) return typeLayout(members[0] as TypeNode);
  const [first, ...others] = members;
  if (first !== undefined && others.every((member) => member.kind === "keyword")) {
    return [inUnion(first), ...others.map((member): Layout => [" | ", typeLayout(member)])];
  }
  return alternatives(members.map(inUnion), "|");
}

function intersectionLayout(members: readonly TypeNode[]): Layout {
  if (members.length === 1) return typeLayout(members[0] as TypeNode);
  return alternatives(
    members.map((member) => bracketed(member)),
    "&",
  );
}

function alternatives(items: readonly Layout[], operator: string): Group {
  return {
    kind: "group",
    flat: { open: "", separator: ` ${operator} `, close: "" },
    broken: { open: "", before: `${operator} `, after: "", close: "" },
    items,
  };
}

/** In a union, an intersection reads better in brackets; arrays are clear without. */
function inUnion(type: TypeNode): Layout {
  return type.kind === "intersection" && type.members.length > 1 ? bracketed(type) : typeLayout(type);
}

/** A type where an operator binds tighter than it does. */
function bracketed(type: TypeNode): Layout {
  const loose =
    type.kind === "array" || ((type.kind === "union" || type.kind === "intersection") && type.members.length > 1);
  if (!loose) return typeLayout(type);
  const inner = typeLayout(type);
  if (isGroup(inner) && inner.broken.open === "" && inner.broken.close === "") {
    return {
      ...inner,
      flat: { ...inner.flat, open: "(", close: ")" },
      broken: { ...inner.broken, open: "(", close: ")" },
    };
  }
  return {
    kind: "group",
    flat: { open: "(", separator: "", close: ")" },
    broken: { open: "(", before: "", after: "", close: ")" },
    items: [inner],
  };
}

function isGroup(layout: Layout): layout is Group {
  return typeof layout !== "string" && "kind" in layout && layout.kind === "group";
}
