import type { Span } from "../../source/span.js";
import type { Shape } from "./shape.js";

/** The options that every client has: nothing that a schema adds to them may have one of these names. */
export const clientOptions: Readonly<Record<"soap" | "rest", readonly string[]>> = {
  soap: (
    "timeout signal headers authorization hooks limits retries transport connectTimeout agent proxy tls maxSockets maxQueued " +
    "baseUrl address protocol wireNames unknown illegalCharacters"
  ).split(" "),
  rest: (
    "timeout signal headers authorization hooks limits retries transport connectTimeout agent proxy tls maxSockets maxQueued " +
    "siteUrl wireNames plainPermalinks validate"
  ).split(" "),
};

/** Reports a name that would take the place of a client's own option. */
export function checkOptionName(
  shape: Shape,
  name: string,
  at: { readonly of: "soap" | "rest"; readonly span: Span },
): void {
  if (!clientOptions[at.of].includes(name)) return;
  shape.diagnostics.error("CFG015", at.span, { message: `"${name}" is an option that every client has.` });
}
