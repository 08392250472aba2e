import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./child.js";
import { linesOf, outcomesOf } from "./line-protocol.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { Caller } from "./their-client.js";

const source = fileURLToPath(new URL("../../peers/gsoap/client.cpp", import.meta.url));

/** Lets gSOAP make proxies of the WSDLs and compiles them with the program that calls through them. */
export async function prepareGsoap(url: string): Promise<Caller> {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const wsdls = ["reg", "bespokeapi"].map((service) => `${url}/api/${service}.asmx?wsdl`);
  await runProgram({ command: "wsdl2h", args: ["-o", at("services.h"), ...wsdls] });
  await runProgram({ command: "soapcpp2", args: ["-j", "-C", "-x", "-w", "-L", "-d", folder, at("services.h")] });
  const made = ["soapC.cpp", "soapRegSoapProxy.cpp", "soapBespokeApiSoapProxy.cpp"].map(at);
  await runProgram({ command: "g++", args: ["-O0", `-I${folder}`, "-o", at("client"), source, ...made, "-lgsoap++"] });
  return async (job) => {
    const endpoint = job.wsdl.replace(/\?.*$/, "");
    const args = [endpoint, job.over.replace("SOAP ", "")];
    // It holds dates as seconds since 1970 and writes them with the zone that it takes them to have.
    const output = await runProgram({ command: at("client"), args, env: { TZ: "UTC" }, input: linesOf(job) });
    return outcomesOf(output.replace(/(<\w+:Expiry>[^<Z]*)Z</g, "$1<"));
  };
}
