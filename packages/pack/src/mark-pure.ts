import MagicString, { type SourceMap } from "magic-string";
import type { Plugin } from "rolldown";
import { parseAst } from "rolldown/parseAst";

/**
 * Marks calls in the initial values of a module's constants with `@__PURE__`. All packages declare `sideEffects: false`, which
 * lets bundlers leave out unused modules; a published file contains many modules, and this mark lets bundlers leave out their
 * unused constants in the same way.
 */
export const markPure: Plugin = {
  name: "mark-pure",
  transform: {
    filter: { id: /\.ts$/ },
    handler: (code, id) => markedPure(code, id) ?? null,
  },
};

/** A module's code with the marks, and its source map. Undefined if there is nothing to mark. */
export function markedPure(code: string, file: string): { readonly code: string; readonly map: SourceMap } | undefined {
  const calls = callsInConstants(parseAst(code, { lang: "ts" }, file).body).filter(
    (start) => !code.slice(0, start).trimEnd().endsWith("@__PURE__ */"),
  );
  if (calls.length === 0) {
    return undefined;
  }
  const marked = new MagicString(code);
  for (const start of calls) {
    marked.appendLeft(start, "/* @__PURE__ */ ");
  }
  return { code: marked.toString(), map: marked.generateMap({ hires: "boundary" }) };
}

/** The offsets of calls that run when the module is loaded, to compute its constants. */
function callsInConstants(statements: readonly unknown[]): readonly number[] {
  const offsets = new Set<number>();
  for (const statement of statements) {
    const declared =
      isNode(statement) && statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
    if (isNode(declared) && declared.type === "VariableDeclaration") {
      collectCalls(declared["declarations"], offsets);
    }
  }
  return [...offsets];
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

/** A node of the syntax tree. */
interface Node {
  readonly [member: string]: unknown;
  readonly type: string;
  readonly start: number;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
