import { readFileSync } from "node:fs";
import { Random } from "@bothends/dynamic/random";
import { DONE, XmlReader } from "@bothends/xml";
import { describe, expect, test } from "vitest";
import { fuzz, type Target } from "../../src/fuzz/fuzz.js";
import { plantedMistakes } from "../../src/fuzz/planted.js";
import { targets } from "../../src/fuzz/targets/index.js";

/**
 * The number of cases for each target, which run in one or two seconds. `pnpm fuzz` runs more cases, with other seeds.
 */
const cases: Readonly<Record<string, number>> = {
  "xml-reader": 10_000,
  "xml-well-formed": 3_000,
  patterns: 2_000,
  "soap-requests": 300,
  "rest-requests": 200,
  "soap-answers": 1_000,
  "rest-answers": 500,
  wsdls: 60,
  indexes: 100,
};

test("every target has a number of cases", () => {
  expect(targets.map(({ name }) => name).sort()).toEqual(Object.keys(cases).sort());
});

test.each(targets)("random inputs to $name cause no finding", async (target) => {
  const { findings } = await fuzz(target, { seed: 20_261_120, cases: cases[target.name] ?? 0, milliseconds: Infinity });
  expect(findings).toEqual([]);
});

test("a message whose header has white space in its tag is not respelled with a second header", async () => {
  const [target] = targets.filter(({ name }) => name === "soap-requests");
  const run = target && fuzz(target, { seed: 61_123, firstCase: 2_686, cases: 1, milliseconds: Infinity });
  expect((await run)?.findings).toEqual([]);
});

test("many of the corrupted documents are accepted, and many are refused", () => {
  const target = targets.find(({ name }) => name === "xml-reader");
  let accepted = 0;
  for (let index = 0; index < 1_000; index += 1) {
    try {
      const reader = new XmlReader(target?.make(new Random(index)) ?? "");
      while (reader.next() !== DONE) {}
      accepted += 1;
    } catch {}
  }
  expect(accepted).toBeGreaterThan(200);
  expect(accepted).toBeLessThan(800);
});

// `pnpm fuzz --planted` puts each mistake into the product and runs its target, which takes minutes.
test("every target has a planted mistake, and each mistake changes the code", () => {
  expect([...new Set(plantedMistakes.map(({ target }) => target))].sort()).toEqual(Object.keys(cases).sort());
  const packages = new URL("../../../", import.meta.url);
  const missing = plantedMistakes.filter(
    ({ file, text }) => !readFileSync(new URL(file, packages), "utf8").includes(text),
  );
  expect(missing).toEqual([]);
});

describe("a run", () => {
  const target: Target = {
    name: "numbers",
    make: (random) => String(random.drawIntegerBelow(100)),
    judge: async (inputs) => inputs.map((input) => (Number(input) > 89 ? `${input} is too large.` : undefined)),
  };
  const settings = { seed: 5, cases: 200, milliseconds: Infinity, maxFindings: 1_000 };

  test("has the same inputs for the same seed, and each case can be run alone", async () => {
    const { findings } = await fuzz(target, settings);
    expect(findings.length).toBeGreaterThan(5);
    expect(await fuzz(target, settings)).toEqual({ cases: 200, knownCount: 0, findings });
    for (const finding of findings) {
      const alone = await fuzz(target, { ...settings, firstCase: finding.caseNumber ?? 0, cases: 1 });
      expect(alone.findings).toEqual([finding]);
    }
    expect((await fuzz(target, { ...settings, seed: 6 })).findings).not.toEqual(findings);
  });

  test("does not report known differences, but reports them when they no longer occur", async () => {
    const known = [{ reason: "97 is known", example: "97", applies: (input: string) => input === "97" }];
    const result = await fuzz({ ...target, knownDifferences: known }, settings);
    expect(result.knownCount).toBeGreaterThan(0);
    expect(result.findings.map(({ input }) => input)).not.toContain("97");
    const gone = [{ reason: "3 was known", example: "3", applies: (input: string) => input === "3" }];
    const [first] = (await fuzz({ ...target, knownDifferences: gone }, settings)).findings;
    expect(first?.problem).toBe("This known difference no longer occurs. Remove it from the list: 3 was known");
  });

  test("ends with the last allowed finding, or with its time", async () => {
    expect((await fuzz(target, { ...settings, maxFindings: 2 })).findings).toHaveLength(2);
    expect((await fuzz(target, { ...settings, milliseconds: 0 })).cases).toBe(1);
  });
});
