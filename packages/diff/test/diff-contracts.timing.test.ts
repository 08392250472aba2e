import { expect, test } from "vitest";
import { processorTimeOf } from "../../../testing/processor-time.js";
import type { DifferenceWithOperations } from "../src/compare/difference.js";
import { diffContracts } from "../src/index.js";
import { mergeDifferences } from "../src/merge-differences.js";
import { indexOf } from "./pairs/index-document.js";
import { serviceOf } from "./pairs/service.js";
import { sideOf } from "./proof/contracts.js";

/**
 * A service whose requests contain each other: each refers to the request before it. The first request has a member
 * `name`.
 */
function chainOfRequests(count: number, name: string) {
  const operations = Array.from({ length: count }, (_, index) => ({
    name: `Ask${index}`,
    members:
      index === 0
        ? `<element name="${name}" type="string"/>`
        : `<element ref="e:Ask${index - 1}" minOccurs="0"/><element name="q${index}" type="string"/>`,
  }));
  return sideOf(serviceOf({ operations }));
}

test("four times the requests that contain a changed type take about four times as long to compare", () => {
  const time = (count: number) => {
    const before = chainOfRequests(count, "colour");
    const after = chainOfRequests(count, "size");
    return processorTimeOf(() => {
      const { changes } = diffContracts(before, after);
      expect(changes.map(({ rule, operations }) => [rule, operations.length])).toContainEqual([
        "member-renamed",
        count,
      ]);
    });
  };
  time(750);
  const smallTime = time(750);
  const largeTime = time(3_000);
  process.stdout.write(`Changes of 750 requests: ${smallTime.toFixed(0)} ms; of 3,000: ${largeTime.toFixed(0)} ms.\n`);
  expect(largeTime).toBeLessThan(6.5 * smallTime);
}, 120_000);

test("four times the types take about four times as long to compare", () => {
  const sideWith = (count: number, name: string) =>
    sideOf(
      serviceOf({
        operations: Array.from({ length: count }, (_, index) => ({
          name: `Ask${index}`,
          members: `<element name="${index === 0 ? name : "q"}" type="string"/>`,
        })),
      }),
    );
  const time = (count: number) => {
    const [before, after] = [sideWith(count, "colour"), sideWith(count, "size")];
    const compare = () => expect(diffContracts(before, after).changes).toHaveLength(1);
    // The first runs compile the code and grow the heap.
    return Math.min(...Array.from({ length: 4 }, () => processorTimeOf(compare)));
  };
  const [smallTime, largeTime] = [time(1_200), time(4_800)];
  process.stdout.write(
    `Types of 1,200 operations: ${smallTime.toFixed(0)} ms; of 4,800: ${largeTime.toFixed(0)} ms.\n`,
  );
  expect(largeTime).toBeLessThan(6.5 * smallTime);
}, 120_000);

test("four times the operations that exchange their names take about four times as long to compare", () => {
  const time = (count: number) => {
    const sources = serviceOf({ operations: Array.from({ length: count }, (_, index) => ({ name: `Ask${index}` })) });
    const before = sideOf(sources);
    const rotate = (index: string) => `<operation name="Ask${(Number(index) + 1) % count}"`;
    const text = sources["s.wsdl"] ?? "";
    const after = sideOf({ "s.wsdl": text.replace(/<operation name="Ask(\d+)"/g, (_, index) => rotate(index)) });
    const compare = () => {
      const exchanged = diffContracts(before, after).changes.filter(({ rule }) => rule === "operation-name-exchanged");
      expect(exchanged).toHaveLength(count);
    };
    return Math.min(...Array.from({ length: 3 }, () => processorTimeOf(compare)));
  };
  const [smallTime, largeTime] = [time(750), time(3_000)];
  process.stdout.write(`Names of 750 operations: ${smallTime.toFixed(0)} ms; of 3,000: ${largeTime.toFixed(0)} ms.\n`);
  expect(largeTime).toBeLessThan(6.5 * smallTime);
}, 120_000);

test("four times the routes that move to another namespace take about four times as long to compare", () => {
  const sideWith = (namespace: string, count: number) =>
    sideOf(
      indexOf(
        Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `/${namespace}/group${index % 20}/route${index}`,
            { args: { q: { type: "string" }, [`a${index % 50}`]: { type: "string" } } },
          ]),
        ),
      ),
    );
  const time = (count: number) => {
    const [before, after] = [sideWith("seo/v1", count), sideWith("core/v2", count)];
    const compare = () => {
      const moved = diffContracts(before, after).changes.filter(({ rule }) => rule === "route-renamed");
      expect(moved).toHaveLength(count);
    };
    return Math.min(...Array.from({ length: 3 }, () => processorTimeOf(compare)));
  };
  const [smallTime, largeTime] = [time(300), time(1_200)];
  process.stdout.write(`Routes of 300: ${smallTime.toFixed(0)} ms; of 1,200: ${largeTime.toFixed(0)} ms.\n`);
  expect(largeTime).toBeLessThan(6.5 * smallTime);
}, 120_000);

test("an enumeration of 19,000 values, of which one changed, is compared in linear time", () => {
  const sideWith = (first: string) => {
    const { "s.wsdl": text = "" } = serviceOf({
      operations: [{ name: "Ask", members: '<element name="k" type="e:K"/>' }],
    });
    const values = [first, ...Array.from({ length: 18_999 }, (_, index) => `v${index}`)];
    const type = `<simpleType name="K"><restriction base="string">${values
      .map((value) => `<enumeration value="${value}"/>`)
      .join("")}</restriction></simpleType>`;
    return sideOf({ "s.wsdl": text.replace("<element", `${type}<element`) });
  };
  const [before, after] = [sideWith("old"), sideWith("new")];
  const time = processorTimeOf(() => {
    const rules = diffContracts(before, after).changes.map(({ rule }) => rule);
    expect(rules.sort()).toEqual(["enum-value-added", "enum-value-removed"]);
  });
  // Quadratic growth takes 26 seconds.
  expect(time).toBeLessThan(5_000);
}, 120_000);

test("the same header of 20,000 operations is merged in linear time", () => {
  const differences = Array.from(
    { length: 20_000 },
    (_, index): DifferenceWithOperations => ({
      rule: "header-added",
      direction: "input",
      subject: `Ask${index} (header).Session`,
      after: "{urn:s}Session",
      // Merging compares operations only by identity.
      operations: [{ uniqueName: `Ask${index}` } as unknown as DifferenceWithOperations["operations"][number]],
    }),
  );
  const time = processorTimeOf(() => {
    const merged = mergeDifferences(differences, () => false);
    expect(merged.map(({ operations }) => operations.length)).toEqual([20_000]);
  });
  // Quadratic growth takes more than a minute.
  expect(time).toBeLessThan(10_000);
});
