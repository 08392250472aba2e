import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { findWorstLevel } from "../src/rules/rule.js";
import { serviceOf } from "./pairs/service.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { agrees } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

// Draws the members of a request and of an answer, and edits them while the style changes from document to rpc. The
// report must contain the changes of the same edit in document style, and the changed style.

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

interface Member {
  readonly name: string;
  readonly type: "string" | "int";
  readonly isOptional: boolean;
}

const names = ["colour", "weight", "height", "owner"];

function drawMembers(random: Random): readonly Member[] {
  const members = names
    .filter(() => random.drawBoolean(60))
    .map((name) => ({ name, type: drawType(random), isOptional: random.drawBoolean(30) }));
  return members.length === 0 ? drawMembers(random) : members;
}

function drawType(random: Random): Member["type"] {
  return random.drawBoolean(50) ? "string" : "int";
}

/** Renames, removes, adds and retypes members. All parts of a message in rpc style are required. */
function editMembers(random: Random, members: readonly Member[]): readonly Member[] {
  const edited = members.flatMap(({ name, type }): readonly Member[] => {
    const edit = random.drawIntegerBelow(8);
    const member = { name: edit === 0 ? `${name}s` : name, type: edit === 1 ? drawType(random) : type };
    return edit === 2 ? [] : [{ ...member, isOptional: false }];
  });
  const added: readonly Member[] = random.drawBoolean(25) ? [{ name: "extra", type: "int", isOptional: false }] : [];
  return [...edited, ...added];
}

interface Messages {
  readonly request: readonly Member[];
  readonly answer: readonly Member[];
}

function documentOf({ request, answer }: Messages): Sources {
  const [members, results] = [request, answer].map((list) =>
    list
      .map(
        ({ name, type, isOptional }) =>
          `<element name="${name}" type="xs:${type}" ${isOptional ? 'minOccurs="0"' : ""}/>`,
      )
      .join(""),
  );
  return serviceOf({ operations: [{ name: "Ask", members: members ?? "", answer: results ?? "" }] });
}

function rpcOf({ request, answer }: Messages): Sources {
  const { "s.wsdl": text = "" } = serviceOf({ style: "rpc" });
  const listParts = (members: readonly Member[]) =>
    members.map(({ name, type }) => `<part name="${name}" type="xs:${type}"/>`).join("");
  return {
    "s.wsdl": text
      .replace('<part name="q" type="xs:string"/>', listParts(request))
      .replace('<part name="r" type="xs:string"/>', listParts(answer)),
  };
}

function listChanges(before: Sources, after: Sources): readonly string[] {
  return diffContracts(sideOf(before), sideOf(after))
    .changes.map(({ rule, direction, subject, before: oldText, after: newText, consequences }) => {
      const { callers, handlers } = consequences;
      return [rule, direction, subject, oldText, newText, callers, handlers].join(" ");
    })
    .sort();
}

test.each(seeds)("seed %i: members that change together with the style are reported", async (seed) => {
  const random = new Random(seed * 7919);
  const old = { request: drawMembers(random), answer: drawMembers(random) };
  const edited = { request: editMembers(random, old.request), answer: editMembers(random, old.answer) };
  const [oldDocument, newDocument, newRpc] = [documentOf(old), documentOf(edited), rpcOf(edited)];
  for (const [before, after, documents] of [
    [oldDocument, newRpc, [oldDocument, newDocument]],
    [newRpc, oldDocument, [newDocument, oldDocument]],
  ] as const) {
    const style = before === newRpc ? "rpc document" : "document rpc";
    const [first = {}, second = {}] = documents;
    expect(listChanges(before, after)).toEqual(
      [...listChanges(first, second), `style-changed  Ask (style) ${style} none none`].sort(),
    );
    const observed = await callSoap(sideOf(before).contract, sideOf(after).contract, { operation: "Ask" });
    expect(agrees("breaks", observed, false)).toBe(true);
  }
});

/** Elements and members of a document, of which some have the names of rpc style. */
function drawDocument(random: Random): Sources {
  const [request, response] = [
    random.drawBoolean(75) ? "Ask" : "AskForm",
    random.drawBoolean(60) ? "AskResponse" : "Reply",
  ];
  const drawForm = () => (random.drawBoolean(75) ? 'form="unqualified"' : 'form="qualified"');
  const drawPresence = () => (random.drawBoolean(70) ? "" : 'minOccurs="0"');
  const [members, answer] = ["q", "r"].map(
    (name) => `<element name="${name}" type="xs:string" ${drawForm()} ${drawPresence()}/>`,
  );
  return serviceOf({
    operations: [{ name: "Ask", request, response, members: members ?? "", answer: answer ?? "" }],
    ...(random.drawBoolean(80) ? {} : { elements: "urn:other" }),
  });
}

const outcomes = new Set<string>();

test.each(seeds)("seed %i: a changed style affects the clients whose calls fail", async (seed) => {
  const random = new Random(seed * 4241);
  const versions = [serviceOf({ style: "rpc" }), drawDocument(random)] as const;
  for (const [before, after] of [versions, [versions[1], versions[0]]] as const) {
    const [oldSide, newSide] = [sideOf(before), sideOf(after)];
    const { changes } = diffContracts(oldSide, newSide);
    for (const [party, client, server] of [
      ["oldClients", oldSide, newSide],
      ["newClients", newSide, oldSide],
    ] as const) {
      const claim = findWorstLevel(changes.map(({ consequences }) => consequences[party]));
      const { errors, losses } = await callSoap(client.contract, server.contract, { operation: "Ask" });
      const observed = errors > 0 ? "fails" : losses > 0 ? "loses" : "works";
      outcomes.add(`${claim} ${observed}`);
      expect([party, claim, observed], changes.map(({ message }) => message).join("\n")).toEqual([
        party,
        claim,
        claim === "breaks" || claim === "some" ? "fails" : claim === "tolerated" ? "loses" : "works",
      ]);
    }
  }
});

test("the random documents show changed styles with and without effects", () => {
  expect([...outcomes]).toEqual(expect.arrayContaining(["none works", "breaks fails"]));
});
