import { escapeText } from "@bothends/xml";
import { type Content, html } from "./html.js";

/** A piece of a sample: text as it is sent, or a word that stands for a value. */
export type SamplePiece = string | { readonly value: string };

/** An element of a sample message, its tags written. */
export interface SampleElement {
  /** Without its `>`. */
  readonly start: readonly SamplePiece[];
  readonly name: string;
  readonly content: readonly SampleNode[] | SamplePiece;
}
export type SampleNode = SampleElement | { readonly comment: string };

/** Elements on lines of their own, two spaces deeper than what holds them. */
export function layout(nodes: readonly SampleNode[], depth = 0): readonly SamplePiece[] {
  return nodes.flatMap((node): readonly SamplePiece[] => {
    const indent = "  ".repeat(depth);
    if ("comment" in node) return [`${indent}<!-- ${node.comment.replaceAll("--", "- -")} -->\n`];
    const { start, name, content } = node;
    if (!isNodes(content)) return [indent, ...start, ">", escaped(content), `</${name}>\n`];
    if (content.length === 0) return [indent, ...start, " />\n"];
    return [indent, ...start, ">\n", ...layout(content, depth + 1), `${indent}</${name}>\n`];
  });
}

function escaped(content: SamplePiece): SamplePiece {
  return typeof content === "string" ? escapeText(content) : { value: escapeText(content.value) };
}

function isNodes(content: SampleElement["content"]): content is readonly SampleNode[] {
  return Array.isArray(content);
}

/** A sample as the text that a person edits. */
export function sampleText(pieces: readonly SamplePiece[]): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
}

/** A sample as a block of a page; what stands for values is marked. */
export function sampleBlock(pieces: readonly SamplePiece[]): Content {
  const last = pieces.at(-1);
  const shown = typeof last === "string" ? [...pieces.slice(0, -1), last.trimEnd()] : pieces;
  return html`<pre>${shown.map((piece) => (typeof piece === "string" ? piece : html`<var>${piece.value}</var>`))}</pre>`;
}
