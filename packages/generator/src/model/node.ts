import type { Span } from "../source/span.js";

/** Documentation from the schema, verbatim. Only `comment()` in `print` may write it into code. */
export type Documentation = string | undefined;

/** The properties of every part of the Contract. */
export interface Node {
  readonly span: Span;
  readonly documentation: Documentation;
}
