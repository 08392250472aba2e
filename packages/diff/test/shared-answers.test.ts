import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

const item = "/shop/v1/things/(?P<id>[\\d]+)";
const id = { type: "integer", required: true };
const context = { type: "string", enum: ["view", "embed", "edit"], default: "view" };

/** An index with a route whose methods answer with the same object. Only GET has the argument `context`. */
const stateOf = (contexts: readonly string[]) =>
  indexOf(
    {
      [item]: [{ args: { id, context } }, { methods: ["POST"], args: { id } }],
    },
    {
      [item]: {
        $schema: "http://json-schema.org/draft-04/schema#",
        title: "thing",
        type: "object",
        properties: {
          id: { type: "integer", context: ["view", "embed", "edit"] },
          price: { type: "number", context: contexts },
        },
      },
    },
  );

test("a member of an object that endpoints with and without contexts answer is reported once", () => {
  const changesOf = (before: readonly string[], after: readonly string[]) =>
    withoutVanishedNames(diffContracts(sideOf(stateOf(before)), sideOf(stateOf(after))).changes).map(
      ({ rule, subject, operations, consequences }) => ({ rule, subject, operations, consequences }),
    );
  const operations = ["shop.things.get", "shop.things.update"];
  const change = { rule: "member-contexts-changed", subject: "thing.price", operations };
  expect(changesOf(["view", "edit"], ["edit"])).toEqual([
    { ...change, consequences: { oldClients: "some", newClients: "tolerated", callers: "breaks", handlers: "some" } },
  ]);
  expect(changesOf(["edit"], ["view", "edit"])).toEqual([
    { ...change, consequences: { oldClients: "tolerated", newClients: "some", callers: "none", handlers: "some" } },
  ]);
});
