import {
  type LiteralValue,
  writeIdentifier,
  writeKey,
  writeLineLiterals,
  writeLiteral,
  writeMember,
} from "./code-text.js";
import type { CodeSymbol } from "./symbols.js";

/** Code that is not yet divided into lines. */
export type Layout = string | readonly Layout[] | Group | Block | Comment | Items | SymbolUse;

/** Items that are printed on one line if they fit; otherwise each on a separate line. */
export interface Group {
  readonly kind: "group";
  readonly style: GroupStyle;
  readonly items: readonly Layout[];
  /** The width of the group on one line; infinite if an item needs several lines. */
  readonly width: number;
}

/** The text around and between the items of a group, on one line and on several lines. */
export interface GroupStyle {
  /** The text around and between the items if they are on one line. */
  readonly onOneLine: { readonly open: string; readonly separator: string; readonly close: string };
  /**
   * The text around all items (`open`, `close`) and around each item (`before`, `after`) if the items are on separate
   * lines.
   */
  readonly onSeveralLines: {
    readonly open: string;
    readonly before: string;
    readonly after: string;
    readonly close: string;
  };
  /** Whether `after` is left out for the last item. */
  readonly omitsLastAfter?: true;
  /**
   * Whether this group is divided into lines before any later group on its line. The group stays on one line only if
   * all text after the group on that line also fits.
   */
  readonly breaksFirst?: true;
}

/** Several lines, each indented relative to the start of the block. */
export interface Block {
  readonly kind: "block";
  readonly lines: readonly Line[];
}

/** A line of a block. `level` is the depth of its indentation. */
export interface Line {
  readonly level: number;
  readonly parts: readonly Layout[];
}

/** A doc comment. Its text is divided into lines when the comment is written. */
export interface Comment {
  readonly kind: "comment";
  readonly text: string;
}

/** The items of a list as text, already separated by line feeds. Each item is printed on a separate line. */
export interface Items {
  readonly kind: "items";
  readonly text: string;
}

/** The use of a symbol, which the file must import. */
export interface SymbolUse {
  readonly kind: "symbol";
  readonly symbol: CodeSymbol;
  readonly text: string;
}

/**
 * The kinds of fragments, which determine how a fragment is printed inside another fragment. "word" is fixed text
 * without interpolated values, such as `string`.
 */
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
 * A piece of code. Emitters make fragments with templates and with the functions of `print`, not from strings, because
 * text from a schema must pass through `identifier`, `literal`, `key` or `comment`.
 */
export class Fragment {
  /** Makes TypeScript refuse strings, and objects with the same members, where a fragment is expected. */
  declare protected readonly brand: never;
  readonly layout: Layout;
  readonly kind: FragmentKind;
  /** The members of a union or an intersection; empty for other fragments. */
  readonly members: readonly Fragment[];

  constructor(layout: Layout, kind: FragmentKind = "other", members: readonly Fragment[] = noMembers) {
    this.layout = layout;
    this.kind = kind;
    this.members = members;
  }
}

const noMembers: readonly Fragment[] = [];

/** Makes the name of a declaration. */
export function identifier(name: string): Fragment {
  return new Fragment(writeIdentifier(name));
}

/** Makes a fragment with the name of a property or method of a class. The name must be an identifier. */
export function member(name: string): Fragment {
  return new Fragment(writeMember(name));
}

/** Makes the key of a property in an object literal or an object type. */
export function key(name: string): Fragment {
  return new Fragment(writeKey(name));
}

/** Makes a literal with the given value, for code or for a type. */
export function literal(value: LiteralValue): Fragment {
  return new Fragment(writeLiteral(value), "literal");
}

/** Makes a doc comment; returns undefined if there is no text. */
export function comment(text: string | undefined): Fragment | undefined {
  return text === undefined || text.trim() === "" ? undefined : new Fragment({ kind: "comment", text });
}

/**
 * Makes a fragment that uses a symbol: the symbol's name in the code, and an import in the file that contains the code.
 */
export function use(symbol: CodeSymbol): Fragment {
  return new Fragment(createUseLayout(symbol), "symbol");
}

/** Returns the layout of a symbol's use: its name, which the file imports. */
export function createUseLayout(symbol: CodeSymbol): SymbolUse {
  const text =
    symbol.namespace === undefined
      ? writeIdentifier(symbol.name)
      : `${writeIdentifier(symbol.namespace)}.${writeKey(symbol.name)}`;
  return { kind: "symbol", symbol, text };
}

/** Whether a layout is a sequence of parts. */
export function isRow(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

// Creates the style of a list in brackets, or of the operands of a union or an intersection.

function createBracketStyle(
  openText: string,
  close: string,
  options: Pick<GroupStyle, "omitsLastAfter" | "breaksFirst"> = {},
): GroupStyle {
  return {
    onOneLine: { open: openText, separator: ", ", close },
    onSeveralLines: { open: openText, before: "", after: ",", close },
    ...options,
  };
}

function createBraceStyle(separator: "," | ";"): GroupStyle {
  return {
    onOneLine: { open: "{ ", separator: `${separator} `, close: " }" },
    onSeveralLines: { open: "{", before: "", after: separator, close: "}" },
  };
}

function createOperandStyle(operator: "|" | "&", openText: string, close: string): GroupStyle {
  return {
    onOneLine: { open: openText, separator: ` ${operator} `, close },
    onSeveralLines: { open: openText, before: `${operator} `, after: "", close },
  };
}

export const parameterList: GroupStyle = createBracketStyle("(", ")", { breaksFirst: true });
export const restParameterList: GroupStyle = createBracketStyle("(", ")", { breaksFirst: true, omitsLastAfter: true });
export const argumentList: GroupStyle = createBracketStyle("(", ")");
/** Parentheses around a value or a type, or around the specifier of an `import()`. */
export const parentheses: GroupStyle = createBracketStyle("(", ")", { omitsLastAfter: true });
export const typeArgumentList: GroupStyle = createBracketStyle("<", ">", { omitsLastAfter: true });
export const arrayItems: GroupStyle = createBracketStyle("[", "]");
/** Brackets around the key of an element, or around the parameter of an index signature. */
export const elementKey: GroupStyle = createBracketStyle("[", "]", { omitsLastAfter: true });
export const objectEntries: GroupStyle = createBraceStyle(",");
export const typeMembers: GroupStyle = createBraceStyle(";");

const hangingStyle: GroupStyle = {
  onOneLine: { open: " ", separator: "", close: "" },
  onSeveralLines: { open: "", before: "", after: "", close: "" },
};
const unionStyle = { bare: createOperandStyle("|", "", ""), bracketed: createOperandStyle("|", "(", ")") };
const unionArgumentStyle = createOperandStyle("|", "<", ">");
const intersectionStyle = { bare: createOperandStyle("&", "", ""), bracketed: createOperandStyle("&", "(", ")") };

/** Makes a group and computes its width once, so that the printer knows whether the group fits on a line. */
export function group(style: GroupStyle, items: readonly Layout[]): Group {
  const { open, separator, close } = style.onOneLine;
  let width = open.length + Math.max(0, items.length - 1) * separator.length + close.length;
  for (let index = 0; index < items.length; index += 1) {
    width += computeOneLineWidth(items[index] ?? "");
  }
  return { kind: "group", style, items, width };
}

/** Returns the width of a layout on one line; infinite if it needs several lines. */
export function computeOneLineWidth(layout: Layout): number {
  if (typeof layout === "string") {
    return layout.length;
  }
  if (isRow(layout)) {
    return computeRowWidth(layout, 0);
  }
  switch (layout.kind) {
    case "symbol":
      return layout.text.length;
    case "group":
      return layout.width;
    case "block":
      return layout.lines.length === 1 ? computeRowWidth(layout.lines[0]?.parts ?? [], 0) : Number.POSITIVE_INFINITY;
    case "comment":
    case "items":
      return Number.POSITIVE_INFINITY;
  }
}

/** Returns the one-line width of a row's parts, starting with the part at the index `start`. */
export function computeRowWidth(parts: readonly Layout[], start: number): number {
  let width = 0;
  for (let index = start; index < parts.length; index += 1) {
    width += computeOneLineWidth(parts[index] ?? "");
  }
  return width;
}

/** Makes an object literal: `{ key: value, … }`. Undefined entries are left out. */
export function object(entries: readonly (Fragment | undefined)[]): Fragment {
  return braces(objectEntries, entries);
}

/** Makes an object type: `{ name: type; … }`. */
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

/** Makes a member of an object literal: `key: value`, or only `key` if the value is a variable with the same name. */
export function entry(name: string, value: Fragment): Fragment {
  const text = writeKey(name);
  if (isName(text, value)) {
    return value;
  }
  const { layout } = value;
  return new Fragment(typeof layout === "string" ? `${text}: ${layout}` : [`${text}: `, layout]);
}

/**
 * Whether a value consists only of this name, either as the name of a parameter or as the name of a symbol without a
 * namespace.
 */
function isName(name: string, { kind, layout }: Fragment): boolean {
  if (kind === "word") {
    return layout === name;
  }
  if (kind !== "symbol" || typeof layout === "string" || isRow(layout) || layout.kind !== "symbol") {
    return false;
  }
  return layout.text === name && layout.symbol.namespace === undefined;
}

/** Makes an array literal: `[a, b]`. */
export function array(items: readonly Fragment[]): Fragment {
  const layouts = items.map(({ layout }) => layout);
  return new Fragment(items.length === 0 ? "[]" : group(arrayItems, layouts), "object");
}

/** Makes array items from a string: one string literal for each line, including its line feed. */
export function lineItems(text: string): Fragment {
  return new Fragment({ kind: "items", text: writeLineLiterals(text) });
}

/** Makes a value that moves to a separate line if it does not fit on the current line. */
export function wrappableValue({ layout }: Fragment): Fragment {
  return new Fragment(group(hangingStyle, [layout]));
}

/** Makes an array type: `readonly T[]`. */
export function arrayType(item: Fragment): Fragment {
  return new Fragment(["readonly ", getTightLayout(item), "[]"], "array");
}

/** Makes an index signature: `readonly [name: string]: T`. */
export function indexSignature({ layout }: Fragment): Fragment {
  return new Fragment(["readonly [name: string]: ", layout]);
}

/** Makes the item type of a constant array: `(typeof values)[number]`. */
export function printItems(symbol: CodeSymbol): Fragment {
  return new Fragment(["(typeof ", createUseLayout(symbol), ")[number]"]);
}

/**
 * Makes a union. Nested unions are flattened, and a simple type such as `string` occurs only once. A union without
 * types is `never`.
 */
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
  const [firstMember] = members;
  if (firstMember === undefined) {
    return new Fragment("never", "word");
  }
  if (members.length === 1) {
    return firstMember;
  }
  const otherMembers = members.slice(1);
  const layout = otherMembers.every(({ kind }) => kind === "word")
    ? [getOperandLayout(firstMember), ...otherMembers.map((other): Layout => [" | ", other.layout])]
    : group(unionStyle.bare, members.map(getOperandLayout));
  return new Fragment(layout, "union", members);
}

function addMember(members: Fragment[], type: Fragment): void {
  const isRepeated =
    type.kind === "word" && members.some(({ kind, layout }) => kind === "word" && layout === type.layout);
  if (!isRepeated) {
    members.push(type);
  }
}

/** Applies a generic type to the union of several types: `OneOf<A | B>`. */
export function applyToUnion(genericType: CodeSymbol, types: readonly Fragment[]): Fragment {
  return new Fragment([createUseLayout(genericType), group(unionArgumentStyle, types.map(getOperandLayout))]);
}

/** Makes a union of literals, one for each value: `"a" | "b"`. */
export function literalUnion(values: readonly LiteralValue[]): Fragment {
  return union(...values.map(literal));
}

/** Makes an intersection; returns a single type unchanged. */
export function intersection(...types: readonly Fragment[]): Fragment {
  const [firstType, ...otherTypes] = types;
  if (firstType !== undefined && otherTypes.length === 0) {
    return firstType;
  }
  return new Fragment(group(intersectionStyle.bare, types.map(getTightLayout)), "intersection", types);
}

/**
 * Returns the layout of a type as a member of a union. Intersections get parentheses, which are optional but make the
 * union easier to read.
 */
function getOperandLayout(type: Fragment): Layout {
  return type.kind === "intersection" ? getTightLayout(type) : type.layout;
}

/**
 * Returns the layout of a type next to an operator that binds more tightly, such as `[]`: arrays, unions and
 * intersections get parentheses.
 */
function getTightLayout({ kind, layout }: Fragment): Layout {
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
  return group(parentheses, [layout]);
}
