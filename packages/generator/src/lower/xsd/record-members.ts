import { clark } from "@bothends/xml";
import type { AnyField, ElementField, Field, TypeReference } from "../../model/xsd-types.js";
import { describeLimitRemedy } from "../../source/source-limits.js";
import type { TypeReferences } from "./type-references.js";

// The fields of a record and their keys.

/**
 * The choices that contain a particle, outermost first, each with the index of the branch that contains the particle.
 */
export type ChoicePath = readonly { readonly choice: object; readonly branch: number }[];

interface Member {
  readonly field: Field;
  readonly paths: ChoicePath[];
}

/**
 * Collects the fields of a record, and makes their keys unique by appending 2, 3 … to a key that is taken. Equal
 * elements in different branches of a choice become one field, because only one branch occurs.
 */
export class RecordMembers {
  readonly #members = new Map<string, Member>();
  /** The number of fields added for each preferred key. */
  readonly #counts = new Map<string, number>();
  readonly #references: TypeReferences;

  constructor(inheritedFields: readonly Field[], references: TypeReferences) {
    this.#references = references;
    for (const field of inheritedFields) {
      this.replace(field.inherited ? field : { ...field, inherited: true });
    }
  }

  get fields(): readonly Field[] {
    return [...this.#members.values()].map((member) => member.field);
  }

  find(key: string): Field | undefined {
    return this.#members.get(key)?.field;
  }

  /** Adds a field, or replaces the field that has the same key. */
  replace(field: Field): void {
    this.#members.set(field.key, { field, paths: [[]] });
  }

  /** Adds a field, and returns its key, which differs from the preferred key if that is taken. */
  add(field: Field, path: ChoicePath = []): string {
    const { key: preferredKey } = field;
    const useCount = (this.#counts.get(preferredKey) ?? 0) + 1;
    this.#counts.set(preferredKey, useCount);
    if (useCount > this.#references.limits.sameNameElements) {
      this.#reportTooMany(field, preferredKey);
      return preferredKey;
    }
    for (let count = 1; ; count += 1) {
      const key = count === 1 ? preferredKey : `${preferredKey}${count}`;
      const member = this.#members.get(key);
      if (member === undefined) {
        if (count > 1) {
          this.#reportClash(field, preferredKey, key);
        }
        this.#members.set(key, { field: count === 1 ? field : { ...field, key }, paths: [path] });
        return key;
      }
      if (isSameDeclaration(member.field, field) && member.paths.every((other) => areExclusive(other, path))) {
        member.paths.push(path);
        return key;
      }
    }
  }

  #reportTooMany(field: Field, key: string): void {
    const { limits, reports } = this.#references;
    reports.error("WSDL033", field.span, {
      message: `The name "${key}" occurs more than ${limits.sameNameElements} times in one type.`,
      ...describeLimitRemedy("sameNameElements", limits),
    });
  }

  /** Reports an element or attribute whose key differs from its name. Any other field has no name in messages. */
  #reportClash(field: Field, preferredKey: string, key: string): void {
    if (field.kind !== "element" && field.kind !== "attribute") {
      return;
    }
    this.#references.reports.warning("WSDL034", field.span, {
      message: `The ${field.kind} ${clark(field.wireName.namespace, field.wireName.local)} becomes the member "${key}", because "${preferredKey}" is taken.`,
      help: "The name in messages does not change.",
    });
  }
}

/** Whether two particles are in different branches of one choice. */
function areExclusive(a: ChoicePath, b: ChoicePath): boolean {
  return a.some((step) => b.some((other) => other.choice === step.choice && other.branch !== step.branch));
}

function isSameDeclaration(a: Field, b: Field): boolean {
  if (a.kind === "any" && b.kind === "any") {
    return (
      a.min === b.min && a.max === b.max && a.process === b.process && areSameNamespaces(a.namespaces, b.namespaces)
    );
  }
  return a.kind === "element" && b.kind === "element" && isSameElement(a, b);
}

function isSameElement(a: ElementField, b: ElementField): boolean {
  return (
    a.wireName.namespace === b.wireName.namespace &&
    a.wireName.local === b.wireName.local &&
    isSameReference(a.type, b.type) &&
    a.min === b.min &&
    a.max === b.max &&
    a.nillable === b.nillable &&
    a.default === b.default &&
    a.fixed === b.fixed
  );
}

export function isSameReference(a: TypeReference, b: TypeReference): boolean {
  if (a.kind === "builtin") {
    return b.kind === "builtin" && a.name === b.name;
  }
  return b.kind === "named" && a.id === b.id;
}

function areSameNamespaces(a: AnyField["namespaces"], b: AnyField["namespaces"]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
