import { commentLines } from "./escape.js";
import { type Group, isRow, type Layout, type Line, rowWidth } from "./fragment.js";
import type { CodeSymbol } from "./symbols.js";

/** The maximum line width for layout. A long literal may still be wider. */
const lineWidth = 110;
/** The width of comments inside objects. */
const narrowWidth = 90;
const indentWidth = 2;

/** The text of declarations being printed, and the symbols that it uses. */
export class Page {
  readonly #lines: string[] = [];
  /** By imported name. */
  readonly #symbols = new Map<string, CodeSymbol>();
  /** The current line. */
  #line = "";
  /** Whether the current line ends with a space. To look at the line, V8 would have to copy it into one piece. */
  #endsWithSpace = false;
  #level = 0;
  /** The number of groups around the current position. */
  #groups = 0;

  /** The symbols of everything written, by imported name. */
  get symbols(): ReadonlyMap<string, CodeSymbol> {
    return this.#symbols;
  }

  /** Removes and returns the complete lines. */
  take(): string {
    if (this.#lines.length === 0) {
      return "";
    }
    this.#lines.push("");
    const text = this.#lines.join("\n");
    this.#lines.length = 0;
    return text;
  }

  /** Writes a layout at the current position. `reserve` is the width to leave free on its last line. */
  write(layout: Layout, reserve = 0): void {
    if (typeof layout === "string") {
      this.#append(layout);
    } else if (isRow(layout)) {
      this.#row(layout, reserve);
    } else {
      switch (layout.kind) {
        case "symbol":
          this.#use(layout.symbol);
          this.#append(layout.text);
          break;
        case "group":
          this.#group(layout, reserve);
          break;
        case "comment":
          this.#comment(layout.text);
          break;
        case "block":
          this.#block(layout.lines, reserve);
      }
    }
  }

  /** Writes a layout on separate lines. */
  writeLine(layout: Layout): void {
    this.write(layout);
    this.newLine();
  }

  newLine(): void {
    this.#lines.push(this.#endsWithSpace ? this.#line.trimEnd() : this.#line);
    this.#line = "";
    this.#endsWithSpace = false;
  }

  #append(text: string): void {
    if (text === "") {
      return;
    }
    this.#line = this.#line === "" ? indentation(this.#level) + text : this.#line + text;
    this.#endsWithSpace = text.endsWith(" ");
  }

  #use(symbol: CodeSymbol): void {
    const name = symbol.namespace ?? symbol.name;
    const known = this.#symbols.get(name);
    if (known === undefined || (known.kind === "type" && symbol.kind === "value") || isPart(known, symbol)) {
      this.#symbols.set(name, symbol);
    } else if (!isPart(symbol, known) && known.module !== symbol.module && moduleKey(known) !== moduleKey(symbol)) {
      throw new Error(`${name} comes from two modules.`);
    }
  }

  #comment(text: string): void {
    const width = this.#groups > 0 ? narrowWidth : lineWidth - this.#level * indentWidth;
    for (const [index, line] of commentLines(text, width).entries()) {
      if (index > 0) {
        this.newLine();
      }
      this.#append(line);
    }
  }

  #block(lines: readonly Line[], reserve: number): void {
    const base = this.#level;
    const last = lines.length - 1;
    for (let index = 0; index <= last; index += 1) {
      const line = lines[index];
      if (index > 0) {
        this.newLine();
      }
      if (line !== undefined) {
        this.#level = base + line.level;
        this.#row(line.parts, index === last ? reserve : 0);
      }
    }
    this.#level = base;
  }

  #row(parts: readonly Layout[], reserve: number): void {
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index] ?? "";
      if (typeof part === "string") {
        this.#append(part);
      } else if (isRow(part) || part.kind === "group" || part.kind === "block") {
        this.write(part, reserve + this.#widthBehind(parts, index));
      } else {
        this.write(part);
      }
    }
  }

  #group(group: Group, reserve: number): void {
    const { style, items } = group;
    const column = this.#line === "" ? this.#level * indentWidth : this.#line.length;
    if (group.width <= lineWidth - column - reserve) {
      this.#append(this.#flat(group));
      return;
    }
    const { open, before, after, close } = style.broken;
    this.#append(open);
    this.newLine();
    this.#level += 1;
    this.#groups += 1;
    const last = items.length - 1;
    for (let index = 0; index <= last; index += 1) {
      const separator = index === last && style.lastBare ? "" : after;
      this.#append(before);
      this.write(items[index] ?? "", separator.length);
      this.#append(separator);
      if (index < last || close !== "") {
        this.newLine();
      }
    }
    this.#groups -= 1;
    this.#level -= 1;
    this.#append(close);
  }

  /** The width that a part must leave for the text after it on the same line. */
  #widthBehind(parts: readonly Layout[], index: number): number {
    const part = parts[index];
    const breaksFirst =
      typeof part === "object" && !isRow(part) && part.kind === "group" && part.style.breaksFirst === true;
    const whole = breaksFirst ? rowWidth(parts, index + 1) : Number.POSITIVE_INFINITY;
    return whole <= lineWidth ? whole : headWidth(parts, index + 1);
  }

  /** The text of a layout whose width is finite, on one line. */
  #flat(layout: Layout): string {
    if (typeof layout === "string") {
      return layout;
    }
    if (isRow(layout)) {
      return this.#joined(layout, "");
    }
    switch (layout.kind) {
      case "symbol":
        this.#use(layout.symbol);
        return layout.text;
      case "group": {
        const { open, separator, close } = layout.style.flat;
        return open + this.#joined(layout.items, separator) + close;
      }
      case "block":
        return this.#joined(layout.lines[0]?.parts ?? [], "");
      case "comment":
        throw new Error("A comment has lines of its own.");
    }
  }

  #joined(items: readonly Layout[], separator: string): string {
    let text = "";
    for (let index = 0; index < items.length; index += 1) {
      const part = this.#flat(items[index] ?? "");
      text += index === 0 ? part : separator + part;
    }
    return text;
  }
}

const indentations: readonly string[] = Array.from({ length: 32 }, (_, level) => " ".repeat(level * indentWidth));

function indentation(level: number): string {
  return indentations[level] ?? " ".repeat(level * indentWidth);
}

/** Whether the module of one symbol includes all names of another symbol's module. */
function isPart({ module }: CodeSymbol, { module: whole }: CodeSymbol): boolean {
  return module.kind === "package" && whole.kind === "package" && module.partOf === whole.specifier;
}

function moduleKey({ module }: CodeSymbol): string {
  return module.kind === "package" ? module.specifier : `${module.package} ${module.path}`;
}

/** The width of the following text on the same line, up to the first possible break. */
function headWidth(parts: readonly Layout[], from: number): number {
  let width = 0;
  for (let index = from; index < parts.length; index += 1) {
    const part = parts[index] ?? "";
    if (typeof part === "string") {
      width += part.length;
    } else if (isRow(part)) {
      width += headWidth(part, 0);
      if (part.some((inner) => typeof inner !== "string")) {
        return width;
      }
    } else if (part.kind === "symbol") {
      width += part.text.length;
    } else if (part.kind === "block") {
      return width + headWidth(part.lines[0]?.parts ?? [], 0);
    } else {
      return width + (part.kind === "group" ? part.style.broken.open.length : 0);
    }
  }
  return width;
}
