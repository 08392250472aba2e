import { describe, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { movedIntoInclude, rewritings } from "./edits/same-meaning.js";
import { type ProjectName, projects } from "./edits/sources.js";
import { indexOf } from "./pairs/index-document.js";
import { type Sources, sideOf } from "./proof/contracts.js";

function changes(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after)).changes.map(({ rule, message }) => `${rule} ${message}`);
}

const names = Object.keys(projects) as ProjectName[];

describe.each(rewritings)("$title", ({ title, rewrite }) => {
  test.each(names)("changes nothing in %s", (name) => {
    const before = projects[name];
    const after = rewrite(before);
    const isAffected = title !== "the same text" && JSON.stringify(after) !== JSON.stringify(before);
    // Overloads are named in the order of the port type.
    const isNamedByOrder = name === "sums" && title === "operations of port types in another order";
    const allowed = isNamedByOrder ? /^name-in-code-changed / : /^$/;
    expect(changes(before, after).filter((each) => !allowed.test(each))).toEqual([]);
    expect(changes(after, before).filter((each) => !allowed.test(each))).toEqual([]);
    affected.add(isAffected ? title : "");
  });
});

const affected = new Set<string>();

test("every rewriting changes the text of a project", () => {
  expect(rewritings.map(({ title }) => title).filter((title) => !affected.has(title))).toEqual(["the same text"]);
});

test.each([
  ["parcels", "parcels.wsdl"],
  ["posted", "addressing.wsdl"],
] as const)("the types of %s move into an included file", (name, file) => {
  const text = Object.entries(projects[name]).find(([path]) => path.endsWith(file))?.[1] ?? "";
  expect(changes({ "s.wsdl": text }, movedIntoInclude("s.wsdl", text))).toEqual([]);
});

test("routes in another order change nothing, whichever route a shared type of answers is named after", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-04/schema#",
    title: "thing",
    type: "object",
    properties: { id: { type: "integer" } },
  };
  const routes = ["/shop/v1/things", "/shop/v1/things/(?P<id>[\\d]+)", "/shop/v1/parts/(?P<id>[\\d]+)"];
  const index = (order: readonly string[]) =>
    indexOf(
      Object.fromEntries(order.map((route) => [route, { methods: [route.includes("id") ? "DELETE" : "GET"] }])),
      Object.fromEntries(order.map((route) => [route, schema])),
    );
  expect(changes(index(routes), index([...routes].reverse()))).toEqual([]);
});
