import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { agrees, observedText } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";
import { parties } from "./proof/worst-levels.js";

const group = (kind: "choice" | "sequence", bounds: string, ...members: readonly string[]) =>
  `<${kind} ${bounds}>${members.map((each) => (each.startsWith("<") ? each : element(each))).join("")}</${kind}>`;
const many = 'maxOccurs="unbounded"';
const choice = (...members: readonly string[]) => group("choice", "", ...members);
const inOrder = (...members: readonly string[]) => group("sequence", "", ...members);

/**
 * The old and the new content, and the effects on old and new clients in requests. In answers, the effects are
 * exchanged, unless the clients' ends refuse what servers accept.
 */
const cases: readonly ContentCase[] = [
  { before: group("choice", many, "a", "b"), after: inOrder("a", "b"), want: "some none" },
  { before: group("choice", many, "a", "b"), after: inOrder("a", "c?", "b"), want: "some none" },
  {
    before: group("choice", 'minOccurs="3" maxOccurs="3"', "a", "b"),
    after: inOrder("a", "b"),
    want: "some none",
    inAnswers: "breaks none",
  },
  {
    before: group("choice", `minOccurs="0" ${many}`, "a", "b"),
    after: inOrder("a?", "b?"),
    want: "some none",
  },
  { before: group("choice", 'maxOccurs="2"', "a", "b"), after: inOrder("a*", "b*"), want: "tolerated some" },
  { before: group("choice", `minOccurs="0" ${many}`, "a", "b"), after: inOrder("a*", "b*"), want: "tolerated none" },
  { before: group("choice", many, "a", "b"), after: group("sequence", many, "a", "b"), want: "some none" },
  { before: group("choice", many, "a", "b"), after: group("sequence", many, "a?", "b?"), want: "none some" },
  {
    before: choice(inOrder("a", "b"), inOrder("c", "d")),
    after: inOrder(choice("a", "c"), choice("b", "d")),
    want: "none some",
  },
  {
    before: inOrder(choice("a", "b"), choice("c", "d")),
    after: inOrder(choice("a", "c"), choice("b", "d")),
    want: "some some",
  },
];

interface ContentCase {
  readonly before: string;
  readonly after: string;
  readonly want: string;
  readonly inAnswers?: string;
}

test.each(cases)(
  "$before that became $after affects clients: $want",
  async ({ before, after, want, inAnswers = want }) => {
    const [oldSide, newSide] = [sideOf(wsdlOf(sequence(before))), sideOf(wsdlOf(sequence(after)))];
    const changes = diffContracts(oldSide, newSide).changes.filter(({ rule }) => rule === "content-model-changed");
    const request = changes.find(({ direction }) => direction === "input");
    expect([request?.undecided, `${request?.consequences.oldClients} ${request?.consequences.newClients}`]).toEqual([
      undefined,
      want,
    ]);
    const answer = changes.find(({ direction }) => direction === "output");
    expect(`${answer?.consequences.newClients} ${answer?.consequences.oldClients}`).toBe(inAnswers);
  },
);

test.each(cases)("calls confirm the effects of $before that became $after", async ({ before, after }) => {
  const sides = [sideOf(wsdlOf(sequence(before))), sideOf(wsdlOf(sequence(after)))] as const;
  const { changes } = diffContracts(...sides);
  for (const [operation, direction, party] of parties) {
    const change = changes.find((each) => each.rule === "content-model-changed" && each.direction === direction);
    const [client, server] = party === "oldClients" ? sides : ([sides[1], sides[0]] as const);
    const observed = await callSoap(client.contract, server.contract, { operation, samples: 40 });
    const claim = change?.consequences[party] ?? "none";
    // The generated types differ, so values are compared only by whether they are refused. A server loses elements that
    // occur too often, but does not refuse them.
    const counted = direction === "input" && claim === "some" ? observed : { ...observed, losses: 0 };
    const isConfirmed = agrees(claim === "tolerated" ? "none" : claim, counted, false);
    const text = [operation, party, claim, observedText(observed)];
    expect([...text, isConfirmed]).toEqual([...text, true]);
  }
});

test.each([
  // A part of the content shows nothing about the rest of it, which may not allow the part to be absent.
  [
    group("choice", 'maxOccurs="3"', group("choice", 'maxOccurs="3"', "a", "b"), choice("c?", "d?")),
    choice("a", group("choice", 'maxOccurs="3"', "b*", "c", "d?")),
  ],
  [
    group("sequence", many, "a", group("choice", 'maxOccurs="3"', "b", "c")),
    group("sequence", many, choice("a", "b"), "c"),
  ],
])("a change of only a part of the content stays undecided: %s", (before, after) => {
  const { changes } = diffContracts(sideOf(wsdlOf(sequence(before))), sideOf(wsdlOf(sequence(after))));
  const regrouped = changes.filter(({ rule }) => rule === "content-model-changed");
  expect(regrouped.length).toBeGreaterThan(0);
  for (const { undecided, consequences } of regrouped) {
    expect([undecided === undefined, consequences.oldClients, consequences.newClients]).toEqual([
      false,
      "some",
      "some",
    ]);
  }
});

/** Contents with nested groups, and the greatest effects on old and new clients in requests. */
const nestedCases: readonly ContentCase[] = [
  {
    before: group("sequence", many, "b", group("sequence", many, "c", "d")),
    after: inOrder("b", group("sequence", many, "c", "d")),
    want: "some none",
  },
  {
    before: group("sequence", many, "b", group("sequence", many, "c", "d")),
    after: group("sequence", many, "b", "c", group("sequence", many, "d")),
    want: "some some",
  },
];

test.each([
  ...nestedCases,
  ...nestedCases.map(({ before, after, want }) => ({
    before: after,
    after: before,
    want: want.split(" ").reverse().join(" "),
  })),
])("nested groups are compared: $before that became $after affects clients: $want", async ({ before, after, want }) => {
  const sides = [sideOf(wsdlOf(sequence(before))), sideOf(wsdlOf(sequence(after)))] as const;
  const changes = diffContracts(...sides).changes.filter(({ direction }) => direction === "input");
  expect(changes.filter(({ rule }) => /added|removed|renamed/.test(rule))).toEqual([]);
  expect(changes.map(({ undecided }) => undecided)).toEqual(changes.map(() => undefined));
  const findWorst = (party: "oldClients" | "newClients") =>
    changes.some(({ consequences }) => consequences[party] === "some") ? "some" : "none";
  expect(`${findWorst("oldClients")} ${findWorst("newClients")}`).toBe(want);
  for (const party of ["oldClients", "newClients"] as const) {
    const [client, server] = party === "oldClients" ? sides : ([sides[1], sides[0]] as const);
    const observed = await callSoap(client.contract, server.contract, { operation: "Put", samples: 40 });
    // Few random values have groups that occur only once, so every call may fail.
    expect([party, observed.errors > 0]).toEqual([party, findWorst(party) === "some"]);
  }
});

/** Contents with a group that members enter or leave, by which calls fail. */
const moves = [
  [group("sequence", 'minOccurs="0"', "c"), group("sequence", 'minOccurs="0"', "c", choice("a", "b"))],
  [group("sequence", many, inOrder("a", "b"), "c"), inOrder("a?", group("sequence", many, "b", "c"))],
  [
    group("sequence", 'maxOccurs="3"', "a", choice("b?", "c")),
    inOrder(group("sequence", 'maxOccurs="3"', "a", "b"), "c?"),
  ],
  [
    choice(group("choice", `minOccurs="0" ${many}`, "a?", "b", "c?"), "d"),
    inOrder(group("choice", 'minOccurs="0"', "a", "b"), group("choice", 'maxOccurs="3"', "c?", "d")),
  ],
  [choice("a?", group("choice", many, "b", "c")), group("sequence", many, "a", inOrder("b", "c"))],
] as const;

test.each(moves)("a member that enters or leaves a group may break clients: %s", async (before, after) => {
  const sides = [sideOf(wsdlOf(sequence(before))), sideOf(wsdlOf(sequence(after)))] as const;
  const { changes } = diffContracts(...sides);
  let errors = 0;
  for (const party of ["oldClients", "newClients"] as const) {
    const [client, server] = party === "oldClients" ? sides : ([sides[1], sides[0]] as const);
    const claims = changes
      .filter(({ direction }) => direction === "input")
      .map(({ consequences }) => consequences[party]);
    const observed = await callSoap(client.contract, server.contract, { operation: "Put", samples: 20 });
    const isClaimed = claims.some((claim) => claim === "some" || claim === "breaks");
    expect([party, isClaimed || observed.errors === 0]).toEqual([party, true]);
    errors += observed.errors;
  }
  expect(errors).toBeGreaterThan(0);
});

test("a group that is repeated now and is required beside another member may break clients", () => {
  const before = choice(choice("a", "b"), "c");
  const after = inOrder("a", group("choice", 'maxOccurs="3"', "b", "c?"));
  const { changes } = diffContracts(sideOf(wsdlOf(sequence(before))), sideOf(wsdlOf(sequence(after))));
  const around = changes.find(({ rule, direction }) => rule === "content-model-changed" && direction === "input");
  expect([around?.before, around?.after, around?.consequences.oldClients]).toEqual(["(a | …)", "(a, …)", "some"]);
});

test("content models with too many combinations stay undecided", () => {
  const names = Array.from({ length: 40 }, (_, index) => `member${index}`);
  const pairs = (step: number) =>
    inOrder(
      ...names.flatMap((name, index) => (index < 20 ? [choice(name, names[20 + ((index + step) % 20)] ?? "")] : [])),
    );
  const { changes } = diffContracts(sideOf(wsdlOf(sequence(pairs(0)))), sideOf(wsdlOf(sequence(pairs(1)))));
  expect([...new Set(changes.map(({ rule, undecided }) => `${rule}: ${undecided}`))]).toEqual([
    "content-model-changed: the content models allow too many combinations to compare, or contain wildcards or nested groups; check whether the elements that one side sends are valid in the other version",
  ]);
});

/** Contents with a group that repeats, and the changes in requests with their effects on old and new clients. */
const boundCases = [
  {
    before: group("choice", `minOccurs="0" ${many}`, "a*", "b"),
    after: group("choice", `minOccurs="0" ${many}`, "a", "b"),
    want: ["member-became-required none none", "member-became-single none none"],
  },
  {
    before: group("choice", many, "a*", "b"),
    after: group("choice", many, "a", "b"),
    want: ["member-became-required some none", "member-became-single none none"],
  },
  {
    before: group("choice", many, element("a", 'maxOccurs="5"'), "b"),
    after: group("choice", many, element("a", 'maxOccurs="3"'), "b"),
    want: ["member-occurs-narrowed none none"],
  },
  {
    before: group("choice", `minOccurs="0" ${many}`, "a*", "b"),
    after: inOrder("a*"),
    want: ["choice-branch-removed tolerated none", "member-occurs-narrowed none none"],
  },
  {
    before: group("choice", many, "a*", "b"),
    after: inOrder("a*"),
    want: ["choice-branch-removed tolerated none", "member-occurs-narrowed none none"],
  },
  {
    before: inOrder(group("choice", `minOccurs="0" ${many}`, "a", "b"), "x"),
    after: inOrder("a*", "x"),
    want: ["choice-branch-removed tolerated none", "content-model-changed none none"],
  },
  {
    before: inOrder("a?", "b?", "c", "d"),
    after: inOrder("a", group("choice", 'maxOccurs="3"', "b?", "c", "d?")),
    want: ["content-model-changed none some", "member-became-required some none"],
  },
  {
    before: inOrder("a", "b?", "c", "d"),
    after: inOrder("a", group("choice", 'maxOccurs="3"', "b?", "c", "d?")),
    want: ["content-model-changed none some"],
  },
];

test.each(boundCases)(
  "$before that became $after only has the effects that calls show",
  async ({ before, after, want }) => {
    const sides = [sideOf(wsdlOf(sequence(before))), sideOf(wsdlOf(sequence(after)))] as const;
    const { changes } = diffContracts(...sides);
    const requests = changes.filter(({ direction }) => direction === "input");
    const texts = requests.map(
      ({ rule, consequences, undecided = "" }) =>
        `${rule} ${consequences.oldClients} ${consequences.newClients}${undecided && " undecided"}`,
    );
    expect(texts.sort()).toEqual(want);
    for (const [operation, , party] of parties) {
      const [client, server] = party === "oldClients" ? sides : ([sides[1], sides[0]] as const);
      const { errors } = await callSoap(client.contract, server.contract, { operation, samples: 40 });
      // Old clients write requests, and new clients read answers, in the same way.
      const column = (operation === "Put") === (party === "oldClients") ? 1 : 2;
      const mayFail = want.some((text) => text.split(" ")[column] === "some");
      expect([operation, party, mayFail || errors === 0]).toEqual([operation, party, true]);
    }
  },
);
