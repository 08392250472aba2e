import { fileURLToPath } from "node:url";
import { runProgram } from "./child.js";
import { debianPackages, python } from "./debian-packages.js";
import { knownFault } from "./faults.js";
import { type Lookup, lookups } from "./lookups.js";
import { callWithNodeSoap } from "./node-soap-client.js";
import type { Meeting, Outcome } from "./outcome.js";
import { servePeer } from "./served-peer.js";
import { difference } from "./trial.js";

const peers = fileURLToPath(new URL("../../peers/", import.meta.url));
const soap = ["SOAP 1.1", "SOAP 1.2"] as const;
type Over = (typeof soap)[number] | "HTTP GET" | "HTTP POST";

/** What a client of others is to call: operations of the WSDL at an address, over one protocol. */
export interface Job {
  readonly wsdl: string;
  readonly over: Over;
  readonly calls: readonly { readonly operation: string; readonly input: object }[];
}

interface TheirClient {
  readonly peer: string;
  /** What it speaks. */
  readonly over: readonly Over[];
  /** What each call brought: `{answer}`, `{code, reason, detail}` or `{error}`. */
  readonly run: (job: Job) => Promise<readonly object[]>;
  /** What it can tell of a result. */
  readonly view: (answer: unknown) => unknown;
  /** The detail of the known fault as it shows it. */
  readonly detail: unknown;
}

const { localName, text, name } = knownFault.detail;

const zeep: TheirClient = {
  peer: "zeep",
  over: [...soap, "HTTP GET", "HTTP POST"],
  run: driven(python, `${peers}zeep-client.py`),
  // To zeep, nil, empty and absent are one thing.
  view: withoutNothing,
  detail: [[name, text]],
};
const php: TheirClient = {
  peer: "PHP SoapClient",
  over: soap,
  run: driven("php", `${peers}php/soap-client.php`),
  view: (answer) => answer,
  detail: { [localName]: text },
};
const nodeSoap: TheirClient = {
  peer: "node-soap client",
  over: soap,
  run: callWithNodeSoap,
  view: (answer) => answer,
  detail: { [localName]: text },
};

/** Clients of others call our server, every operation, from the WSDL that it serves. */
export const theirClients: readonly Meeting[] = [
  { peer: zeep.peer, packages: [debianPackages.zeep], meet: () => meetClient(zeep) },
  { peer: php.peer, packages: [debianPackages.php, debianPackages.phpSoap], meet: () => meetClient(php) },
  { peer: nodeSoap.peer, packages: [], meet: () => meetClient(nodeSoap) },
];

async function meetClient(client: TheirClient): Promise<readonly Outcome[]> {
  const server = await servePeer();
  try {
    const rounds = (["reg", "bespokeapi"] as const).flatMap((service) =>
      client.over.map((over) => makeCalls(client, { service, over, url: server.url })),
    );
    return (await Promise.all(rounds)).flat();
  } finally {
    await server.close();
  }
}

async function makeCalls(
  client: TheirClient,
  { service, over, url }: { readonly service: Lookup["service"]; readonly over: Over; readonly url: string },
): Promise<readonly Outcome[]> {
  const trials = [
    ...lookups
      .filter((lookup) => lookup.service === service)
      .map(({ operation, input, answer }) => ({ operation, input, expected: { answer: client.view(answer) } })),
    ...(service === "reg" && isSoap(over) ? [{ ...knownFault, expected: faultSeen(client, over) }] : []),
  ];
  const calls = trials.map(({ operation, input }) => ({ operation, input }));
  const start = performance.now();
  const lines = await client.run({ wsdl: `${url}/api/${service}.asmx?wsdl`, over, calls });
  const milliseconds = (performance.now() - start) / calls.length;
  return trials.map(({ operation, input, expected }, index) => ({
    peer: client.peer,
    call: `${operation} ${JSON.stringify(input)}`,
    over,
    milliseconds,
    wrong: difference(viewed(lines[index], client), expected),
  }));
}

function viewed(line: object | undefined, client: TheirClient): unknown {
  return line !== undefined && "answer" in line ? { answer: client.view(line.answer) } : line;
}

/** What HTTP alone answers to a mistake is a text, of which no client makes a fault. */
function isSoap(over: Over): boolean {
  return over === "SOAP 1.1" || over === "SOAP 1.2";
}

/** The prefix of the code is the envelope's: in 1.1 without meaning, in 1.2 part of a QName (SOAP 1.2 part 1 §5.4.1). */
function faultSeen({ detail }: TheirClient, over: Over): object {
  return { code: over === "SOAP 1.1" ? "soap:Client" : "soap:Sender", reason: knownFault.reason, detail };
}

function driven(command: string, program: string): TheirClient["run"] {
  return async (job) => {
    const output = await runProgram({ command, args: [program], input: JSON.stringify(job) });
    return output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
  };
}

function withoutNothing(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutNothing(member)] as const)
    .filter(([, member]) => member !== null && member !== "");
  return members.length === 0 ? null : Object.fromEntries(members);
}
