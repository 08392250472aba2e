import type { ConfiguredName } from "../../model/config.js";
import type { JsonMember } from "../../source/json.js";
import type { Span } from "../../source/span.js";
import type { ConfigEntry, ConfigText } from "./shape.js";

/** What the readers of both kinds are given. */
export interface InterfaceParts {
  readonly name: string;
  readonly folder: string;
  readonly span: Span;
  readonly members: ReadonlyMap<string, JsonMember>;
}

/** Texts as named, located things. */
export function named(
  texts: readonly ConfigText[],
): readonly { readonly name: string; readonly span: ConfigText["span"] }[] {
  return texts.map(({ text, span }) => ({ name: text, span }));
}

/** The other names of things, by their names on the wire. */
export function namedMap(texts: ReadonlyMap<string, ConfigEntry>): ReadonlyMap<string, ConfiguredName> {
  return new Map([...texts].map(([key, { text, span, keySpan }]) => [key, { name: text, span, keySpan }]));
}
