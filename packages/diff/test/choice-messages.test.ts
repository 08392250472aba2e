import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";

// One message for each changed branch of a choice: it names the members of the branch, and the choice.

const [a, b, c, d, x] = ["a", "b", "c", "d", "x"].map((name) => element(name)) as [
  string,
  string,
  string,
  string,
  string,
];
const optional = (name: string) => element(`${name}?`);
const choice = (...branches: readonly string[]) => `<choice>${branches.join("")}</choice>`;
const group = (...members: readonly string[]) => `<sequence>${members.join("")}</sequence>`;
const repeated = (...branches: readonly string[]) => `<choice maxOccurs="unbounded">${branches.join("")}</choice>`;

const cases: readonly {
  readonly title: string;
  readonly contents: readonly [before: string, after: string];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}[] = [
  {
    title: "a branch gets a second required member",
    contents: [choice(a, b), choice(a, group(b, c))],
    added: ["T.c: A required member was added to a branch of a choice. The branch now needs it: (b, c)."],
    removed: ["T.c: A required member was removed from a branch of a choice. The branch was (b, c)."],
  },
  {
    title: "a branch of a repeated choice gets a second required member",
    contents: [group(x, repeated(a, b)), group(x, repeated(a, group(b, c)))],
    added: ["T.choice.c: A required member was added to a branch of a choice. The branch now needs it: (b, c)."],
    removed: ["T.choice.c: A required member was removed from a branch of a choice. The branch was (b, c)."],
  },
  {
    title: "a branch gets an optional member",
    contents: [choice(a, b), choice(a, group(b, optional("c")))],
    added: ["T.c: An optional member was added."],
    removed: ["T.c: An optional member was removed."],
  },
  {
    title: "a branch with one member",
    contents: [choice(a, b), choice(a, b, c)],
    added: ["T.c: A choice gained a branch. The choice is now (a | b | c)."],
    removed: ["T.c: A choice lost a branch. The choice was (a | b | c)."],
  },
  {
    title: "a branch with two members",
    contents: [choice(a, b), choice(a, b, group(c, optional("d")))],
    added: ["T: A choice gained a branch (c, d?). The choice is now ((c, d?) | a | b)."],
    removed: ["T: A choice lost a branch (c, d?). The choice was ((c, d?) | a | b)."],
  },
  {
    title: "two branches",
    contents: [choice(a, b), choice(a, b, c, d)],
    added: [
      "T.c: A choice gained a branch. The choice is now (a | b | c | d).",
      "T.d: A choice gained a branch. The choice is now (a | b | c | d).",
    ],
    removed: [
      "T.c: A choice lost a branch. The choice was (a | b | c | d).",
      "T.d: A choice lost a branch. The choice was (a | b | c | d).",
    ],
  },
  {
    title: "a member becomes a choice",
    contents: [group(x, a), group(x, choice(a, b))],
    added: ["T.b: A choice gained a branch. The choice is now (a | b); before, there was only a."],
    removed: ["T.b: A choice lost a branch. The choice was (a | b); now there is only a."],
  },
  {
    title: "a group that may be absent gets a required member",
    contents: [`${group(x)}`, `<sequence>${x}<sequence minOccurs="0">${a}${b}</sequence></sequence>`],
    added: ["T.a: An optional member was added.", "T.b: An optional member was added."],
    removed: ["T.a: An optional member was removed.", "T.b: An optional member was removed."],
  },
  {
    title: "an optional group gets a second required member",
    contents: [
      `<sequence>${x}<sequence minOccurs="0">${a}</sequence></sequence>`,
      `<sequence>${x}<sequence minOccurs="0">${a}${b}</sequence></sequence>`,
    ],
    added: ["T.b: A required member was added to a group that may be absent."],
    removed: ["T.b: A required member was removed from a group that may be absent."],
  },
];

const messagesOf = (before: string, after: string) =>
  diffContracts(sideOf(wsdlOf(before)), sideOf(wsdlOf(after)))
    .changes.filter(({ direction }) => direction === "input")
    .map(({ message }) => message)
    .sort();

test.each(cases)("$title", ({ contents, added, removed }) => {
  const [before, after] = contents.map((content) =>
    content.startsWith("<choice") ? `<complexType name="T">${content}</complexType>` : sequence(content),
  ) as [string, string];
  expect(messagesOf(before, after)).toEqual(added);
  expect(messagesOf(after, before)).toEqual(removed);
});
