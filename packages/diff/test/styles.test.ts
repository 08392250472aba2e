import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
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
