import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SoapFault } from "@bothends/runtime";
import type { Routes } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { generateClient, runTypeScript } from "./built-client.js";
import { debianPackages } from "./debian-packages.js";
import type { DebianPackage, Outcome, Suite } from "./outcomes.js";
import { describeDifference, tryCall } from "./outcomes.js";
import { createTemporaryFolder, runProgram } from "./programs.js";
import { compileJava, listJavaArgs, quickOptions } from "./stacks/java.js";
import { compile } from "./stacks/mono.js";

const peersFolder = fileURLToPath(new URL("../../peers/", import.meta.url));
const sample = `${peersFolder}parcels/parcel.xml`;
const jaxWs = "/usr/share/jaxws/lib/*";

interface Echo {
  readonly peer: string;
  readonly packages: readonly DebianPackage[];
  /**
   * Calls the server of a WSDL. Returns three lines: the record that was sent, the record that was received, and the
   * detail of a fault.
   */
  readonly run: (wsdl: string) => Promise<string>;
}

/** Suites in which third-party clients send a record with all kinds of members to a server that returns it. */
export const parcels: readonly Suite[] = [
  {
    peer: "Mono proxy",
    packages: [debianPackages.monoCompiler, debianPackages.monoWebServices],
    run: runMono,
  },
  { peer: "JAX-WS client", packages: [debianPackages.jaxWs, debianPackages.jdk], run: runJaxWs },
].map((echo) => ({ peer: echo.peer, packages: echo.packages, run: () => testEcho(echo) }));

async function testEcho({ peer, run }: Echo): Promise<readonly Outcome[]> {
  const server = await listen([await createParcelRoutes()], { port: 0, host: "127.0.0.1" });
  try {
    const [sent, received, detail] = (await run(`${server.url}/parcels?wsdl`)).trimEnd().split("\n");
    const over = "SOAP 1.1, parcels";
    return [
      await tryCall({ peer, over, call: "Echo" }, async () => describeDifference(received, sent ?? "a record")),
      await tryCall({ peer, over, call: "Refuse" }, async () =>
        detail?.includes("x&lt;&amp;&gt;") ? undefined : describeDifference(detail, "the text sent"),
      ),
    ];
  } finally {
    await server.close();
  }
}

/** Generates and compiles the server of the parcels' WSDL. */
async function createParcelRoutes(): Promise<Routes> {
  const folder = createTemporaryFolder();
  await copyFile(`${peersFolder}parcels/parcels.wsdl`, join(folder, "parcels.wsdl"));
  await generateClient(folder, { parcels: { wsdl: ["parcels.wsdl"] } });
  await runTypeScript(join(folder, "packages/server"));
  const module = join(folder, "packages/server/dist/parcels/index.js");
  const { parcelsRoutes } = (await import(pathToFileURL(module).href)) as {
    readonly parcelsRoutes: (handlers: object) => Routes;
  };
  const refuse = ({ why }: { readonly why: string }) => {
    const content = [
      { name: "{urn:parcels}Why", content: [why] },
      { name: "{urn:parcels}Code", content: ["7"] },
    ];
    throw new SoapFault({ code: "Client", reason: "refused", detail: [{ name: "{urn:parcels}Refused", content }] });
  };
  return parcelsRoutes({ echo: ({ parcel }: { readonly parcel?: object }) => parcel ?? null, refuse });
}

async function runMono(wsdl: string): Promise<string> {
  const folder = createTemporaryFolder();
  const [maker, echo, made] = [join(folder, "proxies.exe"), join(folder, "echo.exe"), join(folder, "made.dll")];
  await compile(maker, ["proxies.cs"], ["System.Web.Services"]);
  await compile(echo, ["echo.cs"], ["System.Web.Services"]);
  await runProgram({ command: "mono", args: [maker, made, `parcels=${wsdl}`] });
  return runProgram({ command: "mono", args: [echo, made, sample] });
}

async function runJaxWs(wsdl: string): Promise<string> {
  const folder = createTemporaryFolder();
  const args = ["-quiet", "-Xnocompile", "-s", folder, "-p", "parcels", wsdl];
  await runProgram({ command: "wsimport", args, env: { WSIMPORT_OPTS: quickOptions.join(" ") } });
  const generatedFiles = (await readdir(join(folder, "parcels"))).map((file) => join(folder, "parcels", file));
  await compileJava(folder, [jaxWs], [`${peersFolder}jax-ws/Echo.java`, ...generatedFiles]);
  return runProgram({ command: "java", args: listJavaArgs([folder, jaxWs], "Echo", [wsdl, sample]) });
}
