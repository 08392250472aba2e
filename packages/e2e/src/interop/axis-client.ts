import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./child.js";
import { compileJava, javaArgs } from "./java.js";
import { linesOf, outcomesOf } from "./line-protocol.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { Caller } from "./their-client.js";

const source = fileURLToPath(new URL("../../peers/axis/Client.java", import.meta.url));
const libraries = ["axis", "axis-jaxrpc", "axis-saaj", "commons-discovery", "commons-logging", "wsdl4j"].map(
  (name) => `/usr/share/java/${name}.jar`,
);
const names = { reg: "Reg", bespokeapi: "BespokeApi" } as const;

/** Lets Axis make stubs of the WSDLs at an address, with the program that calls through them. */
export async function prepareAxis(url: string): Promise<Caller> {
  const folder = temporaryFolder();
  const made = await Promise.all(
    Object.keys(names).map(async (service) => {
      const args = ["-o", folder, "-p", service, `${url}/api/${service}.asmx?wsdl`];
      await runProgram({ command: "java", args: javaArgs(libraries, "org.apache.axis.wsdl.WSDL2Java", args) });
      return (await readdir(join(folder, service))).map((file) => join(folder, service, file));
    }),
  );
  await compileJava(folder, libraries, [source, ...made.flat()]);
  return async (job) => {
    const args = [job.service, names[job.service], job.wsdl.replace(/\?.*$/, "")];
    const command = javaArgs([folder, ...libraries], "Client", args);
    return outcomesOf(await runProgram({ command: "java", args: command, input: linesOf(job) }));
  };
}
