import type { WireName } from "./names.js";

/**
 * The pieces of an element's tags. An element redeclares the default namespace if its namespace differs from its parent's, so the
 * tags depend only on the parent's namespace.
 */
export interface Tag {
  readonly name: WireName;
  /** `<State` */
  readonly start: string;
  /** ` xmlns="…"`, or empty. */
  readonly scope: string;
  /** `<State xmlns="…">` */
  readonly open: string;
  /** `</State>` */
  readonly close: string;
  /** `<State xmlns="…" />` */
  readonly empty: string;
  /** `<State xsi:nil="true" xmlns="…" />` */
  readonly nil: string;
}

interface TagInit {
  /** The namespace of the parent. */
  readonly scope: string;
  readonly escapeAttribute: (text: string) => string;
  /** Further declarations, as text. Default: none. */
  readonly declarations?: string;
}

/** Creates the tags of an element. */
export function createTag({ namespace, local }: WireName, { scope, escapeAttribute, declarations = "" }: TagInit): Tag {
  // `join` creates flat strings. Concatenated strings would be flattened again for every message.
  const flatString = (...parts: readonly string[]): string => parts.join("");
  const start = flatString("<", local, declarations);
  const defaultNamespace = namespace === scope ? "" : flatString(' xmlns="', escapeAttribute(namespace), '"');
  return {
    name: { namespace, local },
    start,
    scope: defaultNamespace,
    open: flatString(start, defaultNamespace, ">"),
    close: flatString("</", local, ">"),
    empty: flatString(start, defaultNamespace, " />"),
    nil: flatString(start, ' xsi:nil="true"', defaultNamespace, " />"),
  };
}
