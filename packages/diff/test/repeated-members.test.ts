import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";
import { agrees } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

const inGroup = (member: string) => `<sequence maxOccurs="unbounded">${element(member)}${element("b")}</sequence>`;

/** A member that became a list, and what happens to several elements in requests and in answers. */
const cases = [
  { before: element("a"), after: element("a+"), request: "values are lost", answer: "refused" },
  { before: element("a?"), after: element("a*"), request: "values are lost", answer: "refused" },
  {
    before: `<choice>${element("a:int")}${element("b")}</choice>`,
    after: `<choice>${element("a+:int")}${element("b")}</choice>`,
    request: "values are lost",
    answer: "refused",
  },
  { before: inGroup("a"), after: inGroup("a+"), request: "refused", answer: "refused" },
];

test.each(cases)(
  "several elements for $before: in a request, $request; in an answer, $answer",
  async ({ before, after, ...want }) => {
    const [single, repeated] = [before, after].map((member) => sideOf(wsdlOf(sequence(element("key"), member))));
    if (single === undefined || repeated === undefined) {
      throw new Error("There are no sides.");
    }
    const listChanges = (versions: readonly [typeof single, typeof single], rule: string) =>
      diffContracts(...versions)
        .changes.filter((change) => change.rule === rule)
        .map(({ direction, consequences: { oldClients, newClients, callers, handlers } }) =>
          [direction, oldClients, newClients, callers, handlers].join(" "),
        );
    expect(listChanges([single, repeated], "member-became-repeated")).toEqual([
      "input none some breaks breaks",
      "output some none breaks breaks",
    ]);
    expect(listChanges([repeated, single], "member-became-single")).toEqual([
      "input some none breaks breaks",
      "output none some breaks breaks",
    ]);
    const describeCalls = async (operation: string, [client, server]: readonly [typeof single, typeof single]) => {
      const { errors, losses } = await callSoap(client.contract, server.contract, { operation, samples: 20 });
      return errors > 0 ? "refused" : losses > 0 ? "values are lost" : "nothing happens";
    };
    expect({
      request: await describeCalls("Put", [repeated, single]),
      answer: await describeCalls("Get", [single, repeated]),
    }).toEqual(want);
    expect(await describeCalls("Put", [single, repeated])).toBe("nothing happens");
    expect(await describeCalls("Get", [repeated, single])).toBe("nothing happens");
  },
);

const renames = ["", "?", "*", "+"].flatMap((from) => ["", "?", "*", "+"].map((to) => [from, to] as const));

test.each(renames)(
  "a member that was renamed is read by no peer, however often it occurs: phone%s to phones%s",
  async (from, to) => {
    const [before, after] = [`phone${from}`, `phones${to}`].map((member) =>
      sideOf(wsdlOf(sequence(element("name"), element(member), element("last:int")))),
    );
    if (before === undefined || after === undefined) {
      throw new Error("There are no sides.");
    }
    const { changes } = diffContracts(before, after);
    expect(changes.map(({ rule }) => rule)).toContain("member-renamed");
    expect(changes.flatMap(findContradictions)).toEqual([]);
    for (const operation of ["Put", "Get"]) {
      for (const [party, client, server] of [
        ["oldClients", before, after],
        ["newClients", after, before],
      ] as const) {
        const observed = await callSoap(client.contract, server.contract, { operation, samples: 20 });
        const found = changes.filter(({ operations }) => operations.includes(operation));
        const claim = worstOf(found, party);
        expect([party, operation, claim, agrees(claim, observed, claim === "tolerated")]).toEqual([
          party,
          operation,
          claim,
          true,
        ]);
      }
    }
  },
);
