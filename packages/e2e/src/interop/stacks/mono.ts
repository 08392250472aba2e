import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Caller, Job } from "../client-suite.js";
import { createTemporaryFolder, findFreePort, isAnswering, runProgram, startDaemon } from "../programs.js";
import type { ThirdPartyServer } from "../server-suite.js";
import { getLines, listOutcomes, saveKnownLines } from "./line-protocol.js";

const sourceFolder = fileURLToPath(new URL("../../../peers/mono/", import.meta.url));

/** Compiles C# files of `peers/mono`: to a program if the output's name ends in `.exe`, otherwise to a library. */
export async function compile(output: string, names: readonly string[], libraries: readonly string[]): Promise<void> {
  await runProgram({
    command: "mcs",
    args: [
      `-out:${output}`,
      `-target:${output.endsWith(".exe") ? "exe" : "library"}`,
      ...libraries.map((library) => `-r:${library}.dll`),
      ...names.map((name) => `${sourceFolder}${name}`),
    ],
  });
}

/**
 * Compiles the services of `peers/mono` into a folder, and the program that serves them. Returns the path of the
 * program.
 */
export async function buildAsmx(folder: string): Promise<string> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  await mkdir(join(folder, "api"));
  for (const file of ["web.config", "api/reg.asmx", "api/bespokeapi.asmx"]) {
    await copyFile(`${sourceFolder}${file}`, join(folder, file));
  }
  await compile(join(bin, "services.dll"), ["services.cs", "records.cs"], ["System.Web", "System.Web.Services"]);
  await compile(join(bin, "host.exe"), ["host.cs"], ["System.Web"]);
  return join(bin, "host.exe");
}

const protocols = { "SOAP 1.1": "Soap", "SOAP 1.2": "Soap12", "HTTP GET": "HttpGet", "HTTP POST": "HttpPost" } as const;

/** Generates Mono proxies from the WSDLs at an address, and compiles the program that calls them. */
export async function prepareMono(url: string): Promise<Caller> {
  const call = await build(url);
  return (job) => call(job, []);
}

/** Generates proxies from the WSDLs of an ASMX service on Mono, with which the server of each job is then called. */
export async function prepareMonoOfAsmx(): Promise<Caller> {
  const asmx = await serveAsmx(createTemporaryFolder());
  const call = await build(asmx.address("soap11")).finally(() => asmx.stop());
  return (job) => call(job, [job.wsdl.replace(/\?.*$/, "")]);
}

async function build(
  url: string,
): Promise<(job: Job, extraArguments: readonly string[]) => Promise<readonly object[]>> {
  const folder = createTemporaryFolder();
  const proxyGenerator = join(folder, "proxies.exe");
  const client = join(folder, "client.exe");
  const proxies = join(folder, "made.dll");
  await compile(proxyGenerator, ["proxies.cs"], ["System.Web.Services"]);
  await compile(client, ["client.cs"], ["System.Web.Services"]);
  const wsdls = ["reg", "bespokeapi"].map((service) => `${service}=${url}/api/${service}.asmx?wsdl`);
  await runProgram({ command: "mono", args: [proxyGenerator, proxies, ...wsdls] });
  return async (job, extraArguments) => {
    const args = [client, proxies, `${job.service}${protocols[job.over]}`, ...extraArguments];
    return listOutcomes(await runProgram({ command: "mono", args, input: getLines(job) }));
  };
}

/** Serves both services with ASP.NET. It makes the WSDLs from hand-written classes. */
export async function serveAsmx(folder: string): Promise<ThirdPartyServer> {
  const host = await buildAsmx(folder);
  const file = await saveKnownLines(folder);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const daemon = await startDaemon(
    { command: "mono", args: [host, folder, `${port}`], env: { PEER_ANSWERS: file } },
    () => isAnswering(`${url}/api/reg.asmx?wsdl`),
  );
  return { address: () => url, stop: daemon.stop };
}
