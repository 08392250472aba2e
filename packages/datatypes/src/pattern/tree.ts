import type { CharacterClass } from "./character-class.js";

/** A pattern as a tree: what both dialects are parsed to. */
export type PatternNode =
  | ClassNode
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | RepeatNode
  | CaptureNode
  | EdgeNode;

export interface ClassNode {
  readonly kind: "class";
  readonly class: CharacterClass;
  /** The one character that it was written as; absent: it stands for several. */
  readonly character?: string;
  /** It is `.`, any character. */
  readonly isDot?: true;
}

export interface RepeatNode {
  readonly kind: "repeat";
  readonly part: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly offset: number;
  /** Few are taken before many. It matters to captures alone. */
  readonly lazy?: boolean;
}

/** A named group: `start` and `end` are those of the whole, `from` and `to` of the pattern inside. */
export interface CaptureNode {
  readonly kind: "capture";
  readonly name: string;
  readonly part: PatternNode;
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** `^` or `$`; resolved before an automaton is built. */
export interface EdgeNode {
  readonly kind: "edge";
  readonly edge: "start" | "end";
  readonly offset: number;
}
