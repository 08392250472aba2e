import type { Span } from "../source/span.js";

/** Documentation from the schema, verbatim. Only `comment()` in `print` may write it into code. */
export type Documentation = string | undefined;

/** The properties that all nodes of the Contract have. */
export interface Node {
  readonly span: Span;
  readonly documentation: Documentation;
}
