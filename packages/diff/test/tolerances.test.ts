import { Random } from "@bothends/dynamic/random";
import { DecodeError } from "@bothends/runtime";
import { fetchTransport, ServiceClient } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { compileErrors } from "./proof/compile.js";
import { dynamicContractOf, type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

// Draws two values of the setting `tolerate` and the members of an answer. Clients of both versions read answers that
// deviate from the schema, and programs that use the types of the old version are compiled with the new ones.

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
const tolerances = ["enumeration", "facets", "nil", "empty", "fixed", "namespaces"] as const;

/** The members of answers. Each has a text that its type accepts, and one that deviates. */
const members = [
  { xml: element("colour:t:Colour"), name: "colour", text: "red", other: "<colour>blue</colour>" },
  { xml: element("code:t:Code"), name: "code", text: "ab", other: "<code>abcd</code>" },
  { xml: element("name"), name: "name", text: "x", other: `<name xsi:nil="true"/>` },
  { xml: element("size:int"), name: "size", text: "5", other: "<size/>" },
  { xml: element("unit", 'fixed="kg"'), name: "unit", text: "kg", other: "<unit>g</unit>" },
  { xml: element("note?"), name: "note", text: "x", other: '<x:note xmlns:x="urn:other">x</x:note>' },
] as const;
const simpleTypes = `<simpleType name="Colour"><restriction base="string"><enumeration value="red"/></restriction></simpleType>
  <simpleType name="Code"><restriction base="string"><maxLength value="2"/></restriction></simpleType>`;

interface Edit {
  readonly members: readonly (typeof members)[number][];
  readonly versions: readonly [old: Sources, new: Sources];
}

function drawEdit(seed: number): Edit {
  const random = new Random(seed * 6011);
  const drawn = members.filter(() => random.drawBoolean(50));
  const kept = drawn.length === 0 ? members : drawn;
  const drawVersion = () =>
    versionOf(
      kept.map(({ xml }) => xml),
      tolerances.filter(() => random.drawBoolean(40)),
    );
  return { members: kept, versions: [drawVersion(), drawVersion()] };
}

function versionOf(xml: readonly string[], tolerate: readonly string[]): Sources {
  const names = { contract: "api-contract", client: "api-client", server: "api-server" };
  return {
    ...wsdlOf(`${simpleTypes}${sequence(...xml.map((text) => text))}`),
    "bothends.json": JSON.stringify({
      interfaces: { api: { wsdl: ["t.wsdl"], tolerate } },
      packages: Object.fromEntries(Object.entries(names).map(([key, name]) => [key, { path: key, name }])),
    }),
  };
}

/** Whether a client reads an answer in which one member deviates. */
async function accepts(sources: Sources, edit: Edit, deviating: (typeof members)[number]): Promise<boolean> {
  const [soap] = dynamicContractOf(sideOf(sources).contract).interfaces;
  const [service] = soap?.kind === "soap" ? soap.services : [];
  const operation = service?.operations.find((each) => each.operation.name === "Get");
  if (soap?.kind !== "soap" || service === undefined || operation === undefined) {
    throw new Error("There is no operation.");
  }
  const contents = edit.members.map((member) =>
    member === deviating ? member.other : `<${member.name}>${member.text}</${member.name}>`,
  );
  const answer = `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><s:Body><GetResponse xmlns="urn:t"><value>${contents.join("")}</value></GetResponse></s:Body></s:Envelope>`;
  const transport = fetchTransport(async () => new Response(answer, { headers: { "content-type": "text/xml" } }));
  const client = new ServiceClient(service.descriptor, { transport }, soap.settings);
  return client.call(operation.descriptor, {}).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DecodeError) {
        return false;
      }
      throw error;
    },
  );
}

const edits = seeds.map((seed) => ({ seed, ...drawEdit(seed) }));

const imports = `import type { TClient as Old } from "./0/client/src/api/index.js";
import type { TClient as New } from "./1/client/src/api/index.js";
type Answer<Client extends Old | New> = Awaited<ReturnType<Client["get"]>>;
`;
/**
 * Code of callers, which reads the new answers, and of handlers, which write them, as for the old version. Both may
 * list the values of an enumeration.
 */
const programs = {
  reads: "export const read = (answer: Answer<New>): Answer<Old> => answer;",
  compares:
    'export const isBlue = (answer: Answer<New>) => answer !== null && typeof answer === "object" && "colour" in answer && answer.colour === "blue";',
  writes: "export const write = (answer: Answer<Old>): Answer<New> => answer;",
  lists:
    'type Colour<A> = A extends { readonly colour?: infer C } ? Exclude<C, null | undefined> : never;\nexport const show = (colour: Colour<NonNullable<Answer<New>>>): string => { switch (colour) { case "red": return ""; } };',
};

test("the consequences of a changed tolerance are those of answers and of compiled code", async () => {
  const files = edits.flatMap(({ seed, versions }) => [
    ...versions.flatMap((sources, index) => [...modulesIn(`${seed}/${index}`, sources)]),
    ...Object.entries(programs).map(([name, text]) => [`${seed}/${name}.ts`, `${imports}${text}`] as const),
    ...(["compares", "lists"] as const).map(
      (name) => [`${seed}/${name}-old.ts`, `${imports}${programs[name].replace("New", "Old")}`] as const,
    ),
  ]);
  const errors = compileErrors(new Map(files));
  const foreignErrors = [...errors].filter(([path]) => !/^\d+\/[\w-]+\.ts$/.test(path));
  expect(foreignErrors).toEqual([]);
  const levels = new Set<string>();
  for (const edit of edits) {
    const [oldSources, newSources] = edit.versions;
    const { changes } = diffContracts(sideOf(oldSources), sideOf(newSources));
    const change = changes.find(({ rule }) => rule === "tolerance-changed");
    const hasError = (name: string) => errors.has(`${edit.seed}/${name}.ts`);
    const failsNow = (name: string) => hasError(name) && !hasError(`${name}-old`);
    const outcomes = await Promise.all(
      edit.members.map(async (member) =>
        (await Promise.all(edit.versions.map((sources) => accepts(sources, edit, member)))).join(),
      ),
    );
    const wanted = {
      oldClients: "none",
      newClients: outcomes.includes("true,false") ? "some" : "none",
      callers: hasError("reads") || failsNow("compares") || failsNow("lists") ? "some" : "none",
      handlers: hasError("writes") || failsNow("lists") ? "some" : "none",
    };
    const found = change?.consequences ?? { oldClients: "none", newClients: "none", callers: "none", handlers: "none" };
    // An answer may deviate in other ways than those that these samples show.
    const isWorstCase = change?.undecided !== undefined && wanted.newClients === "none";
    expect({ seed: edit.seed, ...found, ...(isWorstCase && { newClients: "none" }) }).toEqual({
      seed: edit.seed,
      ...wanted,
    });
    levels.add(Object.values(found).join(" "));
  }
  expect(levels.size).toBeGreaterThan(4);
}, 300_000);
