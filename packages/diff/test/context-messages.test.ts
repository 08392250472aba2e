import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { sideOf } from "./proof/contracts.js";

// Messages about members of answers say for which values of the argument `context` they are true. Endpoints share the
// type of the answer, but not all of them have the argument.

const [itemRoute, listRoute] = ["/shop/v1/things/(?P<id>[\\d]+)", "/shop/v1/things"];
const words = ["view", "edit", "embed"];
const context = { type: "string", enum: words, default: "view" };

interface Member {
  readonly type?: string;
  readonly contexts?: readonly string[];
}

/**
 * An index whose endpoint for POST has no argument `context`. The one for GET has it unless `isDependent` is false.
 */
function indexWith(members: Readonly<Record<string, Member>>, { isDependent = true, hasPost = true } = {}) {
  const properties = Object.fromEntries(
    Object.entries({ id: { contexts: words }, ...members }).map(
      ([name, { type = "string", contexts }]: [string, Member]) => [
        name,
        { type, ...(contexts && { context: contexts }) },
      ],
    ),
  );
  const schema = { $schema: "http://json-schema.org/draft-04/schema#", title: "thing", type: "object", properties };
  const args = { id: { type: "integer" }, ...(isDependent && { context }) };
  return indexOf(
    { ...(hasPost && { [listRoute]: { methods: ["POST"], args: {} } }), [itemRoute]: { args } },
    { [listRoute]: schema, [itemRoute]: schema },
  );
}

const messagesOf = (
  before: Readonly<Record<string, Member>>,
  after: Readonly<Record<string, Member>>,
  settings?: Parameters<typeof indexWith>[1],
) =>
  diffContracts(sideOf(indexWith(before, settings)), sideOf(indexWith(after, settings)))
    .changes.filter(({ direction }) => direction === "output")
    .map(({ message }) => message);

const inEdit = { contexts: ["edit"] };
const only = "With the argument `context`, answers contain the member only if the value is edit";
const others = "; in answers of operations that lack this argument, it is optional";

test("a member that was added for a context", () => {
  const added = "thing.x: A member was added to the answers for certain contexts.";
  expect(messagesOf({}, { x: inEdit })).toEqual([`${added} ${only}${others}.`]);
  expect(messagesOf({}, { x: inEdit }, { hasPost: false })).toEqual([`${added} ${only}.`]);
  expect(messagesOf({}, { x: inEdit }, { isDependent: false })).toEqual(["thing.x: An optional member was added."]);
  expect(messagesOf({}, { x: {} })).toEqual(["thing.x: An optional member was added."]);
  expect(messagesOf({}, { x: { contexts: words } })).toEqual(["thing.x: A required member was added."]);
});

test("a member that was removed for a context", () => {
  expect(messagesOf({ x: inEdit }, {})).toEqual([
    "thing.x: A member was removed from the answers for certain contexts. With the argument `context`, answers contained the member only if the value was edit; in answers of operations that lack this argument, it was optional.",
  ]);
});

test("a changed or renamed member that only some contexts have", () => {
  expect(messagesOf({ x: inEdit }, { x: { ...inEdit, type: "integer" } })).toEqual([
    `thing.x: A type was replaced with one that shares none of its values (string → integer). ${only}${others}.`,
  ]);
  expect(messagesOf({ first_name: inEdit }, { firstName: inEdit })).toEqual([
    `thing.first_name removed, firstName added: renamed? ${only}${others}.`,
  ]);
});

test("a member that lost its list of contexts is optional in all of them", () => {
  const changed = "thing.x: The values of `context` for which answers contain a member changed";
  expect(messagesOf({ x: inEdit }, { x: {} })).toEqual([`${changed} (edit → optional in all).`]);
  expect(messagesOf({ x: inEdit }, { x: { contexts: words } })).toEqual([`${changed} (edit → all).`]);
});

test("clients that check answers miss a renamed member in the contexts that contain it", () => {
  const { changes } = diffContracts(
    sideOf(indexWith({ first_name: inEdit })),
    sideOf(indexWith({ firstName: inEdit })),
  );
  expect(changes.find(({ rule }) => rule === "member-renamed")?.consequences).toMatchObject({
    oldClients: "some",
    newClients: "some",
  });
});
