import { join } from "node:path";
import { runProgram } from "./child.js";
import { linesOf, outcomesOf } from "./line-protocol.js";
import { compile } from "./mono.js";
import { serveAsmx } from "./mono-server.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { Caller, Job } from "./their-client.js";

const protocols = { "SOAP 1.1": "Soap", "SOAP 1.2": "Soap12", "HTTP GET": "HttpGet", "HTTP POST": "HttpPost" } as const;

/** Lets Mono make proxies of the WSDLs at an address, with the program that calls through them. */
export async function prepareMono(url: string): Promise<Caller> {
  const call = await build(url);
  return (job) => call(job, []);
}

/** The same with the WSDLs of an ASMX: what was made for it calls another server. */
export async function prepareMonoOfAsmx(): Promise<Caller> {
  const asmx = await serveAsmx(temporaryFolder());
  const call = await build(asmx.address("soap11")).finally(() => asmx.stop());
  return (job) => call(job, [job.wsdl.replace(/\?.*$/, "")]);
}

async function build(url: string): Promise<(job: Job, more: readonly string[]) => Promise<readonly object[]>> {
  const folder = temporaryFolder();
  const maker = join(folder, "proxies.exe");
  const client = join(folder, "client.exe");
  const proxies = join(folder, "made.dll");
  await compile(maker, ["proxies.cs"], ["System.Web.Services"]);
  await compile(client, ["client.cs"], ["System.Web.Services"]);
  const wsdls = ["reg", "bespokeapi"].map((service) => `${service}=${url}/api/${service}.asmx?wsdl`);
  await runProgram({ command: "mono", args: [maker, proxies, ...wsdls] });
  return async (job, more) => {
    const args = [client, proxies, `${job.service}${protocols[job.over]}`, ...more];
    return outcomesOf(await runProgram({ command: "mono", args, input: linesOf(job) }));
  };
}
