import type { JsonValue } from "@bothends/runtime";
import { expect, test } from "vitest";
import { diffContracts, type Side } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { observeLevel, worstLevels } from "./proof/argument-levels.js";
import { sideOf } from "./proof/contracts.js";

// Limits of lengths, among them those of columns in databases, and those of whole documents.

const builtins = ["string", "token", "anyURI", "hexBinary", "base64Binary"] as const;
const limits: readonly (readonly [less: number, more: number])[] = [
  ...([
    [255, 1000],
    [999, 1001],
    [1024, 4096],
    [2000, 3000],
    [2048, 4000],
  ] as const),
  ...([
    [4000, 8000],
    [9999, 10_001],
    [32_000, 65_535],
    [2_147_483_646, 2_147_483_647],
  ] as const),
];

const limited = (base: string, facets: string) =>
  wsdlOf(
    `<simpleType name="V"><restriction base="${base}">${facets}</restriction></simpleType>${sequence(element("a:t:V"))}`,
  );
const most = (length: number) => `<maxLength value="${length}"/>`;
const list = (length: number) =>
  wsdlOf(
    `<simpleType name="L"><list itemType="int"/></simpleType><simpleType name="V"><restriction base="t:L">${most(length)}</restriction></simpleType>${sequence(element("a:t:V"))}`,
  );

type Sources = ReturnType<typeof wsdlOf>;

function listChanges(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after)).changes.map(({ direction, rule, consequences }) =>
    [direction, rule, consequences.oldClients, consequences.newClients].join(" "),
  );
}

const loosened = ["input length-loosened none some", "output length-loosened some none"];
const tightened = ["input length-tightened some none", "output length-tightened none some"];

test.each(builtins.flatMap((base) => limits.map(([less, more]) => [base, less, more] as const)))(
  "values of xs:%s of %d to %d characters or bytes are refused by the version with the lower limit",
  (base, less, more) => {
    expect(listChanges(limited(base, most(less)), limited(base, most(more)))).toEqual(loosened);
    expect(listChanges(limited(base, most(more)), limited(base, most(less)))).toEqual(tightened);
  },
);

test.each(limits)("lists of %d to %d items are refused by the version with the lower limit", (less, more) => {
  expect(listChanges(list(less), list(more))).toEqual(loosened);
  expect(listChanges(list(more), list(less))).toEqual(tightened);
});

test.each(limits)("a limit of %d that is removed is reported for readers of the version with the limit", (less) => {
  for (const base of builtins) {
    expect(listChanges(limited(base, most(less)), limited(base, ""))).toEqual(loosened);
    expect(listChanges(limited(base, ""), limited(base, most(less)))).toEqual(tightened);
  }
});

test.each(limits)(
  "the minimum %d that becomes %d is reported for readers of the version with the minimum",
  (less, more) => {
    const least = (length: number) => `<minLength value="${length}"/>`;
    for (const base of builtins) {
      expect(listChanges(limited(base, least(less)), limited(base, least(more)))).toEqual(tightened);
      expect(listChanges(limited(base, least(more)), limited(base, least(less)))).toEqual(loosened);
    }
  },
);

type Schema = { readonly [keyword: string]: JsonValue };

const sideWith = (schema: Schema): Side =>
  sideOf(indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: { ...schema, required: true } } } }));
const text = (length: number) => "a".repeat(length);
const items = (count: number) => Array.from({ length: count }, (_, index) => index);

const argumentCases: readonly (readonly [before: Schema, after: Schema, values: readonly JsonValue[]])[] = [
  [{ type: "string", maxLength: 1024 }, { type: "string", maxLength: 4096 }, [text(1024), text(4096)]],
  [{ type: "string", maxLength: 5000 }, { type: "string" }, [text(5000), text(5001)]],
  [{ type: "string", maxLength: 65_535 }, { type: "string", maxLength: 2000 }, [text(2000), text(65_535)]],
  [{ type: "string", maxLength: 10_000 }, { type: "string", maxLength: 10_001 }, [text(1), text(10_001)]],
  [{ type: "string", minLength: 2000 }, { type: "string", minLength: 1500 }, [text(2000), text(1500)]],
  [{ type: "array", maxItems: 3000 }, { type: "array", maxItems: 2000 }, [items(2000), items(3000)]],
  [{ type: "array", maxItems: 999 }, { type: "array", maxItems: 1000 }, [items(2), items(1000)]],
  [
    { type: "object", properties: { a: { type: "string", maxLength: 1024 } } },
    { type: "object", properties: { a: { type: "string", maxLength: 4096 } } },
    [{ a: text(1024) }, { a: text(4096) }],
  ],
];

test.each(
  argumentCases.flatMap(([before, after, values]) => [
    [before, after, values] as const,
    [after, before, values] as const,
  ]),
)("the change of an argument from %j to %j has the consequences that calls have", async (before, after, values) => {
  const [oldSide, newSide] = [sideWith(before), sideWith(after)];
  expect(worstLevels(diffContracts(oldSide, newSide).changes)).toEqual({
    oldClients: await observeLevel(oldSide, newSide, values),
    newClients: await observeLevel(newSide, oldSide, values),
  });
});
