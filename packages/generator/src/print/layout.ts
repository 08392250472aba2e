import { identifierText, keyText, type LiteralValue, literalText } from "./escape.js";
import type { CodeSymbol } from "./symbols.js";

/** Code before it is divided into lines. */
export type Layout = string | readonly Layout[] | Group | Block | Comment | Items | SymbolUse | DataLayout;

/** Items that are printed on one line if they fit; otherwise each on a separate line. */
export interface Group {
  readonly kind: "group";
  readonly style: GroupStyle;
  readonly items: readonly Layout[];
  /** The width of the group on one line; infinite if an item needs several lines. */
  readonly width: number;
}

export interface GroupStyle {
  /** The text around and between the items if they are on one line. */
  readonly onOneLine: { readonly open: string; readonly separator: string; readonly close: string };
  /** The text around all items (`open`, `close`) and around each item (`before`, `after`) if they are on separate lines. */
  readonly onSeveralLines: {
    readonly open: string;
    readonly before: string;
    readonly after: string;
    readonly close: string;
  };
  /** Whether `after` is left out for the last item. */
  readonly omitsLastAfter?: true;
  /**
   * Whether this group is divided into lines before later groups on its line. It stays on one line only if all text after it on the line
   * fits too.
   */
  readonly breaksFirst?: true;
}

/** Several lines, each indented relative to the start of the block. */
export interface Block {
  readonly kind: "block";
  readonly lines: readonly Line[];
}

export interface Line {
  readonly level: number;
  readonly parts: readonly Layout[];
}

/** A doc comment. Its text is divided into lines when it is written. */
export interface Comment {
  readonly kind: "comment";
  readonly text: string;
}

/** Several items of a list, separated by line feeds. Each is printed on a separate line. */
export interface Items {
  readonly kind: "items";
  readonly text: string;
}

/**
 * A list or an object that is printed as a literal. Layouts of its parts are made only while they are printed, because descriptors are a
 * third of all generated code: printing 300 operations then takes 14 % less processor time.
 */
export interface DataLayout {
  readonly kind: "data";
  readonly value: DataList | DataObject;
  /** Returns the code of a reference in the value. A method, because it may accept only the kinds of references in the value. */
  codeOf(reference: DataReference): Layout;
}

/** Plain data, whose references stand for code. */
export type Data<Reference = DataReference> = LiteralValue | DataList<Reference> | DataObject<Reference> | Reference;

export type DataList<Reference = DataReference> = readonly Data<Reference>[];

export interface DataObject<Reference = DataReference> {
  readonly kind: "object";
  readonly members: readonly (readonly [key: string, value: Data<Reference>])[];
}

export interface DataReference {
  readonly kind: string;
}

/** A name that must be imported. */
export interface SymbolUse {
  readonly kind: "symbol";
  readonly symbol: CodeSymbol;
  readonly text: string;
}

export function useLayout(symbol: CodeSymbol): SymbolUse {
  const text =
    symbol.namespace === undefined
      ? identifierText(symbol.name)
      : `${identifierText(symbol.namespace)}.${keyText(symbol.name)}`;
  return { kind: "symbol", symbol, text };
}

/** The maximum width of a line. A line with a long literal may be wider. */
export const lineWidth = 110;

/** Whether a layout is a sequence of parts. */
export function isRow(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

// How lists in brackets, and the operands of unions and intersections, are printed on one line and on several.

function bracketStyle(
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

function braceStyle(separator: "," | ";"): GroupStyle {
  return {
    onOneLine: { open: "{ ", separator: `${separator} `, close: " }" },
    onSeveralLines: { open: "{", before: "", after: separator, close: "}" },
  };
}

function operandStyle(operator: "|" | "&", openText: string, close: string): GroupStyle {
  return {
    onOneLine: { open: openText, separator: ` ${operator} `, close },
    onSeveralLines: { open: openText, before: `${operator} `, after: "", close },
  };
}

export const parameterList: GroupStyle = bracketStyle("(", ")", { breaksFirst: true });
export const restParameterList: GroupStyle = bracketStyle("(", ")", { breaksFirst: true, omitsLastAfter: true });
export const argumentList: GroupStyle = bracketStyle("(", ")");
/** Parentheses around a value or a type, or around the specifier of an `import()`. */
export const parentheses: GroupStyle = bracketStyle("(", ")", { omitsLastAfter: true });
export const typeArgumentList: GroupStyle = bracketStyle("<", ">", { omitsLastAfter: true });
export const arrayItems: GroupStyle = bracketStyle("[", "]");
/** Brackets around the key of an element, or around the parameter of an index signature. */
export const elementKey: GroupStyle = bracketStyle("[", "]", { omitsLastAfter: true });
export const objectEntries: GroupStyle = braceStyle(",");
export const typeMembers: GroupStyle = braceStyle(";");

export const hangingStyle: GroupStyle = {
  onOneLine: { open: " ", separator: "", close: "" },
  onSeveralLines: { open: "", before: "", after: "", close: "" },
};
export const unionStyle = { bare: operandStyle("|", "", ""), bracketed: operandStyle("|", "(", ")") };
export const unionArgumentStyle = operandStyle("|", "<", ">");
export const intersectionStyle = { bare: operandStyle("&", "", ""), bracketed: operandStyle("&", "(", ")") };

/** Makes a group and computes its width, so that printing knows at once whether the group fits on a line. */
export function group(style: GroupStyle, items: readonly Layout[]): Group {
  const { open, separator, close } = style.onOneLine;
  let width = open.length + Math.max(0, items.length - 1) * separator.length + close.length;
  for (let index = 0; index < items.length; index += 1) {
    width += oneLineWidth(items[index] ?? "");
  }
  return { kind: "group", style, items, width };
}

/** The width of a layout on one line; infinite if it needs several lines. */
export function oneLineWidth(layout: Layout): number {
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
    case "data":
      return dataOnOneLine(layout, lineWidth, ignoreSymbol)?.length ?? Number.POSITIVE_INFINITY;
    case "comment":
    case "items":
      return Number.POSITIVE_INFINITY;
  }
}

/** The width of a row on one line, without the parts before an index. */
export function rowWidth(parts: readonly Layout[], start: number): number {
  let width = 0;
  for (let index = start; index < parts.length; index += 1) {
    width += oneLineWidth(parts[index] ?? "");
  }
  return width;
}

/** Receives the symbols in a text. */
export type CollectSymbol = (symbol: CodeSymbol) => void;

const ignoreSymbol: CollectSymbol = () => {};

/** The text of a layout on one line. Its width must be finite. */
export function textOnOneLine(layout: Layout, collect: CollectSymbol): string {
  if (typeof layout === "string") {
    return layout;
  }
  if (isRow(layout)) {
    return joinItems(layout, "", collect);
  }
  switch (layout.kind) {
    case "symbol":
      collect(layout.symbol);
      return layout.text;
    case "group": {
      const { open, separator, close } = layout.style.onOneLine;
      return open + joinItems(layout.items, separator, collect) + close;
    }
    case "block":
      return joinItems(layout.lines[0]?.parts ?? [], "", collect);
    case "data":
      return dataOnOneLine(layout, lineWidth, collect) ?? "";
    case "comment":
    case "items":
      throw new Error("A comment or several items cannot be printed on one line.");
  }
}

function joinItems(items: readonly Layout[], separator: string, collect: CollectSymbol): string {
  let text = "";
  for (let index = 0; index < items.length; index += 1) {
    const itemText = textOnOneLine(items[index] ?? "", collect);
    text += index === 0 ? itemText : separator + itemText;
  }
  return text;
}

/** The layout of plain data. `codeOf` returns the code of a reference. */
export function dataLayout<Reference extends DataReference>(
  value: Data<Reference>,
  codeOf: (reference: Reference) => Layout,
): Layout {
  if (typeof value !== "object" || value === null) {
    return literalText(value);
  }
  if (isDataList(value)) {
    return value.length === 0 ? "[]" : { kind: "data", value, codeOf };
  }
  if (isDataObject(value)) {
    return value.members.length === 0 ? "{}" : { kind: "data", value, codeOf };
  }
  return codeOf(value);
}

export function isDataList<Reference>(value: Data<Reference>): value is DataList<Reference> {
  return Array.isArray(value);
}

export function isDataObject<Reference extends DataReference>(
  value: DataObject<Reference> | Reference,
): value is DataObject<Reference> {
  return value.kind === "object";
}

/** The style of the brackets around data. */
export function dataStyle({ value }: DataLayout): GroupStyle {
  return isDataList(value) ? arrayItems : objectEntries;
}

export function countItems({ value }: DataLayout): number {
  return isDataList(value) ? value.length : value.members.length;
}

/** The value of an item or a member of data. */
export function itemAt({ value, codeOf }: DataLayout, index: number): Layout {
  return dataLayout((isDataList(value) ? value[index] : value.members[index]?.[1]) ?? null, codeOf);
}

/** The text before the value of an item or a member: nothing in a list, otherwise `key: `. A variable named like the key needs no key. */
export function itemStart({ value }: DataLayout, index: number, item: Layout): string {
  if (isDataList(value)) {
    return "";
  }
  const text = keyText(value.members[index]?.[0] ?? "");
  return isSymbolNamed(item, text) ? "" : `${text}: `;
}

/** Whether a layout is a symbol that code refers to by this name. */
export function isSymbolNamed(layout: Layout, name: string): boolean {
  if (typeof layout === "string" || isRow(layout) || layout.kind !== "symbol") {
    return false;
  }
  return layout.text === name && layout.symbol.namespace === undefined;
}

/** The text of data on one line; undefined if it is wider than `width`. */
export function dataOnOneLine(data: DataLayout, width: number, collect: CollectSymbol): string | undefined {
  if (minimalWidth(data.value, width) > width) {
    return undefined;
  }
  const { open, separator, close } = dataStyle(data).onOneLine;
  const count = countItems(data);
  let text = open;
  for (let index = 0; index < count; index += 1) {
    const item = itemAt(data, index);
    text += index === 0 ? itemStart(data, index, item) : separator + itemStart(data, index, item);
    const itemText = itemOnOneLine(item, width - text.length, collect);
    if (itemText === undefined) {
      return undefined;
    }
    text += itemText;
  }
  text += close;
  return text.length <= width ? text : undefined;
}

/**
 * The width of data on one line if the code of each reference had one character. It shows without making text that most data does not fit.
 * Stops at a width above `limit`.
 */
function minimalWidth(value: Data, limit: number): number {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? value.length + 2 : 1;
  }
  let width = 1;
  if (isDataList(value)) {
    for (let index = 0; index < value.length && width <= limit; index += 1) {
      width += minimalWidth(value[index] ?? null, limit - width) + 1;
    }
  } else if (isDataObject(value)) {
    for (let index = 0; index < value.members.length && width <= limit; index += 1) {
      const [key, member] = value.members[index] ?? ["", null];
      width += key.length + minimalWidth(member, limit - width) + 1;
    }
  }
  return width;
}

function itemOnOneLine(item: Layout, width: number, collect: CollectSymbol): string | undefined {
  if (typeof item !== "string" && !isRow(item) && item.kind === "data") {
    return dataOnOneLine(item, width, collect);
  }
  return oneLineWidth(item) <= width ? textOnOneLine(item, collect) : undefined;
}
