import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { element, wsdlOf } from "./pairs/pair.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Which members a message calls allowed or refused, for each pair of schemas of an object that may have other members.
// A schema without `additionalProperties` allows them. Calls show that a server refuses them only with the value false.

const states = {
  absent: {},
  anything: { additionalProperties: true },
  texts: { additionalProperties: { type: "string" } },
  closed: { additionalProperties: false },
} as const;
type State = keyof typeof states;

const item = "/shop/v1/things/(?P<id>[\\d]+)";
const objectOf = (state: State) => ({ type: "object", properties: { a: { type: "string" } }, ...states[state] });
const argumentOf = (state: State) =>
  indexOf({ "/shop/v1/things": { methods: ["POST"], args: { q: { ...objectOf(state), required: true } } } });
const answerOf = (state: State) =>
  indexOf(
    { [item]: { args: { id: { type: "integer", required: true } } } },
    { [item]: { title: "thing", type: "object", properties: { q: objectOf(state) } } },
  );

const messagesOf = (before: Sources, after: Sources) =>
  diffContracts(sideOf(before), sideOf(after)).changes.map(({ message }) => message.replace(/^[^:]*: /, ""));

const accepted = "Members that the schema does not list are now accepted";
const refused = "Members that the schema does not list are no longer accepted";
const more = "Members that the schema does not list may have more values (string → any value).";
const fewer = "Members that the schema does not list may have fewer values (any value → string).";

test.each([
  ["absent", "anything", undefined],
  ["absent", "closed", `${refused}.`],
  ["anything", "closed", `${refused}.`],
  ["texts", "closed", `${refused} (string).`],
  ["closed", "absent", `${accepted}.`],
  ["closed", "texts", `${accepted} (string).`],
  ["absent", "texts", fewer],
  ["anything", "texts", fewer],
  ["texts", "absent", more],
] as const)("an argument whose object changes from %s to %s", (before, after, want) => {
  expect(messagesOf(argumentOf(before), argumentOf(after))).toEqual(want === undefined ? [] : [want]);
});

const now = "The schema now allows members that it does not list";
const noLonger = "The schema no longer allows members that it does not list";
const star = "Here, `*` stands for the members that the schema does not list.";

test.each([
  [
    "absent",
    "anything",
    "The schema now says that it allows members that it does not list, so the type in code contains such members.",
  ],
  [
    "anything",
    "absent",
    "The schema no longer says that it allows members that it does not list, so the type in code does not contain such members.",
  ],
  ["absent", "closed", `${noLonger}.`],
  ["anything", "closed", `${noLonger}.`],
  ["texts", "closed", `${noLonger} (string).`],
  ["closed", "absent", `${now}.`],
  ["closed", "anything", `${now}.`],
  ["closed", "texts", `${now} (string).`],
  ["absent", "texts", `A type allows fewer values (any → string). ${star}`],
  ["texts", "anything", `A type allows more values (string → any). ${star}`],
] as const)("an answer whose object changes from %s to %s", (before, after, want) => {
  expect(messagesOf(answerOf(before), answerOf(after))).toEqual([want]);
});

test("a schema that refuses other members affects code only if its type contained them", () => {
  const callersOf = (before: State, after: State) =>
    diffContracts(sideOf(answerOf(before)), sideOf(answerOf(after))).changes.map(({ consequences, reason }) => [
      consequences.callers,
      reason.includes("no longer compiles"),
    ]);
  expect(callersOf("absent", "closed")).toEqual([["none", false]]);
  expect(callersOf("texts", "closed")).toEqual([["some", true]]);
});

const typeOf = (content: string, attributes = "") =>
  wsdlOf(`<complexType name="T"><sequence>${element("a")}${content}</sequence>${attributes}</complexType>`);

test.each([
  ["elements", '<any minOccurs="0" processContents="lax"/>', "", "elements"],
  ["attributes", "", '<anyAttribute processContents="lax"/>', "attributes"],
])("a wildcard of %s is said to allow only these", (_, content, attributes, want) => {
  const [plain, open] = [typeOf(""), typeOf(content, attributes)];
  const text = (verb: string) => `The schema ${verb} ${want} that it does not declare.`;
  expect([...new Set(messagesOf(plain, open))]).toEqual([text("now allows")]);
  expect([...new Set(messagesOf(open, plain))]).toEqual([text("no longer allows")]);
});

test("a required wildcard is not called a member", () => {
  const [plain, open] = [typeOf(""), typeOf('<any processContents="lax"/>')];
  expect([...new Set(messagesOf(plain, open))]).toEqual([
    "An element that the schema does not declare is now required.",
  ]);
  expect([...new Set(messagesOf(open, plain))]).toEqual([
    "An element that the schema does not declare is no longer required or allowed.",
  ]);
});
