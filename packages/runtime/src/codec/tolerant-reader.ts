import type { Datatype, FacetKind, normalizeWhiteSpace, SimpleType } from "@bothends/datatypes";
import type { XmlReader } from "@bothends/xml";
import type { Tolerance } from "../answer-errors.js";
import type { TextContext } from "../descriptor.js";
import type { TolerantReader } from "./decode-table.js";

// Loaded for clients with the option `tolerate`. It imports only types, so that a code-splitting bundler need not create a third
// chunk for shared modules.

/** A difference from the schema that was accepted. */
export interface ToleratedDifference {
  readonly tolerance: Tolerance;
  /** The position in the document: `/Envelope/Body/Order/lines/@sku`. */
  readonly path: string;
  /** The invalid text; undefined if the difference is not in a text. */
  readonly text: string | undefined;
}

const tolerances: readonly Tolerance[] = ["enumeration", "facets", "nil", "empty", "fixed", "namespaces"];

/**
 * The tolerated differences, and functions of modules that every client has already loaded. They are passed as values, because this
 * module imports only types.
 */
interface Tolerated {
  readonly names: readonly Tolerance[];
  readonly report: (difference: ToleratedDifference) => void;
  readonly normalize: typeof normalizeWhiteSpace;
  readonly suggest: (name: string, candidates: readonly string[]) => string;
  readonly refuse: (message: string) => never;
}

/** Creates a reader that accepts some differences from the schema, and reports each. */
export function tolerantReader({ names, report, normalize, suggest, refuse }: Tolerated): TolerantReader {
  const unknownName = names.find((name) => !tolerances.includes(name));
  if (unknownName !== undefined) {
    refuse(`The option "tolerate" does not accept "${unknownName}".${suggest(unknownName, tolerances)}`);
  }
  const acceptedTolerances = new Set(names);
  return {
    accepts(tolerance, reader, { text, attribute } = {}) {
      if (!acceptedTolerances.has(tolerance)) {
        return false;
      }
      report({ tolerance, path: pathOf(reader, attribute), text });
      return true;
    },
    readInvalidText(type, { text, attribute }, context) {
      const path = pathOf(context.reader, attribute);
      if (acceptedTolerances.has("empty") && /^[ \t\n\r]*$/.test(text)) {
        report({ tolerance: "empty", path, text });
        return { value: null };
      }
      const appliedTolerances = new Set<Tolerance>();
      const accept = (kind: FacetKind): boolean => {
        const tolerance = kind === "enumeration" ? kind : "facets";
        appliedTolerances.add(tolerance);
        return acceptedTolerances.has(tolerance);
      };
      const result = readTolerantly(type, normalize(text, type.whiteSpace), { context, accept, normalize });
      if (result !== undefined) {
        for (const tolerance of appliedTolerances) {
          report({ tolerance, path, text });
        }
      }
      return result;
    },
  };
}

function pathOf(reader: XmlReader, attribute?: string): string {
  return attribute === undefined ? reader.path : `${reader.path}/@${attribute}`;
}

type ReadResult = { readonly value: unknown } | undefined;

interface ReadRules {
  readonly context: TextContext;
  /** Decides whether a value that violates a facet is tolerated. */
  readonly accept: (kind: FacetKind) => boolean;
  readonly normalize: typeof normalizeWhiteSpace;
}

/** Reads a text as a value of a type, ignoring the tolerated facets. Returns undefined if it is invalid. */
function readTolerantly(type: SimpleType<unknown> | Datatype<unknown>, text: string, rules: ReadRules): ReadResult {
  if ("base" in type && type.base !== undefined) {
    return readRestriction(type, type.base, { text, rules });
  }
  if ("item" in type && type.item !== undefined) {
    return readItems(type.item, text, rules);
  }
  if ("members" in type && type.members !== undefined) {
    return readMember(type.members, text, rules);
  }
  try {
    return { value: type.read(text, rules.context) };
  } catch (error) {
    if (error instanceof Error && error.name === "LexicalError") {
      return undefined;
    }
    throw error;
  }
}

function readRestriction(
  { checks = [] }: Datatype<unknown>,
  base: SimpleType<unknown>,
  { text, rules }: { readonly text: string; readonly rules: ReadRules },
): ReadResult {
  const result = readTolerantly(base, text, rules);
  const isAccepted =
    result !== undefined &&
    checks.every(
      ({ problem, kind = "other" }) => problem(result.value, text, rules.context) === undefined || rules.accept(kind),
    );
  return isAccepted ? result : undefined;
}

function readItems(item: SimpleType<unknown>, text: string, rules: ReadRules): ReadResult {
  const items = text.split(" ").filter((itemText) => itemText !== "");
  const results = items
    .map((itemText) => readTolerantly(item, itemText, rules))
    .filter((result) => result !== undefined);
  return results.length === items.length ? { value: results.map(({ value }) => value) } : undefined;
}

/**
 * Reads a text as the first matching member of a union; tries all members without tolerance before it tries them with tolerance.
 */
function readMember(members: readonly SimpleType<unknown>[], text: string, rules: ReadRules): ReadResult {
  for (const accept of [() => false, rules.accept]) {
    for (const member of members) {
      const result = readTolerantly(member, rules.normalize(text, member.whiteSpace), { ...rules, accept });
      if (result !== undefined) {
        return result;
      }
    }
  }
  return undefined;
}
