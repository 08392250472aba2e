import type { Expression, ObjectEntry, Statement } from "./declaration.js";
import { ident, memberName } from "./ident.js";
import { key } from "./key.js";
import type { Layout } from "./layout.js";
import { lit } from "./lit.js";
import { symbolText } from "./symbol-text.js";
import { documentationLines, list, parametersLayout, typeLayout, typeParametersLayout } from "./type-layout.js";
import { unreachable } from "./unreachable.js";

/** An expression as it stands in code. */
export function expressionLayout(expression: Expression): Layout {
  switch (expression.kind) {
    case "literal":
      return lit(expression.value);
    case "symbol":
      return symbolText(expression.symbol);
    case "local":
      return ident(expression.name);
    case "private":
      return `this.#${ident(expression.name)}`;
    case "object":
      return objectLayout(expression.entries);
    case "array":
      return expression.items.length === 0 ? "[]" : list(expression.items.map(expressionLayout), "[", "]");
    case "lazy":
      return ["() => ", expressionLayout(expression.value)];
    case "arrow":
      return arrowLayout(expression);
    case "call":
      return [expressionLayout(expression.callee), callArguments(expression.arguments)];
    case "new":
      return ["new ", expressionLayout(expression.callee), callArguments(expression.arguments)];
    case "member":
      return [expressionLayout(expression.of), `.${memberName(expression.name)}`];
    default:
      return unreachable(expression);
  }
}

/** A statement of a body, with its semicolon. */
export function statementLayout(statement: Statement): Layout {
  if (statement.kind === "return") return ["return ", expressionLayout(statement.value), ";"];
  const name = memberName(statement.name);
  return [`this.${statement.private ? "#" : ""}${name} = `, expressionLayout(statement.value), ";"];
}

function objectLayout(entries: readonly ObjectEntry[]): Layout {
  if (entries.length === 0) return "{}";
  return {
    kind: "group",
    flat: { open: "{ ", separator: ", ", close: " }" },
    broken: { open: "{", before: "", after: ",", close: "}" },
    items: entries.map((entry) => [documentationLines(entry.documentation, 90), entryLayout(entry)]),
    tall: entries.some((entry) => entry.documentation !== undefined),
  };
}

function entryLayout(entry: ObjectEntry): Layout {
  const { value } = entry;
  const name = key(entry.key);
  const shorthand =
    (value.kind === "local" && value.name === name) ||
    (value.kind === "symbol" && value.symbol.namespace === undefined && value.symbol.name === name);
  return shorthand ? name : [`${name}: `, expressionLayout(value)];
}

function arrowLayout(arrow: Extract<Expression, { kind: "arrow" }>): Layout {
  return [
    typeParametersLayout(arrow.typeParameters),
    parametersLayout(arrow.parameters),
    ": ",
    typeLayout(arrow.returns),
    " =>",
    {
      kind: "group",
      flat: { open: " ", separator: "", close: "" },
      broken: { open: "", before: "", after: "", close: "" },
      items: [expressionLayout(arrow.value)],
    },
  ];
}

function callArguments(values: readonly Expression[]): Layout {
  if (values.length === 0) return "()";
  const layouts = values.map(expressionLayout);
  const last = values.at(-1);
  const simple = values.slice(0, -1).every((value) => value.kind === "literal" || value.kind === "local");
  // A last object or array is its own bracket: `f(a, {` … `})`.
  if (simple && (last?.kind === "object" || last?.kind === "array")) {
    return ["(", ...layouts.flatMap((layout, index) => (index === 0 ? [layout] : [", ", layout])), ")"];
  }
  return list(layouts, "(", ")");
}
