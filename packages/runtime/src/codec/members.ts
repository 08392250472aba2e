import type { ElementField } from "../descriptor.js";
import type { NamesOnWire } from "./names.js";
import type { RecordFacts } from "./types.js";

/** A member of a value. */
export interface Member {
  readonly key: string;
  /** Whether `Object.prototype` has a property of this name, such as `__proto__`. */
  readonly shadowed: boolean;
}

/** A member of the content of a record, on the wire. */
export interface ContentMember extends Member {
  readonly kind: "element" | "group" | "any" | "mixed";
  readonly min: number;
  /** Infinity for `unbounded`. */
  readonly max: number;
  /** Whether its value is an array. */
  readonly array: boolean;
  readonly nillable: boolean;
  /** Of a group: the record of one occurrence. */
  readonly table?: () => { readonly steps: readonly (ContentMember | Model<ContentMember>)[] };
}

export interface ElementMember extends ContentMember {
  readonly kind: "element";
  readonly local: string;
  readonly namespace: string;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

/** A model group that occurs once, or at most once, with its members compiled for decoding or for encoding. */
export interface Model<M> {
  readonly kind: "sequence" | "choice" | "all";
  readonly optional: boolean;
  readonly steps: readonly (M | this)[];
  /** The members inside, at any depth. */
  readonly members: readonly M[];
}

export function isModel<M extends object>(step: M | Model<M>): step is Model<M> {
  return "steps" in step;
}

/** The members of a step, at any depth. */
export function membersOf<M extends object>(step: M | Model<M>): readonly M[] {
  return isModel(step) ? step.members : [step];
}

/** Whether a step can match no elements. */
export function isEmptiable<M extends ContentMember>(step: M | Model<M>): boolean {
  if (!isModel(step)) {
    return step.min === 0 || step.table?.().steps.every(isEmptiable) === true;
  }
  const { kind, optional, steps } = step;
  return optional || (kind === "choice" ? steps.length === 0 || steps.some(isEmptiable) : steps.every(isEmptiable));
}

/** The context in which a field is compiled: its record, its key, and the rules by which names change on the wire. */
export interface FieldContext {
  readonly record: RecordFacts;
  readonly key: string;
  readonly names: NamesOnWire;
}

export function memberAt({ key }: FieldContext): Member {
  return { key, shadowed: key in Object.prototype };
}

/** The occurrences of a field, by default exactly one. */
export function occurrencesOf({ min = 1, max = 1 }: Pick<ElementField<unknown>, "min" | "max">): {
  readonly min: number;
  readonly max: number;
} {
  return { min, max: max === "unbounded" ? Number.POSITIVE_INFINITY : max };
}

/** The facts about an element field that decoding and encoding need. */
export function elementMember(field: ElementField<unknown>, fieldContext: FieldContext): ElementMember {
  const { key, shadowed } = memberAt(fieldContext);
  const { min, max } = occurrencesOf(field);
  const { namespace, local } = fieldContext.names.element({
    namespace: field.namespace ?? fieldContext.record.namespace ?? "",
    local: field.name ?? key,
  });
  return {
    kind: "element",
    key,
    shadowed,
    namespace,
    local,
    min,
    max,
    array: max !== 1,
    nillable: field.nillable === true,
    default: field.default,
    fixed: field.fixed,
  };
}
