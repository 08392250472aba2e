import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answers, freePort, runProgram, startDaemon } from "./child.js";
import { compileJava, javaArgs, quick } from "./java.js";
import { linesOf, outcomesOf, saveKnownLines } from "./line-protocol.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { Caller } from "./their-client.js";
import type { TheirServer } from "./their-server.js";

const sources = fileURLToPath(new URL("../../peers/jax-ws/", import.meta.url));
const libraries = "/usr/share/jaxws/lib/*";
const services = {
  reg: { name: "Reg", namespace: "http://vehicle.example/reg" },
  bespokeapi: { name: "BespokeApi", namespace: "http://vehicle.example/bespoke/" },
} as const;

/** Lets wsimport make interfaces of the WSDLs at an address, with the program that calls through them. */
export async function prepareJaxWs(url: string): Promise<Caller> {
  const folder = temporaryFolder();
  await build(folder, (service) => `${url}/api/${service}.asmx?wsdl`);
  return async (job) => {
    const { name, namespace } = services[job.service];
    const port = `${name}Soap${job.over === "SOAP 1.2" ? "12" : ""}`;
    const args = run(folder, "Client", [`${job.service}.${name}Soap`, job.wsdl, namespace, name, port]);
    return outcomesOf(await runProgram({ command: "java", args, input: linesOf(job) }));
  };
}

/** Serves the interfaces of a folder's WSDLs with JAX-WS, each version of SOAP at an address of its own. */
export async function serveJaxWs(folder: string): Promise<TheirServer> {
  await build(folder, (service) => join(folder, `${service}.wsdl`));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = run(folder, "Server", [`${port}`, await saveKnownLines(folder)]);
  const daemon = await startDaemon({ command: "java", args }, () => answers(`${url}/soap12/api/bespokeapi.asmx?wsdl`));
  return { address: (protocol) => `${url}/${protocol}`, stop: daemon.stop };
}

function run(folder: string, program: "Client" | "Server", args: readonly string[]): readonly string[] {
  return javaArgs([folder, libraries], program, args);
}

async function build(folder: string, wsdlOf: (service: string) => string): Promise<void> {
  const made = await Promise.all(
    Object.keys(services).map(async (service) => {
      const args = ["-quiet", "-Xnocompile", "-s", folder, "-p", service, wsdlOf(service)];
      await runProgram({ command: "wsimport", args, env: { WSIMPORT_OPTS: quick.join(" ") } });
      return (await readdir(join(folder, service))).map((file) => join(folder, service, file));
    }),
  );
  const programs = ["Client.java", "Server.java"].map((file) => `${sources}${file}`);
  await compileJava(folder, [libraries], [...programs, ...made.flat()]);
}
