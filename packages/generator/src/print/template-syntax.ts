import type { GroupStyle } from "./fragment.js";
import { argumentList, arrayItems, objectEntries, parameterList, typeArgumentList, typeMembers } from "./fragment.js";

/** The fixed part of a template: its lines, with the holes by number. */
export interface ParsedTemplate {
  readonly lines: readonly ParsedLine[];
}

export interface ParsedLine {
  readonly level: number;
  readonly nodes: readonly TemplateNode[];
}

/** Text, the number of a hole, or brackets. */
export type TemplateNode = string | number | BracketsNode;

export interface BracketsNode {
  readonly style: GroupStyle;
  readonly items: readonly (readonly TemplateNode[])[];
}

/** Reads the fixed texts of a template, between which there are holes. */
export function parseTemplate(texts: readonly string[]): ParsedTemplate {
  const parser = new TemplateParser(texts[0] ?? "");
  for (const [index, text] of texts.entries()) {
    if (index > 0) {
      parser.hole(index - 1);
    }
    parser.text(text);
  }
  return parser.finish();
}

/** What has a meaning for layout. A brace with a line end behind it, and the arrow of a function, have none. */
const marks = /\n *|[([]|<|\{ |[,;] |(?<!=)>|[)\]]| ?\}/g;

type OpeningBracket = "(" | "[" | "<" | "{";

interface OpenBrackets {
  readonly bracket: OpeningBracket;
  readonly items: (readonly TemplateNode[])[];
  /** The nodes before the bracket, on the line or in the item around. */
  readonly before: TemplateNode[];
  hasSemicolons: boolean;
}

class TemplateParser {
  /** The spaces before the first line; undefined for a template of one line. */
  readonly #margin: number | undefined;
  readonly #lines: ParsedLine[] = [];
  readonly #open: OpenBrackets[] = [];
  /** The nodes of the current line, or of the current item in brackets. */
  #nodes: TemplateNode[] = [];
  #level = 0;

  constructor(first: string) {
    this.#margin = /^\n( *)/.exec(first)?.[1]?.length;
  }

  text(text: string): void {
    let start = 0;
    for (const match of text.matchAll(marks)) {
      const [mark] = match;
      if (!this.#isStructure(mark)) {
        continue;
      }
      if (match.index > start) {
        this.#nodes.push(text.slice(start, match.index));
      }
      start = match.index + mark.length;
      this.#mark(mark, text.slice(start, start + 2));
    }
    if (start < text.length) {
      this.#nodes.push(text.slice(start));
    }
  }

  hole(index: number): void {
    this.#nodes.push(index);
  }

  finish(): ParsedTemplate {
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) {
      throw new Error(`The template does not close ${unclosed.bracket}.`);
    }
    if (this.#nodes.length > 0) {
      this.#endLine();
    }
    return { lines: this.#lines };
  }

  /** Commas, semicolons and closing braces are structure only inside of brackets that they can belong to. */
  #isStructure(mark: string): boolean {
    if (mark.startsWith(",") || mark.startsWith(";")) {
      return this.#open.length > 0;
    }
    return mark.endsWith("}") ? this.#open.at(-1)?.bracket === "{" : true;
  }

  #mark(mark: string, behind: string): void {
    const sign = mark.trim();
    switch (sign) {
      case "":
        this.#newLine(mark.length - 1);
        break;
      case "(":
      case "[":
      case "<":
      case "{":
        this.#open.push({ bracket: sign, items: [], before: this.#nodes, hasSemicolons: false });
        this.#nodes = [];
        break;
      case ",":
      case ";":
        this.#endItem(sign === ";");
        break;
      default:
        this.#close(behind.startsWith(":") || behind === " {");
    }
  }

  #newLine(indentation: number): void {
    if (this.#open.length > 0) {
      throw new Error("A template closes its brackets on the line that opens them.");
    }
    if (this.#margin === undefined) {
      throw new Error("A template of several lines begins with a line end.");
    }
    if (this.#lines.length > 0 || this.#nodes.length > 0) {
      this.#endLine();
    }
    this.#level = (indentation - this.#margin) / 2;
  }

  #endLine(): void {
    this.#lines.push({ level: this.#level, nodes: this.#nodes });
    this.#nodes = [];
  }

  #endItem(isSemicolon: boolean): void {
    const brackets = this.#open.at(-1);
    if (brackets === undefined) {
      return;
    }
    brackets.hasSemicolons ||= isSemicolon;
    if (this.#nodes.length > 0) {
      brackets.items.push(this.#nodes);
    }
    this.#nodes = [];
  }

  #close(isSignature: boolean): void {
    this.#endItem(false);
    const brackets = this.#open.pop();
    if (brackets === undefined) {
      throw new Error("The template closes a bracket that it does not open.");
    }
    this.#nodes = brackets.before;
    this.#nodes.push({ style: styleOf(brackets, isSignature), items: brackets.items });
  }
}

function styleOf({ bracket, hasSemicolons }: OpenBrackets, isSignature: boolean): GroupStyle {
  switch (bracket) {
    case "<":
      return typeArgumentList;
    case "[":
      return arrayItems;
    case "{":
      return hasSemicolons ? typeMembers : objectEntries;
    case "(":
      return isSignature ? parameterList : argumentList;
  }
}
