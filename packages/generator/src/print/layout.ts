import type CodeBlockWriter from "code-block-writer";

/** Text that knows where it may break. A group stands on one line if it fits there, else each item gets its own. */
export type Layout = string | readonly Layout[] | Group | Lines;

export interface Group {
  readonly kind: "group";
  /** What stands around and between the items on one line … */
  readonly flat: { readonly open: string; readonly separator: string; readonly close: string };
  /** … and, when it breaks, before the items, before and after each item, and behind them. */
  readonly broken: { readonly open: string; readonly before: string; readonly after: string; readonly close: string };
  /** The last item, when broken, goes without `after`. */
  readonly lastBare?: true;
  readonly items: readonly Layout[];
  /** Never on one line. */
  readonly tall?: boolean;
  /** Breaks before anything that follows it on the line does. */
  readonly first?: true;
}

/** Lines that stay as they are, each on its own; what follows starts on a new line. */
export interface Lines {
  readonly kind: "lines";
  readonly lines: readonly string[];
}

/** Widest line that is laid out on purpose; a long literal may still go beyond it. */
export const lineWidth = 110;
const indentWidth = 2;

/** Writes a layout from the current place, at a given level of indentation. The writer is handed whole lines, indented. */
export class Page {
  readonly #writer: CodeBlockWriter;
  /** The line in the making. */
  #line = "";
  #level = 0;

  constructor(writer: CodeBlockWriter) {
    this.#writer = writer;
  }

  write(layout: Layout, reserve = 0): void {
    if (typeof layout === "string") {
      this.#text(layout);
    } else if (!("kind" in layout)) {
      for (let index = 0; index < layout.length; index += 1) {
        const part = layout[index] ?? "";
        if (typeof part === "string") this.#text(part);
        else this.write(part, reserve + widthBehind(layout, index));
      }
    } else if (layout.kind === "lines") {
      for (const line of layout.lines) this.line(line);
    } else {
      this.#group(layout, reserve);
    }
  }

  line(text = ""): void {
    this.#text(text);
    this.newLine();
  }

  newLine(): void {
    const line = this.#line.endsWith(" ") ? this.#line.trimEnd() : this.#line;
    if (line !== "") this.#writer.write(line);
    this.#writer.newLine();
    this.#line = "";
  }

  indented(block: () => void): void {
    this.#level += 1;
    block();
    this.#level -= 1;
  }

  /** How many columns are left for text at this level. */
  get width(): number {
    return lineWidth - this.#level * indentWidth;
  }

  #text(text: string): void {
    if (text === "") return;
    if (this.#line === "") this.#line = " ".repeat(this.#level * indentWidth);
    this.#line += text;
  }

  #group(group: Group, reserve: number): void {
    const column = this.#line === "" ? this.#level * indentWidth : this.#line.length;
    const flat = flatText(group, lineWidth - column - reserve);
    if (flat !== undefined) {
      this.#text(flat);
      return;
    }
    const { open, before, after, close } = group.broken;
    this.line(open);
    this.#level += 1;
    const last = group.items.length - 1;
    for (const [index, item] of group.items.entries()) {
      const behind = index === last && group.lastBare ? "" : after;
      this.#text(before);
      this.write(item, behind.length);
      this.#text(behind);
      if (index < last || close !== "") this.newLine();
    }
    this.#level -= 1;
    this.#text(close);
  }
}

/** The width that a part must leave for what follows it on the same line. */
function widthBehind(parts: readonly Layout[], index: number): number {
  const part = parts[index];
  const isFirst = part !== undefined && typeof part !== "string" && "first" in part && part.first === true;
  const whole = isFirst ? flatText(parts.slice(index + 1), lineWidth) : undefined;
  return whole?.length ?? headWidth(parts, index + 1);
}

/** The width of what follows on the same line, up to the first place where it may break. */
function headWidth(parts: readonly Layout[], from: number): number {
  let width = 0;
  for (let index = from; index < parts.length; index += 1) {
    const part = parts[index] ?? "";
    if (typeof part === "string") {
      width += part.length;
    } else if (!("kind" in part)) {
      width += headWidth(part, 0);
      if (part.some((inner) => typeof inner !== "string")) return width;
    } else {
      return width + (part.kind === "group" ? part.broken.open.length : 0);
    }
  }
  return width;
}

/** The layout on one line, or undefined when that takes more than `limit` columns or cannot be. */
function flatText(layout: Layout, limit: number): string | undefined {
  if (limit < 0) return undefined;
  if (typeof layout === "string") return layout.length <= limit ? layout : undefined;
  if (!("kind" in layout)) return joined(layout, { open: "", separator: "", close: "" }, limit);
  if (layout.kind === "lines" || layout.tall) return undefined;
  return joined(layout.items, layout.flat, limit);
}

function joined(items: readonly Layout[], around: Group["flat"], limit: number): string | undefined {
  let text = around.open;
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += around.separator;
    const part = flatText(items[index] ?? "", limit - text.length - around.close.length);
    if (part === undefined) return undefined;
    text += part;
  }
  return text.length + around.close.length <= limit ? text + around.close : undefined;
}
