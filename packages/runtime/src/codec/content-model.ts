import type {
  AnyAttributeField,
  AnyField,
  AttributeField,
  ElementField,
  FieldDescriptor,
  GroupField,
  Max,
  MixedField,
  ModelGroup,
  Particle,
  TextField,
  WildcardNamespaces,
} from "../descriptor.js";
import { ConfigError, LexicalError } from "../errors.js";
import { type WireNames, wildcardOnWire } from "./names.js";
import { type AnyReference, type RecordFacts, resolveRecord } from "./types.js";

/** A record descriptor in the form that decoding and encoding share: names on the wire, content as one sequence. */
export interface RecordTable {
  /** The type's name on the wire, in Clark notation. */
  readonly name: string;
  readonly attributes: readonly AttributeMember[];
  readonly anyAttribute: AnyAttributeMember | undefined;
  readonly text: TextMember | undefined;
  readonly mixed: MixedMember | undefined;
  readonly content: readonly Step[];
}

interface Member {
  readonly key: string;
  /** Whether `Object.prototype` has a property of this name. */
  readonly shadowed: boolean;
}

export interface AttributeMember extends Member {
  readonly local: string;
  readonly namespace: string;
  readonly type: AnyReference;
  readonly required: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

export interface AnyAttributeMember extends Member {
  readonly namespaces: WildcardNamespaces;
}

export interface TextMember extends Member {
  readonly type: AnyReference;
}

export interface MixedMember extends Member {
  readonly record: () => RecordFacts;
}

/** One step of a content model. */
type Step = ContentMember | GroupStep;
export type ContentMember = ElementMember | RepeatedMember | AnyMember;

interface Occurring extends Member {
  readonly min: number;
  /** Infinity for `unbounded`. */
  readonly max: number;
}

export interface ElementMember extends Occurring {
  readonly kind: "element";
  readonly local: string;
  readonly namespace: string;
  readonly type: AnyReference;
  readonly array: boolean;
  readonly nillable: boolean;
  readonly default: string | undefined;
  readonly fixed: string | undefined;
}

/** A group that may occur more than once. */
export interface RepeatedMember extends Occurring {
  readonly kind: "group";
  readonly record: () => RecordFacts;
}

export interface AnyMember extends Occurring {
  readonly kind: "any";
  readonly array: boolean;
  readonly namespaces: WildcardNamespaces;
}

/** A model group that occurs once, or at most once. */
interface GroupStep {
  readonly kind: "sequence" | "choice" | "all";
  readonly optional: boolean;
  readonly steps: readonly Step[];
}

/** A model group whose members are compiled for decoding or for encoding. */
export interface Model<M> {
  readonly kind: "sequence" | "choice" | "all";
  /** Whether the group is optional. */
  readonly optional: boolean;
  /** Whether the group can match no elements. */
  readonly emptiable: boolean;
  readonly steps: readonly (M | Model<M>)[];
  /** The members inside, at any depth. */
  readonly members: readonly M[];
}

/** Compiles a step, and all steps inside, for decoding or for encoding. */
export function mapModel<M extends object>(
  step: Step,
  names: WireNames,
  member: (member: ContentMember) => M,
): M | Model<M> {
  if (step.kind === "element" || step.kind === "any" || step.kind === "group") {
    return member(step);
  }
  const steps = step.steps.map((inner) => mapModel(inner, names, member));
  const { kind, optional } = step;
  return { kind, optional, emptiable: isEmptiable(step, names), steps, members: steps.flatMap(modelMembers) };
}

/** The members of a step, at any depth. */
export function modelMembers<M extends object>(step: M | Model<M>): readonly M[] {
  return isModel(step) ? step.members : [step];
}

export function isModel<M extends object>(step: M | Model<M>): step is Model<M> {
  return "steps" in step;
}

/** Compiles a record descriptor for the names on the wire. */
export function recordTable(record: RecordFacts, names: WireNames): RecordTable {
  const attributes: AttributeMember[] = [];
  const members = new Map<string, ContentMember>();
  let anyAttribute: AnyAttributeMember | undefined;
  let text: TextMember | undefined;
  let mixed: MixedMember | undefined;
  for (const [key, field] of Object.entries(record.fields)) {
    const member: Member = { key, shadowed: key in Object.prototype };
    if (isAttribute(field)) {
      attributes.push(attributeMember(member, field, names));
    } else if (isAnyAttribute(field)) {
      anyAttribute = { ...member, namespaces: wildcardOnWire(field.namespaces, names) };
    } else if (isText(field)) {
      text = { ...member, type: field.type };
    } else if (isMixed(field)) {
      mixed = { ...member, record: () => resolveRecord(field.record) };
    } else {
      members.set(key, contentMember(member, field, { record, names }));
    }
  }
  return {
    name: names.type(record.name),
    attributes,
    anyAttribute,
    text,
    mixed,
    content: record.content === undefined ? [...members.values()] : modelOf(record.content, members, record.name),
  };
}

function attributeMember(member: Member, field: AttributeField<unknown>, names: WireNames): AttributeMember {
  return {
    ...member,
    local: field.name ?? member.key,
    namespace: names.namespace(field.namespace ?? ""),
    type: field.type,
    required: field.required === true,
    default: field.default,
    fixed: field.fixed,
  };
}

function contentMember(
  member: Member,
  field: ElementField<unknown> | GroupField<unknown> | AnyField,
  { record, names }: { record: RecordFacts; names: WireNames },
): ContentMember {
  const occurs = { min: field.min ?? 1, max: maxOf(field.max) };
  if (isGroup(field)) {
    return { kind: "group", ...member, ...occurs, record: () => resolveRecord(field.record) };
  }
  if (isAny(field)) {
    const namespaces = wildcardOnWire(field.namespaces, names);
    return { kind: "any", ...member, ...occurs, array: occurs.max !== 1, namespaces };
  }
  const inSchema = { namespace: field.namespace ?? record.namespace ?? "", local: field.name ?? member.key };
  const { namespace, local } = names.element(inSchema);
  // Written without spread, because objects of one shape are faster to read in the decoding and encoding loops.
  return {
    kind: "element",
    key: member.key,
    shadowed: member.shadowed,
    namespace,
    local,
    min: occurs.min,
    max: occurs.max,
    array: occurs.max !== 1,
    type: field.type,
    nillable: field.nillable === true,
    default: field.default,
    fixed: field.fixed,
  };
}

function maxOf(max: Max | undefined): number {
  return max === "unbounded" ? Number.POSITIVE_INFINITY : (max ?? 1);
}

/** Resolves the content model to members. Required sequences are merged into the sequence around them. */
function modelOf(content: readonly Particle[], members: ReadonlyMap<string, ContentMember>, name: string): Step[] {
  const used = new Set<string>();
  const steps = (particles: readonly Particle[]): Step[] => particles.flatMap(step);
  const step = (particle: Particle): readonly Step[] => {
    if (typeof particle !== "string") {
      return group(particle);
    }
    const member = members.get(particle);
    if (member === undefined) {
      throw new ConfigError(`The content of ${name} refers to "${particle}", which is not one of its fields.`);
    }
    used.add(particle);
    return [member];
  };
  const group = (particle: ModelGroup): readonly Step[] => {
    const optional = particle.optional === true;
    if ("choice" in particle) {
      return [{ kind: "choice", optional, steps: particle.choice.map(single) }];
    }
    if ("all" in particle) {
      return [{ kind: "all", optional, steps: steps(particle.all) }];
    }
    const inner = steps(particle.sequence);
    return optional ? [{ kind: "sequence", optional, steps: inner }] : inner;
  };
  const single = (particle: Particle): Step => {
    const alternative = step(particle);
    const [only] = alternative;
    return only !== undefined && alternative.length === 1
      ? only
      : { kind: "sequence", optional: false, steps: alternative };
  };
  const model = steps(content);
  for (const key of members.keys()) {
    if (!used.has(key)) {
      throw new ConfigError(`The content of ${name} must contain its field "${key}".`);
    }
  }
  return model;
}

/** Whether a step can match no elements. */
export function isEmptiable(step: Step, names: WireNames): boolean {
  switch (step.kind) {
    case "element":
    case "any":
      return step.min === 0;
    case "group":
      return step.min === 0 || recordTable(step.record(), names).content.every((inner) => isEmptiable(inner, names));
    case "choice":
      return (
        step.optional || step.steps.length === 0 || step.steps.some((alternative) => isEmptiable(alternative, names))
      );
    default:
      return step.optional || step.steps.every((inner) => isEmptiable(inner, names));
  }
}

/** The members of a step, at any depth. */
export function membersOf(step: Step): readonly ContentMember[] {
  switch (step.kind) {
    case "element":
    case "any":
    case "group":
      return [step];
    default:
      return step.steps.flatMap(membersOf);
  }
}

function isAttribute(field: FieldDescriptor<unknown>): field is AttributeField<unknown> {
  return field.kind === "attribute";
}
function isAnyAttribute(field: FieldDescriptor<unknown>): field is AnyAttributeField {
  return field.kind === "anyAttribute";
}
function isText(field: FieldDescriptor<unknown>): field is TextField<unknown> {
  return field.kind === "text";
}
function isMixed(field: FieldDescriptor<unknown>): field is MixedField<unknown> {
  return field.kind === "mixed";
}
function isGroup(field: { readonly kind?: string }): field is GroupField<unknown> {
  return field.kind === "group";
}
function isAny(field: { readonly kind?: string }): field is AnyField {
  return field.kind === "any";
}

/** The properties of a member that decide which alternative of a choice is written. */
interface Choosable {
  readonly kind: "element" | "group" | "any";
  readonly key: string;
  readonly min: number;
  readonly array?: boolean;
  readonly nillable?: boolean;
}

/** Whether a value has the member. */
type Presence<M> = (member: M) => boolean;

/** The alternative of a choice whose members a value has; undefined for an absent choice that may be absent. */
export function chosenAlternative<M extends Choosable>(model: Model<M>, has: Presence<M>): M | Model<M> | undefined {
  const present: string[] = [];
  for (const member of model.members) {
    if (has(member) && !present.includes(member.key)) {
      present.push(member.key);
    }
  }
  if (present.length === 0) {
    if (model.emptiable) {
      return undefined;
    }
    if (model.steps.length === 1) {
      return model.steps[0];
    }
    throw new LexicalError(`One of ${namesOf(model.members.map((member) => member.key))} is required.`);
  }
  const holding = model.steps.filter((alternative) => holdsAll(alternative, present));
  if (holding.length === 0) {
    throw new LexicalError(`${namesOf(present)} must not be present together.`);
  }
  // If several alternatives have the same members in a different order, the first complete one is used.
  return holding.find((alternative) => isComplete(alternative, has)) ?? holding[0];
}

function holdsAll<M extends Choosable>(alternative: M | Model<M>, present: readonly string[]): boolean {
  return present.every((key) =>
    isModel(alternative) ? alternative.members.some((member) => member.key === key) : alternative.key === key,
  );
}

function isComplete<M extends Choosable>(step: M | Model<M>, has: Presence<M>): boolean {
  if (!isModel(step)) {
    return step.min === 0 || has(step) || (step.nillable === true && step.array !== true);
  }
  const any = step.members.some(has);
  if (step.kind !== "choice") {
    return (step.optional && !any) || step.steps.every((inner) => isComplete(inner, has));
  }
  return (
    step.emptiable ||
    step.steps.some((alternative) => modelMembers(alternative).some(has) && isComplete(alternative, has))
  );
}

function namesOf(keys: Iterable<string>): string {
  const names = [...keys].map((key) => `"${key}"`);
  const shown = names.length > 8 ? [...names.slice(0, 8), "…"] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
