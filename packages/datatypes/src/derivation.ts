import { whiteSpace as whiteSpaceFacet } from "./facets.js";
import { createInvalidValueError, formatValue, LexicalError } from "./lexical-error.js";
import {
  type Datatype,
  type Derivation,
  type FacetCheck,
  type FacetUse,
  normalizeWhiteSpace,
  type SimpleType,
  splitItems,
  type TextContext,
} from "./simple-type.js";
import {
  findFirstProblem,
  findOtherForm,
  isListItem,
  type ReadMember,
  tryReadMember,
  tryWriteMember,
  type WriteRules,
  type WrittenMember,
} from "./union-members.js";
import { emptyContext, getLengthFunction, getValueSpace, isDatatype, readLiteralValue } from "./value-space.js";

// The three kinds of derivation (XSD 1.0 Part 2 §2.5.1, §4.1.2).

/** Derives a type by restriction (§4.1.2.1). Text that is read and values that are written must pass every facet. */
export function restriction(
  types: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
): SimpleType<unknown> {
  const [base] = types;
  if (base === undefined) {
    throw new TypeError(`The restriction ${name} has no base type.`);
  }
  const checks = facets.flatMap(([facet, value]) => facet(value, base) ?? []);
  const textChecks = checks.filter(({ otherForms }) => otherForms !== undefined);
  const valueChecks = checks.filter(({ otherForms }) => otherForms === undefined);
  const whiteSpace = getRestrictedWhiteSpace(base, facets);
  const memberText = isDatatype(base) ? base.memberText : undefined;
  const restrictedType: Datatype<unknown> = {
    kind: "simple",
    name,
    whiteSpace,
    valueSpace: getValueSpace(base),
    base,
    checks,
    textChecks,
    memberText,
    read(text, context) {
      const value = base.read(text, context);
      refuseInvalid(checks, value, memberText === undefined ? text : memberText(text, context), { name, context });
      return value;
    },
    write(value, context) {
      const text = base.write(value, context);
      if (whiteSpace !== base.whiteSpace && normalizeWhiteSpace(text, whiteSpace) !== text) {
        throw createInvalidValueError(value, name, "its white space is not normalized");
      }
      refuseInvalid(valueChecks, value, text, { name, context });
      const problem = findFirstProblem(textChecks, value, { text, context });
      if (problem === undefined) {
        return text;
      }
      const otherForm = findOtherForm(restrictedType, value);
      if (otherForm === undefined) {
        throw createInvalidValueError(text, name, problem);
      }
      return otherForm;
    },
  };
  return restrictedType;
}

function refuseInvalid(
  checks: readonly FacetCheck[],
  value: unknown,
  text: string,
  { name, context }: { readonly name: string; readonly context: TextContext },
): void {
  for (const check of checks) {
    const problem = check.problem(value, text, context);
    if (problem !== undefined) {
      throw createInvalidValueError(text, name, problem, check.kind ?? "other");
    }
  }
}

function getRestrictedWhiteSpace(
  base: SimpleType<unknown>,
  facets: readonly FacetUse[],
): SimpleType<unknown>["whiteSpace"] {
  const [, value] = facets.find(([facet]) => facet === whiteSpaceFacet) ?? [];
  return value === "preserve" || value === "replace" || value === "collapse" ? value : base.whiteSpace;
}

/** Derives a list type (§4.1.2.2), whose text has items of one type separated by white space. */
export function list(
  types: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
): SimpleType<unknown> {
  const [item] = types;
  if (item === undefined) {
    throw new TypeError(`The list ${name} has no item type.`);
  }
  const type = createListType(item, name);
  return facets.length === 0 ? type : restriction([type], facets, name);
}

function createListType<T>(item: SimpleType<T>, name: string): Datatype<readonly T[]> {
  const { key } = getValueSpace(item);
  return {
    kind: "simple",
    name,
    whiteSpace: "collapse",
    valueSpace: {
      key: (value) => `list:${JSON.stringify(value.map((entry) => key(entry)))}`,
      length: (value) => value.length,
      literal: (text) => splitItems(text).map((itemText) => readLiteralValue(item, itemText)),
    },
    read(text, context) {
      const read = (itemText: string): T => item.read(normalizeWhiteSpace(itemText, item.whiteSpace), context);
      try {
        return splitItems(text).map(read);
      } catch (error) {
        const separator = /[,;|]/.exec(text)?.[0];
        if (!(error instanceof LexicalError) || separator === undefined || !canRead(text.split(separator), read)) {
          throw error;
        }
        const reason = `white space must separate its items, not the character ${separator}`;
        throw createInvalidValueError(text, name, reason);
      }
    },
    write(value: unknown, context) {
      if (!Array.isArray(value)) {
        throw createInvalidValueError(value, name);
      }
      return value.map((itemValue) => writeItem(item, itemValue, context)).join(" ");
    },
    item,
  };
}

/** Whether a function reads all texts. */
function canRead(texts: readonly string[], read: (text: string) => unknown): boolean {
  try {
    return texts.every((text) => text.trim() !== "" && read(text.trim()) !== undefined);
  } catch {
    return false;
  }
}

function writeItem<T>(item: SimpleType<T>, value: T, context: TextContext): string {
  const text = item.write(value, context);
  if (!isListItem(text)) {
    const reason = "white space separates items";
    throw new LexicalError(`${formatValue(text)} cannot be an item of a list: ${reason}.`, undefined, reason);
  }
  return text;
}

/** Creates a built-in list that has at least one item: NMTOKENS, IDREFS or ENTITIES (§3.3.5, §3.3.10, §3.3.12). */
export function createNonEmptyList(item: SimpleType<string>, name: string): Datatype<readonly string[]> {
  const type = createListType(item, name);
  return {
    ...type,
    read(text, context) {
      const items = type.read(text, context);
      if (items.length === 0) {
        throw createInvalidValueError(text, name, "it must have at least one item");
      }
      return items;
    },
    write(value, context) {
      const text = type.write(value, context);
      if (text === "") {
        throw createInvalidValueError(value, name, "it must have at least one item");
      }
      return text;
    },
  };
}

/**
 * Derives a union type (§4.1.2.3). Text is read by the first member type that accepts the text; a value is written by
 * the first member type that accepts the value.
 */
export function union(
  types: readonly SimpleType<unknown>[],
  facets: readonly FacetUse[],
  name: string,
): SimpleType<unknown> {
  const type = createUnion(types, name);
  return facets.length === 0 ? type : restriction([type], facets, name);
}

function createUnion(members: readonly SimpleType<unknown>[], name: string): Datatype<unknown> {
  const readMember = (text: string, context: TextContext): ReadMember => {
    const result = tryReadMember(members, text, context);
    if (result === undefined) {
      throw createInvalidValueError(text, name);
    }
    return result;
  };
  // Any prefix will do, because namespace prefixes do not affect which member type writes a value.
  const anyPrefix: TextContext = { ...emptyContext, prefixFor: () => "p" };
  const writeMember = (value: unknown, rules: WriteRules): WrittenMember => {
    const result = tryWriteMember(members, value, rules);
    if (result === undefined) {
      throw createInvalidValueError(value, name);
    }
    return result;
  };
  return {
    kind: "simple",
    name,
    // Every member type normalizes white space according to its own whiteSpace facet.
    whiteSpace: "preserve",
    valueSpace: {
      key(value) {
        const { member } = writeMember(value, { context: anyPrefix, needsText: false });
        return getValueSpace(member).key(value);
      },
      literal: (text) => readMemberLiteral(members, text, name),
    },
    read: (text, context) => readMember(text, context).value,
    write: (value, context) => writeMember(value, { context, needsText: true }).text,
    members,
    chooseMember: (value) => writeMember(value, { context: anyPrefix, needsText: true }).member,
    memberText: (text, outerContext) => {
      // Leaves out `identify`, because the text has been read before, and its ID must not be reported twice.
      const context: TextContext = {
        resolve: (prefix) => outerContext.resolve(prefix),
        prefixFor: (namespace) => outerContext.prefixFor(namespace),
        patternSteps: outerContext.patternSteps,
      };
      const { member } = readMember(text, context);
      return isDatatype(member) && member.memberText !== undefined
        ? member.memberText(text, context)
        : normalizeWhiteSpace(text, member.whiteSpace);
    },
  };
}

/** Reads a literal of a facet or default with the first member type that accepts it. */
function readMemberLiteral(members: readonly SimpleType<unknown>[], text: string, name: string): unknown {
  for (const member of members) {
    try {
      return readLiteralValue(member, text);
    } catch (error) {
      if (!(error instanceof LexicalError)) {
        throw error;
      }
    }
  }
  throw createInvalidValueError(text, name);
}

/**
 * Derives a type whose values are converted by a program's own functions, for the setting `typeMap`. `read` receives
 * only text that is valid for the type; the text that `write` returns must be valid. `derivation` is the derivation in
 * the schema; without it, the type accepts the same text as its base type.
 */
export function withConversions<T>(
  read: (text: string) => T,
  write: (value: T) => string,
  derivation?: Derivation,
): Derivation;
export function withConversions(
  read: (text: string) => unknown,
  write: (value: unknown) => string,
  derivation: Derivation = ([base]) => requireBase(base),
): Derivation {
  return (types, facets, name) => {
    const base = derivation(types, facets, name);
    const getText = (value: unknown): string => {
      const text: unknown = callConversion(() => write(value), base.name);
      if (typeof text !== "string") {
        throw new LexicalError(
          `The function that writes ${base.name} must return a string.`,
          undefined,
          "the function that writes it must return a string",
        );
      }
      return text;
    };
    const getBaseValue = (value: unknown): unknown =>
      base.read(normalizeWhiteSpace(getText(value), base.whiteSpace), emptyContext);
    const baseValueSpace = getValueSpace(base);
    const { compare } = baseValueSpace;
    const getLength = getLengthFunction(base);
    const type: Datatype<unknown> = {
      kind: "simple",
      name: base.name,
      whiteSpace: base.whiteSpace,
      ...(isDatatype(base) && base.literals !== undefined ? { literals: base.literals } : {}),
      valueSpace: {
        key: (value) => baseValueSpace.key(getBaseValue(value)),
        ...(compare && {
          compare: (left, right) => compare.call(baseValueSpace, getBaseValue(left), getBaseValue(right)),
        }),
        ...(getLength && { length: (value) => getLength(getBaseValue(value)) }),
      },
      read(text, context) {
        base.read(text, context);
        return callConversion(() => read(text), base.name);
      },
      mayWrite: () => true,
      write(value, context) {
        const text = getText(value);
        base.read(normalizeWhiteSpace(text, base.whiteSpace), context);
        return text;
      },
    };
    return type;
  };
}

function requireBase(base: SimpleType<unknown> | undefined): SimpleType<unknown> {
  if (base === undefined) {
    throw new TypeError("The derivation withConversions has no base type.");
  }
  return base;
}

/**
 * Calls the function `read` or `write` of a type with conversions. Exceptions of the function become errors that name
 * the type.
 */
function callConversion<T>(call: () => T, name: string): T {
  try {
    return call();
  } catch (error) {
    throw new LexicalError(`The value is not a ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
