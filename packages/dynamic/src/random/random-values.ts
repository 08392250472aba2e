import type { DerivedSimpleType, FacetUse, FieldDescriptor, Max, Particle, SimpleType } from "@bothends/runtime";
import { type AnyReference, type ResolvedRecord, resolveRecord, resolveType } from "@bothends/runtime/codec";
import * as xs from "@bothends/runtime/xs";
import { getTextOfPattern, type Random } from "./random-text.js";

/**
 * A random value, wrapped in an object because the value itself may be undefined. `MadeValue` is undefined if no value
 * was found.
 */
export type MadeValue<T = unknown> = { readonly value: T } | undefined;

type Members = Readonly<Record<string, unknown>>;

/** Makes a random value of a type; returns undefined if it finds none, for example because of a difficult pattern. */
export function makeValue(reference: AnyReference, random: Random, depth = 0): MadeValue {
  const type = resolveType(reference);
  switch (type.kind) {
    case "simple": {
      const text = makeText(reference, random);
      return text === undefined ? undefined : { value: createTextValue(type, text) };
    }
    case "anyType":
      return { value: random.drawText(4) };
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
): MadeValue {
  const entries = Object.entries(alternatives);
  const firstIndex = random.drawIntegerBelow(entries.length);
  for (const [tag, alternative] of [...entries.slice(firstIndex), ...entries.slice(0, firstIndex)]) {
    const record = makeRecord(resolveRecord(alternative), random, depth + 1);
    if (record !== undefined) {
      return tag === declared ? record : { value: { $type: tag, ...record.value } };
    }
  }
  return undefined;
}

const maxDepth = 12;

function makeRecord(record: ResolvedRecord, random: Random, depth: number): MadeValue<Members> {
  if (depth > maxDepth) {
    return undefined;
  }
  const fields = Object.entries(record.fields);
  const otherKeys = fields.filter(([, field]) => !isContent(field)).map(([key]) => key);
  const content = record.content ?? fields.filter(([, field]) => isContent(field)).map(([key]) => key);
  return makeAll([...otherKeys, ...content], { record, random, depth });
}

interface RecordContext {
  readonly record: ResolvedRecord;
  readonly random: Random;
  readonly depth: number;
}

function makeAll(particles: readonly Particle[], context: RecordContext): MadeValue<Members> {
  const members: [string, unknown][] = [];
  for (const particle of particles) {
    const particleMembers = makeParticle(particle, context);
    if (particleMembers === undefined) {
      return undefined;
    }
    members.push(...Object.entries(particleMembers.value));
  }
  return { value: Object.fromEntries(members) };
}

function makeParticle(particle: Particle, context: RecordContext): MadeValue<Members> {
  const { record, random, depth } = context;
  if (typeof particle === "string") {
    const field = record.fields[particle];
    const madeValue = field === undefined ? undefined : makeField(field, random, depth);
    return madeValue && { value: madeValue.value === undefined ? {} : { [particle]: madeValue.value } };
  }
  const isOptional = particle.optional === true;
  if (isOptional && !includesOptional(random, depth)) {
    return { value: {} };
  }
  const madeValue =
    "choice" in particle
      ? makeChoice(particle.choice, context)
      : makeAll("all" in particle ? particle.all : particle.sequence, context);
  return madeValue ?? (isOptional ? { value: {} } : undefined);
}

function makeChoice(particles: readonly Particle[], context: RecordContext): MadeValue<Members> {
  const firstIndex = context.random.drawIntegerBelow(Math.max(1, particles.length));
  for (const particle of [...particles.slice(firstIndex), ...particles.slice(0, firstIndex)]) {
    const branch = makeParticle(particle, context);
    // A branch without content is not used, because it could be read as a different branch.
    if (branch !== undefined && Object.keys(branch.value).length > 0) {
      return branch;
    }
  }
  return undefined;
}

/** Decides at random whether to make optional content. The probability decreases with the depth. */
function includesOptional(random: Random, depth: number): boolean {
  return random.drawBoolean(Math.max(0, 70 - depth * 12));
}

function makeField(field: FieldDescriptor<unknown>, random: Random, depth: number): MadeValue {
  switch (field.kind) {
    case "attribute": {
      // An attribute with a default is always made, because a reader adds the default of an absent attribute.
      const isAlwaysPresent = field.required === true || field.default !== undefined || field.fixed !== undefined;
      if (!isAlwaysPresent && !includesOptional(random, depth)) {
        return { value: undefined };
      }
      if (field.fixed !== undefined) {
        return findFixedValue(field.type, field.fixed);
      }
      return makeValue(field.type, random, depth) ?? (field.required === true ? undefined : { value: undefined });
    }
    case "text":
      return makeValue(field.type, random, depth);
    case "mixed":
      // Returns no value, because a descriptor does not state which elements mixed content requires.
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
      const makeItem = () => {
        if (fixed !== undefined || field.default !== undefined) {
          return makeConstrained(type, field, random);
        }
        return nillable === true && random.drawBoolean(20) ? { value: null } : makeValue(type, random, depth);
      };
      return makeMany(makeItem, { ...field, array: (field.max ?? 1) !== 1 }, random, depth);
    }
  }
}

/** Makes a value for an element: its fixed or default value, or a random value if it has neither. */
export function makeConstrained(
  type: AnyReference,
  constraints: { readonly default?: string | undefined; readonly fixed?: string | undefined },
  random: Random,
): MadeValue {
  // A random string may be empty, and readers replace an empty element with its default, so the default is used
  // instead.
  const text = constraints.fixed ?? constraints.default;
  return text === undefined ? makeValue(type, random) : findFixedValue(type, text);
}

function findFixedValue(reference: AnyReference, text: string): MadeValue {
  const type = resolveType(reference);
  return type.kind === "simple" ? { value: createTextValue(type, text) } : undefined;
}

interface Occurs {
  readonly min?: number;
  readonly max?: Max;
  readonly array: boolean;
}

function makeMany(
  makeItem: () => MadeValue,
  { min = 1, max = 1, array }: Occurs,
  random: Random,
  depth: number,
): MadeValue {
  const requiredCount = min > 0 ? min : includesOptional(random, depth) ? 1 : 0;
  const maxCount = max === "unbounded" ? requiredCount + 2 : max;
  const count = Math.min(
    maxCount,
    requiredCount + (requiredCount > 0 && includesOptional(random, depth) ? random.drawIntegerBelow(3) : 0),
  );
  const items: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const item = makeItem();
    if (item === undefined && items.length < min) {
      return undefined;
    }
    if (item !== undefined) {
      items.push(item.value);
    }
  }
  if (array) {
    return { value: items.length === 0 && min === 0 ? undefined : items };
  }
  return { value: items[0] };
}

/** Makes an element for a wildcard; returns undefined if the wildcard allows only declared elements. */
function makeAny(field: Extract<FieldDescriptor<unknown>, { readonly kind: "any" }>, random: Random): MadeValue {
  const { min = 1, max = 1, namespaces, process } = field;
  if (min === 0 || process === "strict") {
    return min === 0 ? { value: undefined } : undefined;
  }
  const [namespace = ""] = Array.isArray(namespaces) ? namespaces : ["urn:other"];
  const name = `${namespace === "" ? "" : `{${namespace}}`}Wild${random.drawText(3)}`;
  const items = Array.from({ length: min }, () => ({ name }));
  return { value: max === 1 ? items[0] : items };
}

function isContent(field: FieldDescriptor<unknown>): boolean {
  return field.kind === undefined || field.kind === "group" || field.kind === "any";
}

/** Makes a string that a simple type accepts; returns undefined after 60 attempts. */
export function makeText(reference: AnyReference, random: Random): string | undefined {
  const type = resolveType(reference);
  if (type.kind !== "simple") {
    return undefined;
  }
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const text = findCandidateText(reference, random, attempt);
    if (text !== undefined && isAccepted(type, text)) {
      return text;
    }
  }
  return undefined;
}

const context = {
  resolve: (prefix: string) => (prefix === "xs" ? "http://www.w3.org/2001/XMLSchema" : undefined),
  prefixFor: () => "xs",
};

function isAccepted(type: SimpleType<unknown>, text: string): boolean {
  try {
    type.read(normalizeText(type, text), context);
    return true;
  } catch {
    return false;
  }
}

/** Reads a string as a value of a simple type. */
export function createTextValue(type: SimpleType<unknown>, text: string): unknown {
  return type.read(normalizeText(type, text), context);
}

function normalizeText({ whiteSpace }: SimpleType<unknown>, text: string): string {
  if (whiteSpace === "preserve") {
    return text;
  }
  const replacedText = text.replace(/[\t\n\r]/g, " ");
  return whiteSpace === "replace" ? replacedText : replacedText.replace(/ +/g, " ").trim();
}

function findCandidateText(reference: AnyReference, random: Random, attempt: number): string | undefined {
  const type = typeof reference === "function" ? reference() : reference;
  if (!isDerived(type)) {
    return isSimple(type) ? createBuiltinText(type.name.replace("xs:", ""), random) : undefined;
  }
  const facets = type.facets ?? [];
  const enumeratedValues = findValues(facets, xs.enumeration);
  if (enumeratedValues !== undefined) {
    return random.pick(enumeratedValues);
  }
  const patterns = findValues(facets, xs.pattern);
  if (patterns !== undefined) {
    return getTextOfPattern(random.pick(patterns) ?? "", random);
  }
  if (type.by === xs.list) {
    return listText(type, random);
  }
  const [base] = type.by === xs.union ? [random.pick(type.types)] : type.types;
  return base === undefined
    ? undefined
    : fitToFacets(findCandidateText(base, random, attempt), facets, { random, attempt });
}

function listText({ types: [item] }: DerivedSimpleType<unknown>, random: Random): string | undefined {
  if (item === undefined) {
    return undefined;
  }
  const texts = Array.from({ length: 1 + random.drawIntegerBelow(3) }, () => makeText(item, random));
  return texts.every((text) => text !== undefined) ? texts.join(" ") : undefined;
}

/**
 * Changes a string so that it probably satisfies the facets: replaces it with a bound, or gives it the required length.
 */
function fitToFacets(
  text: string | undefined,
  facets: readonly FacetUse[],
  { random, attempt }: { readonly random: Random; readonly attempt: number },
): string | undefined {
  const findFacet = (facetKind: FacetUse[0]) => facets.find(([name]) => name === facetKind)?.[1];
  const bounds = [xs.minInclusive, xs.maxInclusive].map(findFacet).filter((bound) => bound !== undefined);
  if (bounds.length > 0 && attempt % 2 === 1) {
    return String(random.pick(bounds));
  }
  const lowerBound = findFacet(xs.minExclusive);
  if (lowerBound !== undefined && /^-?\d+$/.test(String(lowerBound))) {
    return String(BigInt(String(lowerBound)) + 1n);
  }
  const upperBound = findFacet(xs.maxExclusive);
  if (upperBound !== undefined && /^-?\d+$/.test(String(upperBound))) {
    return String(BigInt(String(upperBound)) - 1n);
  }
  const totalDigits = findFacet(xs.totalDigits);
  if (typeof totalDigits === "number") {
    return String(random.drawIntegerBelow(10 ** Math.min(totalDigits, 9)));
  }
  const exactLength = findFacet(xs.length);
  const minLength = findFacet(xs.minLength);
  const maxLength = findFacet(xs.maxLength);
  const length = Number(exactLength ?? minLength ?? Math.min(Number(maxLength ?? 8), text?.length ?? 0));
  if (text === undefined || (exactLength === undefined && minLength === undefined && maxLength === undefined)) {
    return text;
  }
  if (text.includes(" ")) {
    return text;
  }
  return /^\d*$/.test(text) ? random.drawDigits(length) : `${text}${random.drawText(length)}`.slice(0, length);
}

function findValues(facets: readonly FacetUse[], facetKind: FacetUse[0]): readonly string[] | undefined {
  const value = facets.find(([facet]) => facet === facetKind)?.[1];
  return Array.isArray(value) ? value.map(String) : undefined;
}

function isDerived(type: { readonly kind: string }): type is DerivedSimpleType<unknown> {
  return type.kind === "derived";
}

function isSimple(type: { readonly kind: string }): type is SimpleType<unknown> {
  return type.kind === "simple";
}

function createBuiltinText(name: string, random: Random): string {
  const drawTwoDigits = (limit: number) => String(1 + random.drawIntegerBelow(limit)).padStart(2, "0");
  const date = `${1900 + random.drawIntegerBelow(200)}-${drawTwoDigits(12)}-${drawTwoDigits(28)}`;
  const time = `${drawTwoDigits(23)}:${drawTwoDigits(59)}:${drawTwoDigits(59)}`;
  switch (name) {
    case "boolean":
      return random.drawBoolean(50) ? "true" : "false";
    case "decimal":
      return random.drawBoolean(50)
        ? random.drawDigits(3)
        : `${random.drawIntegerBelow(1000)}.${1 + random.drawIntegerBelow(9)}`;
    case "float":
    case "double":
      return `${random.drawIntegerBelow(1000)}.5`;
    case "negativeInteger":
    case "nonPositiveInteger":
      return `-${1 + random.drawIntegerBelow(100)}`;
    case "byte":
    case "short":
    case "int":
    case "long":
    case "integer":
      return String(random.drawIntegerBelow(200) - 100);
    case "unsignedByte":
    case "unsignedShort":
    case "unsignedInt":
    case "unsignedLong":
    case "nonNegativeInteger":
    case "positiveInteger":
      return String(1 + random.drawIntegerBelow(200));
    case "duration":
      return `P${random.drawIntegerBelow(9)}DT${1 + random.drawIntegerBelow(23)}H`;
    case "dateTime":
      return `${date}T${time}${random.drawBoolean(50) ? "Z" : ""}`;
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
      return random.drawDigits(2 * random.drawIntegerBelow(5));
    case "base64Binary":
      return Buffer.from(random.drawText(random.drawIntegerBelow(9))).toString("base64");
    case "language":
      return "en";
    case "anyURI":
      return `http://${random.drawText(5).toLowerCase()}.example/`;
    case "QName":
      return `xs:${random.drawText(4)}`;
    case "ID":
      return `id${random.drawText(12)}`;
    case "string":
    case "normalizedString":
      return random.drawBoolean(10)
        ? `${random.drawText(3)} & <${random.drawText(2)}>`
        : random.drawText(1 + random.drawIntegerBelow(8));
    default:
      return random.drawText(1 + random.drawIntegerBelow(8));
  }
}
