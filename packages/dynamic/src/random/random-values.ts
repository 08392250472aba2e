import type { DerivedSimpleType, FacetUse, FieldDescriptor, Max, Particle, SimpleType } from "@bothends/runtime";
import { type AnyReference, type ResolvedRecord, resolveRecord, resolveType } from "@bothends/runtime/codec";
import * as xs from "@bothends/runtime/xs";
import { type Random, textOfPattern } from "./random-text.js";

/** A random value, wrapped in an object because a value may be undefined. */
export type Made<T = unknown> = { readonly value: T } | undefined;

type Members = Readonly<Record<string, unknown>>;

/** Creates a random value of a type; undefined if none is found, for example for a difficult pattern. */
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
      return makeAlternative(type, random, depth);
    default:
      return undefined;
  }
}

function makeAlternative(
  { alternatives, declared }: Extract<ReturnType<typeof resolveType>, { readonly kind: "polymorphic" }>,
  random: Random,
  depth: number,
): Made {
  const entries = Object.entries(alternatives);
  const first = random.below(entries.length);
  for (const [tag, alternative] of [...entries.slice(first), ...entries.slice(0, first)]) {
    const made = makeRecord(resolveRecord(alternative), random, depth + 1);
    if (made !== undefined) {
      return tag === declared ? made : { value: { $type: tag, ...made.value } };
    }
  }
  return undefined;
}

const deepest = 12;

function makeRecord(record: ResolvedRecord, random: Random, depth: number): Made<Members> {
  if (depth > deepest) {
    return undefined;
  }
  const fields = Object.entries(record.fields);
  const beside = fields.filter(([, field]) => !isContent(field)).map(([key]) => key);
  const content = record.content ?? fields.filter(([, field]) => isContent(field)).map(([key]) => key);
  return makeAll([...beside, ...content], { record, random, depth });
}

interface Making {
  readonly record: ResolvedRecord;
  readonly random: Random;
  readonly depth: number;
}

function makeAll(particles: readonly Particle[], making: Making): Made<Members> {
  const members: [string, unknown][] = [];
  for (const particle of particles) {
    const made = makeParticle(particle, making);
    if (made === undefined) {
      return undefined;
    }
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
  if (optional && !isWanted(random, depth)) {
    return { value: {} };
  }
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
    // An empty choice would be read back as a different choice.
    if (made !== undefined && Object.keys(made.value).length > 0) {
      return made;
    }
  }
  return undefined;
}

/** The probability of optional content, which decreases with depth. */
function isWanted(random: Random, depth: number): boolean {
  return random.chance(Math.max(0, 70 - depth * 12));
}

function makeField(field: FieldDescriptor<unknown>, random: Random, depth: number): Made {
  switch (field.kind) {
    case "attribute": {
      // After reading, an attribute with a default is always present.
      const always = field.required === true || field.default !== undefined || field.fixed !== undefined;
      if (!always && !isWanted(random, depth)) {
        return { value: undefined };
      }
      if (field.fixed !== undefined) {
        return fixedValue(field.type, field.fixed);
      }
      return makeValue(field.type, random, depth) ?? (field.required === true ? undefined : { value: undefined });
    }
    case "text":
      return makeValue(field.type, random, depth);
    case "mixed":
      // The descriptor does not define which elements mixed content requires.
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
        if (fixed !== undefined || field.default !== undefined) {
          return makeConstrained(type, field, random);
        }
        return nillable === true && random.chance(20) ? { value: null } : makeValue(type, random, depth);
      };
      return makeMany(make, { ...field, array: (field.max ?? 1) !== 1 }, random, depth);
    }
  }
}

/** Creates a value of an element, which may be fixed. */
export function makeConstrained(
  type: AnyReference,
  constraints: { readonly default?: string | undefined; readonly fixed?: string | undefined },
  random: Random,
): Made {
  // Empty text would be read as the default value.
  const text = constraints.fixed ?? constraints.default;
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
  const greatest = max === "unbounded" ? wanted + 2 : max;
  const count = Math.min(greatest, wanted + (wanted > 0 && isWanted(random, depth) ? random.below(3) : 0));
  const items: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const made = make();
    if (made === undefined && items.length < min) {
      return undefined;
    }
    if (made !== undefined) {
      items.push(made.value);
    }
  }
  if (array) {
    return { value: items.length === 0 && min === 0 ? undefined : items };
  }
  return { value: items[0] };
}

/** Creates an undeclared element for a wildcard; undefined if the wildcard requires a declared one. */
function makeAny(field: Extract<FieldDescriptor<unknown>, { readonly kind: "any" }>, random: Random): Made {
  const { min = 1, max = 1, namespaces, process } = field;
  if (min === 0 || process === "strict") {
    return min === 0 ? { value: undefined } : undefined;
  }
  const [first = ""] = Array.isArray(namespaces) ? namespaces : ["urn:other"];
  const name = `${first === "" ? "" : `{${first}}`}Wild${random.text(3)}`;
  const items = Array.from({ length: min }, () => ({ name }));
  return { value: max === 1 ? items[0] : items };
}

function isContent(field: FieldDescriptor<unknown>): boolean {
  return field.kind === undefined || field.kind === "group" || field.kind === "any";
}

/** Creates text of a simple type by trying until the type accepts it; undefined if none is found. */
export function makeText(reference: AnyReference, random: Random): string | undefined {
  const type = resolveType(reference);
  if (type.kind !== "simple") {
    return undefined;
  }
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const text = candidate(reference, random, attempt);
    if (text !== undefined && isOf(type, text)) {
      return text;
    }
  }
  return undefined;
}

const context = {
  resolve: (prefix: string) => (prefix === "xs" ? "http://www.w3.org/2001/XMLSchema" : undefined),
  prefixFor: () => "xs",
};

function isOf(type: SimpleType<unknown>, text: string): boolean {
  try {
    type.read(normalized(type, text), context);
    return true;
  } catch {
    return false;
  }
}

/** The value that a text represents. */
export function textValue(type: SimpleType<unknown>, text: string): unknown {
  return type.read(normalized(type, text), context);
}

function normalized({ whiteSpace }: SimpleType<unknown>, text: string): string {
  if (whiteSpace === "preserve") {
    return text;
  }
  const replaced = text.replace(/[\t\n\r]/g, " ");
  return whiteSpace === "replace" ? replaced : replaced.replace(/ +/g, " ").trim();
}

function candidate(reference: AnyReference, random: Random, attempt: number): string | undefined {
  const type = typeof reference === "function" ? reference() : reference;
  if (!isDerived(type)) {
    return isSimple(type) ? builtinText(type.name.replace("xs:", ""), random) : undefined;
  }
  const facets = type.facets ?? [];
  const listed = valuesOf(facets, xs.enumeration);
  if (listed !== undefined) {
    return random.pick(listed);
  }
  const patterns = valuesOf(facets, xs.pattern);
  if (patterns !== undefined) {
    return textOfPattern(random.pick(patterns) ?? "", random);
  }
  if (type.by === xs.list) {
    return listText(type, random);
  }
  const [base] = type.by === xs.union ? [random.pick(type.types)] : type.types;
  return base === undefined ? undefined : fitted(candidate(base, random, attempt), facets, { random, attempt });
}

function listText({ types: [item] }: DerivedSimpleType<unknown>, random: Random): string | undefined {
  if (item === undefined) {
    return undefined;
  }
  const texts = Array.from({ length: 1 + random.below(3) }, () => makeText(item, random));
  return texts.every((text) => text !== undefined) ? texts.join(" ") : undefined;
}

/** Text that probably satisfies the facets: at a bound, or of the required length. */
function fitted(
  text: string | undefined,
  facets: readonly FacetUse[],
  { random, attempt }: { readonly random: Random; readonly attempt: number },
): string | undefined {
  const facet = (facetKind: FacetUse[0]) => facets.find(([each]) => each === facetKind)?.[1];
  const bounds = [xs.minInclusive, xs.maxInclusive].map(facet).filter((bound) => bound !== undefined);
  if (bounds.length > 0 && attempt % 2 === 1) {
    return String(random.pick(bounds));
  }
  const exclusive = facet(xs.minExclusive);
  if (exclusive !== undefined && /^-?\d+$/.test(String(exclusive))) {
    return String(BigInt(String(exclusive)) + 1n);
  }
  const above = facet(xs.maxExclusive);
  if (above !== undefined && /^-?\d+$/.test(String(above))) {
    return String(BigInt(String(above)) - 1n);
  }
  const total = facet(xs.totalDigits);
  if (typeof total === "number") {
    return String(random.below(10 ** Math.min(total, 9)));
  }
  const fixed = facet(xs.length);
  const least = facet(xs.minLength);
  const greatest = facet(xs.maxLength);
  const length = Number(fixed ?? least ?? Math.min(Number(greatest ?? 8), text?.length ?? 0));
  if (text === undefined || (fixed === undefined && least === undefined && greatest === undefined)) {
    return text;
  }
  if (text.includes(" ")) {
    return text;
  }
  return /^\d*$/.test(text) ? random.digits(length) : `${text}${random.text(length)}`.slice(0, length);
}

function valuesOf(facets: readonly FacetUse[], facetKind: FacetUse[0]): readonly string[] | undefined {
  const value = facets.find(([facet]) => facet === facetKind)?.[1];
  return Array.isArray(value) ? value.map(String) : undefined;
}

function isDerived(type: { readonly kind: string }): type is DerivedSimpleType<unknown> {
  return type.kind === "derived";
}

function isSimple(type: { readonly kind: string }): type is SimpleType<unknown> {
  return type.kind === "simple";
}

function builtinText(name: string, random: Random): string {
  const two = (limit: number) => String(1 + random.below(limit)).padStart(2, "0");
  const date = `${1900 + random.below(200)}-${two(12)}-${two(28)}`;
  const time = `${two(23)}:${two(59)}:${two(59)}`;
  switch (name) {
    case "boolean":
      return random.chance(50) ? "true" : "false";
    case "decimal":
      return random.chance(50) ? random.digits(3) : `${random.below(1000)}.${1 + random.below(9)}`;
    case "float":
    case "double":
      return `${random.below(1000)}.5`;
    case "negativeInteger":
    case "nonPositiveInteger":
      return `-${1 + random.below(100)}`;
    case "byte":
    case "short":
    case "int":
    case "long":
    case "integer":
      return String(random.below(200) - 100);
    case "unsignedByte":
    case "unsignedShort":
    case "unsignedInt":
    case "unsignedLong":
    case "nonNegativeInteger":
    case "positiveInteger":
      return String(1 + random.below(200));
    case "duration":
      return `P${random.below(9)}DT${1 + random.below(23)}H`;
    case "dateTime":
      return `${date}T${time}${random.chance(50) ? "Z" : ""}`;
    case "date":
      return date;
    case "time":
      return time;
    case "gYearMonth":
      return date.slice(0, 7);
    case "gYear":
      return date.slice(0, 4);
    case "gMonthDay":
      return `--${date.slice(5)}`;
    case "gMonth":
      return `--${date.slice(5, 7)}`;
    case "gDay":
      return `---${date.slice(8)}`;
    case "hexBinary":
      return random.digits(2 * random.below(5));
    case "base64Binary":
      return Buffer.from(random.text(random.below(9))).toString("base64");
    case "language":
      return "en";
    case "anyURI":
      return `http://${random.text(5).toLowerCase()}.example/`;
    case "QName":
      return `xs:${random.text(4)}`;
    case "ID":
      return `id${random.text(12)}`;
    case "string":
    case "normalizedString":
      return random.chance(10) ? `${random.text(3)} & <${random.text(2)}>` : random.text(1 + random.below(8));
    default:
      return random.text(1 + random.below(8));
  }
}
