import { expect, test } from "vitest";
import { diffContracts, type Side } from "../src/index.js";
import { findWorstLevel } from "../src/rules/rule.js";
import { wsdlOf } from "./pairs/pair.js";
import { sideOf } from "./proof/contracts.js";
import { agrees, observedText } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

const attributes = [
  "",
  '<attribute name="code" type="string"/>',
  '<attribute name="code" type="string" use="required"/>',
];

const elementsOf = (...texts: readonly string[]) =>
  attributes.map(
    (attribute) =>
      `<complexType name="T"><sequence>${texts.map((text) => `<element ${text} type="string"/>`).join("")}</sequence>${attribute}</complexType>`,
  );

const elements = [
  ...elementsOf(),
  ...elementsOf('name="a" minOccurs="0"'),
  ...elementsOf('name="a" nillable="true"', 'name="b" nillable="true"'),
  ...elementsOf('name="a" nillable="true"', 'name="b" minOccurs="0"'),
  ...elementsOf('name="a"'),
];

const texts = ["string", "int"].flatMap((base) =>
  attributes.map(
    (attribute) =>
      `<complexType name="T"><simpleContent><extension base="${base}">${attribute}</extension></simpleContent></complexType>`,
  ),
);

test("the consequences of text that replaces elements are those of calls", async () => {
  const problems: string[] = [];
  for (const element of elements) {
    for (const text of texts) {
      for (const [before, after] of [
        [element, text],
        [text, element],
      ] as const) {
        const [oldSide, newSide] = [sideOf(wsdlOf(before)), sideOf(wsdlOf(after))];
        problems.push(
          ...(await findProblems("oldClients", [oldSide, newSide])).map(
            (problem) => `${before} → ${after}: ${problem}`,
          ),
          ...(await findProblems("newClients", [newSide, oldSide])).map(
            (problem) => `${before} → ${after}: ${problem}`,
          ),
        );
      }
    }
  }
  expect(problems).toEqual([]);
}, 180_000);

/** Compares the consequences for clients with calls. */
async function findProblems(
  party: "oldClients" | "newClients",
  [client, server]: readonly [Side, Side],
): Promise<readonly string[]> {
  const [before, after] = party === "oldClients" ? [client, server] : [server, client];
  const { changes } = diffContracts(before, after);
  const problems: string[] = [];
  for (const operation of ["Put", "Get"]) {
    const found = changes.filter(({ operations }) => operations.includes(operation));
    const claim = findWorstLevel(found.map(({ consequences }) => consequences[party]));
    const mayPass = claim === "some" || found.some(({ strictPeers }) => strictPeers !== undefined);
    const observed = await callSoap(client.contract, server.contract, { operation, samples: 4 });
    if (!agrees(claim, observed, mayPass) && !(claim === "some" && observed.errors === observed.total)) {
      problems.push(`${operation}, ${party}: ${claim}, but ${observedText(observed)}`);
    }
  }
  return problems;
}
