import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Caller } from "../client-suite.js";
import { createTemporaryFolder, findFreePort, isAnswering, runProgram, startDaemon } from "../programs.js";
import type { ThirdPartyServer } from "../server-suite.js";
import { getLines, listOutcomes, saveKnownLines } from "./line-protocol.js";

/** Options of `java` for short programs, which would end before optimization pays off. */
export const quickOptions = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Returns the arguments with which `java` runs a program. */
export function listJavaArgs(
  classPath: readonly string[],
  program: string,
  args: readonly string[],
): readonly string[] {
  return [...quickOptions, "-cp", classPath.join(":"), program, ...args];
}

/** Compiles sources into a folder. */
export async function compileJava(
  folder: string,
  libraries: readonly string[],
  files: readonly string[],
): Promise<void> {
  const options = ["-J-XX:TieredStopAtLevel=1", "-nowarn", "-encoding", "UTF-8"];
  await runProgram({ command: "javac", args: [...options, "-cp", libraries.join(":"), "-d", folder, ...files] });
}

const sourceFolder = fileURLToPath(new URL("../../../peers/jax-ws/", import.meta.url));
const jaxWsLibraries = "/usr/share/jaxws/lib/*";
const services = {
  reg: { name: "Reg", namespace: "http://vehicle.example/reg" },
  bespokeapi: { name: "BespokeApi", namespace: "http://vehicle.example/bespoke/" },
} as const;

/** Generates interfaces from the WSDLs at an address with wsimport, and compiles the program that calls them. */
export async function prepareJaxWs(url: string): Promise<Caller> {
  const folder = createTemporaryFolder();
  await build(folder, (service) => `${url}/api/${service}.asmx?wsdl`);
  return async (job) => {
    const { name, namespace } = services[job.service];
    const port = `${name}Soap${job.over === "SOAP 1.2" ? "12" : ""}`;
    const args = run(folder, "Client", [`${job.service}.${name}Soap`, job.wsdl, namespace, name, port]);
    return listOutcomes(await runProgram({ command: "java", args, input: getLines(job) }));
  };
}

/** Serves the WSDLs of a folder with JAX-WS, at one address for each SOAP version. */
export async function serveJaxWs(folder: string): Promise<ThirdPartyServer> {
  await build(folder, (service) => join(folder, `${service}.wsdl`));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const args = run(folder, "Server", [`${port}`, await saveKnownLines(folder)]);
  const daemon = await startDaemon({ command: "java", args }, () =>
    isAnswering(`${url}/soap12/api/bespokeapi.asmx?wsdl`),
  );
  return { address: (protocol) => `${url}/${protocol}`, stop: daemon.stop };
}

function run(folder: string, program: "Client" | "Server", args: readonly string[]): readonly string[] {
  return listJavaArgs([folder, jaxWsLibraries], program, args);
}

async function build(folder: string, wsdlOf: (service: string) => string): Promise<void> {
  const generatedFiles = await Promise.all(
    Object.keys(services).map(async (service) => {
      const args = ["-quiet", "-Xnocompile", "-s", folder, "-p", service, wsdlOf(service)];
      await runProgram({ command: "wsimport", args, env: { WSIMPORT_OPTS: quickOptions.join(" ") } });
      return (await readdir(join(folder, service))).map((file) => join(folder, service, file));
    }),
  );
  const programs = ["Client.java", "Server.java"].map((file) => `${sourceFolder}${file}`);
  await compileJava(folder, [jaxWsLibraries], [...programs, ...generatedFiles.flat()]);
}

const source = fileURLToPath(new URL("../../../peers/axis/Client.java", import.meta.url));
const axisLibraries = ["axis", "axis-jaxrpc", "axis-saaj", "commons-discovery", "commons-logging", "wsdl4j"].map(
  (name) => `/usr/share/java/${name}.jar`,
);
const names = { reg: "Reg", bespokeapi: "BespokeApi" } as const;

/** Generates Axis stubs from the WSDLs at an address, and compiles the program that calls them. */
export async function prepareAxis(url: string): Promise<Caller> {
  const folder = createTemporaryFolder();
  const generatedFiles = await Promise.all(
    Object.keys(names).map(async (service) => {
      const args = ["-o", folder, "-p", service, `${url}/api/${service}.asmx?wsdl`];
      await runProgram({ command: "java", args: listJavaArgs(axisLibraries, "org.apache.axis.wsdl.WSDL2Java", args) });
      return (await readdir(join(folder, service))).map((file) => join(folder, service, file));
    }),
  );
  await compileJava(folder, axisLibraries, [source, ...generatedFiles.flat()]);
  return async (job) => {
    const args = [job.service, names[job.service], job.wsdl.replace(/\?.*$/, "")];
    const command = listJavaArgs([folder, ...axisLibraries], "Client", args);
    return listOutcomes(await runProgram({ command: "java", args: command, input: getLines(job) }));
  };
}
