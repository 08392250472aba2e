import { type Lookup, lookups } from "../sample/lookups.js";
import type { DebianPackage, Outcome, Suite } from "./outcomes.js";
import { describeDifference } from "./outcomes.js";
import { knownFault, servePeer } from "./served-peer.js";

/** The SOAP versions, as reports name them. */
export const soapVersions = ["SOAP 1.1", "SOAP 1.2"] as const;
export const allProtocols = [...soapVersions, "HTTP GET", "HTTP POST"] as const;
export type ProtocolName = (typeof allProtocols)[number];

/** The calls that a third-party client makes in one run: operations of one service over one protocol. */
export interface Job {
  readonly service: Lookup["service"];
  readonly wsdl: string;
  readonly over: ProtocolName;
  readonly calls: readonly { readonly operation: string; readonly input: Lookup["input"] }[];
}

/** Makes the calls of a job, and returns an object for each: `{answer}`, `{code, reason, detail}` or `{error}`. */
export type Caller = (job: Job) => Promise<readonly object[]>;

/** A third-party client. */
export interface ThirdPartyClient {
  readonly peer: string;
  readonly packages: readonly DebianPackage[];
  /** The protocols that the client supports. */
  readonly over: readonly ProtocolName[];
  /** Prepares the client for the services at an address. Some clients are compiled for a specific WSDL. */
  readonly prepare: (url: string) => Promise<Caller>;
  /**
   * Removes differences from an expected answer that the client does not see: some clients do not distinguish nil and
   * absent values.
   */
  readonly normalizeAnswer: (answer: unknown) => unknown;
  /** The values that the client cannot send correctly, with the reason. Calls with them are skipped. */
  readonly unsupported?: { readonly values: RegExp; readonly reason: string };
  /** The prefix that the client shows before the code of a fault. Default: the prefix of the envelope. */
  readonly codePrefix?: string;
  /** The detail of the known fault, as the client shows it. */
  readonly detail: unknown;
}

/**
 * Tests that a third-party client can call every operation of a generated server, using the WSDL that the server
 * publishes.
 */
export function createClientSuite(client: ThirdPartyClient): Suite {
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
  { service, over, url }: { readonly service: Lookup["service"]; readonly over: ProtocolName; readonly url: string },
): Promise<readonly Outcome[]> {
  const serviceLookups = lookups.filter((lookup) => lookup.service === service);
  const unsupportedLookups = serviceLookups.filter(({ input }) =>
    Object.values(input).some((value) => client.unsupported?.values.test(`${value}`)),
  );
  const trials = [
    ...serviceLookups
      .filter((lookup) => !unsupportedLookups.includes(lookup))
      .map(({ operation, input, answer }) => ({
        operation,
        input,
        expected: { answer: client.normalizeAnswer(answer) },
      })),
    ...(service === "reg" && isSoap(over) ? [{ ...knownFault, expected: createExpectedFault(client, over) }] : []),
  ];
  const calls = trials.map(({ operation, input }) => ({ operation, input }));
  const start = performance.now();
  const lines = await caller({ service, wsdl: `${url}/api/${service}.asmx?wsdl`, over, calls });
  const milliseconds = (performance.now() - start) / calls.length;
  const { peer } = client;
  const calledOutcomes = trials.map(
    ({ operation, input, expected }, index): Outcome => ({
      peer,
      call: getName(operation, input),
      over,
      milliseconds,
      problem: describeDifference(selectView(lines[index], client), expected),
    }),
  );
  const skippedOutcomes = unsupportedLookups.map(
    ({ operation, input }): Outcome => ({
      peer,
      call: getName(operation, input),
      over,
      milliseconds: 0,
      skipReason: client.unsupported?.reason,
    }),
  );
  return [...calledOutcomes, ...skippedOutcomes];
}

function getName(operation: string, input: object): string {
  return `${operation} ${JSON.stringify(input)}`;
}

function selectView(line: object | undefined, client: ThirdPartyClient): unknown {
  return line !== undefined && "answer" in line ? { answer: client.normalizeAnswer(line.answer) } : line;
}

/**
 * Whether a protocol is a SOAP version. Over the HTTP bindings, an error is plain text, which clients do not read as a
 * fault.
 */
function isSoap(over: ProtocolName): boolean {
  return over === "SOAP 1.1" || over === "SOAP 1.2";
}

/** Returns the known fault as a client shows it. In SOAP 1.2, its code is a QName (Part 1 §5.4.1). */
function createExpectedFault({ codePrefix = "soap:", detail }: ThirdPartyClient, over: ProtocolName): object {
  return { code: `${codePrefix}${over === "SOAP 1.1" ? "Client" : "Sender"}`, reason: knownFault.reason, detail };
}
