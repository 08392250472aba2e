import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diffContracts, rules } from "../src/index.js";
import { projects } from "./edits/sources.js";
import { indexOf } from "./pairs/index-document.js";
import { wsdlOf } from "./pairs/pair.js";
import { serviceOf, servicesOf } from "./pairs/service.js";
import { root, type Sources, sideOf } from "./proof/contracts.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

/** Returns the rules and subjects of the changes, without changes of names in code and of documentation. */
function changesOf(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after))
    .changes.filter(({ rule }) => rule !== "name-in-code-changed" && rule !== "documentation-changed")
    .map(({ rule, subject }) => `${rule} ${subject}`)
    .sort();
}

/** Returns the rules of the changes; those of the opposite changes if `isOpposite` is true. */
function rulesOf(before: Sources, after: Sources, isOpposite: boolean): readonly string[] {
  const opposites = new Map<string, string>(rules.map(({ id, oppositeRule = id }) => [id, oppositeRule]));
  return withoutVanishedNames(diffContracts(sideOf(before), sideOf(after)).changes)
    .map(({ rule }) => (isOpposite ? (opposites.get(rule) ?? rule) : rule))
    .sort();
}

function expectMirror(before: Sources, after: Sources): void {
  const changes = rulesOf(before, after, false);
  expect(changes).not.toEqual([]);
  expect(rulesOf(after, before, true)).toEqual(changes);
}

describe("a service that was renamed, and one operation that moved to a new service", () => {
  const operations = ["Ask", "Tell", "Wonder"].map((name) => ({ name }));
  const [moved, ...kept] = operations;
  const old = serviceOf({ operations });
  // The new service is before the renamed one.
  const { "s.wsdl": text = "" } = servicesOf(kept, moved === undefined ? [] : [moved]);
  const [, renamed = ""] = /(<service name="S">[\s\S]*?<\/service>)/.exec(text) ?? [];
  const after = {
    "s.wsdl": text
      .replace(renamed, "")
      .replace("</definitions>", `${renamed.replace('name="S"', 'name="Questions"')}</definitions>`),
  };

  test("are reported without the operations that stayed", () => {
    expect(changesOf(old, after)).toEqual(["operation-moved Ask", "service-renamed Questions"]);
    expectMirror(old, after);
  });
});

describe("a renamed variable of a route", () => {
  const number = { type: "integer" };
  const stateOf = (variable: string, args: object) =>
    indexOf({ [`/shop/v1/posts/(?P<${variable}>[\\d]+)`]: { args: { [variable]: number, ...args } } });
  const route = "/shop/v1/posts/(?P<id>[\\d]+)";

  test("is matched by its position, although an argument had the new name", () => {
    const [before, after] = [stateOf("post_id", { id: number }), stateOf("id", {})];
    expect(changesOf(before, after)).toEqual([
      `argument-removed-optional GET ${route} id`,
      `route-parameter-renamed ${route}`,
    ]);
    expectMirror(before, after);
  });

  test("is matched by its position, although an argument has its old name", () => {
    const [before, after] = [stateOf("id", {}), stateOf("post_id", { id: number })];
    expectMirror(before, after);
  });
});

test("a member of an object that only some contexts contain may be required in each context of the object", () => {
  const route = "/shop/v1/posts/(?P<id>[\\d]+)";
  const stateOf = (contexts: readonly string[]) =>
    indexOf(
      { [route]: { args: { context: { type: "string", enum: ["view", "embed", "edit"], default: "view" } } } },
      {
        [route]: {
          $schema: "http://json-schema.org/draft-04/schema#",
          title: "post",
          type: "object",
          properties: {
            id: { type: "integer", context: ["view", "embed", "edit"] },
            content: {
              type: "object",
              context: ["view", "edit"],
              properties: {
                rendered: { type: "string", context: ["view", "edit"] },
                raw: { type: "string", context: contexts },
              },
            },
          },
        },
      },
    );
  const [before, after] = [sideOf(stateOf(["edit"])), sideOf(stateOf(["view", "edit"]))];
  const { changes } = diffContracts(before, after);
  const [change, ...others] = withoutVanishedNames(changes);
  expect(others).toEqual([]);
  const names = changes.filter(({ rule }) => rule === "name-in-code-changed");
  expect(names.map(({ subject, consequences }) => [subject, consequences.callers])).toEqual([
    ["PostForEdit", "breaks"],
  ]);
  expect([change?.rule, change?.subject, change?.consequences]).toEqual([
    "member-contexts-changed",
    "post.content.raw",
    { oldClients: "tolerated", newClients: "some", callers: "none", handlers: "breaks" },
  ]);
});

test("types that refer to each other are compared although no member has the same name in both versions", () => {
  const before = wsdlOf(
    '<complexType name="T"><sequence><element name="list" type="t:L"/></sequence></complexType><complexType name="L"><sequence><element name="items" type="t:T" minOccurs="0"/></sequence></complexType>',
  );
  const { "t.wsdl": text = "" } = before;
  const after = { "t.wsdl": text.replace("<soap:binding ", '<soap:binding style="rpc" ') };
  expect(changesOf(before, after)).toEqual([
    "member-added-required Get.Get",
    "member-added-required GetResponse.GetResponse",
    "member-added-required Put.Put",
    "member-added-required PutResponse.PutResponse",
    "member-removed-required GetResponse.value",
    "member-removed-required Put.value",
    "result-in-code-changed Put",
    "style-changed style",
  ]);
  expectMirror(before, after);
});

describe("routes", () => {
  const blocks = ["archives", "calendar", "search"];
  const old = indexOf(Object.fromEntries(blocks.map((name) => [`/shop/v1/render/(?P<name>core/${name})`, {}])));
  const after = indexOf({ "/shop/v1/render/(?P<name>[a-z]+/[a-z]+)": {} });

  test("are matched only if neither has another candidate", () => {
    expect(changesOf(old, after)).toEqual([
      "route-added /shop/v1/render/(?P<name>[a-z]+/[a-z]+)",
      ...blocks.map((name) => `route-removed /shop/v1/render/(?P<name>core/${name})`),
    ]);
    expectMirror(old, after);
  });

  const folder = join(root, "../shared/corpora/discovery");
  test("of a WordPress namespace that moved to another version are reported in the same way in both directions", () => {
    const { "index.json": text = "" } = Object.fromEntries(
      Object.entries(projects.wordpress).map(([path, content]) => [path.replace(/^.*\//, ""), content]),
    );
    expectMirror({ "index.json": text }, { "index.json": text.replaceAll("wp/v2", "wp/v3") });
  });

  test.runIf(existsSync(folder))("of two versions of WordPress are matched in the same way in both directions", () => {
    const [before, current] = ["5.3.2", "6.1.9"].map((version) => ({
      "index.json": readFileSync(join(folder, `wordpress-${version}.json`), "utf8"),
    }));
    expectMirror(before ?? {}, current ?? {});
  });
});
