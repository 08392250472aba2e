import { commentLines } from "./escape.js";
import { type Group, isRow, type Layout } from "./fragment.js";

/** The widest line that is laid out on purpose; a long literal may still be wider. */
const lineWidth = 110;
/** The width of comments inside of objects. */
const narrowWidth = 90;
const indentWidth = 2;

/** The text of a file in the making. */
export class Page {
  #text = "";
  /** The line in the making. */
  #line = "";
  #level = 0;
  /** How many groups the current place is inside of. */
  #groups = 0;

  /** The lines that are complete. */
  get text(): string {
    return this.#text;
  }

  /** Writes a layout from the current place on. `reserve` is the width that must be left on its last line. */
  write(layout: Layout, reserve = 0): void {
    if (typeof layout === "string") {
      this.#append(layout);
    } else if (isRow(layout)) {
      this.#row(layout, reserve);
    } else if (layout.kind === "symbol") {
      this.#append(layout.text);
    } else if (layout.kind === "group") {
      this.#group(layout, reserve);
    } else if (layout.kind === "comment") {
      const width = this.#groups > 0 ? narrowWidth : lineWidth - this.#level * indentWidth;
      this.#linesOf(commentLines(layout.text, width), (line) => this.#append(line));
    } else {
      const base = this.#level;
      this.#linesOf(layout.lines, ({ level, parts }, isLast) => {
        this.#level = base + level;
        this.#row(parts, isLast ? reserve : 0);
      });
      this.#level = base;
    }
  }

  /** Writes a layout on lines of its own. */
  writeLine(layout: Layout): void {
    this.write(layout);
    this.newLine();
  }

  newLine(): void {
    this.#text += this.#line.endsWith(" ") ? `${this.#line.trimEnd()}\n` : `${this.#line}\n`;
    this.#line = "";
  }

  #append(text: string): void {
    if (text === "") {
      return;
    }
    this.#line = this.#line === "" ? " ".repeat(this.#level * indentWidth) + text : this.#line + text;
  }

  #linesOf<Line>(lines: readonly Line[], write: (line: Line, isLast: boolean) => void): void {
    lines.forEach((line, index) => {
      if (index > 0) {
        this.newLine();
      }
      write(line, index === lines.length - 1);
    });
  }

  #row(parts: readonly Layout[], reserve: number): void {
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index] ?? "";
      if (typeof part === "string") {
        this.#append(part);
      } else {
        this.write(part, reserve + widthBehind(parts, index));
      }
    }
  }

  #group(group: Group, reserve: number): void {
    const { style, items } = group;
    const column = this.#line === "" ? this.#level * indentWidth : this.#line.length;
    const flat = flatText(group, lineWidth - column - reserve);
    if (flat !== undefined) {
      this.#append(flat);
      return;
    }
    const { open, before, after, close } = style.broken;
    this.#append(open);
    this.newLine();
    this.#level += 1;
    this.#groups += 1;
    const last = items.length - 1;
    for (const [index, item] of items.entries()) {
      const behind = index === last && style.lastBare ? "" : after;
      this.#append(before);
      this.write(item, behind.length);
      this.#append(behind);
      if (index < last || close !== "") {
        this.newLine();
      }
    }
    this.#groups -= 1;
    this.#level -= 1;
    this.#append(close);
  }
}

/** The width that a part must leave for what follows it on the same line. */
function widthBehind(parts: readonly Layout[], index: number): number {
  const part = parts[index];
  const breaksFirst =
    typeof part === "object" && !isRow(part) && part.kind === "group" && part.style.breaksFirst === true;
  const whole = breaksFirst ? flatText(parts.slice(index + 1), lineWidth) : undefined;
  return whole?.length ?? headWidth(parts, index + 1);
}

/** The width of what follows on the same line, up to the first place where it may break. */
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

/** The layout on one line; undefined where it takes more than `limit` columns, or has lines of its own. */
function flatText(layout: Layout, limit: number): string | undefined {
  if (limit < 0) {
    return undefined;
  }
  if (typeof layout === "string") {
    return layout.length <= limit ? layout : undefined;
  }
  if (isRow(layout)) {
    return joined(layout, row, limit);
  }
  if (layout.kind === "symbol") {
    return layout.text.length <= limit ? layout.text : undefined;
  }
  if (layout.kind === "group") {
    return joined(layout.items, layout.style.flat, limit);
  }
  const [line, ...others] = layout.kind === "block" ? layout.lines : [];
  return line === undefined || others.length > 0 ? undefined : joined(line.parts, row, limit);
}

const row: Group["style"]["flat"] = { open: "", separator: "", close: "" };

function joined(items: readonly Layout[], around: Group["style"]["flat"], limit: number): string | undefined {
  let text = around.open;
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) {
      text += around.separator;
    }
    const part = flatText(items[index] ?? "", limit - text.length - around.close.length);
    if (part === undefined) {
      return undefined;
    }
    text += part;
  }
  return text.length + around.close.length <= limit ? text + around.close : undefined;
}
