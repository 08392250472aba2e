import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./child.js";
import { linesOf, outcomesOf } from "./line-protocol.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { Caller } from "./their-client.js";

const source = fileURLToPath(new URL("../../peers/jax-ws/Client.java", import.meta.url));
const libraries = "/usr/share/jaxws/lib/*";
const services = {
  reg: { name: "Reg", namespace: "http://vehicle.example/reg" },
  bespokeapi: { name: "BespokeApi", namespace: "http://vehicle.example/bespoke/" },
} as const;

/** Lets wsimport make interfaces of the WSDLs and compiles them with the program that calls through them. */
export async function prepareJaxWs(url: string): Promise<Caller> {
  const folder = temporaryFolder();
  const made = await Promise.all(
    (["reg", "bespokeapi"] as const).map(async (service) => {
      const wsdl = `${url}/api/${service}.asmx?wsdl`;
      await runProgram({ command: "wsimport", args: ["-quiet", "-Xnocompile", "-s", folder, "-p", service, wsdl] });
      const files = await readdir(join(folder, service));
      return files.map((file) => join(folder, service, file));
    }),
  );
  const javac = ["-nowarn", "-encoding", "UTF-8", "-cp", libraries, "-d", folder, source];
  await runProgram({ command: "javac", args: [...javac, ...made.flat()] });
  return async (job) => {
    const { name, namespace } = services[job.service];
    const port = `${name}Soap${job.over === "SOAP 1.2" ? "12" : ""}`;
    const args = [
      "-cp",
      `${folder}:${libraries}`,
      "Client",
      `${job.service}.${name}Soap`,
      job.wsdl,
      namespace,
      name,
      port,
    ];
    return outcomesOf(await runProgram({ command: "java", args, input: linesOf(job) }));
  };
}
