import { commentLines } from "./escape.js";
import { type Group, isRow, type Layout, type Line, rowWidth } from "./fragment.js";
import type { CodeSymbol } from "./symbols.js";

/** The maximum width of a line. A line with a long literal may be wider. */
const lineWidth = 110;
/** The maximum width of comments inside groups, such as object types. */
const narrowWidth = 90;
const indentWidth = 2;

/** Prints layouts as text, and collects the symbols in them. */
export class Page {
  readonly #lines: string[] = [];
  /** The used symbols, by the name with which they are imported. */
  readonly #symbols = new Map<string, CodeSymbol>();
  /** The current line. */
  #line = "";
  /** Whether the current line ends with a space. Reading the end of `#line` is slow, because V8 would join its pieces into one string. */
  #endsWithSpace = false;
  #indentLevel = 0;
  /** The number of groups that contain the current position. */
  #groupDepth = 0;

  /** The symbols in all written layouts, by the name with which they are imported. */
  get symbols(): ReadonlyMap<string, CodeSymbol> {
    return this.#symbols;
  }

  /** Returns the complete lines, and removes them from the page. */
  take(): string {
    if (this.#lines.length === 0) {
      return "";
    }
    this.#lines.push("");
    const text = this.#lines.join("\n");
    this.#lines.length = 0;
    return text;
  }

  /** Writes a layout at the current position. `reservedWidth` is the width to leave free at the end of its last line. */
  write(layout: Layout, reservedWidth = 0): void {
    if (typeof layout === "string") {
      this.#appendText(layout);
    } else if (isRow(layout)) {
      this.#writeRow(layout, reservedWidth);
    } else {
      switch (layout.kind) {
        case "symbol":
          this.#collectSymbol(layout.symbol);
          this.#appendText(layout.text);
          break;
        case "group":
          this.#writeGroup(layout, reservedWidth);
          break;
        case "comment":
          this.#writeComment(layout.text);
          break;
        case "items":
          this.#appendText(layout.text.replaceAll("\n", `,\n${indentation(this.#indentLevel)}`));
          break;
        case "block":
          this.#writeBlock(layout.lines, reservedWidth);
      }
    }
  }

  /** Writes a layout, and ends the line. */
  writeLine(layout: Layout): void {
    this.write(layout);
    this.startNewLine();
  }

  startNewLine(): void {
    this.#lines.push(this.#endsWithSpace ? this.#line.trimEnd() : this.#line);
    this.#line = "";
    this.#endsWithSpace = false;
  }

  #appendText(text: string): void {
    if (text === "") {
      return;
    }
    this.#line = this.#line === "" ? indentation(this.#indentLevel) + text : this.#line + text;
    this.#endsWithSpace = text.endsWith(" ");
  }

  #collectSymbol(symbol: CodeSymbol): void {
    const name = symbol.namespace ?? symbol.name;
    const existingSymbol = this.#symbols.get(name);
    if (
      existingSymbol === undefined ||
      (existingSymbol.kind === "type" && symbol.kind === "value") ||
      isIncludedIn(existingSymbol, symbol)
    ) {
      this.#symbols.set(name, symbol);
    } else if (
      !isIncludedIn(symbol, existingSymbol) &&
      existingSymbol.module !== symbol.module &&
      moduleKey(existingSymbol) !== moduleKey(symbol)
    ) {
      throw new Error(`A file uses the same name from two modules: ${name}.`);
    }
  }

  #writeComment(text: string): void {
    const width = this.#groupDepth > 0 ? narrowWidth : lineWidth - this.#indentLevel * indentWidth;
    for (const [index, line] of commentLines(text, width).entries()) {
      if (index > 0) {
        this.startNewLine();
      }
      this.#appendText(line);
    }
  }

  #writeBlock(lines: readonly Line[], reservedWidth: number): void {
    const baseLevel = this.#indentLevel;
    const lastIndex = lines.length - 1;
    for (let index = 0; index <= lastIndex; index += 1) {
      const line = lines[index];
      if (index > 0) {
        this.startNewLine();
      }
      if (line !== undefined) {
        this.#indentLevel = baseLevel + line.level;
        this.#writeRow(line.parts, index === lastIndex ? reservedWidth : 0);
      }
    }
    this.#indentLevel = baseLevel;
  }

  #writeRow(parts: readonly Layout[], reservedWidth: number): void {
    for (let index = 0; index < parts.length; index += 1) {
      const layout = parts[index] ?? "";
      if (typeof layout === "string") {
        this.#appendText(layout);
      } else if (isRow(layout) || layout.kind === "group" || layout.kind === "block") {
        this.write(layout, reservedWidth + this.#widthAfter(parts, index));
      } else {
        this.write(layout);
      }
    }
  }

  #writeGroup(group: Group, reservedWidth: number): void {
    const { style, items } = group;
    const column = this.#line === "" ? this.#indentLevel * indentWidth : this.#line.length;
    if (group.width <= lineWidth - column - reservedWidth) {
      this.#appendText(this.#textOnOneLine(group));
      return;
    }
    const { open, before, after, close } = style.onSeveralLines;
    this.#appendText(open);
    this.startNewLine();
    this.#indentLevel += 1;
    this.#groupDepth += 1;
    const lastIndex = items.length - 1;
    for (let index = 0; index <= lastIndex; index += 1) {
      const separator = index === lastIndex && style.omitsLastAfter ? "" : after;
      this.#appendText(before);
      this.write(items[index] ?? "", separator.length);
      this.#appendText(separator);
      if (index < lastIndex || close !== "") {
        this.startNewLine();
      }
    }
    this.#groupDepth -= 1;
    this.#indentLevel -= 1;
    this.#appendText(close);
  }

  /** The width that a part of a row must leave free for the text that follows it on the same line. */
  #widthAfter(parts: readonly Layout[], index: number): number {
    const layout = parts[index];
    const breaksFirst =
      typeof layout === "object" && !isRow(layout) && layout.kind === "group" && layout.style.breaksFirst === true;
    const followingWidth = breaksFirst ? rowWidth(parts, index + 1) : Number.POSITIVE_INFINITY;
    return followingWidth <= lineWidth ? followingWidth : widthToFirstBreak(parts, index + 1);
  }

  /** The text of a layout on one line. Its width must be finite. */
  #textOnOneLine(layout: Layout): string {
    if (typeof layout === "string") {
      return layout;
    }
    if (isRow(layout)) {
      return this.#joinItems(layout, "");
    }
    switch (layout.kind) {
      case "symbol":
        this.#collectSymbol(layout.symbol);
        return layout.text;
      case "group": {
        const { open, separator, close } = layout.style.onOneLine;
        return open + this.#joinItems(layout.items, separator) + close;
      }
      case "block":
        return this.#joinItems(layout.lines[0]?.parts ?? [], "");
      case "comment":
      case "items":
        throw new Error("A comment or several items cannot be printed on one line.");
    }
  }

  #joinItems(items: readonly Layout[], separator: string): string {
    let text = "";
    for (let index = 0; index < items.length; index += 1) {
      const itemText = this.#textOnOneLine(items[index] ?? "");
      text += index === 0 ? itemText : separator + itemText;
    }
    return text;
  }
}

const indentations: readonly string[] = Array.from({ length: 32 }, (_, level) => " ".repeat(level * indentWidth));

function indentation(level: number): string {
  return indentations[level] ?? " ".repeat(level * indentWidth);
}

/** Whether the module of the second symbol exports all names of the first symbol's module. */
function isIncludedIn({ module }: CodeSymbol, { module: containingModule }: CodeSymbol): boolean {
  return (
    module.kind === "package" && containingModule.kind === "package" && module.partOf === containingModule.specifier
  );
}

function moduleKey({ module }: CodeSymbol): string {
  return module.kind === "package" ? module.specifier : `${module.package} ${module.path}`;
}

/** The width of the parts from an index up to the first position at which a line break is possible. */
function widthToFirstBreak(parts: readonly Layout[], start: number): number {
  let width = 0;
  for (let index = start; index < parts.length; index += 1) {
    const layout = parts[index] ?? "";
    if (typeof layout === "string") {
      width += layout.length;
    } else if (isRow(layout)) {
      width += widthToFirstBreak(layout, 0);
      if (layout.some((part) => typeof part !== "string")) {
        return width;
      }
    } else if (layout.kind === "symbol") {
      width += layout.text.length;
    } else if (layout.kind === "block") {
      return width + widthToFirstBreak(layout.lines[0]?.parts ?? [], 0);
    } else {
      return width + (layout.kind === "group" ? layout.style.onSeveralLines.open.length : 0);
    }
  }
  return width;
}
