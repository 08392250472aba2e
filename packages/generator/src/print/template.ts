import {
  argumentList,
  arrayItems,
  comment,
  createUseLayout,
  elementKey,
  Fragment,
  type GroupStyle,
  group,
  isRow,
  type Layout,
  type Line,
  objectEntries,
  parameterList,
  parentheses,
  restParameterList,
  typeArgumentList,
  typeMembers,
} from "./fragment.js";
import type { CodeSymbol } from "./symbols.js";

/**
 * A value that fills a hole in a template: code, a symbol to import, a list of code, or nothing. Strings are not
 * allowed.
 */
export type Hole = Fragment | CodeSymbol | readonly Fragment[] | undefined;

/**
 * The parsed templates, keyed by their array of fixed texts. JavaScript passes the same array each time it evaluates a
 * template.
 */
const parsedTemplates = new WeakMap<TemplateStringsArray, ParsedTemplate>();

/**
 * Makes code from a template that looks like the code: code`readonly ${key(name)}: ${type};`. If the content of
 * brackets does not fit on the line, it is divided into several lines. A hole can contain a list of fragments if it is
 * the only content of brackets or of a line; the line is then repeated for each fragment. A line with only empty holes
 * is left out, together with the blank line before it. A template of several lines begins with a line break, and its
 * indentation is relative to its first line.
 */
export function code(texts: TemplateStringsArray, ...holes: readonly Hole[]): Fragment {
  let template = parsedTemplates.get(texts);
  if (template === undefined) {
    template = parseTemplate(texts);
    parsedTemplates.set(texts, template);
  }
  if (template.word !== undefined) {
    return template.word;
  }
  if (template.lines.length > 1) {
    return new Fragment({ kind: "block", lines: fillLines(template, holes) });
  }
  return new Fragment(fillNodes(template.lines[0]?.nodes ?? [], holes));
}

/** Joins fragments with a blank line between them. Returns undefined if there are no fragments. */
export function separateByBlankLines(fragments: readonly Fragment[]): Fragment | undefined {
  const lines = fragments.flatMap(({ layout }, index): readonly Line[] => {
    const line = { level: 0, parts: [layout] };
    return index === 0 ? [line] : [{ level: 0, parts: [] }, line];
  });
  return lines.length === 0 ? undefined : new Fragment({ kind: "block", lines });
}

/** Makes the body of an interface: `{`, a line for each member, and `}`; `{}` if there are no members. */
export function typeBody(members: readonly Fragment[]): Fragment {
  if (members.length === 0) {
    return code`{}`;
  }
  return code`
    {
      ${members.map((member) => code`${member};`)}
    }`;
}

/** Puts a doc comment above code. */
export function addDocComment(text: string | undefined, fragment: Fragment): Fragment {
  const docComment = comment(text);
  if (docComment === undefined) {
    return fragment;
  }
  return code`
    ${docComment}
    ${fragment}`;
}

function fillLines(template: ParsedTemplate, holes: readonly Hole[]): readonly Line[] {
  const lines: Line[] = [];
  for (const { level, nodes } of template.lines) {
    const parts = fillNodes(nodes, holes);
    if (parts.length > 0 || nodes.length === 0) {
      lines.push({ level, parts });
    } else if (lines.at(-1)?.parts.length === 0) {
      lines.pop();
    }
  }
  return lines;
}

function fillNodes(nodes: readonly TemplateNode[], holes: readonly Hole[]): readonly Layout[] {
  const layouts: Layout[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node === undefined) {
      continue;
    }
    if (typeof node === "string") {
      layouts.push(node);
    } else if (typeof node === "number") {
      fillHole(layouts, holes[node], nodes.length === 1);
    } else {
      fillBrackets(layouts, node, holes);
    }
  }
  return layouts;
}

function fillHole(layouts: Layout[], hole: Hole, isOnSeparateLine: boolean): void {
  if (hole === undefined) {
    return;
  }
  if (hole instanceof Fragment) {
    layouts.push(hole.layout);
  } else if ("module" in hole) {
    layouts.push(createUseLayout(hole));
  } else if (!isOnSeparateLine) {
    throw new Error("In a template, a list must be in brackets or on a separate line.");
  } else if (hole.length > 0) {
    layouts.push({ kind: "block", lines: hole.map(({ layout }) => ({ level: 0, parts: [layout] })) });
  }
}

function fillBrackets(layouts: Layout[], { style, items: templates }: BracketsNode, holes: readonly Hole[]): void {
  const items: Layout[] = [];
  for (let index = 0; index < templates.length; index += 1) {
    fillItem(items, templates[index] ?? [], holes);
  }
  const lastItem = items.at(-1);
  if (lastItem === undefined) {
    if (style !== typeArgumentList) {
      layouts.push(`${style.onSeveralLines.open}${style.onSeveralLines.close}`);
    }
  } else if (
    (style === argumentList || style === parentheses) &&
    isBracketed(lastItem) &&
    templates.slice(0, -1).every((nodes) => isFixedOrLiteral(nodes, holes))
  ) {
    // If the only or last argument is an object or array, only that argument is divided into lines: `f(a, {` … `})`.
    layouts.push("(", ...items.flatMap((item, index) => (index === 0 ? [item] : [", ", item])), ")");
  } else {
    layouts.push(group(style, items));
  }
}

/**
 * Adds the layout of one item of a bracketed list to `items`. If the item is itself a list, adds the layout of each of
 * its fragments.
 */
function fillItem(items: Layout[], nodes: readonly TemplateNode[], holes: readonly Hole[]): void {
  const onlyNode = nodes.length === 1 ? nodes[0] : undefined;
  const hole = typeof onlyNode === "number" ? holes[onlyNode] : undefined;
  if (isList(hole)) {
    for (let index = 0; index < hole.length; index += 1) {
      items.push(hole[index]?.layout ?? "");
    }
    return;
  }
  const layouts = fillNodes(nodes, holes);
  if (layouts.length > 1) {
    items.push(layouts);
  } else if (layouts[0] !== undefined) {
    items.push(layouts[0]);
  }
}

function isList(hole: Hole): hole is readonly Fragment[] {
  return Array.isArray(hole);
}

/**
 * Whether an argument is fixed text or a literal. Such an argument stays on the line of the call if the last argument
 * is divided into lines.
 */
function isFixedOrLiteral(nodes: readonly TemplateNode[], holes: readonly Hole[]): boolean {
  return nodes.every((node) => {
    if (typeof node !== "number") {
      return typeof node === "string";
    }
    const hole = holes[node];
    return hole instanceof Fragment && (hole.kind === "literal" || hole.kind === "word");
  });
}

function isBracketed(layout: Layout): boolean {
  if (typeof layout === "string" || isRow(layout) || layout.kind !== "group") {
    return false;
  }
  return layout.style === objectEntries || layout.style === arrayItems;
}

/** A parsed template: lines in which each hole is represented by its number. */
interface ParsedTemplate {
  readonly lines: readonly ParsedLine[];
  /** The fragment of a template that is a single line without holes and brackets; undefined for any other template. */
  readonly word: Fragment | undefined;
}

interface ParsedLine {
  readonly level: number;
  readonly nodes: readonly TemplateNode[];
}

/** A part of a line in a template: text, the number of a hole, or brackets. */
type TemplateNode = string | number | BracketsNode;

interface BracketsNode {
  readonly style: GroupStyle;
  readonly items: readonly (readonly TemplateNode[])[];
}

/** Parses a template, which consists of fixed texts with holes between them. */
function parseTemplate(texts: readonly string[]): ParsedTemplate {
  const parser = new TemplateParser(texts[0] ?? "");
  for (const [index, text] of texts.entries()) {
    if (index > 0) {
      parser.addHole(index - 1);
    }
    parser.addText(text);
  }
  return parser.finish();
}

/**
 * Matches the marks that affect the layout: line breaks, brackets, separators. Does not match a brace at the end of a
 * line, or the `>` of `=>`.
 */
const layoutMarks = /\n *|[([]|<|\{ |[,;] |(?<!=)>|[)\]]| ?\}/g;

type OpeningBracket = "(" | "[" | "<" | "{";

interface OpenBrackets {
  readonly bracket: OpeningBracket;
  readonly items: (readonly TemplateNode[])[];
  /** The nodes before the bracket, on the same line or in the item of the enclosing brackets. */
  readonly nodesBefore: TemplateNode[];
  hasSemicolons: boolean;
}

class TemplateParser {
  /** The indentation of the first line; undefined for a template of one line. */
  readonly #baseIndent: number | undefined;
  readonly #lines: ParsedLine[] = [];
  readonly #openBrackets: OpenBrackets[] = [];
  /** The nodes of the current line or bracketed item. */
  #nodes: TemplateNode[] = [];
  #level = 0;

  constructor(first: string) {
    this.#baseIndent = /^\n( *)/.exec(first)?.[1]?.length;
  }

  addText(text: string): void {
    let start = 0;
    for (const match of text.matchAll(layoutMarks)) {
      const [mark] = match;
      if (!this.#isStructure(mark)) {
        continue;
      }
      if (match.index > start) {
        this.#nodes.push(text.slice(start, match.index));
      }
      start = match.index + mark.length;
      this.#readMark(mark, text.slice(start));
    }
    if (start < text.length) {
      this.#nodes.push(text.slice(start));
    }
  }

  addHole(index: number): void {
    this.#nodes.push(index);
  }

  finish(): ParsedTemplate {
    const unclosedBracket = this.#openBrackets.at(-1);
    if (unclosedBracket !== undefined) {
      throw new Error(`The template does not close the bracket ${unclosedBracket.bracket}.`);
    }
    if (this.#nodes.length > 0) {
      this.#endLine();
    }
    const nodes = this.#lines.length === 1 ? (this.#lines[0]?.nodes ?? []) : [];
    const word = nodes.length === 1 && typeof nodes[0] === "string" ? new Fragment(nodes[0], "word") : undefined;
    return { lines: this.#lines, word };
  }

  /**
   * Whether a mark affects the layout at its position. Commas, semicolons and closing braces affect it only inside
   * brackets.
   */
  #isStructure(mark: string): boolean {
    if (mark.startsWith(",") || mark.startsWith(";")) {
      return this.#openBrackets.length > 0;
    }
    return mark.endsWith("}") ? this.#openBrackets.at(-1)?.bracket === "{" : true;
  }

  #readMark(mark: string, followingText: string): void {
    const sign = mark.trim();
    switch (sign) {
      case "":
        this.#startLine(mark.length - 1);
        break;
      case "(":
      case "[":
      case "<":
      case "{":
        this.#openBrackets.push({ bracket: sign, items: [], nodesBefore: this.#nodes, hasSemicolons: false });
        this.#nodes = [];
        break;
      case ",":
      case ";":
        this.#endItem(sign === ";");
        break;
      default:
        this.#closeBracket(followingText);
    }
  }

  #startLine(indentation: number): void {
    if (this.#openBrackets.length > 0) {
      throw new Error("A template must close a bracket on the line that opens it.");
    }
    if (this.#baseIndent === undefined) {
      throw new Error("A template of several lines must begin with a line break.");
    }
    if (this.#lines.length > 0 || this.#nodes.length > 0) {
      this.#endLine();
    }
    this.#level = (indentation - this.#baseIndent) / 2;
  }

  #endLine(): void {
    this.#lines.push({ level: this.#level, nodes: this.#nodes });
    this.#nodes = [];
  }

  #endItem(isSemicolon: boolean): void {
    const brackets = this.#openBrackets.at(-1);
    if (brackets === undefined) {
      return;
    }
    brackets.hasSemicolons ||= isSemicolon;
    if (this.#nodes.length > 0) {
      brackets.items.push(this.#nodes);
    }
    this.#nodes = [];
  }

  #closeBracket(followingText: string): void {
    this.#endItem(false);
    const brackets = this.#openBrackets.pop();
    if (brackets === undefined) {
      throw new Error("The template closes a bracket that it does not open.");
    }
    this.#nodes = brackets.nodesBefore;
    this.#nodes.push({ style: getStyle(brackets, followingText), items: brackets.items });
  }
}

function getStyle(brackets: OpenBrackets, followingText: string): GroupStyle {
  switch (brackets.bracket) {
    case "<":
      return typeArgumentList;
    case "[":
      return followsValue(brackets) || followingText.startsWith(":") ? elementKey : arrayItems;
    case "{":
      return brackets.hasSemicolons ? typeMembers : objectEntries;
    case "(":
      return getStyleInParentheses(brackets, followingText);
  }
}

/**
 * Returns the style of a list in parentheses. TypeScript allows a comma after the last parameter or argument, but not
 * after a rest parameter, or a value in parentheses.
 */
function getStyleInParentheses(brackets: OpenBrackets, followingText: string): GroupStyle {
  const lastPart = brackets.items.at(-1)?.[0];
  const hasRest = typeof lastPart === "string" && lastPart.startsWith("...");
  if (followingText.startsWith(":") || followingText.startsWith(" {")) {
    return hasRest ? restParameterList : parameterList;
  }
  if (followingText.startsWith(" =>")) {
    return hasRest ? parentheses : argumentList;
  }
  return followsValue(brackets) ? argumentList : parentheses;
}

/**
 * Whether the brackets follow a name or a value, as in a call or an index access. `import` does not count as a value.
 */
function followsValue({ nodesBefore }: OpenBrackets): boolean {
  const lastNode = nodesBefore.at(-1);
  return typeof lastNode === "string"
    ? /[\w$)\]>]$/.test(lastNode) && !/\bimport$/.test(lastNode)
    : lastNode !== undefined;
}
