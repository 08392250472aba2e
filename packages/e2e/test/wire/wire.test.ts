import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { recordWire } from "../../src/wire/record.js";

const folder = fileURLToPath(new URL("operations", import.meta.url));
const recorded = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.(txt|json)$/.test(path))
  .sort();

test("requests, answers and faults of every operation equal the recorded bytes in each protocol", async () => {
  const now = await recordWire();
  expect([...now.keys()].sort()).toEqual(recorded);
  expect(recorded).toHaveLength(18 * 13);
  for (const [path, text] of now) {
    expect(text, path).toBe(readFileSync(join(folder, path), "utf8"));
  }
});
