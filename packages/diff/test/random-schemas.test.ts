import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { diffContracts, rules } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";

/** A JSON Schema in which one part can be changed. */
type Schema = { readonly [keyword: string]: unknown };

const scalars = ["string", "integer", "boolean"];

function scalar(random: Random): Schema {
  return random.drawBoolean(25)
    ? { type: "string", enum: ["a", "b", "c"].slice(0, 2 + random.drawIntegerBelow(2)) }
    : bounded(random.pick(scalars) ?? "", random);
}

/** The keyword that sets the upper bound of values, by type. */
const bounds: Readonly<Record<string, string>> = { string: "maxLength", integer: "maximum" };

function bounded(type: string, random: Random): Schema {
  const keyword = bounds[type];
  return keyword === undefined || random.drawBoolean(60)
    ? { type }
    : { type, [keyword]: 5 + random.drawIntegerBelow(4) };
}

/** Changes, adds or removes the bound of a schema; undefined if its type has none. */
function withOtherBound(before: Schema, random: Random): Schema | undefined {
  const keyword = bounds[String(before["type"])];
  if (keyword === undefined || before["enum"] !== undefined) {
    return undefined;
  }
  const { [keyword]: bound, ...rest } = before;
  return typeof bound === "number" && random.drawBoolean(30) ? rest : { ...rest, [keyword]: Number(bound ?? 9) + 1 };
}

function schema(random: Random, depth: number): Schema {
  if (depth === 0) {
    return scalar(random);
  }
  switch (random.drawIntegerBelow(5)) {
    case 0:
      return { type: random.drawBoolean(40) ? ["array", "null"] : "array", items: schema(random, depth - 1) };
    case 1:
      return { anyOf: alternatives(random, depth) };
    case 2:
      return scalar(random);
    default:
      return {
        type: random.drawBoolean(40) ? ["object", "null"] : "object",
        properties: Object.fromEntries(
          ["first", "other", "price"]
            .slice(0, 1 + random.drawIntegerBelow(3))
            .map((name) => [name, property(random, depth - 1)]),
        ),
      };
  }
}

function property(random: Random, depth: number): Schema {
  return { ...schema(random, depth), ...(random.drawBoolean(30) ? { required: true } : {}) };
}

/** Alternatives of which none is a union, because a union of unions is one union. */
function alternatives(random: Random, depth: number): readonly Schema[] {
  return Array.from({ length: 2 + random.drawIntegerBelow(2) }, () => {
    const made = schema(random, depth - 1);
    return made["anyOf"] === undefined && !Array.isArray(made["type"]) ? made : scalar(random);
  });
}

/** Changes the type, the values, the members or a bound of one nested schema. */
function changed(before: Schema, random: Random): Schema {
  const { items, anyOf, properties } = before;
  const isDeeper = random.drawBoolean(75);
  if (isDeeper && isSchema(items)) {
    return { ...before, items: changed(items, random) };
  }
  if (isDeeper && Array.isArray(anyOf)) {
    const index = random.drawIntegerBelow(anyOf.length);
    return { ...before, anyOf: anyOf.map((each, at) => (at === index ? changed(each, random) : each)) };
  }
  if (isDeeper && isSchema(properties)) {
    const name = random.pick(Object.keys(properties)) ?? "";
    return { ...before, properties: { ...properties, [name]: changed(properties[name] as Schema, random) } };
  }
  return changedHere(before, random);
}

function changedHere(before: Schema, random: Random): Schema {
  const { type, anyOf, properties, enum: values } = before;
  if (isSchema(properties) && random.drawBoolean(60)) {
    const { first, ...rest } = properties;
    const variants = [
      { ...properties, added: { type: "string" } },
      { ...rest, last: first },
      { ...properties, first: toggled(first as Schema, "required") },
    ];
    return { ...before, properties: random.pick(variants) };
  }
  if (Array.isArray(anyOf)) {
    return { ...before, anyOf: [...anyOf, { type: "number" }] };
  }
  if (Array.isArray(values)) {
    return { ...before, enum: random.drawBoolean(50) ? [...values, "z"] : values.slice(1) };
  }
  if (Array.isArray(type)) {
    return { ...before, type: type[0] };
  }
  const rebounded = random.drawBoolean(40) ? withOtherBound(before, random) : undefined;
  if (rebounded !== undefined) {
    return rebounded;
  }
  return random.drawBoolean(30) ? { ...before, type: [type, "null"] } : withOtherType(before);
}

function withOtherType({ type, required }: Schema): Schema {
  const other = scalars[(scalars.indexOf(String(type)) + 1) % scalars.length];
  return { type: other, ...(required === undefined ? {} : { required }) };
}

function toggled(before: Schema, keyword: string): Schema {
  const { [keyword]: value, ...rest } = before;
  return value === undefined ? { ...rest, [keyword]: true } : rest;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A text that is equal for schemas with the same values: the order of keywords and alternatives, and repeated ones,
 * change nothing.
 */
function meaning(value: unknown): string {
  if (isSchema(value)) {
    const members = Object.entries(value).map(([key, member]) => `${key}: ${meaning(member)}`);
    return `{${members.sort().join(", ")}}`;
  }
  return Array.isArray(value) ? `[${[...new Set(value.map(meaning))].sort().join(", ")}]` : JSON.stringify(value);
}

const route = "/shop/v1/things";
const item = `${route}/(?P<id>[\\d]+)`;
const draft = "http://json-schema.org/draft-04/schema#";

const places: readonly (readonly [title: string, sources: (definition: Schema) => Sources])[] = [
  ["an argument", (definition) => indexOf({ [route]: { methods: ["POST"], args: { q: definition } } })],
  [
    "an answer",
    (definition) =>
      indexOf(
        { [item]: { args: { id: { type: "integer", required: true } } } },
        { [item]: { $schema: draft, title: "thing", type: "object", properties: { q: definition } } },
      ),
  ],
];

function rulesOf(before: Sources, after: Sources): readonly string[] {
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  expect(changes.flatMap(findContradictions)).toEqual([]);
  return changes.map(({ rule, subject }) => `${rule} ${subject}`).sort();
}

function mirrored(changes: readonly string[]): readonly string[] {
  return changes.map((change) => mirrorOf(change.split(" ")[0] ?? "")).sort();
}

function mirrorOf(id: string): string {
  return rules.find((rule) => rule.id === id)?.oppositeRule ?? id;
}

test.each(places)(
  "every change of one nested place of the schema of %s is found",
  (_title, sourcesOf) => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const random = new Random(seed);
      const before = schema(random, 4);
      const after = changed(before, random);
      const [oldSources, newSources] = [sourcesOf(before), sourcesOf(after)];
      const pair = JSON.stringify([before, after]);
      const found = rulesOf(oldSources, newSources);
      expect([pair, found.length > 0]).toEqual([pair, meaning(before) !== meaning(after)]);
      expect([pair, rulesOf(newSources, oldSources).map((change) => change.split(" ")[0])]).toEqual([
        pair,
        mirrored(found),
      ]);
      expect([pair, rulesOf(oldSources, oldSources)]).toEqual([pair, []]);
    }
  },
  180_000,
);
