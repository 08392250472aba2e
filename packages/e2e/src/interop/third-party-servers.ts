import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lookups, protocols } from "../sample/lookups.js";
import { buildPeerClient } from "./built-client.js";
import { debianPackages, python } from "./debian-packages.js";
import type { Suite } from "./outcomes.js";
import { findFreePort, isAnswering, startDaemon } from "./programs.js";
import { knownFault } from "./served-peer.js";
import { createServerSuite, type ThirdPartyServer, type ThirdPartyServerKind } from "./server-suite.js";
import { serveGsoap } from "./stacks/gsoap.js";
import { serveJaxWs } from "./stacks/java.js";
import { saveKnownLines } from "./stacks/line-protocol.js";
import { serveAsmx } from "./stacks/mono.js";
import { serveWithNodeSoap } from "./stacks/node-soap.js";

const { php, phpSoap, monoCompiler, monoWeb, monoWebServices } = debianPackages;

const kinds: readonly ThirdPartyServerKind[] = [
  {
    peer: "PHP SoapServer",
    packages: [php, phpSoap],
    protocols: ["soap11", "soap12"],
    faultStatus: 500,
    start: servePhp,
  },
  {
    peer: "node-soap server",
    packages: [],
    protocols: ["soap11", "soap12"],
    faultStatus: 200,
    start: serveWithNodeSoap,
  },
  {
    peer: "gSOAP server",
    packages: [debianPackages.gsoap, debianPackages.gsoapLibrary, debianPackages.cxx],
    protocols: ["soap11", "soap12"],
    faultStatus: 400,
    start: serveGsoap,
  },
  {
    peer: "JAX-WS server",
    packages: [debianPackages.jaxWs, debianPackages.jdk],
    protocols: ["soap11", "soap12"],
    faultStatus: 500,
    start: serveJaxWs,
  },
  {
    peer: "Mono ASMX",
    packages: [monoCompiler, monoWeb, monoWebServices],
    protocols,
    faultStatus: 500,
    start: serveAsmx,
    moreClients: async (server) => [await buildPeerClient("Mono ASMX", server.address("soap11"), protocols)],
  },
  {
    peer: "Spyne server",
    packages: [debianPackages.spyne],
    protocols: ["soap11", "soap12"],
    faultStatus: 500,
    start: serveSpyne,
    moreClients: async (server) => [
      await buildPeerClient("Spyne", server.address("soap11"), ["soap11"]),
      await buildPeerClient("Spyne", server.address("soap12"), ["soap12"]),
    ],
  },
];

/** Third-party servers. */
export const thirdPartyServers: readonly Suite[] = kinds.map(createServerSuite);

/** Serves the WSDLs of a folder with PHP's SoapServer. */
export async function servePhp(wsdls: string): Promise<ThirdPartyServer> {
  const port = await findFreePort();
  const file = join(wsdls, "answers.json");
  await writeFile(file, JSON.stringify(listKnownAnswers()));
  const routerPath = fileURLToPath(new URL("../../peers/php/soap-server.php", import.meta.url));
  const url = `http://127.0.0.1:${port}`;
  const daemon = await startDaemon(
    {
      command: "php",
      args: ["-S", `127.0.0.1:${port}`, "-t", wsdls, routerPath],
      env: { PEER_WSDLS: wsdls, PEER_ANSWERS: file },
    },
    () => isAnswering(`${url}/`),
  );
  return { address: () => url, stop: daemon.stop };
}

/** Returns the answers of a third-party server to the expected inputs, by operation. */
function listKnownAnswers(): Readonly<Record<string, readonly object[]>> {
  const faults = [{ operation: knownFault.operation, input: knownFault.input, fault: knownFault }];
  const knownCalls = [...lookups.map(({ operation, input, answer }) => ({ operation, input, answer })), ...faults];
  return Object.fromEntries(
    knownCalls.map(({ operation }) => [operation, knownCalls.filter((call) => call.operation === operation)]),
  );
}

/** Serves both services with Spyne from hand-written classes, with one address per SOAP version. */
export async function serveSpyne(folder: string): Promise<ThirdPartyServer> {
  const file = await saveKnownLines(folder);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const program = fileURLToPath(new URL("../../peers/spyne-server.py", import.meta.url));
  const daemon = await startDaemon({ command: python, args: [program, `${port}`, file] }, () =>
    isAnswering(`${url}/soap11/api/reg.asmx?wsdl`),
  );
  return { address: (protocol) => `${url}/${protocol}`, stop: daemon.stop };
}
