import { Random } from "@bothends/dynamic/random";
import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

const route = "/shop/v1/things/(?P<id>[\\d]+)";
const id = { type: "integer", required: true };

const places: Readonly<Record<string, (q: object) => ReturnType<typeof indexOf>>> = {
  "a body": (q) => indexOf({ [route]: { methods: ["POST"], args: { id, q } } }),
  "a query": (q) => indexOf({ [route]: { args: { id, q } } }),
  "a member of a body": (q) =>
    indexOf({ [route]: { methods: ["POST"], args: { id, o: { type: "object", properties: { q } } } } }),
  "an answer": (q) =>
    indexOf(
      { [route]: { args: { id } } },
      { [route]: { $schema: "http://json-schema.org/draft-04/schema#", title: "thing", properties: { q } } },
    ),
};

/** Types of JSON values, and their texts in reports. */
const kinds: readonly (readonly [schema: { readonly type: string }, text: string])[] = [
  [{ type: "string" }, "string"],
  [{ type: "integer" }, "integer"],
  [{ type: "boolean" }, "boolean"],
  [{ type: "null" }, "null"],
  [{ type: "array", items: { type: "integer" } } as { type: string }, "array of integer"],
  [{ type: "object", additionalProperties: { type: "string" } } as { type: string }, "object of string"],
];

/** Draws two or more types as one schema, with a list of types or with alternatives. */
function drawUnion(random: Random) {
  const chosen = kinds.filter(() => random.drawBoolean(50));
  const members = chosen.length < 2 ? kinds.slice(random.drawIntegerBelow(2), 4) : chosen;
  const merged = Object.assign({}, ...members.map(([schema]) => schema), { type: members.map(([{ type }]) => type) });
  const schema: object = random.drawBoolean(50) ? merged : { anyOf: members.map(([member]) => member) };
  return { schema, texts: members.map(([, text]) => text) };
}

describe.each(Object.keys(places))("in %s, a value of any type", (place) => {
  test("that gets a list of types, or loses it, is reported once with all types", () => {
    const problems = Array.from({ length: 40 }, (_, index) => index + 1).flatMap((seed) => {
      const { schema, texts } = drawUnion(new Random(seed * 7919));
      const [any, union] = [{}, schema].map((q) => sideOf(places[place]?.(q) ?? {}));
      const changesOf = (sides: readonly (typeof any)[]) =>
        sides[0] && sides[1] ? diffContracts(sides[0], sides[1]).changes : [];
      const describeChanges = (sides: readonly (typeof any)[]) =>
        changesOf(sides).map(({ rule, before = "", after = "" }) => ({
          rule,
          before,
          after: after.split(" or ").sort().join(),
          from: before.split(" or ").sort().join(),
        }));
      const wanted = [...texts].sort().join();
      const [narrowed, ...others] = describeChanges([any, union]);
      const [widened, ...furtherOthers] = describeChanges([union, any]);
      const isRight =
        others.length + furtherOthers.length === 0 &&
        narrowed?.rule === "type-narrowed" &&
        narrowed.before === "any" &&
        narrowed.after === wanted &&
        widened?.rule === "type-widened" &&
        widened.after === "any" &&
        widened.from === wanted;
      return isRight ? [] : [{ seed, wanted, narrowed, widened, others, furtherOthers }];
    });
    expect(problems).toEqual([]);
  });
});
