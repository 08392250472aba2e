import type { WireName } from "./resolved-types.js";

// This module is used by `QuickEncoder` and `Encoder`. It imports only a type, so that `QuickEncoder` does not load the
// code of `Encoder`.

/**
 * The prepared text of an element's tags. An element redeclares the default namespace if its namespace differs from its
 * parent's, so the tags depend only on the parent's namespace.
 */
export interface Tag {
  readonly name: WireName;
  /** The beginning of the start tag: `<State`. */
  readonly start: string;
  /** The declaration of the default namespace, ` xmlns="…"`, or empty. */
  readonly xmlns: string;
  /** The start tag: `<State xmlns="…">`. */
  readonly open: string;
  /** The end tag: `</State>`. */
  readonly close: string;
  /** The tag of an empty element: `<State xmlns="…" />`. */
  readonly empty: string;
  /** The tag of a nil element: `<State xsi:nil="true" xmlns="…" />`. */
  readonly nil: string;
}

interface TagInit {
  /** The default namespace where the element appears. */
  readonly defaultNamespace: string;
  readonly escapeAttribute: (text: string) => string;
  /** Further namespace declarations for the start tag, as text: ` xmlns:xsi="…"`. Default: none. */
  readonly declarations?: string;
}

/** Creates the tags of an element. */
export function createTag(
  { namespace, localName }: WireName,
  { defaultNamespace, escapeAttribute, declarations = "" }: TagInit,
): Tag {
  // `join` creates flat strings. Concatenated strings would be flattened again for every message.
  const joinFlat = (...parts: readonly string[]): string => parts.join("");
  const start = joinFlat("<", localName, declarations);
  const xmlns = namespace === defaultNamespace ? "" : joinFlat(' xmlns="', escapeAttribute(namespace), '"');
  return {
    name: { namespace, localName },
    start,
    xmlns,
    open: joinFlat(start, xmlns, ">"),
    close: joinFlat("</", localName, ">"),
    empty: joinFlat(start, xmlns, " />"),
    nil: joinFlat(start, ' xsi:nil="true"', xmlns, " />"),
  };
}
