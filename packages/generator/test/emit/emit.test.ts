import { expect, test } from "vitest";
import { describe } from "../../src/describe/index.js";
import { emit } from "../../src/emit/index.js";
import type { Interface } from "../../src/model/index.js";
import { type FileTree, planFiles } from "../../src/plan/index.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { contentInterface, everythingInterface, vehicleInterface } from "./contracts.js";
import { configOf, contractOf } from "./fixtures.js";
import { complaints } from "./type-check.js";

function emitted(...interfaces: readonly Interface[]): FileTree {
  const contract = contractOf(...interfaces);
  const plan = planFiles(contract, configOf(), new Diagnostics());
  return emit({ contract, plan, descriptors: describe(contract), published: new Map() });
}

test("what is generated compiles under every strict flag", () => {
  const tree = emitted(vehicleInterface(), everythingInterface(), contentInterface());
  expect(complaints(tree)).toEqual([]);
});

test("a descriptor that misses a member does not compile", () => {
  const tree = emitted(vehicleInterface());
  const path = "packages/contract/src/vehicle/reg.descriptors.ts";
  const text = tree.get(path) ?? "";
  const broken = text
    .replace("State: { type: xs.string }, ", "")
    .replace("    State: { type: xs.string },\n    username", "    username");
  expect(broken).not.toBe(text);
  expect(complaints(new Map([...tree, [path, broken]])).join("\n")).toContain("error TS2741");
});
