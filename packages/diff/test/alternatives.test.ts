import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import type { Schema } from "./edits/random-arguments.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

const route = "/shop/v1/things/(?P<id>[\\d]+)";
const id = { type: "integer", required: true };

/** An index with a route that answers, or accepts as its argument, a value with a schema. */
const places = {
  answer: (q: object) =>
    indexOf(
      { [route]: { args: { id } } },
      { [route]: { $schema: "http://json-schema.org/draft-04/schema#", title: "thing", properties: { q } } },
    ),
  argument: (q: object) => indexOf({ [route]: { methods: ["POST"], args: { id, q } } }),
};

type PlaceName = keyof typeof places;

/** The rules and the subjects of all changes between two versions of a value. */
function listChanges(place: PlaceName, [before, after]: readonly [object, object]): readonly string[] {
  const { changes } = diffContracts(sideOf(places[place](before)), sideOf(places[place](after)));
  return [...new Set(changes.map(({ rule, subject }) => `${rule} ${subject}`))].sort();
}

const types = ["string", "integer", "boolean"];

/** Draws an object with the members of its alternative, and members whose names other alternatives have as well. */
function drawObject(random: Random, alternative: string): Schema {
  const ownNames = Array.from({ length: 3 + random.drawIntegerBelow(6) }, (_, index) => `${alternative}${index}`);
  const sharedNames = ["id", "date"].filter(() => random.drawBoolean(50));
  const properties = [...ownNames, ...sharedNames].map((name) => [
    name,
    { type: random.pick(types) ?? "string", required: random.drawBoolean(60) },
  ]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** Changes the types of some members, adds members, and removes at most one third of them. */
function editObject({ properties, ...schema }: Schema, random: Random): Schema {
  const members = Object.entries(properties as Record<string, Schema>);
  const removedCount = random.drawIntegerBelow(1 + Math.floor(members.length / 3));
  const kept = members.slice(removedCount).map(([name, member]) => {
    const type = random.drawBoolean(50) ? "array" : (member["type"] ?? "string");
    return [name, { ...member, type, required: random.drawBoolean(60) }] as const;
  });
  const added = Array.from(
    { length: random.drawIntegerBelow(3) },
    (_, index) => [`new${index}`, { type: "number" }] as const,
  );
  return { ...schema, properties: Object.fromEntries([...kept, ...added]) };
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

test.each(["answer", "argument"] as const)("the alternatives of an %s are compared by what they share", (place) => {
  const problems = seeds.flatMap((seed) => {
    const random = new Random(seed * 7919);
    const before = ["a", "b", "c"].slice(0, 2 + random.drawIntegerBelow(2)).map((name) => drawObject(random, name));
    const after = before.map((schema) => editObject(schema, random));
    const isReversed = random.drawBoolean(50);
    const expected = [...new Set(before.flatMap((schema, index) => listChanges(place, [schema, after[index] ?? {}])))];
    const found = listChanges(place, [{ anyOf: before }, { anyOf: isReversed ? [...after].reverse() : after }]);
    return JSON.stringify(found) === JSON.stringify(expected.sort()) ? [] : [{ seed, found, expected }];
  });
  expect(problems).toEqual([]);
});

test("alternatives with different values of a required member are not compared with each other", () => {
  const kinds = (["photo", "video"] as const).map((kind) => (hasLength: boolean) => {
    const type = { type: "string", enum: [kind], required: true };
    const length = hasLength ? { length: { type: "integer" } } : {};
    return { type: "object", properties: { type, url: { type: "string" }, ...length } };
  });
  const [photo, video] = kinds;
  for (const place of ["answer", "argument"] as const) {
    const before = { oneOf: [photo?.(false), video?.(true)] };
    const after = { oneOf: [video?.(false), photo?.(true)] };
    expect(listChanges(place, [before, after]).map((change) => change.replace(/ .*(?=q)/, " "))).toEqual([
      "member-added-optional q.length",
      "member-removed-optional q.length",
    ]);
  }
});

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  "reports the default and the documentation of an argument that gets alternatives once (seed %i)",
  (seed) => {
    const random = new Random(seed * 5039);
    const drawAnnotations = () => ({
      ...(random.drawBoolean(60) && { default: random.pick(["a", "b"]) }),
      ...(random.drawBoolean(60) && { description: random.pick(["One.", "Two."]) }),
    });
    const [before, after] = [drawAnnotations(), drawAnnotations()];
    const versions = [
      { type: "string", enum: ["a", "b"], ...before },
      { oneOf: [{ type: "string", enum: ["a", "b"] }, { type: random.pick(["array", "integer"]) }], ...after },
    ] as const;
    for (const [old, current] of [versions, [versions[1], versions[0]]] as const) {
      const { changes } = diffContracts(sideOf(places.argument(old)), sideOf(places.argument(current)));
      const list = (rule: RegExp) => changes.filter((change) => rule.test(`${change.rule} ${change.message}`));
      expect(list(/^default-(?:added|removed|changed)/)).toHaveLength(before.default === after.default ? 0 : 1);
      expect(list(/^documentation-changed/)).toHaveLength(before.description === after.description ? 0 : 1);
      expect(list(/^keyword-changed/)).toEqual([]);
    }
  },
);
