import { type Lookup, lookups } from "../sample/lookups.js";
import type { DebianPackage, Meeting, Outcome } from "./outcomes.js";
import { difference } from "./outcomes.js";
import { knownFault, servePeer } from "./served-peer.js";

/** The versions of SOAP, and what HTTP alone carries. */
export const soap = ["SOAP 1.1", "SOAP 1.2"] as const;
export const everything = [...soap, "HTTP GET", "HTTP POST"] as const;
export type Over = (typeof everything)[number];

/** What a client of others is to call: operations of a service at an address, over one protocol. */
export interface Job {
  readonly service: Lookup["service"];
  readonly wsdl: string;
  readonly over: Over;
  readonly calls: readonly { readonly operation: string; readonly input: Lookup["input"] }[];
}

/** Makes the calls of a job. What each brought: `{answer}`, `{code, reason, detail}` or `{error}`. */
export type Caller = (job: Job) => Promise<readonly object[]>;

/** A client of others. */
export interface ThirdPartyClient {
  readonly peer: string;
  readonly packages: readonly DebianPackage[];
  /** What it speaks. */
  readonly over: readonly Over[];
  /** Makes it ready for the services at an address: some are compiled for a WSDL. */
  readonly prepare: (url: string) => Promise<Caller>;
  /** What it can tell of a result. */
  readonly view: (answer: unknown) => unknown;
  /** Which values it cannot send as XML has them, and why: calls with such are not made. */
  readonly unable?: { readonly values: RegExp; readonly reason: string };
  /** What it writes before the code of a fault; undefined: what the envelope has. */
  readonly codePrefix?: string;
  /** The detail of the known fault as it shows it. */
  readonly detail: unknown;
}

/** A client of others calls our server, every operation, from the WSDL that it serves. */
export function clientMeeting(client: ThirdPartyClient): Meeting {
  return { peer: client.peer, packages: client.packages, meet: () => meetClient(client) };
}

async function meetClient(client: ThirdPartyClient): Promise<readonly Outcome[]> {
  const server = await servePeer();
  try {
    const caller = await client.prepare(server.url);
    const rounds = (["reg", "bespokeapi"] as const).flatMap((service) =>
      client.over.map((over) => makeCalls({ client, caller }, { service, over, url: server.url })),
    );
    return (await Promise.all(rounds)).flat();
  } finally {
    await server.close();
  }
}

async function makeCalls(
  { client, caller }: { readonly client: ThirdPartyClient; readonly caller: Caller },
  { service, over, url }: { readonly service: Lookup["service"]; readonly over: Over; readonly url: string },
): Promise<readonly Outcome[]> {
  const mine = lookups.filter((lookup) => lookup.service === service);
  const unable = mine.filter(({ input }) =>
    Object.values(input).some((value) => client.unable?.values.test(`${value}`)),
  );
  const trials = [
    ...mine
      .filter((lookup) => !unable.includes(lookup))
      .map(({ operation, input, answer }) => ({ operation, input, expected: { answer: client.view(answer) } })),
    ...(service === "reg" && isSoap(over) ? [{ ...knownFault, expected: faultSeen(client, over) }] : []),
  ];
  const calls = trials.map(({ operation, input }) => ({ operation, input }));
  const start = performance.now();
  const lines = await caller({ service, wsdl: `${url}/api/${service}.asmx?wsdl`, over, calls });
  const milliseconds = (performance.now() - start) / calls.length;
  const { peer } = client;
  const called = trials.map(({ operation, input, expected }, index) => ({
    ...{ peer, over, call: nameOf(operation, input), milliseconds },
    wrong: difference(viewed(lines[index], client), expected),
  }));
  const notCalled = unable.map(({ operation, input }) => ({
    ...{ peer, over, call: nameOf(operation, input), milliseconds: 0 },
    cannot: client.unable?.reason,
  }));
  return [...called, ...notCalled];
}

function nameOf(operation: string, input: object): string {
  return `${operation} ${JSON.stringify(input)}`;
}

function viewed(line: object | undefined, client: ThirdPartyClient): unknown {
  return line !== undefined && "answer" in line ? { answer: client.view(line.answer) } : line;
}

/** What HTTP alone answers to a mistake is a text, of which no client makes a fault. */
function isSoap(over: Over): boolean {
  return over === "SOAP 1.1" || over === "SOAP 1.2";
}

/** The prefix of the code is the envelope's: in 1.1 without meaning, in 1.2 part of a QName (SOAP 1.2 part 1 §5.4.1). */
function faultSeen({ codePrefix = "soap:", detail }: ThirdPartyClient, over: Over): object {
  return { code: `${codePrefix}${over === "SOAP 1.1" ? "Client" : "Sender"}`, reason: knownFault.reason, detail };
}
