import { join } from "node:path";
import { runProgram } from "./child.js";
import { linesOf, outcomesOf } from "./line-protocol.js";
import { compile } from "./mono.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { Caller } from "./their-client.js";

const protocols = { "SOAP 1.1": "Soap", "SOAP 1.2": "Soap12", "HTTP GET": "HttpGet", "HTTP POST": "HttpPost" } as const;

/** Lets Mono make proxies of the WSDLs, for each protocol, and compiles them with the program that calls through them. */
export async function prepareMono(url: string): Promise<Caller> {
  const folder = temporaryFolder();
  const [maker, client, proxies] = ["proxies.exe", "client.exe", "made.dll"].map((name) => join(folder, name));
  if (maker === undefined || client === undefined || proxies === undefined) throw new Error("No names.");
  await compile(maker, ["proxies.cs"], ["System.Web.Services"]);
  await compile(client, ["client.cs"], ["System.Web.Services"]);
  const wsdls = ["reg", "bespokeapi"].map((service) => `${service}=${url}/api/${service}.asmx?wsdl`);
  await runProgram({ command: "mono", args: [maker, proxies, ...wsdls] });
  return async (job) =>
    outcomesOf(
      await runProgram({
        command: "mono",
        args: [client, proxies, `${job.service}${protocols[job.over]}`],
        input: linesOf(job),
      }),
    );
}
