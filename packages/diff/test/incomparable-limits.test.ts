import type { SimpleType } from "@bothends/datatypes";
import { emptyContext } from "@bothends/datatypes";
import { resolveRecord, resolveType } from "@bothends/runtime/codec";
import { expect, test } from "vitest";
import { diffContracts, type Side } from "../src/index.js";
import { restricted, wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { dynamicContractOf, sideOf } from "./proof/contracts.js";

// Limits of dates and durations of which neither is less than the other: only one has a time zone, or one is in days
// and the other in months.

const limits: Readonly<Record<string, readonly string[]>> = {
  dateTime: ["2020-01-01T00:00:00", "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-02-01T00:00:00"],
  date: ["2020-01-01", "2020-01-01Z", "2020-01-01+01:00", "2020-02-01Z"],
  time: ["12:00:00", "12:00:00Z", "13:00:00+01:00", "18:00:00"],
  gYear: ["2020", "2020Z", "2022"],
  gYearMonth: ["2020-03", "2020-03Z", "2020-05"],
  gMonthDay: ["--03-02", "--03-02Z", "--05-02"],
  gDay: ["---03", "---03Z", "---20"],
  gMonth: ["--03", "--03Z", "--09"],
  duration: ["P30D", "P1M", "P12M", "P1Y", "P365D", "PT24H", "P1D", "P28D"],
};
const facets = ["minInclusive", "maxInclusive", "minExclusive", "maxExclusive"];

/** Further texts around the limits. */
const near: Readonly<Record<string, readonly string[]>> = {
  dateTime: ["2019-12-31T23:59:59", "2020-01-01T00:00:01", "2020-01-15T00:00:00", "2019-12-31T06:00:00"],
  date: ["2019-12-31", "2020-01-02", "2020-01-15"],
  time: ["11:59:59", "12:00:01", "15:00:00", "23:00:00", "02:00:00"],
  gYear: ["2019", "2021"],
  gYearMonth: ["2020-02", "2020-04"],
  gMonthDay: ["--03-01", "--03-03", "--04-01"],
  gDay: ["---02", "---04", "---10"],
  gMonth: ["--02", "--04", "--06"],
  duration: ["P29D", "P31D", "P27D", "P2M", "P11M28D", "P13M", "P366D", "P364D", "PT25H", "PT23H"],
};
const zones = ["", "Z", "+14:00", "-14:00", "+05:00", "-05:00", "+00:30"];

/** Lists texts at the limits and around them, with several time zones. */
function listTexts(base: string): readonly string[] {
  const texts = [...(limits[base] ?? []), ...(near[base] ?? [])];
  return base === "duration"
    ? texts
    : texts.flatMap((text) => zones.map((zone) => text.replace(/(?:Z|\+\d\d:\d\d)$/, "") + zone));
}

/** The type of the element `a` of `T`, as clients and servers read it. */
function typeOf({ contract }: Side): SimpleType<unknown> {
  const [soap] = dynamicContractOf(contract).interfaces;
  const [described] = contract.interfaces;
  const record =
    described?.kind === "soap"
      ? described.types.find((each) => each.kind === "record" && each.name?.local === "T")
      : undefined;
  if (soap?.kind !== "soap" || record === undefined) {
    throw new Error("There is no type T.");
  }
  const [field] = Object.values(resolveRecord(soap.type({ kind: "named", id: record.id }) as never).fields);
  const type = field !== undefined && "type" in field ? resolveType(field.type as never) : undefined;
  if (type?.kind !== "simple") {
    throw new Error("T has no simple element.");
  }
  return type;
}

function isAccepted(type: SimpleType<unknown>, text: string): boolean {
  try {
    type.read(text, emptyContext);
    return true;
  } catch {
    return false;
  }
}

test.each(Object.keys(limits))("limits of xs:%s have the effects that values show", (base) => {
  const texts = listTexts(base);
  const wrong = facets.flatMap((facet) => {
    const sides = (limits[base] ?? []).map((limit) => sideOf(wsdlOf(restricted(base, `${facet}=${limit}`))));
    return sides.flatMap((before) =>
      sides.flatMap((after) => {
        const [oldType, newType] = [typeOf(before), typeOf(after)];
        const isRefused = (writer: SimpleType<unknown>, reader: SimpleType<unknown>) =>
          texts.some((text) => isAccepted(writer, text) && !isAccepted(reader, text));
        const wanted = [isRefused(oldType, newType), isRefused(newType, oldType)].map((isSome) =>
          isSome ? "some" : "none",
        );
        const { changes } = diffContracts(before, after);
        const claimed = (["oldClients", "newClients"] as const).map((party) =>
          worstOf(
            changes.filter(({ direction }) => direction === "input"),
            party,
          ),
        );
        // Around an exclusive limit without an order, few values show the effect, so the worst case is reported.
        const isWorst = changes.every(({ rule, message }) => rule === "range-changed" && message.includes("exclusive"));
        const isRight = wanted.every(
          (level, index) => claimed[index] === level || (isWorst && claimed[index] === "some"),
        );
        return isRight
          ? []
          : [`${changes[0]?.message ?? `${facet} ${sides.indexOf(after)}`}: ${claimed}; wanted ${wanted}`];
      }),
    );
  });
  expect(wrong).toEqual([]);
});

test("a limit that became another one without an order is named with both values", () => {
  const stateOf = (limit: string) => sideOf(wsdlOf(restricted("duration", `maxInclusive=${limit}`)));
  const [change] = diffContracts(stateOf("P30D"), stateOf("P1M")).changes;
  expect(change?.rule).toBe("range-changed");
  expect(change?.message).toBe(
    "T.a: A limit of dates or durations became another one, which is neither less nor greater (greatest P30D → greatest P1M).",
  );
});
