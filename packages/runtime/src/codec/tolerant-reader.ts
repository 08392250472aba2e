import type { Datatype, FacetKind, SimpleType } from "@bothends/datatypes";
import { normalizeWhiteSpace } from "@bothends/datatypes/simple-type";
import type { XmlReader } from "@bothends/xml";
import { suggestNearest } from "@bothends/xml/nearest-name";
import type { Tolerance } from "../answer-errors.js";
import type { TextContext } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import type { TolerantReader } from "./decode-table.js";

// This module is loaded for clients with the option `tolerate`, together with the code for unusual messages.

/** A difference from the schema that was accepted. */
export interface ToleratedDifference {
  readonly tolerance: Tolerance;
  /** The position in the document, such as `/Envelope/Body/Order/lines/@sku`. */
  readonly path: string;
  /** The invalid text; undefined for a difference that is not invalid text. */
  readonly text: string | undefined;
}

const tolerances: readonly Tolerance[] = ["enumeration", "facets", "nil", "empty", "fixed", "namespaces"];

/** Creates a reader that accepts some differences from the schema, and reports each of these differences. */
export function createTolerantReader(
  names: readonly Tolerance[],
  reportToUser: (difference: ToleratedDifference) => void,
): TolerantReader {
  // The rejection of an asynchronous function is ignored, because it would otherwise end the process.
  const report = (difference: ToleratedDifference): void => {
    const result: unknown = reportToUser(difference);
    Promise.resolve(result).catch(() => {});
  };
  if (!Array.isArray(names)) {
    throw new ConfigError('The option "tolerate" must be an array such as ["enumeration"].');
  }
  const unknownName = names.find((name) => !tolerances.includes(name));
  if (unknownName !== undefined) {
    throw new ConfigError(
      `The option "tolerate" does not accept "${unknownName}".${suggestNearest(unknownName, tolerances)}`,
    );
  }
  const acceptedTolerances = new Set(names);
  return {
    accepts(tolerance, reader, { text, attribute } = {}) {
      if (!acceptedTolerances.has(tolerance)) {
        return false;
      }
      report({ tolerance, path: getPath(reader, attribute), text });
      return true;
    },
    readInvalidText(type, { text, attribute }, context) {
      const path = getPath(context.reader, attribute);
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
      const result = readTolerantly(type, normalizeWhiteSpace(text, type.whiteSpace), { context, accept });
      if (result !== undefined) {
        for (const tolerance of appliedTolerances) {
          report({ tolerance, path, text });
        }
      }
      return result;
    },
  };
}

function getPath(reader: XmlReader, attribute?: string): string {
  return attribute === undefined ? reader.path : `${reader.path}/@${attribute}`;
}

type ReadResult = { readonly value: unknown } | undefined;

interface ReadRules {
  readonly context: TextContext;
  /** Decides whether a value that violates a facet is tolerated. */
  readonly accept: (kind: FacetKind) => boolean;
}

/** Reads text as a value of a type, ignoring the tolerated facets. Returns undefined for invalid text. */
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
  if ("accepts" in type && type.accepts?.(text, rules.context) === false) {
    return undefined;
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
 * Reads text as the first matching member of a union. First tries all members without tolerance, then with tolerance.
 */
function readMember(members: readonly SimpleType<unknown>[], text: string, rules: ReadRules): ReadResult {
  for (const accept of [() => false, rules.accept]) {
    for (const member of members) {
      const result = readTolerantly(member, normalizeWhiteSpace(text, member.whiteSpace), { ...rules, accept });
      if (result !== undefined) {
        return result;
      }
    }
  }
  return undefined;
}
