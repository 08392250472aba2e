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
  const matcher = new FieldMatcher(before, after);
  matcher.matchBy((field) =>
    isNamed(field) ? `${field.kind} ${field.wireName.namespace} ${field.wireName.local}` : "",
  );
  matcher.matchBy((field) => (isNamed(field) ? `${field.kind} ${field.wireName.local}` : field.kind));
  matcher.matchBy((field) => (isNamed(field) ? field.wireName.local : ""));
  matcher.matchByGuess((left, right) => {
    if (!isNamed(left) || !isNamed(right) || left.kind !== right.kind || !isSameType(left.type, right.type)) {
      return false;
    }
    const isSamePosition =
      positionIn(before, left) === positionIn(after, right) &&
      before.length === after.length &&
      presenceOf(left) === presenceOf(right);
    return isSamePosition || isSimilarName(left.wireName.local, right.wireName.local);
  });
  return matcher;
}

/** The occurrence bounds of a member, and whether it is nillable, as text: `1 1 false`. A rename probably does not change them. */
function presenceOf(field: NamedField): string {
  return field.kind === "attribute" ? String(field.required) : `${field.min} ${field.max} ${field.nillable}`;
}

function positionIn(fields: readonly Field[], field: Field): number {
  return fields.indexOf(field);
}

class FieldMatcher implements MatchedFields {
  readonly matched: MatchedField[] = [];
  #unmatchedOldFields: readonly Field[];
  #unmatchedNewFields: readonly Field[];

  constructor(before: readonly Field[], after: readonly Field[]) {
    this.#unmatchedOldFields = before;
    this.#unmatchedNewFields = after;
  }

  get removed(): readonly Field[] {
    return this.#unmatchedOldFields;
  }

  get added(): readonly Field[] {
    return this.#unmatchedNewFields;
  }

  /** Matches fields that have equal keys, in their order. Fields with an empty key are not matched. */
  matchBy(keyOf: (field: Field) => string): void {
    const candidates = new Map<string, Field[]>();
    for (const field of this.#unmatchedNewFields) {
      const key = keyOf(field);
      candidates.set(key, [...(candidates.get(key) ?? []), field]);
    }
    this.#match((field) => {
      const key = keyOf(field);
      return key === "" ? undefined : candidates.get(key)?.shift();
    }, false);
  }

  /** Matches two fields if each is the only similar field of its state. */
  matchByGuess(isSimilar: (before: Field, after: Field) => boolean): void {
    const [before, after] = [this.#unmatchedOldFields, this.#unmatchedNewFields];
    this.#match((field) => {
      const similarFields = after.filter((each) => isSimilar(field, each));
      const [counterpart] = similarFields;
      const rivalFields = counterpart === undefined ? [] : before.filter((each) => isSimilar(each, counterpart));
      return similarFields.length === 1 && rivalFields.length === 1 ? counterpart : undefined;
    }, true);
  }

  #match(findCounterpart: (field: Field) => Field | undefined, isGuess: boolean): void {
    const matchedFields = new Set<Field>();
    for (const field of this.#unmatchedOldFields) {
      const counterpart = findCounterpart(field);
      if (counterpart !== undefined) {
        matchedFields.add(field).add(counterpart);
        this.matched.push({ before: field, after: counterpart, isGuess });
      }
    }
    this.#unmatchedOldFields = this.#unmatchedOldFields.filter((field) => !matchedFields.has(field));
    this.#unmatchedNewFields = this.#unmatchedNewFields.filter((field) => !matchedFields.has(field));
  }
}
