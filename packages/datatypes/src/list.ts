import { LexicalError } from "./lexical-error.js";
import { literalValue } from "./literal.js";
import { restriction } from "./restriction.js";
import {
  type FacetUse,
  type LexicalType,
  refusal,
  type SimpleType,
  shown,
  type TextContext,
  traitsOf,
} from "./simple-type.js";
import { normalizeWhiteSpace, splitItems } from "./white-space.js";

/** Derivation by list (XSD 1.0 Part 2 §2.5.1.2): items of one type, separated by white space. */
export function list(
  of: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
): SimpleType<unknown> {
  const [item] = of;
  if (item === undefined) {
    throw new TypeError(`The list ${name} has no item type.`);
  }
  const type = listOf(item, name);
  return facets.length === 0 ? type : restriction([type], facets, name);
}

/** A list of items of the type. */
export function listOf<T>(item: SimpleType<T>, name: string): LexicalType<readonly T[]> {
  const traits = traitsOf(item);
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    traits: {
      key: (value) => `list:${JSON.stringify(value.map((each) => traits.key(each)))}`,
      length: (value) => value.length,
      literal: (text) => splitItems(text).map((each) => literalValue(item, each)),
    },
    read: (text, context) =>
      splitItems(text).map((each) => item.read(normalizeWhiteSpace(each, item.whiteSpace), context)),
    write(value: unknown, context) {
      if (!Array.isArray(value)) {
        throw refusal(value, name);
      }
      return value.map((each) => writeItem(item, each, context)).join(" ");
    },
  };
}

function writeItem<T>(item: SimpleType<T>, value: T, context: TextContext): string {
  const text = item.write(value, context);
  if (text === "" || /[ \t\n\r]/.test(text)) {
    throw new LexicalError(`${shown(text)} cannot be an item of a list: white space separates items.`);
  }
  return text;
}

/** The built-in lists NMTOKENS, IDREFS and ENTITIES have at least one item (XSD 1.0 Part 2 §3.3.5). */
export function nonEmptyListOf(item: SimpleType<string>, name: string): LexicalType<readonly string[]> {
  const any = listOf(item, name);
  return {
    ...any,
    read(text, context) {
      const items = any.read(text, context);
      if (items.length === 0) {
        throw refusal(text, name);
      }
      return items;
    },
    write(value, context) {
      const text = any.write(value, context);
      if (text === "") {
        throw new LexicalError(`An empty array is not ${name}: at least one item is needed.`);
      }
      return text;
    },
  };
}
