import { type Lookup, lookups } from "../sample/lookups.js";
import type { DebianPackage, Outcome, Suite } from "./outcomes.js";
import { difference } from "./outcomes.js";
import { knownFault, servePeer } from "./served-peer.js";

/** The protocols: the versions of SOAP, and the HTTP bindings. */
export const soap = ["SOAP 1.1", "SOAP 1.2"] as const;
export const everything = [...soap, "HTTP GET", "HTTP POST"] as const;
export type Over = (typeof everything)[number];

/** Calls for a third-party client: operations of a service at an address, over one protocol. */
export interface Job {
  readonly service: Lookup["service"];
  readonly wsdl: string;
  readonly over: Over;
  readonly calls: readonly { readonly operation: string; readonly input: Lookup["input"] }[];
}

/** Makes the calls of a job, and returns `{answer}`, `{code, reason, detail}` or `{error}` for each. */
export type Caller = (job: Job) => Promise<readonly object[]>;

/** A third-party client. */
export interface ThirdPartyClient {
  readonly peer: string;
  readonly packages: readonly DebianPackage[];
  /** The protocols that it supports. */
  readonly over: readonly Over[];
  /** Prepares it for the services at an address. Some clients are compiled for a specific WSDL. */
  readonly prepare: (url: string) => Promise<Caller>;
  /** Reduces a result to what the client can distinguish. */
  readonly view: (answer: unknown) => unknown;
  /** Values that it cannot send correctly, with the reason. Calls with them are skipped. */
  readonly unable?: { readonly values: RegExp; readonly reason: string };
  /** The prefix that it shows before a fault's code. Default: the prefix of the envelope. */
  readonly codePrefix?: string;
  /** The detail of the known fault, in the client's form. */
  readonly detail: unknown;
}

/** Tests that a third-party client calls every operation of our server, using the WSDL that the server publishes. */
export function clientSuite(client: ThirdPartyClient): Suite {
  return { peer: client.peer, packages: client.packages, run: () => testClient(client) };
}

async function testClient(client: ThirdPartyClient): Promise<readonly Outcome[]> {
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
  const ofService = lookups.filter((lookup) => lookup.service === service);
  const unable = ofService.filter(({ input }) =>
    Object.values(input).some((value) => client.unable?.values.test(`${value}`)),
  );
  const trials = [
    ...ofService
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

/** Over the HTTP bindings, an error is plain text, which no client reads as a fault. */
function isSoap(over: Over): boolean {
  return over === "SOAP 1.1" || over === "SOAP 1.2";
}

/** The code has the prefix of the envelope. In SOAP 1.2 it is a QName (Part 1 §5.4.1). */
function faultSeen({ codePrefix = "soap:", detail }: ThirdPartyClient, over: Over): object {
  return { code: `${codePrefix}${over === "SOAP 1.1" ? "Client" : "Sender"}`, reason: knownFault.reason, detail };
}
