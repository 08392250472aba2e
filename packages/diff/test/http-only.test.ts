import { Random } from "@bothends/dynamic/random";
import { ServiceClient } from "@bothends/runtime/client";
import { soapRoutes } from "@bothends/runtime/server";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Side } from "../src/index.js";
import { type Protocol, sourcesOfPorts } from "./edits/random-ports.js";
import { compileErrors } from "./proof/compile.js";
import { dynamicContractOf, type Sources, sideOf } from "./proof/contracts.js";
import { memoryTransport } from "./proof/memory-transport.js";
import { modulesIn } from "./proof/packages.js";

// Draws two versions of a service that share only HTTP protocols, or none, because at most one of them has SOAP, or
// because SOAP 1.2 replaced SOAP 1.1. The calls over the shared protocols and the compiler confirm the consequences.

const [firstSeed, seedCount] = (process.env["DIFF_HTTP"] ?? "1,40").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

interface Version {
  readonly protocols: readonly Protocol[];
  readonly type: "string" | "int";
  /** Whether the SOAP request need not contain its member, or contain it as nil. */
  readonly presence: "required" | "optional" | "nillable";
  readonly hasHeader: boolean;
  readonly hasFault: boolean;
  /** Whether the answer may be absent in SOAP, nil over HTTP, or both. */
  readonly answer: "required" | "optional" | "nillable" | "both";
  /** Whether the SOAP request has an attribute, so that the HTTP ports have another operation. */
  readonly hasAttribute: boolean;
  /** The name of the HTTP parameter. */
  readonly parameter: "q" | "p";
}

function drawVersion(random: Random, protocols: readonly Protocol[]): Version {
  const pick = <Item>(...items: readonly [Item, ...Item[]]) => random.pick(items) ?? items[0];
  return {
    protocols,
    type: pick("string", "string", "int"),
    presence: pick("required", "required", "optional", "nillable"),
    hasHeader: random.drawBoolean(30),
    hasFault: random.drawBoolean(30),
    answer: pick("required", "required", "optional", "nillable", "both"),
    hasAttribute: random.drawBoolean(15),
    parameter: pick("q", "q", "q", "q", "p"),
  };
}

const protocolPairs: readonly (readonly [readonly Protocol[], readonly Protocol[]])[] = [
  [["soap11", "httpGet"], ["httpGet"]],
  [["httpPost"], ["soap12", "httpPost"]],
  [["soap11", "httpGet", "httpPost"], ["httpGet"]],
  [
    ["soap11", "httpGet"],
    ["soap12", "httpGet"],
  ],
  [["httpGet"], ["httpGet"]],
  [["httpGet"], ["httpGet", "httpPost"]],
  [["soap11"], ["httpGet"]],
  [["httpPost"], ["soap11"]],
  [
    ["soap11", "httpGet"],
    ["soap11", "httpGet"],
  ],
];

function sourcesOf({ protocols, ...version }: Version): Sources {
  const { type, presence, hasHeader, hasFault, answer, hasAttribute, parameter } = version;
  const ports = protocols.map((protocol) => {
    return { name: protocol, protocol, scheme: "http", host: "s.example", path: "/s" };
  });
  const { "s.wsdl": text = "" } = sourcesOfPorts(ports);
  const attributes = { required: "", optional: ' minOccurs="0"', nillable: ' nillable="true"' };
  const header = '<soap:header message="t:SessionHeader" part="s" use="literal"/>';
  const fault = '<soap:fault name="Problem" use="literal"/>';
  const edits: readonly (readonly [from: string | RegExp, to: string])[] = [
    [
      '<element name="q" type="string"/></sequence>',
      `<element name="${parameter}" type="${type}"${attributes[presence]}/></sequence>${hasAttribute ? '<attribute name="a" type="string" use="required"/>' : ""}`,
    ],
    [
      '<element name="r" type="string"/>',
      `<element name="r" type="string"${answer === "optional" || answer === "both" ? attributes.optional : ""}/>`,
    ],
    [
      '<element name="Text" type="string"/>',
      `<element name="Text" type="string"${answer === "nillable" || answer === "both" ? attributes.nillable : ""}/>`,
    ],
    [
      '<message name="AskGetIn"><part name="q" type="xs:string"/>',
      `<message name="AskGetIn"><part name="${parameter}" type="xs:${type}"/>`,
    ],
    ...(hasHeader ? [[/<input>(<soap(?:12)?:body use="literal"\/>)/g, `<input>$1${header}`] as const] : []),
    ...(hasFault
      ? [
          [
            '<output message="t:AskOut"/>',
            '<output message="t:AskOut"/><fault name="Problem" message="t:BrokenFault"/>',
          ] as const,
          [
            /(<output><soap(?:12)?:body use="literal"\/><\/output>)/g,
            `$1<fault name="Problem">${fault}</fault>`,
          ] as const,
        ]
      : []),
  ];
  const edited = edits.reduce((whole, [from, to]) => whole.replace(from, to), text);
  // The header and the fault of the binding for SOAP 1.2 have its namespace.
  return {
    "s.wsdl": edited.replace(/<binding name="soap12".*?<\/binding>/, (binding) =>
      binding.replaceAll("<soap:", "<soap12:"),
    ),
  };
}

/** The operation of a version that HTTP ports have. */
function httpOperationOf({ contract }: Side) {
  const [soap] = dynamicContractOf(contract).interfaces;
  const services = soap?.kind === "soap" ? soap.services : [];
  const operations = services.flatMap((service) => service.operations.map((operation) => ({ service, operation })));
  const found = operations.find(
    ({ operation: { operation } }) => "httpGet" in operation.bindings || "httpPost" in operation.bindings,
  );
  return soap?.kind === "soap" && found !== undefined ? { soap, ...found } : undefined;
}

async function isAnswered(
  client: Side,
  server: Side,
  protocol: Protocol,
  input: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const [ours, theirs] = [httpOperationOf(client), httpOperationOf(server)];
  if (ours === undefined || theirs === undefined) {
    throw new Error("There is no HTTP operation.");
  }
  const transport = memoryTransport([
    soapRoutes({
      service: theirs.service.descriptor,
      operations: { ask: theirs.operation.descriptor },
      handlers: { ask: () => "because" },
      settings: theirs.soap.settings,
    }),
  ]);
  const api = new ServiceClient(ours.service.descriptor, { transport, protocol }, ours.soap.settings);
  return api.call(ours.operation.descriptor, input).then(
    (answer) => answer === "because",
    () => false,
  );
}

/** Code for a version: for callers, calls in all forms that compile; for handlers, a handler. */
function programsOf({ protocols, type, presence, answer, hasHeader, hasFault, hasAttribute, parameter }: Version) {
  const hasSoap = protocols.some((protocol) => protocol.startsWith("soap"));
  const valueType = type === "int" ? "number" : "string";
  const [isOptional, isNillable] = [hasSoap && presence === "optional", hasSoap && presence === "nillable"];
  const attribute = hasSoap && hasAttribute ? `, a: "a"` : "";
  const options = hasSoap && hasHeader ? `, { soapHeaders: { Session: "me" } }` : "";
  const hasHttp = protocols.some((protocol) => protocol.startsWith("http")) && !(hasSoap && hasAttribute);
  const mayBeNull =
    (hasHttp && (answer === "nillable" || answer === "both")) ||
    (hasSoap && (answer === "optional" || answer === "both"));
  const result = `string${mayBeNull ? " | null" : ""}`;
  const inputs = [
    `{ ${parameter}: value${attribute} }`,
    ...(isOptional ? [`{ ${attribute.slice(2)} }`] : []),
    ...(isNillable ? [`{ ${parameter}: null${attribute} }`] : []),
  ];
  const fault =
    hasSoap && hasFault
      ? `import { Problem } from "./contract/src/api/index.js";\nexport const problem = Problem;\n`
      : "";
  return {
    caller: `import type { SClient } from "./client/src/api/index.js";
${fault}export async function run(client: SClient, value: ${valueType}): Promise<void> {
  ${inputs.map((input, index) => `const result${index}: ${result} = await client.ask(${input}${options});\n  void result${index};`).join("\n  ")}
}
`,
    handler: `import type { SHandlers } from "./server/src/api/index.js";
${fault}export const ask: SHandlers["ask"] = (input, context) => {
  ${hasSoap && hasHeader ? "const session: string | undefined = context.soapHeaders.Session;\n  void session;" : "void context;"}
  ${hasSoap && hasAttribute ? "void input.a;" : ""}
  const value: ${valueType}${isNillable ? " | null" : ""}${isOptional ? " | undefined" : ""} = input.${parameter};
  return ${mayBeNull ? `value === null ? null : "because" as ${result}` : `value === null ? "" : "because"`};
};
`,
  };
}

const drawn = seeds.map((seed) => {
  const random = new Random(seed * 4231);
  const [oldProtocols, newProtocols] = random.pick(protocolPairs) ?? [["httpGet"], ["httpGet"]];
  const before = drawVersion(random, oldProtocols);
  const drawnAfter = drawVersion(random, newProtocols);
  // If both versions have the same SOAP messages, only the answers differ.
  const isSoapShared = oldProtocols.some((protocol) => protocol.startsWith("soap") && newProtocols.includes(protocol));
  const sameBefore = { ...before, protocols: newProtocols };
  const after = isSoapShared
    ? { ...sameBefore, answer: drawnAfter.answer }
    : random.drawBoolean(40)
      ? sameBefore
      : drawnAfter;
  const [oldVersion, newVersion] = random.drawBoolean(50) ? [before, after] : [after, before];
  return {
    seed,
    before: oldVersion,
    after: newVersion,
    sources: [sourcesOf(oldVersion), sourcesOf(newVersion)] as const,
  };
});

/** The errors of the programs of the old version with the packages of each version, by `seed/version/program`. */
const errors = compileErrors(
  new Map(
    drawn.flatMap(({ seed, before, sources }) =>
      sources.flatMap((each, index) => [
        ...modulesIn(`${seed}/${index}`, each),
        ...Object.entries(programsOf(before)).map(([name, text]) => [`${seed}/${index}/${name}.ts`, text] as const),
      ]),
    ),
  ),
);

/** Rules about the service and its protocols. Other tests show their consequences. */
const otherRules = [
  "default-protocol-changed",
  "protocol-added",
  "protocol-removed",
  "soap-version-changed",
  "name-in-code-changed",
  "service-split",
  "services-joined",
];

test.each(drawn)(
  "the consequences without shared SOAP messages are those of calls and code (seed $seed)",
  async (each) => {
    const { seed, before, after, sources } = each;
    const [oldSide, newSide] = sources.map(sideOf);
    if (oldSide === undefined || newSide === undefined) {
      throw new Error("There are no versions.");
    }
    const { changes } = diffContracts(oldSide, newSide);
    const found = changes.filter(({ rule }) => !otherRules.includes(rule));
    const problems: string[] = [];
    const isClaimed = (party: keyof Change["consequences"], ...levels: readonly string[]) =>
      found.some(({ consequences }) => levels.includes(consequences[party]));
    // If the HTTP ports became a service of their own, the diff says that the protocol was removed.
    const isPortReported = (protocol: Protocol) =>
      changes.some(({ rule, ...each }) => rule.startsWith("protocol-") && [each.before, each.after].includes(protocol));
    const shared = before.protocols.filter(
      (protocol) => protocol.startsWith("http") && after.protocols.includes(protocol) && !isPortReported(protocol),
    );
    const inputOf = ({ type, parameter }: Version) => ({ [parameter]: type === "int" ? 5 : "why" });
    for (const [party, client, server, input] of [
      ["oldClients", oldSide, newSide, inputOf(before)],
      ["newClients", newSide, oldSide, inputOf(after)],
    ] as const) {
      const outcomes = await Promise.all(shared.map((protocol) => isAnswered(client, server, protocol, input)));
      // A nillable answer is never nil here.
      const rules = found.filter(
        ({ rule, consequences }) =>
          ["some", "breaks"].includes(consequences[party]) && !rule.startsWith("member-became-"),
      );
      if (rules.length > 0 !== outcomes.includes(false)) {
        problems.push(`${party}: ${rules.map(({ rule }) => rule).join()}, but ${outcomes.join()}`);
      }
    }
    for (const [party, name] of [
      ["callers", "caller"],
      ["handlers", "handler"],
    ] as const) {
      expect(errors.get(`${seed}/0/${name}.ts`)).toBeUndefined();
      const error = errors.get(`${seed}/1/${name}.ts`);
      const isRight = error === undefined ? !isClaimed(party, "breaks") : isClaimed(party, "some", "breaks");
      if (!isRight) {
        problems.push(`${party}: ${error ?? "no error"}`);
      }
    }
    const messages = changes.map(({ message, consequences }) => `${message} ${Object.values(consequences).join(" ")}`);
    expect(problems.length === 0 ? [] : [JSON.stringify([before, after]), ...problems, ...messages]).toEqual([]);
  },
);
