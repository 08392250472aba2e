import type { Span } from "../source/span.js";

/** Text for people, as the schema gives it. It reaches code only through `print`'s `comment()`. */
export type Documentation = string | undefined;

/** What every thing of the contract has. */
export interface Node {
  readonly span: Span;
  readonly documentation: Documentation;
}
