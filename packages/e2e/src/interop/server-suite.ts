import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HttpStatusError, SoapFault, VehicleClient } from "@bothends/client/vehicle";
import { lookups, type NamedClient, type Protocol } from "../sample/lookups.js";
import type { DebianPackage, Outcome, Suite } from "./outcomes.js";
import { describeDifference, tryCall } from "./outcomes.js";
import { createTemporaryFolder } from "./programs.js";
import { knownFault, servePeer } from "./served-peer.js";

const protocolNames: Readonly<Record<Protocol, string>> = {
  soap11: "SOAP 1.1",
  soap12: "SOAP 1.2",
  httpGet: "HTTP GET",
  httpPost: "HTTP POST",
};

/** A running third-party server. */
export interface ThirdPartyServer {
  address(protocol: Protocol): string;
  stop(): Promise<void>;
}

/** A generated client, and the name under which the pair of client and server is reported. */
export interface OurClient {
  readonly peer: string;
  readonly client: typeof VehicleClient;
  readonly protocols: readonly Protocol[];
  /** The address of the server. Default: the addresses in the client's WSDLs. */
  readonly address?: ThirdPartyServer["address"];
}

/** A third-party server, and what the suite must know to call it. */
export interface ThirdPartyServerKind {
  readonly peer: string;
  readonly packages: readonly DebianPackage[];
  readonly protocols: readonly Protocol[];
  /** The HTTP status of the server's faults. */
  readonly faultStatus: number;
  /** Starts the server. The folder contains the WSDLs that a generated server publishes. */
  readonly start: (folder: string) => Promise<ThirdPartyServer>;
  /** Returns additional clients: for example, one that is generated from the server's own WSDLs. */
  readonly moreClients?: (server: ThirdPartyServer) => Promise<readonly OurClient[]>;
}

/** Creates the suite in which generated clients call every operation of a third-party server. */
export function createServerSuite(kind: ThirdPartyServerKind): Suite {
  return { peer: kind.peer, packages: kind.packages, run: () => testServer(kind) };
}

async function testServer(kind: ThirdPartyServerKind): Promise<readonly Outcome[]> {
  const folder = createTemporaryFolder();
  try {
    await publishWsdls(folder);
    const server = await kind.start(folder);
    return await callServer(kind, server).finally(() => server.stop());
  } finally {
    // Removes the folder now instead of at the end of the process, because a test worker may be killed.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function callServer(kind: ThirdPartyServerKind, server: ThirdPartyServer): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { peer, client, protocols, address } of await listClients(kind, server)) {
    for (const protocol of protocols) {
      const caller = new client({ baseUrl: address?.(protocol), username: "demo" });
      outcomes.push(...(await callAll(caller, { peer, protocol, faultStatus: kind.faultStatus })));
    }
  }
  return outcomes;
}

async function listClients(kind: ThirdPartyServerKind, server: ThirdPartyServer): Promise<readonly OurClient[]> {
  const { peer, protocols } = kind;
  const generated = { peer, client: VehicleClient, protocols, address: server.address };
  return [generated, ...((await kind.moreClients?.(server)) ?? [])];
}

/** Writes the WSDLs that a generated server publishes to a folder. */
async function publishWsdls(folder: string): Promise<void> {
  const server = await servePeer();
  try {
    await saveWsdls(server.url, folder);
  } finally {
    await server.close();
  }
}

/** Saves the documents at `?wsdl` of a server. */
export async function saveWsdls(url: string, folder: string): Promise<void> {
  for (const service of ["reg", "bespokeapi"]) {
    const answer = await fetch(`${url}/api/${service}.asmx?wsdl`);
    if (!answer.ok) {
      throw new Error(`${answer.url} answers ${answer.status}.`);
    }
    await writeFile(join(folder, `${service}.wsdl`), await answer.text());
  }
}

interface CallSettings {
  readonly peer: string;
  readonly protocol: Protocol;
  readonly faultStatus: number;
}

async function callAll(client: NamedClient, settings: CallSettings): Promise<readonly Outcome[]> {
  const { peer, protocol } = settings;
  const over = protocolNames[protocol];
  const outcomes: Outcome[] = [];
  for (const lookup of lookups) {
    const call = `${lookup.operation} ${JSON.stringify(lookup.input)}`;
    const run = async () => describeDifference(await lookup.call(client, { protocol }), lookup.answer);
    outcomes.push(await tryCall({ peer, over, call }, run));
  }
  const call = `${knownFault.operation} ${JSON.stringify(knownFault.input)}`;
  outcomes.push(await tryCall({ peer, over, call }, () => testFault(client, settings)));
  return outcomes;
}

async function testFault({ reg }: NamedClient, { protocol, faultStatus }: CallSettings): Promise<string | undefined> {
  const { RegistrationNumber } = knownFault.input;
  try {
    return describeDifference(await reg.checkMexico({ RegistrationNumber }, { protocol }), "a fault");
  } catch (error) {
    // The HTTP bindings report only a status and a message.
    if (error instanceof HttpStatusError && (protocol === "httpGet" || protocol === "httpPost")) {
      return describeDifference(error.status, faultStatus);
    }
    if (!(error instanceof SoapFault)) {
      throw error;
    }
    const { code, reason, status, detail } = error;
    const { name, text } = knownFault.detail;
    return describeDifference(
      { code, reason, status, detail },
      { code: knownFault.code, reason: knownFault.reason, status: faultStatus, detail: [{ name, content: [text] }] },
    );
  }
}
