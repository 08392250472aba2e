import MagicString, { type SourceMap } from "magic-string";
import type { Plugin } from "rolldown";
import { parseAst } from "rolldown/parseAst";

/**
 * Marks calls in the initial values of a module's constants with `@__PURE__`. A value that a bundler must keep because
 * a part of it might run code (`${prefix}name`, `[...names]`) is wrapped in a marked call. Bundlers leave out unused
 * modules, because all packages declare `sideEffects: false`. A published file contains many modules, and with these
 * marks, bundlers also leave out their unused constants.
 */
export const markPurePlugin: Plugin = {
  name: "mark-pure",
  transform: {
    filter: { id: /\.ts$/ },
    handler: (code, id) => markCalls(code, id) ?? null,
  },
};

/** Adds the marks to a module's code, and returns the code with its source map; undefined if nothing needs a mark. */
export function markCalls(code: string, file: string): { readonly code: string; readonly map: SourceMap } | undefined {
  const values = listInitialValues(parseAst(code, { lang: "ts" }, file).body);
  const calls = listCallsIn(values).filter((start) => !code.slice(0, start).trimEnd().endsWith("@__PURE__ */"));
  const impureValues = values.filter((value) => mustBeEvaluated(value) && !usesAwait(value));
  if (calls.length === 0 && impureValues.length === 0) {
    return undefined;
  }
  const markedCode = new MagicString(code);
  for (const { start, end } of impureValues) {
    markedCode.appendLeft(start, "/* @__PURE__ */ (() => (").appendRight(end, "))()");
  }
  for (const start of calls) {
    markedCode.appendLeft(start, "/* @__PURE__ */ ");
  }
  return { code: markedCode.toString(), map: markedCode.generateMap({ hires: "boundary" }) };
}

/** Returns the initial values of a module's constants. */
function listInitialValues(statements: readonly unknown[]): readonly Node[] {
  return statements.flatMap((statement) => {
    const declaration =
      isNode(statement) && statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
    if (
      !isNode(declaration) ||
      declaration.type !== "VariableDeclaration" ||
      !Array.isArray(declaration["declarations"])
    ) {
      return [];
    }
    return declaration["declarations"].flatMap((declarator: unknown) => {
      const value = isNode(declarator) ? declarator["init"] : undefined;
      return isNode(value) ? [value] : [];
    });
  });
}

/** Returns the offsets of the calls that compute constants when the module is loaded. */
function listCallsIn(values: readonly Node[]): readonly number[] {
  const offsets = new Set<number>();
  collectCalls(values, offsets);
  return [...offsets];
}

/**
 * Whether a part of an expression might call a method of an object: by a conversion to text or to a number, an
 * iterator, or a getter.
 */
function mustBeEvaluated(value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.some(mustBeEvaluated);
  }
  if (!isNode(value) || /Function|Class/.test(value.type)) {
    return false;
  }
  const expressions = value["expressions"];
  const isTemplate = value.type === "TemplateLiteral" && Array.isArray(expressions) && expressions.length > 0;
  if (isTemplate || value.type === "SpreadElement" || value.type === "MemberExpression") {
    return true;
  }
  return Object.values(value).some(mustBeEvaluated);
}

function collectCalls(value: unknown, offsets: Set<number>): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      collectCalls(item, offsets);
    }
    return;
  }
  if (!isNode(value) || /Function|Class/.test(value.type)) {
    return;
  }
  if (value.type === "CallExpression" || value.type === "NewExpression") {
    offsets.add(value.start);
  }
  for (const child of Object.values(value)) {
    collectCalls(child, offsets);
  }
}

/**
 * Whether an expression contains `await`. The wrapping function is not asynchronous, so it could not contain this
 * expression.
 */
function usesAwait(value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.some(usesAwait);
  }
  return isNode(value) && (value.type === "AwaitExpression" || Object.values(value).some(usesAwait));
}

/** A node of the syntax tree. */
interface Node {
  readonly [member: string]: unknown;
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
