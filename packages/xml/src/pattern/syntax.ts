import type { CharacterClass } from "./character-class.js";

/** A pattern as a tree: what both dialects are parsed to. */
export type PatternNode =
  | { readonly kind: "class"; readonly class: CharacterClass }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly part: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly offset: number;
    };
