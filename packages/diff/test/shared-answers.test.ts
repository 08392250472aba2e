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
  // ThingForEmbed is no longer exported, because answers for `view` and `embed` now have the same members.
  expect(changesOf(["view", "edit"], ["edit"])).toEqual([
    { ...change, consequences: { oldClients: "some", newClients: "tolerated", callers: "breaks", handlers: "breaks" } },
  ]);
  expect(changesOf(["edit"], ["view", "edit"])).toEqual([
    { ...change, consequences: { oldClients: "tolerated", newClients: "some", callers: "none", handlers: "some" } },
  ]);
});

const thing = {
  title: "thing",
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" }, price: { type: "number" } },
};
const shown = {
  $schema: "http://json-schema.org/draft-04/schema#",
  ...thing,
  title: "shown",
  properties: { id: { type: "string" } },
};

test.each([
  { what: "a schema of its own", schemas: (path: string) => ({ [path]: shown }), type: "Shown" },
  { what: "no schema", schemas: () => ({}), type: "any" },
])(
  "an entry of responses whose key is no route any more is one change, if the route has $what",
  ({ schemas, type }) => {
    const stateWith = (pattern: string) => {
      const path = `/shop/v1/things/(?P<id>${pattern})`;
      const responses = { [item]: "objects.json" };
      const part = (name: string) => ({ path: name, name });
      return {
        ...indexOf({ [path]: [{ args: { id } }, { methods: ["POST"], args: { id } }] }, schemas(path)),
        "objects.json": JSON.stringify(thing),
        "bothends.json": JSON.stringify({
          packages: { contract: part("c"), client: part("d"), server: part("e") },
          interfaces: { shop: { index: "index.json", responses } },
        }),
      };
    };
    const changesOf = (before: string, after: string) =>
      withoutVanishedNames(diffContracts(sideOf(stateWith(before)), sideOf(stateWith(after))).changes).filter(
        ({ rule }) => rule !== "route-pattern-changed",
      );
    const operations = ["shop.things.get", "shop.things.update"];
    expect(changesOf("[\\d]+", "[0-9]+")).toMatchObject([
      {
        rule: "type-replaced",
        subject: item,
        before: "Thing",
        after: type,
        operations,
        newPosition: { path: "bothends.json" },
      },
    ]);
    expect(changesOf("[0-9]+", "[\\d]+")).toMatchObject([
      {
        rule: "type-replaced",
        subject: item,
        before: type,
        after: "Thing",
        operations,
        oldPosition: { path: "bothends.json" },
      },
    ]);
    const [{ message = "" } = {}] = changesOf("[\\d]+", "[0-9]+");
    expect(message).toContain("No route uses the entry of `responses`");
  },
);

test("an answer that another entry of responses describes is reported at the new entry", () => {
  const stateWith = (responses: Readonly<Record<string, string>>) => {
    const part = (name: string) => ({ path: name, name });
    return {
      ...indexOf({
        "/shop/v1/things": [
          { args: { page: { type: "integer" }, per_page: { type: "integer" } } },
          { methods: ["POST"] },
        ],
        "/shop/v1/things/(?P<id>[\\d]+)": { args: { id } },
      }),
      "objects.json": JSON.stringify(thing),
      "bothends.json": JSON.stringify(
        {
          packages: { contract: part("c"), client: part("d"), server: part("e") },
          interfaces: { shop: { index: "index.json", responses } },
        },
        undefined,
        1,
      ),
    };
  };
  const before = stateWith({ "shop.things": "objects.json" });
  const after = stateWith({ "shop.things": "objects.json", "shop.things.list": "objects.json" });
  const lineAt = (state: Readonly<Record<string, string>>, { path = "", line = 0 }) =>
    state[path]?.split("\n")[line - 1];
  for (const [old, current, side] of [
    [before, after, "newPosition"],
    [after, before, "oldPosition"],
  ] as const) {
    const changes = diffContracts(sideOf(old), sideOf(current)).changes.filter(
      ({ direction }) => direction === "output",
    );
    expect(changes.map(({ rule }) => rule)).toEqual(["type-changed"]);
    expect(changes.map((change) => lineAt(after, change[side] ?? {}))).toEqual([
      expect.stringContaining('"shop.things.list"'),
    ]);
  }
});
