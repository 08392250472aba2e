import { clark } from "@bothends/xml";
import type { ElementField, Field, TypeReference } from "../model/schema-types.js";
import { limitHelp } from "../source/limits.js";
import type { TypeLowering } from "./types.js";

/** Which arms of which choices lead to a place in a content model. */
export type Way = readonly { readonly choice: object; readonly arm: number }[];

/** A member before it has its key, which is `wanted` unless that is taken. */
export type Unkeyed<F extends Field = Field> = F extends Field ? Omit<F, "key" | "inherited"> : never;

interface Member {
  readonly field: Field;
  readonly ways: Way[];
}

/**
 * The members of one record as they are found, each with a key of its own: the wire's local name, and where that is taken
 * the name with 2, 3 … behind. One element in several arms of a choice is one member, as at most one of them is there.
 */
export class Members {
  readonly #members = new Map<string, Member>();
  /** How often each key was wanted. */
  readonly #places = new Map<string, number>();
  readonly #types: TypeLowering;

  constructor(inherited: readonly Field[], types: TypeLowering) {
    this.#types = types;
    for (const field of inherited) this.#members.set(field.key, { field: { ...field, inherited: true }, ways: [[]] });
  }

  get fields(): readonly Field[] {
    return [...this.#members.values()].map((member) => member.field);
  }

  find(key: string): Field | undefined {
    return this.#members.get(key)?.field;
  }

  /** Puts a field in the place of one with the same key. */
  replace(field: Field): void {
    this.#members.set(field.key, { field, ways: [[]] });
  }

  /** Adds a member, and gives the key it got. */
  add(field: Unkeyed, wanted: string, way: Way = []): string {
    const places = (this.#places.get(wanted) ?? 0) + 1;
    this.#places.set(wanted, places);
    if (places > this.#types.limits.places) return this.#reportTooMany(field, wanted);
    for (let count = 1; ; count += 1) {
      const key = count === 1 ? wanted : `${wanted}${count}`;
      const member = this.#members.get(key);
      if (member === undefined) {
        if (count > 1) this.#reportClash(field, wanted, key);
        this.#members.set(key, { field: { ...field, key, inherited: false }, ways: [way] });
        return key;
      }
      if (sameFacts(member.field, field) && member.ways.every((other) => areExclusive(other, way))) {
        member.ways.push(way);
        return key;
      }
    }
  }

  #reportTooMany(field: Unkeyed, wanted: string): string {
    this.#types.errorOnce("WSDL033", field.span, {
      message: `"${wanted}" stands in one type more than ${this.#types.limits.places} times.`,
      help: limitHelp("places", this.#types.limits),
    });
    return wanted;
  }

  /** Groups and wildcards have no name on the wire: a number on theirs surprises nobody. */
  #reportClash(field: Unkeyed, wanted: string, key: string): void {
    if (field.kind !== "element" && field.kind !== "attribute") return;
    this.#types.warnOnce("WSDL034", field.span, {
      message: `The ${field.kind} ${clark(field.wireName.namespace, field.wireName.local)} is the member "${key}", as "${wanted}" is taken.`,
      help: "Its name on the wire stays.",
    });
  }
}

/** Two places are exclusive when a choice stands between them. */
function areExclusive(a: Way, b: Way): boolean {
  return a.some((step) => b.some((other) => other.choice === step.choice && other.arm !== step.arm));
}

function sameFacts(a: Field, b: Unkeyed): boolean {
  if (a.kind === "any" && b.kind === "any") {
    return a.min === b.min && a.max === b.max && a.process === b.process && sameNamespaces(a.namespaces, b.namespaces);
  }
  return a.kind === "element" && b.kind === "element" && sameElement(a, b);
}

function sameElement(a: ElementField, b: Unkeyed<ElementField>): boolean {
  return (
    a.wireName.namespace === b.wireName.namespace &&
    a.wireName.local === b.wireName.local &&
    sameReference(a.type, b.type) &&
    a.min === b.min &&
    a.max === b.max &&
    a.nillable === b.nillable &&
    a.default === b.default &&
    a.fixed === b.fixed
  );
}

export function sameReference(a: TypeReference, b: TypeReference): boolean {
  if (a.kind === "builtin") return b.kind === "builtin" && a.name === b.name;
  return b.kind === "named" && a.id === b.id;
}

function sameNamespaces(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
