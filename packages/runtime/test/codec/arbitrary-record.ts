import fc from "fast-check";
import { inOrder } from "../../src/codec/kinds/in-order.js";
import type { FieldDescriptor, Particle, RecordDescriptor, TypeReference } from "../../src/descriptor.js";
import * as xs from "../../src/xs.js";
import { builtinDatatypes } from "./arbitrary.js";
import { type Loose, ns } from "./messages.js";

type Value = NonNullable<unknown>;
type Fields = Record<string, FieldDescriptor<Value>>;
interface Part {
  readonly fields: Fields;
  readonly particle: Particle | undefined;
}

/** Provides unique names for the elements of a record, so that every content model is unambiguous. */
class Names {
  #count = 0;
  next(): string {
    this.#count += 1;
    return `n${this.#count}`;
  }
}

/**
 * Arbitrary record descriptors with every kind of field and model group. The elements of a record have different names.
 */
export function recordDescriptor(depth = 2): fc.Arbitrary<() => RecordDescriptor<Loose>> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.gen().map((pick) => elementsRecord(pick, depth)) },
    { weight: 1, arbitrary: fc.gen().map((pick) => textRecord(pick)) },
    { weight: 1, arbitrary: fc.gen().map((pick) => mixedRecord(pick)) },
  );
}

type Pick = fc.GeneratorValue;

function build(pick: Pick, fields: Fields, content?: readonly Particle[]): () => RecordDescriptor<Loose> {
  const namespace = pick(fc.constantFrom, ns, "urn:b", "");
  const name = `{${ns}}T`;
  const parts = { kind: "record", name, fields, order: inOrder, ...(namespace === "" ? {} : { namespace }) } as const;
  const descriptor: RecordDescriptor<Loose> = content === undefined ? parts : { ...parts, content, by: xs.content };
  return () => descriptor;
}

function elementsRecord(pick: Pick, depth: number): () => RecordDescriptor<Loose> {
  const names = new Names();
  const parts = [
    ...attributes(pick, names),
    ...Array.from({ length: pick(fc.nat, { max: 5 }) }, () => part(pick, names, depth)),
  ];
  const fields: Fields = Object.assign({}, ...parts.map((part) => part.fields));
  const content = parts.flatMap((part) => (part.particle === undefined ? [] : [part.particle]));
  return content.every((particle) => typeof particle === "string") && pick(fc.boolean)
    ? build(pick, fields)
    : build(pick, fields, content);
}

function textRecord(pick: Pick): () => RecordDescriptor<Loose> {
  const fields: Fields = Object.assign({}, ...attributes(pick, new Names()).map((attribute) => attribute.fields));
  return build(pick, { ...fields, value: { kind: "text", by: xs.text, type: simple(pick) } });
}

function mixedRecord(pick: Pick): () => RecordDescriptor<Loose> {
  const keys = ["b", "i", "u"];
  const item = build(pick, Object.fromEntries(keys.map((key) => [key, { type: simple(pick) }])), [{ choice: keys }]);
  return build(pick, { content: { kind: "mixed", by: xs.mixed, record: item } });
}

function attributes(pick: Pick, names: Names): Part[] {
  const found: Part[] = Array.from({ length: pick(fc.nat, { max: 2 }) }, () => {
    const key = names.next();
    const namespace = pick(fc.constantFrom, "", "urn:attributes");
    const parts = {
      kind: "attribute",
      by: xs.attribute,
      type: simple(pick),
      ...(namespace === "" ? {} : { namespace }),
    } as const;
    const field: FieldDescriptor<Value> = pick(fc.boolean) ? { ...parts, required: true as const } : parts;
    return { fields: { [key]: field }, particle: undefined };
  });
  if (pick(fc.boolean)) {
    return found;
  }
  const wildcard = {
    kind: "anyAttribute",
    by: xs.anyAttribute,
    namespaces: ["urn:any-attributes"],
    process: "lax",
  } as const;
  return [...found, { fields: { anyAttribute: wildcard }, particle: undefined }];
}

function simple(pick: Pick): TypeReference<Value> {
  return pick(fc.constantFrom, ...builtinDatatypes);
}

function part(pick: Pick, names: Names, depth: number): Part {
  switch (depth === 0 ? "element" : pick(fc.constantFrom, "element", "element", "element", "any", "model", "group")) {
    case "any": {
      const key = names.next();
      const parts = {
        kind: "any",
        by: xs.any,
        namespaces: [`urn:${key}`],
        process: "lax",
        min: pick(fc.nat, { max: 1 }),
      } as const;
      return { fields: { [key]: pick(fc.boolean) ? parts : { ...parts, max: 3 } }, particle: key };
    }
    case "model":
      return model(pick, names, depth - 1);
    case "group":
      return group(pick, names, depth - 1);
    default:
      return element(pick, names, depth);
  }
}

function element(pick: Pick, names: Names, depth: number): Part {
  const key = names.next();
  const type =
    depth > 0 && pick(fc.nat, { max: 2 }) === 0
      ? elementsRecord(pick, depth - 1)
      : pick(fc.boolean)
        ? simple(pick)
        : xs.anyType;
  const parts = {
    type,
    min: pick(fc.nat, { max: 1 }),
    ...(pick(fc.boolean) ? { nillable: true as const } : {}),
    ...(pick(fc.nat, { max: 3 }) === 0 ? { max: pick(fc.constantFrom, 3, "unbounded" as const) } : {}),
    ...(pick(fc.nat, { max: 3 }) === 0 ? { namespace: pick(fc.constantFrom, "", "urn:c", ns) } : {}),
  };
  return { fields: { [key]: parts }, particle: key };
}

/**
 * Creates a content model. Each alternative of a choice has a required element, so that the chosen alternative is
 * unambiguous.
 */
function model(pick: Pick, names: Names, depth: number): Part {
  const kind = pick(fc.constantFrom, "choice", "sequence", "all");
  const parts = Array.from({ length: 1 + pick(fc.nat, { max: 2 }) }, () =>
    kind === "choice" ? headed(pick, names, depth) : required(pick, names),
  );
  const fields: Fields = Object.assign({}, ...parts.map((part) => part.fields));
  const particles = parts.flatMap((part) => (part.particle === undefined ? [] : [part.particle]));
  const optional = pick(fc.boolean) ? { optional: true as const } : {};
  if (kind === "choice") {
    return { fields, particle: { choice: particles, ...optional } };
  }
  return { fields, particle: kind === "all" ? { all: particles, ...optional } : { sequence: particles, ...optional } };
}

function required(pick: Pick, names: Names): Part {
  const key = names.next();
  return { fields: { [key]: { type: simple(pick) } }, particle: key };
}

/** A sequence that begins with a required element. */
function headed(pick: Pick, names: Names, depth: number): Part {
  const head = required(pick, names);
  if (pick(fc.boolean)) {
    return head;
  }
  const rest = element(pick, names, depth);
  const particles = [head, rest].flatMap((part) => (part.particle === undefined ? [] : [part.particle]));
  return { fields: { ...head.fields, ...rest.fields }, particle: { sequence: particles } };
}

/** An occurrence begins with a required element, so that occurrences can be distinguished. */
function group(pick: Pick, names: Names, depth: number): Part {
  const key = names.next();
  const arms = Array.from({ length: 1 + pick(fc.nat, { max: 1 }) }, () => headed(pick, names, depth));
  const fields: Fields = Object.assign({}, ...arms.map((branch) => branch.fields));
  const choice = arms.flatMap((branch) => (branch.particle === undefined ? [] : [branch.particle]));
  const record = build(pick, fields, [{ choice }]);
  const max = pick(fc.constantFrom, 3, "unbounded" as const);
  return {
    fields: { [key]: { kind: "group", by: xs.group, record, min: pick(fc.nat, { max: 1 }), max } },
    particle: key,
  };
}
