import { identifierText, keyText, type LiteralValue, literalText, memberText } from "./escape.js";
import type { CodeSymbol } from "./symbols.js";

/** Code that knows where it may break into lines. */
export type Layout = string | readonly Layout[] | Group | Block | Comment | SymbolUse;

/** Items that share one line if they fit there; else each is on a line of its own. */
export interface Group {
  readonly kind: "group";
  readonly style: GroupStyle;
  readonly items: readonly Layout[];
}

export interface GroupStyle {
  /** Around and between the items on one line … */
  readonly flat: { readonly open: string; readonly separator: string; readonly close: string };
  /** … and, on lines of their own, before the items, before and after each item, and behind them. */
  readonly broken: { readonly open: string; readonly before: string; readonly after: string; readonly close: string };
  /** On lines of their own, the last item is without `after`. */
  readonly lastBare?: true;
  /** Breaks before anything that follows it on the line does. */
  readonly breaksFirst?: true;
}

/** Lines, each at a level of indentation relative to the place where the block begins. */
export interface Block {
  readonly kind: "block";
  readonly lines: readonly Line[];
}

export interface Line {
  readonly level: number;
  readonly parts: readonly Layout[];
}

/** A doc comment, to be wrapped where it is written. */
export interface Comment {
  readonly kind: "comment";
  readonly text: string;
}

/** A name that has to be imported. */
export interface SymbolUse {
  readonly kind: "symbol";
  readonly symbol: CodeSymbol;
  readonly text: string;
}

/** What combinators ask about a fragment. `word`: fixed text without holes, such as `string`. */
export type FragmentKind =
  | "word"
  | "literal"
  | "symbol"
  | "object"
  | "list"
  | "array"
  | "union"
  | "intersection"
  | "other";

/**
 * A piece of code. Emitters get fragments from templates and from the functions of `print`, and cannot make one of a
 * string: text of a schema must pass `identifier`, `literal`, `key` or `comment`.
 */
export class Fragment {
  /** A string, or an object of the same shape, is not assignable to a class with a protected member. */
  declare protected readonly brand: never;
  readonly layout: Layout;
  readonly kind: FragmentKind;
  /** Of a union or an intersection. */
  readonly members: readonly Fragment[];

  constructor(layout: Layout, kind: FragmentKind = "other", members: readonly Fragment[] = noMembers) {
    this.layout = layout;
    this.kind = kind;
    this.members = members;
  }
}

const noMembers: readonly Fragment[] = [];

/** A name that the plan has chosen, for a declaration. */
export function identifier(name: string): Fragment {
  return new Fragment(identifierText(name));
}

/** A name that the plan has chosen, for a property or a method of a class. */
export function member(name: string): Fragment {
  return new Fragment(memberText(name));
}

/** The name of a property in an object or a type. */
export function key(name: string): Fragment {
  return new Fragment(keyText(name));
}

/** A value, in code or in a type. */
export function literal(value: LiteralValue): Fragment {
  return new Fragment(literalText(value), "literal");
}

/** A doc comment, on lines of its own; undefined where there is no text. */
export function comment(text: string | undefined): Fragment | undefined {
  return text === undefined || text.trim() === "" ? undefined : new Fragment({ kind: "comment", text });
}

/** The use of a symbol, which the file will import. */
export function use(symbol: CodeSymbol): Fragment {
  return new Fragment(useLayout(symbol), "symbol");
}

export function useLayout(symbol: CodeSymbol): SymbolUse {
  const text =
    symbol.namespace === undefined
      ? identifierText(symbol.name)
      : `${identifierText(symbol.namespace)}.${keyText(symbol.name)}`;
  return { kind: "symbol", symbol, text };
}

/** Calls back with every symbol that a fragment uses. */
export function eachSymbol({ layout }: Fragment, callback: (symbol: CodeSymbol) => void): void {
  visit(layout, callback);
}

/** Whether a layout is parts in a row. */
export function isRow(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

function visit(layout: Layout, callback: (symbol: CodeSymbol) => void): void {
  if (typeof layout === "string") {
    return;
  }
  if (isRow(layout)) {
    for (const part of layout) {
      visit(part, callback);
    }
  } else if (layout.kind === "symbol") {
    callback(layout.symbol);
  } else if (layout.kind === "group") {
    for (const item of layout.items) {
      visit(item, callback);
    }
  } else if (layout.kind === "block") {
    for (const { parts } of layout.lines) {
      visit(parts, callback);
    }
  }
}
