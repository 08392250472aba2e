import type { FieldDescriptor, Max, Particle } from "@bothends/runtime";
import { type AnyReference, type RecordFacts, resolveRecord, resolveType } from "@bothends/runtime/codec";
import { makeText, textValue } from "./make-simple.js";
import type { Random } from "./random.js";

/** What is made, in a box: values may be undefined. An empty place is one that nothing could be made for. */
export type Made<T = unknown> = { readonly value: T } | undefined;

type Members = Readonly<Record<string, unknown>>;

/** A random value of a type; undefined where none could be made, such as text for a pattern that is too hard. */
export function makeValue(reference: AnyReference, random: Random, depth = 0): Made {
  const type = resolveType(reference);
  switch (type.kind) {
    case "simple": {
      const text = makeText(reference, random);
      return text === undefined ? undefined : { value: textValue(type, text) };
    }
    case "anyType":
      return { value: random.text(4) };
    case "record":
      return makeRecord(type, random, depth + 1);
    case "polymorphic":
      return makeArm(type, random, depth);
    default:
      return undefined;
  }
}

function makeArm(
  { arms, declared }: Extract<ReturnType<typeof resolveType>, { readonly kind: "polymorphic" }>,
  random: Random,
  depth: number,
): Made {
  const entries = Object.entries(arms);
  const first = random.below(entries.length);
  for (const [tag, arm] of [...entries.slice(first), ...entries.slice(0, first)]) {
    const made = makeRecord(resolveRecord(arm), random, depth + 1);
    if (made !== undefined) return tag === declared ? made : { value: { $type: tag, ...made.value } };
  }
  return undefined;
}

const deepest = 12;

function makeRecord(record: RecordFacts, random: Random, depth: number): Made<Members> {
  if (depth > deepest) return undefined;
  const fields = Object.entries(record.fields);
  const beside = fields.filter(([, field]) => !isContent(field)).map(([key]) => key);
  const content = record.content ?? fields.filter(([, field]) => isContent(field)).map(([key]) => key);
  return makeAll([...beside, ...content], { record, random, depth });
}

interface Making {
  readonly record: RecordFacts;
  readonly random: Random;
  readonly depth: number;
}

function makeAll(particles: readonly Particle[], making: Making): Made<Members> {
  const members: [string, unknown][] = [];
  for (const particle of particles) {
    const made = makeParticle(particle, making);
    if (made === undefined) return undefined;
    members.push(...Object.entries(made.value));
  }
  return { value: Object.fromEntries(members) };
}

function makeParticle(particle: Particle, making: Making): Made<Members> {
  const { record, random, depth } = making;
  if (typeof particle === "string") {
    const field = record.fields[particle];
    const made = field === undefined ? undefined : makeField(field, random, depth);
    return made && { value: made.value === undefined ? {} : { [particle]: made.value } };
  }
  const optional = particle.optional === true;
  if (optional && !isWanted(random, depth)) return { value: {} };
  const made =
    "choice" in particle
      ? makeChoice(particle.choice, making)
      : makeAll("all" in particle ? particle.all : particle.sequence, making);
  return made ?? (optional ? { value: {} } : undefined);
}

function makeChoice(particles: readonly Particle[], making: Making): Made<Members> {
  const first = making.random.below(Math.max(1, particles.length));
  for (const particle of [...particles.slice(first), ...particles.slice(0, first)]) {
    const made = makeParticle(particle, making);
    // An arm that makes nothing would be another arm on the way back.
    if (made !== undefined && Object.keys(made.value).length > 0) return made;
  }
  return undefined;
}

/** The deeper, the less of what may be left out. */
function isWanted(random: Random, depth: number): boolean {
  return random.chance(Math.max(0, 70 - depth * 12));
}

function makeField(field: FieldDescriptor<unknown>, random: Random, depth: number): Made {
  switch (field.kind) {
    case "attribute": {
      // An attribute that has a default is never absent once it is read.
      const always = field.required === true || field.default !== undefined || field.fixed !== undefined;
      if (!always && !isWanted(random, depth)) return { value: undefined };
      if (field.fixed !== undefined) return fixedValue(field.type, field.fixed);
      return makeValue(field.type, random, depth) ?? (field.required === true ? undefined : { value: undefined });
    }
    case "text":
      return makeValue(field.type, random, depth);
    case "mixed":
      // Which elements mixed content asks for is not in its descriptor.
      return undefined;
    case "group":
      return makeMany(
        () => makeRecord(resolveRecord(field.record), random, depth + 1),
        { ...field, array: true },
        random,
        depth,
      );
    case "any":
      return makeAny(field, random);
    case "anyAttribute":
      return { value: undefined };
    default: {
      const { fixed, type, nillable } = field;
      const make = () => {
        if (fixed !== undefined || field.default !== undefined) return makeConstrained(type, field, random);
        return nillable === true && random.chance(20) ? { value: null } : makeValue(type, random, depth);
      };
      return makeMany(make, { ...field, array: (field.max ?? 1) !== 1 }, random, depth);
    }
  }
}

/** A value of an element whose declaration may say which. */
export function makeConstrained(
  type: AnyReference,
  facts: { readonly default?: string | undefined; readonly fixed?: string | undefined },
  random: Random,
): Made {
  // Empty text would be read as the default.
  const text = facts.fixed ?? facts.default;
  return text === undefined ? makeValue(type, random) : fixedValue(type, text);
}

function fixedValue(reference: AnyReference, text: string): Made {
  const type = resolveType(reference);
  return type.kind === "simple" ? { value: textValue(type, text) } : undefined;
}

interface Occurs {
  readonly min?: number;
  readonly max?: Max;
  readonly array: boolean;
}

function makeMany(make: () => Made, { min = 1, max = 1, array }: Occurs, random: Random, depth: number): Made {
  const wanted = min > 0 ? min : isWanted(random, depth) ? 1 : 0;
  const most = max === "unbounded" ? wanted + 2 : max;
  const count = Math.min(most, wanted + (wanted > 0 && isWanted(random, depth) ? random.below(3) : 0));
  const items: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const made = make();
    if (made === undefined && items.length < min) return undefined;
    if (made !== undefined) items.push(made.value);
  }
  if (array) return { value: items.length === 0 && min === 0 ? undefined : items };
  return { value: items[0] };
}

/** An element that no schema has, where a wildcard takes such; none where it asks for a declared one. */
function makeAny(field: Extract<FieldDescriptor<unknown>, { readonly kind: "any" }>, random: Random): Made {
  const { min = 1, max = 1, namespaces, process } = field;
  if (min === 0 || process === "strict") return min === 0 ? { value: undefined } : undefined;
  const [first = ""] = Array.isArray(namespaces) ? namespaces : ["urn:other"];
  const name = `${first === "" ? "" : `{${first}}`}Wild${random.text(3)}`;
  const items = Array.from({ length: min }, () => ({ name }));
  return { value: max === 1 ? items[0] : items };
}

function isContent(field: FieldDescriptor<unknown>): boolean {
  return field.kind === undefined || field.kind === "element" || field.kind === "group" || field.kind === "any";
}
