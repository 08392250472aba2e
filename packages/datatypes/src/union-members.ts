import { LexicalError } from "./lexical-error.js";
import {
  type Datatype,
  type FacetCheck,
  normalizeWhiteSpace,
  type SimpleType,
  splitItems,
  type TextContext,
} from "./simple-type.js";
import { isDatatype } from "./value-space.js";

// Unions try their member types without exceptions: a message can have very many values that several member types
// reject, and V8 takes 2.5 µs to create an error with its stack.

/** Returns the first problem that one of the checks finds; undefined for a valid value. */
export function findFirstProblem(
  checks: readonly FacetCheck[],
  value: unknown,
  { text, context }: { readonly text: string; readonly context: TextContext },
): string | undefined {
  for (const check of checks) {
    const problem = check.problem(value, text, context);
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

/** The result of `tryRead` and `tryWrite` for text or a value that the type does not accept. */
const rejected = Symbol("rejected");

/** Reads text that the type may not accept. Returns `rejected` instead of throwing. */
function tryRead(type: SimpleType<unknown>, textWithSpaces: string, context: TextContext): unknown {
  const text = normalizeWhiteSpace(textWithSpaces, type.whiteSpace);
  if (isDatatype(type)) {
    const { accepts, base, checks, item, members } = type;
    if (accepts?.(text, context) === false) {
      return rejected;
    }
    if (base !== undefined && checks !== undefined) {
      const value = tryRead(base, text, context);
      return value === rejected ||
        findFirstProblem(checks, value, { text: type.memberText?.(text, context) ?? text, context }) !== undefined
        ? rejected
        : value;
    }
    if (item !== undefined && text !== "") {
      return tryReadItems(item, text, context);
    }
    if (members !== undefined) {
      return tryReadMember(members, text, context)?.value ?? rejected;
    }
  }
  try {
    return type.read(text, context);
  } catch (error) {
    if (error instanceof LexicalError) {
      return rejected;
    }
    throw error;
  }
}

function tryReadItems(item: SimpleType<unknown>, text: string, context: TextContext): unknown {
  const values: unknown[] = [];
  for (const itemText of splitItems(text)) {
    const value = tryRead(item, itemText, context);
    if (value === rejected) {
      return rejected;
    }
    values.push(value);
  }
  return values;
}

/** The member type that read some text, and the value. */
export interface ReadMember {
  readonly member: SimpleType<unknown>;
  readonly value: unknown;
}

/** Reads text with the first of several types that accepts it. Returns undefined if none does. */
export function tryReadMember(
  members: readonly SimpleType<unknown>[],
  text: string,
  context: TextContext,
): ReadMember | undefined {
  for (const member of members) {
    const value = tryRead(member, text, context);
    if (value !== rejected) {
      return { member, value };
    }
  }
  return undefined;
}

/** How a union looks for the member type that writes a value. */
export interface WriteRules {
  readonly context: TextContext;
  /**
   * Whether the text is needed. If not, patterns of types whose values have several forms are not checked: they decide
   * about the form of the text, and thousands of forms may have to be tried.
   */
  readonly needsText: boolean;
}

/** The member type that writes a value, and the text. */
export interface WrittenMember {
  readonly member: SimpleType<unknown>;
  readonly text: string;
}

/** Writes a value with the first of several types that accepts it. Returns undefined if none does. */
export function tryWriteMember(
  members: readonly SimpleType<unknown>[],
  value: unknown,
  rules: WriteRules,
): WrittenMember | undefined {
  for (const member of members) {
    const text = tryWrite(member, value, rules);
    if (text !== rejected) {
      return { member, text };
    }
  }
  return undefined;
}

/** Writes a value that the type may not accept. Returns `rejected` instead of throwing. */
function tryWrite(type: SimpleType<unknown>, value: unknown, rules: WriteRules): string | typeof rejected {
  const { context } = rules;
  if (isDatatype(type)) {
    const { base, item, members, mayWrite } = type;
    if (base !== undefined) {
      return tryWriteRestricted(type, base, value, rules);
    }
    if (item !== undefined && !Array.isArray(value)) {
      return rejected;
    }
    // The method `write` of a list refuses an empty list if the list must have items.
    if (item !== undefined && Array.isArray(value) && value.length > 0) {
      return tryWriteItems(item, value, rules);
    }
    if (members !== undefined) {
      return tryWriteMember(members, value, rules)?.text ?? rejected;
    }
    if (item === undefined && !(mayWrite?.(value) ?? mayWriteText(type, value, context))) {
      return rejected;
    }
  }
  try {
    return type.write(value, context);
  } catch (error) {
    if (error instanceof LexicalError) {
      return rejected;
    }
    throw error;
  }
}

/** Whether a type whose values are strings can write a value. */
function mayWriteText({ accepts, whiteSpace }: Datatype<unknown>, value: unknown, context: TextContext): boolean {
  return (
    typeof value === "string" && normalizeWhiteSpace(value, whiteSpace) === value && accepts?.(value, context) !== false
  );
}

/** Writes a value with a restriction, as its method `write` does. */
function tryWriteRestricted(
  type: Datatype<unknown>,
  base: SimpleType<unknown>,
  value: unknown,
  rules: WriteRules,
): string | typeof rejected {
  const { context, needsText } = rules;
  const { whiteSpace, checks = [], textChecks = [] } = type;
  const text = tryWrite(base, value, rules);
  if (text === rejected || (whiteSpace !== base.whiteSpace && normalizeWhiteSpace(text, whiteSpace) !== text)) {
    return rejected;
  }
  const valueChecks = textChecks.length === 0 ? checks : checks.filter((check) => !textChecks.includes(check));
  if (findFirstProblem(valueChecks, value, { text, context }) !== undefined) {
    return rejected;
  }
  const isFormFixed = needsText || typeof value === "string";
  if (!isFormFixed || findFirstProblem(textChecks, value, { text, context }) === undefined) {
    return text;
  }
  return findOtherForm(type, value) ?? rejected;
}

/** Returns the first other form of a value's text that the patterns of a restriction accept; undefined if none does. */
export function findOtherForm(type: Datatype<unknown>, value: unknown): string | undefined {
  for (const form of type.textChecks?.[0]?.otherForms?.(type, value) ?? []) {
    if (form !== undefined) {
      return form;
    }
  }
  return undefined;
}

function tryWriteItems(
  item: SimpleType<unknown>,
  values: readonly unknown[],
  rules: WriteRules,
): string | typeof rejected {
  const texts: string[] = [];
  for (const value of values) {
    const text = tryWrite(item, value, rules);
    if (text === rejected || !isListItem(text)) {
      return rejected;
    }
    texts.push(text);
  }
  return texts.join(" ");
}

/** Whether text can be an item of a list. */
export function isListItem(text: string): boolean {
  return text !== "" && !/[ \t\n\r]/.test(text);
}
