import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

const route = "/shop/v1/things/(?P<id>[\\w-]+)";
const sourcesOf = (args: Readonly<Record<string, object>>) => indexOf({ [route]: { args } });

function messagesOf(before: Readonly<Record<string, object>>, after: Readonly<Record<string, object>>) {
  return diffContracts(sideOf(sourcesOf(before)), sideOf(sourcesOf(after))).changes.map(({ message }) => message);
}

test("a variable of a path that is no longer declared is reported once", () => {
  const id = { type: "integer", description: "The id." };
  expect(messagesOf({ id }, {})).toEqual([`GET ${route} id: A type allows more values (integer → string).`]);
  expect(messagesOf({}, { id })).toEqual([`GET ${route} id: A type allows fewer values (string → integer).`]);
});

test("the documentation of a variable is reported if its type is unchanged or both versions declare it", () => {
  const id = { type: "string", description: "The id." };
  expect(messagesOf({ id }, {})).toEqual([`GET ${route} id: The documentation changed.`]);
  expect(messagesOf({ id }, { id: { type: "integer", description: "The number." } })).toEqual([
    `GET ${route} id: A type allows fewer values (string → integer).`,
    `GET ${route} id: The documentation changed.`,
  ]);
});
