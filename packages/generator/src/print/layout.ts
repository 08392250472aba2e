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

/** Writes a layout from the current place, at a given level of indentation. */
export class Page {
  readonly #writer: CodeBlockWriter;
  #column = 0;
  #level = 0;
  /** Spaces that are written once something follows them on the line. */
  #spaces = "";

  constructor(writer: CodeBlockWriter) {
    this.#writer = writer;
  }

  write(layout: Layout, reserve = 0): void {
    if (typeof layout === "string") {
      this.#text(layout);
    } else if (!("kind" in layout)) {
      layout.forEach((part, index) => {
        this.write(part, typeof part === "string" ? 0 : reserve + widthBehind(layout, index));
      });
    } else if (layout.kind === "lines") {
      for (const line of layout.lines) this.line(line);
    } else {
      this.#group(layout, reserve);
    }
  }

  line(text = ""): void {
    if (text !== "") this.#text(text);
    this.newLine();
  }

  newLine(): void {
    this.#spaces = "";
    this.#writer.newLine();
    this.#column = 0;
  }

  indented(block: () => void): void {
    this.#level += 1;
    this.#writer.withIndentationLevel(this.#level, block);
    this.#level -= 1;
  }

  /** How many columns are left for text at this level. */
  get width(): number {
    return lineWidth - this.#level * indentWidth;
  }

  #text(text: string): void {
    if (text === "") return;
    if (this.#column === 0) this.#column = this.#level * indentWidth;
    this.#column += text.length;
    const trimmed = text.endsWith(" ") ? text.trimEnd() : text;
    if (trimmed !== "") this.#writer.write(this.#spaces + trimmed);
    this.#spaces = (trimmed === "" ? this.#spaces : "") + text.slice(trimmed.length);
  }

  #group(group: Group, reserve: number): void {
    const column = this.#column === 0 ? this.#level * indentWidth : this.#column;
    const flat = flatText(group, lineWidth - column - reserve);
    if (flat !== undefined) {
      this.#text(flat);
      return;
    }
    const { open, before, after, close } = group.broken;
    this.#text(open);
    this.newLine();
    this.indented(() => {
      group.items.forEach((item, index) => {
        const last = index === group.items.length - 1;
        const tail = last && group.lastBare ? "" : after;
        this.write([before, item, tail]);
        if (!last || close !== "") this.newLine();
      });
    });
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
  for (const part of parts.slice(from)) {
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
  for (const [index, item] of items.entries()) {
    if (index > 0) text += around.separator;
    const part = flatText(item, limit - text.length - around.close.length);
    if (part === undefined) return undefined;
    text += part;
  }
  return text.length + around.close.length <= limit ? text + around.close : undefined;
}
