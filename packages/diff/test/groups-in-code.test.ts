import { ServiceClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { dynamicContractOf, type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

// A member that is added to a group that may be absent is optional in code. Code that writes the group without the
// member compiles, but the client refuses to send the value.

const group = (...members: readonly string[]) => `<sequence minOccurs="0">${members.join("")}</sequence>`;
const choice = (...members: readonly string[]) => `<choice>${members.join("")}</choice>`;
const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => element(name));
const before = wsdlOf(sequence(element("key"), group(a ?? "", b ?? "")));

const cases = [
  { title: "an element", added: c ?? "" },
  { title: "a list", added: element("c+") },
  { title: "a number", added: element("c:int") },
  { title: "an element with a default", added: element("c", 'default="x"') },
  { title: "two elements", added: `${c}${d}` },
  { title: "a choice", added: choice(c ?? "", d ?? "") },
  { title: "a sequence", added: `<sequence>${c}${d}</sequence>` },
  { title: "a wildcard", added: '<any namespace="##other" processContents="skip"/>' },
  { title: "an optional element", added: element("c?") },
  { title: "an element that may be nil", added: element("c", 'nillable="true"') },
  { title: "an optional sequence", added: group(c ?? "", d ?? "") },
];

/** Returns the error of a client of the sources that sends the old members of the group. */
async function sendOldMembers(sources: Sources): Promise<string | undefined> {
  const [soap] = dynamicContractOf(sideOf(sources).contract).interfaces;
  const [service] = soap?.kind === "soap" ? soap.services : [];
  const put = service?.operations.find(({ operation }) => operation.name === "Put");
  if (soap?.kind !== "soap" || service === undefined || put === undefined) {
    throw new Error("There is no operation Put.");
  }
  const transport = { send: async () => Promise.reject(new Error("sent")) };
  const client = new ServiceClient(service.descriptor, { transport }, soap.settings);
  const error: unknown = await client
    .call(put.descriptor, { value: { key: "k", a: "a", b: "b" } })
    .catch((each) => each);
  return error instanceof Error ? error.name : undefined;
}

test("code that writes an optional group without an added member fails exactly where the diff says so", async () => {
  const program = `import type { TClient } from "./client/src/api/index.js";
export const use = (client: TClient) => client.put({ value: { key: "k", a: "a", b: "b" } });`;
  const files = new Map<string, string>();
  const states = cases.map(({ title, added }, index) => {
    const after = wsdlOf(sequence(element("key"), group(a ?? "", b ?? "", added)));
    for (const [path, text] of modulesIn(`${index}`, after)) {
      files.set(path, text);
    }
    files.set(`${index}/use.ts`, program);
    return { title, after };
  });
  expect(Object.fromEntries(compileErrors(files))).toEqual({});
  const observed = await Promise.all(
    states.map(async ({ title, after }) => {
      const { changes } = diffContracts(sideOf(before), sideOf(after));
      return { title, claim: worstOf(changes, "callers"), error: await sendOldMembers(after) };
    }),
  );
  const outcomes = { EncodeError: "some", TransportError: "none" } as const;
  expect(observed).toEqual(
    observed.map(({ title, error }) => ({ title, error, claim: outcomes[error as keyof typeof outcomes] })),
  );
  expect(new Set(observed.map(({ claim }) => claim))).toEqual(new Set(["none", "some"]));
});
