import { identifierText, keyText, type LiteralValue, literalText, memberText } from "./escape.js";
import type { CodeSymbol } from "./symbols.js";

/** Code with positions where it may break into lines. */
export type Layout = string | readonly Layout[] | Group | Block | Comment | SymbolUse;

/** Items that share one line if they fit; otherwise each is on its own line. */
export interface Group {
  readonly kind: "group";
  readonly style: GroupStyle;
  readonly items: readonly Layout[];
  /** The width on one line; infinite if a part needs separate lines. */
  readonly width: number;
}

export interface GroupStyle {
  /** The text around and between the items on one line. */
  readonly flat: { readonly open: string; readonly separator: string; readonly close: string };
  /** The text on separate lines: before the items, before and after each item, and after them. */
  readonly broken: { readonly open: string; readonly before: string; readonly after: string; readonly close: string };
  /** On separate lines, the last item has no `after`. */
  readonly lastBare?: true;
  /** Breaks before any later group on the line. */
  readonly breaksFirst?: true;
}

/** Lines, each indented relative to the start of the block. */
export interface Block {
  readonly kind: "block";
  readonly lines: readonly Line[];
}

export interface Line {
  readonly level: number;
  readonly parts: readonly Layout[];
}

/** A doc comment, wrapped where it is written. */
export interface Comment {
  readonly kind: "comment";
  readonly text: string;
}

/** A name that must be imported. */
export interface SymbolUse {
  readonly kind: "symbol";
  readonly symbol: CodeSymbol;
  readonly text: string;
}

/** The properties of a fragment that combinators need. `word`: fixed text without holes, such as `string`. */
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
 * A piece of code. Emitters get fragments from templates and from functions of `print`; they cannot create one from a string,
 * because a schema's text must pass `identifier`, `literal`, `key` or `comment`.
 */
export class Fragment {
  /** Makes strings and objects of the same shape unassignable: the class has a protected member. */
  declare protected readonly brand: never;
  readonly layout: Layout;
  readonly kind: FragmentKind;
  /** For a union or an intersection. */
  readonly members: readonly Fragment[];

  constructor(layout: Layout, kind: FragmentKind = "other", members: readonly Fragment[] = noMembers) {
    this.layout = layout;
    this.kind = kind;
    this.members = members;
  }
}

const noMembers: readonly Fragment[] = [];

/** A planned name, for a declaration. */
export function identifier(name: string): Fragment {
  return new Fragment(identifierText(name));
}

/** A planned name, for a property or a method of a class. */
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

/** A doc comment on separate lines; undefined if there is no text. */
export function comment(text: string | undefined): Fragment | undefined {
  return text === undefined || text.trim() === "" ? undefined : new Fragment({ kind: "comment", text });
}

/** The use of a symbol, which the file then imports. */
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

/** Whether a layout is a sequence of parts. */
export function isRow(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

// The layout of bracketed lists and of operands, on one line and on several.

function inBrackets(open: string, close: string, extra: Pick<GroupStyle, "lastBare" | "breaksFirst"> = {}): GroupStyle {
  return {
    flat: { open, separator: ", ", close },
    broken: { open, before: "", after: ",", close },
    ...extra,
  };
}

function inBraces(separator: "," | ";"): GroupStyle {
  return {
    flat: { open: "{ ", separator: `${separator} `, close: " }" },
    broken: { open: "{", before: "", after: separator, close: "}" },
  };
}

function alternatives(operator: "|" | "&", open: string, close: string): GroupStyle {
  return {
    flat: { open, separator: ` ${operator} `, close },
    broken: { open, before: `${operator} `, after: "", close },
  };
}

export const parameterList: GroupStyle = inBrackets("(", ")", { breaksFirst: true });
export const argumentList: GroupStyle = inBrackets("(", ")");
export const typeArgumentList: GroupStyle = inBrackets("<", ">", { lastBare: true });
export const arrayItems: GroupStyle = inBrackets("[", "]");
export const objectEntries: GroupStyle = inBraces(",");
export const typeMembers: GroupStyle = inBraces(";");

const hangingStyle: GroupStyle = {
  flat: { open: " ", separator: "", close: "" },
  broken: { open: "", before: "", after: "", close: "" },
};
const parenthesised: GroupStyle = {
  flat: { open: "(", separator: "", close: ")" },
  broken: { open: "(", before: "", after: "", close: ")" },
};
const unionStyle = { bare: alternatives("|", "", ""), bracketed: alternatives("|", "(", ")") };
const unionArgumentStyle = alternatives("|", "<", ">");
const intersectionStyle = { bare: alternatives("&", "", ""), bracketed: alternatives("&", "(", ")") };

/** Creates a group with its width, so that printing need not try whether it fits. */
export function group(style: GroupStyle, items: readonly Layout[]): Group {
  const { open, separator, close } = style.flat;
  let width = open.length + Math.max(0, items.length - 1) * separator.length + close.length;
  for (let index = 0; index < items.length; index += 1) {
    width += flatWidth(items[index] ?? "");
  }
  return { kind: "group", style, items, width };
}

/** The width of a layout on one line; infinite if it needs separate lines. */
export function flatWidth(layout: Layout): number {
  if (typeof layout === "string") {
    return layout.length;
  }
  if (isRow(layout)) {
    return rowWidth(layout, 0);
  }
  switch (layout.kind) {
    case "symbol":
      return layout.text.length;
    case "group":
      return layout.width;
    case "block":
      return layout.lines.length === 1 ? rowWidth(layout.lines[0]?.parts ?? [], 0) : Number.POSITIVE_INFINITY;
    case "comment":
      return Number.POSITIVE_INFINITY;
  }
}

/** The width of the parts of a row from an index on, on one line. */
export function rowWidth(parts: readonly Layout[], from: number): number {
  let width = 0;
  for (let index = from; index < parts.length; index += 1) {
    width += flatWidth(parts[index] ?? "");
  }
  return width;
}

/** `{ key: value, … }`, without undefined entries. */
export function object(entries: readonly (Fragment | undefined)[]): Fragment {
  return braces(objectEntries, entries);
}

/** `{ name: type; … }`. */
export function objectType(members: readonly Fragment[]): Fragment {
  return braces(typeMembers, members);
}

function braces(style: GroupStyle, fragments: readonly (Fragment | undefined)[]): Fragment {
  const items: Layout[] = [];
  for (let index = 0; index < fragments.length; index += 1) {
    const layout = fragments[index]?.layout;
    if (layout !== undefined) {
      items.push(layout);
    }
  }
  return new Fragment(items.length === 0 ? "{}" : group(style, items), "object");
}

/** `key: value`, or only the key if the value is a name that equals it. */
export function entry(name: string, value: Fragment): Fragment {
  const text = keyText(name);
  return isName(text, value) ? value : new Fragment([`${text}: `, value.layout]);
}

/** Whether a value is a parameter or a symbol of this name. */
function isName(name: string, { kind, layout }: Fragment): boolean {
  if (kind === "word") {
    return layout === name;
  }
  if (kind !== "symbol" || typeof layout === "string" || isRow(layout) || layout.kind !== "symbol") {
    return false;
  }
  return layout.text === name && layout.symbol.namespace === undefined;
}

/** `[a, b]`. */
export function array(items: readonly Fragment[]): Fragment {
  const layouts = items.map(({ layout }) => layout);
  return new Fragment(items.length === 0 ? "[]" : group(arrayItems, layouts), "object");
}

/** A value that moves to its own line if it does not fit on the current one. */
export function hanging({ layout }: Fragment): Fragment {
  return new Fragment(group(hangingStyle, [layout]));
}

/** `readonly T[]`. */
export function arrayType(item: Fragment): Fragment {
  return new Fragment(["readonly ", tight(item), "[]"], "array");
}

/** `readonly [name: string]: T`. */
export function indexSignature({ layout }: Fragment): Fragment {
  return new Fragment(["readonly [name: string]: ", layout]);
}

/** `(typeof values)[number]`: the type of the items of a constant array. */
export function itemsOf(symbol: CodeSymbol): Fragment {
  return new Fragment(["(typeof ", useLayout(symbol), ")[number]"]);
}

/** A union. Nested unions are flattened, and a word such as `string` occurs once; `never` if there are no types. */
export function union(...types: readonly Fragment[]): Fragment {
  const members: Fragment[] = [];
  for (const type of types) {
    if (type.kind === "union") {
      for (const member of type.members) {
        addMember(members, member);
      }
    } else {
      addMember(members, type);
    }
  }
  const [first] = members;
  if (first === undefined) {
    return new Fragment("never", "word");
  }
  if (members.length === 1) {
    return first;
  }
  const others = members.slice(1);
  const layout = others.every(({ kind }) => kind === "word")
    ? [operand(first), ...others.map((other): Layout => [" | ", other.layout])]
    : group(unionStyle.bare, members.map(operand));
  return new Fragment(layout, "union", members);
}

function addMember(members: Fragment[], type: Fragment): void {
  const isRepeated =
    type.kind === "word" && members.some(({ kind, layout }) => kind === "word" && layout === type.layout);
  if (!isRepeated) {
    members.push(type);
  }
}

/** `OneOf<A | B>`: a generic type applied to the union of several types. */
export function ofUnion(generic: CodeSymbol, types: readonly Fragment[]): Fragment {
  return new Fragment([useLayout(generic), group(unionArgumentStyle, types.map(operand))]);
}

/** The union of the literals of some values. */
export function literalUnion(values: readonly LiteralValue[]): Fragment {
  return union(...values.map(literal));
}

/** An intersection; a single type stays as it is. */
export function intersection(...types: readonly Fragment[]): Fragment {
  const [first, ...others] = types;
  if (first !== undefined && others.length === 0) {
    return first;
  }
  return new Fragment(group(intersectionStyle.bare, types.map(tight)), "intersection", types);
}

/** A type as a member of a union. Intersections are easier to read in brackets; arrays are clear without. */
function operand(type: Fragment): Layout {
  return type.kind === "intersection" ? tight(type) : type.layout;
}

/** A type in a position where an operator binds more tightly than the type. */
function tight({ kind, layout }: Fragment): Layout {
  if (kind !== "array" && kind !== "union" && kind !== "intersection") {
    return layout;
  }
  if (typeof layout !== "string" && !isRow(layout) && layout.kind === "group") {
    if (layout.style === unionStyle.bare) {
      return group(unionStyle.bracketed, layout.items);
    }
    if (layout.style === intersectionStyle.bare) {
      return group(intersectionStyle.bracketed, layout.items);
    }
  }
  return group(parenthesised, [layout]);
}
