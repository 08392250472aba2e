import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Caller } from "../client-suite.js";
import { createTemporaryFolder, findFreePort, isAnswering, runProgram, startDaemon } from "../programs.js";
import type { ThirdPartyServer } from "../server-suite.js";
import { getLines, listOutcomes, saveKnownLines } from "./line-protocol.js";

const sourceFolder = fileURLToPath(new URL("../../../peers/gsoap/", import.meta.url));

/** Generates gSOAP proxies from the WSDLs at an address, and compiles the program that calls them. */
export async function prepareGsoap(url: string): Promise<Caller> {
  const wsdls = ["reg", "bespokeapi"].map((service) => `${url}/api/${service}.asmx?wsdl`);
  const client = await build("client", createTemporaryFolder(), wsdls);
  return async (job) => {
    const args = [job.wsdl.replace(/\?.*$/, ""), job.over.replace("SOAP ", "")];
    return listOutcomes(await runProgram({ command: client, args, input: getLines(job) }));
  };
}

/** Serves the WSDLs in a folder with gSOAP, which answers in the SOAP version of the request. */
export async function serveGsoap(folder: string): Promise<ThirdPartyServer> {
  const wsdls = ["reg", "bespokeapi"].map((service) => join(folder, `${service}.wsdl`));
  const server = await build("server", folder, wsdls);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [`${port}`, await saveKnownLines(folder)];
  const daemon = await startDaemon({ command: server, args }, () => isAnswering(`${url}/`));
  return { address: () => url, stop: daemon.stop };
}

async function build(program: "client" | "server", folder: string, wsdls: readonly string[]): Promise<string> {
  const inFolder = (name: string) => join(folder, name);
  await runProgram({
    command: "wsdl2h",
    args: ["-t", `${sourceFolder}typemap.dat`, "-o", inFolder("services.h"), ...wsdls],
  });
  await runProgram({ command: "soapcpp2", args: ["-j", "-x", "-w", "-L", "-d", folder, inFolder("services.h")] });
  const role = program === "client" ? "Proxy" : "Service";
  const generatedFiles = ["soapC.cpp", `soapRegSoap${role}.cpp`, `soapBespokeApiSoap${role}.cpp`].map(inFolder);
  const args = [
    "-O0",
    `-I${folder}`,
    "-o",
    inFolder(program),
    `${sourceFolder}${program}.cpp`,
    ...generatedFiles,
    "-lgsoap++",
  ];
  await runProgram({ command: "g++", args });
  return inFolder(program);
}
