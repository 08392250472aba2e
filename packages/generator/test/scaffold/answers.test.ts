import { expect, test } from "vitest";
import { planFiles } from "../../src/plan/index.js";
import { handlerTrees, operationsOf } from "../../src/scaffold/handler-tree.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { configOf } from "../emit/fixtures.js";
import { indexOf, lowered } from "../lower/lower-index.js";

/** The handlers of an index, with their signatures. */
function handlers(thing: object | undefined) {
  const index = indexOf(["GET /shop/v1/things", "POST /shop/v1/things", "GET /shop/v1/other"], ["shop/v1"]);
  const files = { "thing.json": { type: "object", properties: { parts: { type: "array", items: thing ?? {} } } } };
  const responses: Record<string, string> = thing === undefined ? {} : { "shop.things": "thing.json" };
  const { interface: rest } = lowered(index, { responses, files });
  const plan = planFiles({ interfaces: rest === undefined ? [] : [rest] }, configOf(), new Diagnostics());
  const [root] = handlerTrees(plan);
  const operations = root === undefined ? [] : operationsOf(root.root);
  return new Map(operations.map(({ path, operation }) => [path.join("."), operation]));
}

test("a changed answer type changes the signature of its handler and of no other", () => {
  const [before, after, self] = [handlers({ type: "string" }), handlers({ type: "null" }), handlers({ $ref: "#" })];
  for (const other of [after, self]) {
    const changed = [...before.keys()].filter((name) => before.get(name)?.signature !== other.get(name)?.signature);
    expect(changed).toEqual(["shop.things.list", "shop.things.create"]);
  }
});
