import type { Field, TypeReference } from "@bothends/generator";
import { isSimilarName } from "../similar-names.js";

/** A field of a record that exists in both states. */
export interface MatchedField {
  readonly before: Field;
  readonly after: Field;
  /** Whether the fields have different names, so that the match is a guess from their types and positions. */
  readonly isGuess: boolean;
}

export interface MatchedFields {
  readonly matched: readonly MatchedField[];
  readonly removed: readonly Field[];
  readonly added: readonly Field[];
}

export type NamedField = Extract<Field, { readonly kind: "element" | "attribute" }>;

export function isNamed(field: Field): field is NamedField {
  return field.kind === "element" || field.kind === "attribute";
}

/** Matches the fields of both states: by name, then by name without namespace, then by similarity. */
export function matchFields(
  before: readonly Field[],
  after: readonly Field[],
  isSameType: (before: TypeReference, after: TypeReference) => boolean,
): MatchedFields {
  const matching = new Matching(before, after);
  matching.matchBy((field) =>
    isNamed(field) ? `${field.kind} ${field.wireName.namespace} ${field.wireName.local}` : "",
  );
  matching.matchBy((field) => (isNamed(field) ? `${field.kind} ${field.wireName.local}` : field.kind));
  matching.matchBy((field) => (isNamed(field) ? field.wireName.local : ""));
  matching.guess((left, right) => {
    if (!isNamed(left) || !isNamed(right) || left.kind !== right.kind || !isSameType(left.type, right.type)) {
      return false;
    }
    const samePosition =
      positionIn(before, left) === positionIn(after, right) &&
      before.length === after.length &&
      presenceOf(left) === presenceOf(right);
    return samePosition || isSimilarName(left.wireName.local, right.wireName.local);
  });
  return matching;
}

/** How often a member occurs, as text: `1 1 false`. A renamed member probably keeps it. */
function presenceOf(field: NamedField): string {
  return field.kind === "attribute" ? String(field.required) : `${field.min} ${field.max} ${field.nillable}`;
}

function positionIn(fields: readonly Field[], field: Field): number {
  return fields.indexOf(field);
}

class Matching implements MatchedFields {
  readonly matched: MatchedField[] = [];
  #unmatchedBefore: readonly Field[];
  #unmatchedAfter: readonly Field[];

  constructor(before: readonly Field[], after: readonly Field[]) {
    this.#unmatchedBefore = before;
    this.#unmatchedAfter = after;
  }

  get removed(): readonly Field[] {
    return this.#unmatchedBefore;
  }

  get added(): readonly Field[] {
    return this.#unmatchedAfter;
  }

  /** Matches fields that have equal keys, in their order. Fields with an empty key are not matched. */
  matchBy(keyOf: (field: Field) => string): void {
    const candidates = new Map<string, Field[]>();
    for (const field of this.#unmatchedAfter) {
      const key = keyOf(field);
      candidates.set(key, [...(candidates.get(key) ?? []), field]);
    }
    this.#match((field) => {
      const key = keyOf(field);
      return key === "" ? undefined : candidates.get(key)?.shift();
    }, false);
  }

  /** Matches two fields if each is the only similar field of its state. */
  guess(isSimilar: (before: Field, after: Field) => boolean): void {
    const [before, after] = [this.#unmatchedBefore, this.#unmatchedAfter];
    this.#match((field) => {
      const similar = after.filter((each) => isSimilar(field, each));
      const [counterpart] = similar;
      const rivals = counterpart === undefined ? [] : before.filter((each) => isSimilar(each, counterpart));
      return similar.length === 1 && rivals.length === 1 ? counterpart : undefined;
    }, true);
  }

  #match(find: (field: Field) => Field | undefined, isGuess: boolean): void {
    const matchedFields = new Set<Field>();
    for (const field of this.#unmatchedBefore) {
      const counterpart = find(field);
      if (counterpart !== undefined) {
        matchedFields.add(field).add(counterpart);
        this.matched.push({ before: field, after: counterpart, isGuess });
      }
    }
    this.#unmatchedBefore = this.#unmatchedBefore.filter((field) => !matchedFields.has(field));
    this.#unmatchedAfter = this.#unmatchedAfter.filter((field) => !matchedFields.has(field));
  }
}
