import { emptyContext } from "@bothends/datatypes";
import fc from "fast-check";
import { resolveRecord, resolveType } from "../../src/codec/resolve-type.js";
import type { AnyReference, ResolvedRecord } from "../../src/codec/resolved-types.js";
import type {
  AnyAttribute,
  AnyElement,
  AnyValue,
  DerivedSimpleType,
  FacetUse,
  FieldDescriptor,
  Max,
  Particle,
  SimpleType,
} from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";

/** Text that XML can contain, with all characters that need special treatment. */
export const xmlText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom("<", "&", "]]>", '"', "\r", "\n", "\t", "  ", "😀", "\ufffd", "é"),
    ),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join("").replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, ""));

const ncName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,5}$/).filter((name) => name !== "xmlns");
const namespace = fc.constantFrom("", "urn:w", "urn:x", "urn:a");
const clarkName = fc.tuple(namespace, ncName).map(([uri, local]) => (uri === "" ? local : `{${uri}}${local}`));
const token = xmlText.map((text) => text.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, ""));
const digits = (text: string): string => text.padStart(2, "0");
const date = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, day]) => `${String(year).padStart(4, "0")}-${digits(String(month))}-${digits(String(day))}`);

/** Values of the built-in types, in the form that reading gives them. */
const builtinsByName: ReadonlyMap<string, fc.Arbitrary<unknown>> = new Map<string, fc.Arbitrary<unknown>>([
  ["xs:string", xmlText],
  ["xs:token", token],
  ["xs:boolean", fc.boolean()],
  ["xs:int", fc.integer()],
  ["xs:short", fc.integer({ min: -32768, max: 32767 })],
  ["xs:unsignedByte", fc.integer({ min: 0, max: 255 })],
  ["xs:long", fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
  ["xs:decimal", fc.tuple(fc.integer(), fc.nat(999)).map(([whole, part]) => `${whole}.${part}`)],
  ["xs:double", fc.double()],
  ["xs:date", date],
  ["xs:dateTime", date.map((day) => `${day}T12:30:00Z`)],
  ["xs:QName", clarkName],
  ["xs:NMTOKENS", fc.array(ncName, { minLength: 1, maxLength: 3 })],
  ["xs:hexBinary", fc.uint8Array({ maxLength: 8 })],
  ["xs:base64Binary", fc.uint8Array({ maxLength: 8 })],
]);

/** The built-in types that have arbitrary values. */
export const builtinDatatypes: readonly SimpleType<NonNullable<unknown>>[] = [
  xs.string,
  xs.token,
  xs.boolean,
  xs.int,
  xs.short,
  xs.unsignedByte,
  xs.long,
  xs.decimal,
  xs.double,
  xs.date,
  xs.dateTime,
  xs.QName,
  xs.NMTOKENS,
  xs.hexBinary,
  xs.base64Binary,
];

/** Arbitrary values of a type, by its descriptor. Encoding and decoding them gives the same values. */
export function valuesOf(reference: AnyReference): fc.Arbitrary<unknown> {
  const derived = typeof reference === "function" ? reference() : reference;
  if (isDerived(derived)) {
    return derivedValue(derived);
  }
  const type = resolveType(reference);
  switch (type.kind) {
    case "simple": {
      const values = builtinsByName.get(type.name);
      if (values === undefined) {
        throw new Error(`No arbitrary values of ${type.name}.`);
      }
      return values;
    }
    case "anyType":
      return anyValue;
    case "record":
      return recordValue(type);
    case "array":
      return fc.array(fc.option(valuesOf(type.item)), { maxLength: 3 });
    case "polymorphic":
      return fc.oneof(
        ...Object.entries(type.alternatives).map(([tag, arm]) =>
          recordValue(resolveRecord(arm)).map((value) => (tag === type.declared ? value : { $type: tag, ...value })),
        ),
      );
  }
}

function isDerived(type: { readonly kind: string }): type is DerivedSimpleType<unknown> {
  return type.kind === "derived";
}

function derivedValue(type: DerivedSimpleType<unknown>): fc.Arbitrary<unknown> {
  const simple = resolveType(() => type);
  const [base, ...others] = type.types.map((member) => valuesOf(member));
  if (simple.kind !== "simple" || base === undefined) {
    throw new Error(`${type.name} derives from nothing.`);
  }
  const values =
    enumerated(type.facets) ?? (type.by === xs.list ? fc.array(base, { maxLength: 3 }) : fc.oneof(base, ...others));
  return values.filter((value) => {
    try {
      const context = { ...emptyContext, prefixFor: () => "p" };
      simple.write(value, context);
      return true;
    } catch {
      return false;
    }
  });
}

function enumerated(facets: readonly FacetUse[] = []): fc.Arbitrary<unknown> | undefined {
  const values = facets.find(([facet]) => facet === xs.enumeration)?.[1];
  return Array.isArray(values) ? fc.constantFrom(...values) : undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a record. Absent members are omitted. */
function recordValue(record: ResolvedRecord): fc.Arbitrary<Members> {
  const fields = Object.entries(record.fields);
  const attributes = fields.filter(([, field]) => field.kind === "attribute" || !isContent(field)).map(([key]) => key);
  const content = record.content ?? fields.filter(([, field]) => isContent(field)).map(([key]) => key);
  return sequence([...attributes, ...content], record.fields);
}

function isContent(field: FieldDescriptor<unknown>): boolean {
  return field.kind === undefined || field.kind === "group" || field.kind === "any";
}

function sequence(particles: readonly Particle[], fields: ResolvedRecord["fields"]): fc.Arbitrary<Members> {
  return fc
    .tuple(...particles.map((particle) => particleValue(particle, fields)))
    .map((parts) => Object.fromEntries(parts.flatMap((part) => Object.entries(part))));
}

function particleValue(particle: Particle, fields: ResolvedRecord["fields"]): fc.Arbitrary<Members> {
  if (typeof particle === "string") {
    const field = fields[particle];
    if (field === undefined) {
      throw new Error(`No field ${particle}.`);
    }
    return fieldValue(field).map((value) => (value === undefined ? {} : { [particle]: value }));
  }
  const group =
    "choice" in particle
      ? fc.oneof(...particle.choice.map((arm) => particleValue(arm, fields)))
      : sequence("all" in particle ? particle.all : particle.sequence, fields);
  return particle.optional === true ? fc.oneof(fc.constant({}), group) : group;
}

/** The value of a member; undefined where it is absent. */
function fieldValue(field: FieldDescriptor<unknown>): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "attribute":
      return field.required === true ? valuesOf(field.type) : optional(valuesOf(field.type));
    case "text":
      return valuesOf(field.type);
    case "mixed":
      return contentOf(recordValue(resolveRecord(field.record)));
    case "group": {
      const items = recordValue(resolveRecord(field.record)).filter((item) => Object.keys(item).length > 0);
      return many(items, { ...field, max: field.max ?? 1 });
    }
    case "any": {
      const [uri = "urn:w"] = Array.isArray(field.namespaces) ? field.namespaces : [];
      return occurring(anyElement(uri), field);
    }
    case "anyAttribute": {
      const [uri = "urn:w"] = Array.isArray(field.namespaces) ? field.namespaces : [];
      return optional(
        fc
          .uniqueArray(ncName, { minLength: 1, maxLength: 3 })
          .map((locals) => locals.map((local) => attribute(uri, local))),
      );
    }
    default: {
      const values = valuesOf(field.type);
      return occurring(field.nillable === true ? fc.option(values, { nil: null }) : values, field);
    }
  }
}

interface Occurs {
  readonly min?: number;
  readonly max?: Max;
}

function occurring(values: fc.Arbitrary<unknown>, occurs: Occurs): fc.Arbitrary<unknown> {
  if ((occurs.max ?? 1) !== 1) {
    return many(values, occurs);
  }
  return occurs.min === 0 ? optional(values) : values;
}

function many(values: fc.Arbitrary<unknown>, { min = 1, max = 1 }: Occurs): fc.Arbitrary<unknown> {
  const least = Math.max(min, 1);
  const items = fc.array(values, {
    minLength: least,
    maxLength: Math.min(max === "unbounded" ? least + 2 : max, least + 2),
  });
  return min === 0 ? optional(items) : items;
}

function optional(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.option(values, { nil: undefined });
}

function attribute(uri: string, local: string): AnyAttribute {
  return { name: uri === "" ? local : `{${uri}}${local}`, value: `${local} <"&\n` };
}

/** Items in which no two texts stand side by side, and none is empty. */
function contentOf<T>(elements: fc.Arbitrary<T>): fc.Arbitrary<(string | T)[]> {
  const text = xmlText.filter((part) => part !== "");
  return fc.array(fc.tuple(fc.option(text), elements), { maxLength: 2 }).chain((pairs) => {
    const items = pairs.flatMap(([before, element]) => (before === null ? [element] : [before, element]));
    return fc.option(text).map((last) => (last === null ? items : [...items, last]));
  });
}

/** An element for a wildcard, in a given namespace. */
export function anyElement(uri: string, depth = 2): fc.Arbitrary<AnyElement> {
  const children = depth === 0 ? fc.constant([]) : contentOf(namespace.chain((inner) => anyElement(inner, depth - 1)));
  return fc.tuple(ncName, attributesOf, children).map(([local, attributes, content]) => ({
    name: uri === "" ? local : `{${uri}}${local}`,
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(content.length === 0 ? {} : { content }),
  }));
}

const attributesOf = fc
  .uniqueArray(fc.tuple(namespace, ncName), { maxLength: 2, selector: ([uri, local]) => `{${uri}}${local}` })
  .map((names) => names.map(([uri, local]) => attribute(uri, local)));

const anyValue: fc.Arbitrary<AnyValue> = fc.oneof(
  xmlText,
  fc.record({
    type: clarkName,
    content: fc.array(
      xmlText.filter((text) => text !== ""),
      { minLength: 1, maxLength: 1 },
    ),
  }),
  attributesOf.filter((attributes) => attributes.length > 0).map((attributes) => ({ attributes })),
  anyElement("urn:w").map((element) => ({ content: [element] })),
);
