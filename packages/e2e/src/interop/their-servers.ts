import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SoapFault, VehicleClient } from "@bothends/client/vehicle";
import { answers, freePort, startDaemon } from "./child.js";
import { debianPackages } from "./debian-packages.js";
import { knownFault } from "./faults.js";
import { lookups, type NamedClient } from "./lookups.js";
import { serveWithNodeSoap } from "./node-soap-server.js";
import type { Meeting, Outcome } from "./outcome.js";
import { servePeer } from "./served-peer.js";
import { temporaryFolder } from "./temporary-folder.js";
import { difference, tryCall } from "./trial.js";

const versions = [
  { over: "SOAP 1.1", protocol: "soap11" },
  { over: "SOAP 1.2", protocol: "soap12" },
] as const;
type Protocol = (typeof versions)[number]["protocol"];

/** A server of others under way. */
export interface TheirServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface Kind {
  readonly peer: string;
  /** The status that it gives to faults. */
  readonly faultStatus: number;
  /** Starts it with the WSDLs of a folder. */
  readonly start: (wsdls: string, protocol: Protocol) => Promise<TheirServer>;
}

const php: Kind = { peer: "PHP SoapServer", faultStatus: 500, start: servePhp };
const nodeSoap: Kind = { peer: "node-soap server", faultStatus: 200, start: serveWithNodeSoap };

/** The generated client calls servers of others, which serve our WSDLs. */
export const theirServers: readonly Meeting[] = [
  { peer: php.peer, packages: [debianPackages.php, debianPackages.phpSoap], meet: () => meetServer(php) },
  { peer: nodeSoap.peer, packages: [], meet: () => meetServer(nodeSoap) },
];

async function meetServer(kind: Kind): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const folder = temporaryFolder();
  await publishWsdls(folder);
  for (const { over, protocol } of versions) {
    const server = await kind.start(folder, protocol);
    try {
      const client = new VehicleClient({ baseUrl: server.url, username: "demo" });
      outcomes.push(...(await callAll(client, kind, { over, protocol })));
    } finally {
      await server.stop();
    }
  }
  return outcomes;
}

/** The WSDLs as our server hands them out: each in one file. */
async function publishWsdls(folder: string): Promise<void> {
  const server = await servePeer();
  try {
    for (const service of ["reg", "bespokeapi"]) {
      const answer = await fetch(`${server.url}/api/${service}.asmx?wsdl`);
      await writeFile(join(folder, `${service}.wsdl`), await answer.text());
    }
  } finally {
    await server.close();
  }
}

async function callAll(
  client: NamedClient,
  { peer, faultStatus }: Kind,
  { over, protocol }: { readonly over: string; readonly protocol: Protocol },
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const lookup of lookups) {
    const call = `${lookup.operation} ${JSON.stringify(lookup.input)}`;
    const run = async () => difference(await lookup.call(client, { protocol }), lookup.answer);
    outcomes.push(await tryCall({ peer, over, call }, run));
  }
  const call = `${knownFault.operation} ${JSON.stringify(knownFault.input)}`;
  outcomes.push(await tryCall({ peer, over, call }, () => meetFault(client, protocol, faultStatus)));
  return outcomes;
}

async function meetFault({ reg }: NamedClient, protocol: Protocol, faultStatus: number): Promise<string | undefined> {
  const { RegistrationNumber } = knownFault.input;
  try {
    return difference(await reg.checkMexico({ RegistrationNumber }, { protocol }), "a fault");
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error;
    const { code, reason, status, detail } = error;
    const { name, text } = knownFault.detail;
    return difference(
      { code, reason, status, detail },
      { code: knownFault.code, reason: knownFault.reason, status: faultStatus, detail: [{ name, content: [text] }] },
    );
  }
}

async function servePhp(wsdls: string): Promise<TheirServer> {
  const port = await freePort();
  const file = join(wsdls, "answers.json");
  await writeFile(file, JSON.stringify(knownAnswers()));
  const router = fileURLToPath(new URL("../../peers/php/soap-server.php", import.meta.url));
  const url = `http://127.0.0.1:${port}`;
  const daemon = await startDaemon(
    {
      command: "php",
      args: ["-S", `127.0.0.1:${port}`, "-t", wsdls, router],
      env: { PEER_WSDLS: wsdls, PEER_ANSWERS: file },
    },
    () => answers(`${url}/`),
  );
  return { url, stop: daemon.stop };
}

/** What a server of others is to answer to what, by operation. */
function knownAnswers(): Readonly<Record<string, readonly object[]>> {
  const faults = [{ operation: knownFault.operation, input: knownFault.input, fault: knownFault }];
  const known = [...lookups.map(({ operation, input, answer }) => ({ operation, input, answer })), ...faults];
  return Object.fromEntries(
    known.map(({ operation }) => [operation, known.filter((one) => one.operation === operation)]),
  );
}
