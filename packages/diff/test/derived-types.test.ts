import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { serviceOf } from "./pairs/service.js";
import { sideOf } from "./proof/contracts.js";
import { agrees, observedText } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

/** A service that answers a user, whose type may be abstract and have a derived type. */
function usersOf({ isAbstract, hasAdmin }: { readonly isAbstract: boolean; readonly hasAdmin: boolean }) {
  const { "s.wsdl": text = "" } = serviceOf({
    operations: [{ name: "Ask", answer: '<element name="user" type="e:User"/>' }],
  });
  const admin =
    '<complexType name="Admin"><complexContent><extension base="e:User"><sequence><element name="level" type="int"/></sequence></extension></complexContent></complexType>';
  const user = `<complexType name="User" abstract="${isAbstract}"><sequence><element name="name" type="string"/></sequence></complexType>`;
  return { "s.wsdl": text.replace("<element", `${user}${hasAdmin ? admin : ""}<element`) };
}

const plain = usersOf({ isAbstract: false, hasAdmin: false });
const onlyAdmins = usersOf({ isAbstract: true, hasAdmin: true });

test.each([
  ["gains a derived type and becomes abstract", plain, onlyAdmins, "derived-type-added", "oldClients"],
  ["loses its derived type and is no longer abstract", onlyAdmins, plain, "derived-type-removed", "newClients"],
] as const)("clients without derived types read all users if the type %s", async (_, before, after, rule, party) => {
  const { changes } = diffContracts(sideOf(before), sideOf(after));
  const change = changes.find((each) => each.rule === rule);
  expect(change?.consequences[party]).toBe("tolerated");
  const observed = await callSoap(sideOf(plain).contract, sideOf(onlyAdmins).contract, { operation: "Ask" });
  expect(agrees("tolerated", observed, false), observedText(observed)).toBe(true);
});
