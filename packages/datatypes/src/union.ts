import { LexicalError } from "./lexical-error.js";
import { literalValue } from "./literal.js";
import { restriction } from "./restriction.js";
import {
  emptyContext,
  type FacetUse,
  isLexical,
  type LexicalType,
  refusal,
  type SimpleType,
  type TextContext,
  traitsOf,
} from "./simple-type.js";
import { normalizeWhiteSpace } from "./white-space.js";

/** Derivation by union (XSD 1.0 Part 2 §2.5.1.3): the first member that reads a text, or accepts a value, decides. */
export function union(
  of: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
): SimpleType<unknown> {
  const type = unionOf(of, name);
  return facets.length === 0 ? type : restriction([type], facets, name);
}

function unionOf(members: readonly SimpleType<unknown>[], name: string): LexicalType<unknown> {
  return {
    kind: "simple",
    name,
    // Each member normalises by its own facet.
    whiteSpace: "preserve",
    traits: {
      key: (value) => traitsOf(memberOf(members, value) ?? refuse(value, name)).key(value),
      literal: (text) => firstOf(members, (member) => literalValue(member, text)) ?? refuse(text, name),
    },
    read: (text, context) =>
      (firstOf(members, (member) => ({ value: readAs(member, text, context) })) ?? refuse(text, name)).value,
    write: (value, context) => firstOf(members, (member) => member.write(value, context)) ?? refuse(value, name),
    memberText: (text, context) =>
      firstOf(members, (member) => {
        readAs(member, text, context);
        return normalized(member, text, context);
      }) ?? refuse(text, name),
  };
}

/** Which member a value is of does not hang on what prefix a name would have. */
const anyPrefix: TextContext = { ...emptyContext, prefixFor: () => "p" };

function refuse(value: unknown, name: string): never {
  throw refusal(value, name);
}

function readAs(member: SimpleType<unknown>, text: string, context: TextContext): unknown {
  return member.read(normalizeWhiteSpace(text, member.whiteSpace), context);
}

function normalized(member: SimpleType<unknown>, text: string, context: TextContext): string {
  return isLexical(member) && member.memberText !== undefined
    ? member.memberText(text, context)
    : normalizeWhiteSpace(text, member.whiteSpace);
}

function memberOf(members: readonly SimpleType<unknown>[], value: unknown): SimpleType<unknown> | undefined {
  return firstOf(members, (member) => {
    member.write(value, anyPrefix);
    return member;
  });
}

/** What the first member answers that does not refuse. */
function firstOf<R>(members: readonly SimpleType<unknown>[], ask: (member: SimpleType<unknown>) => R): R | undefined {
  for (const member of members) {
    try {
      return ask(member);
    } catch (error) {
      if (!(error instanceof LexicalError)) {
        throw error;
      }
    }
  }
  return undefined;
}
