import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Protocol } from "../sample/lookups.js";
import { createTemporaryFolder, runProgram } from "./programs.js";
import { type OurClient, saveWsdls } from "./server-suite.js";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../../../../", import.meta.url));

const names = ["contract", "client", "server"] as const;

/** Generates packages in a folder with schemas, compiles the client, and returns the folder of the packages. */
export async function buildClient(folder: string, interfaces: object): Promise<string> {
  await generateClient(folder, interfaces);
  await runTypeScript(join(folder, "packages/client"));
  return join(folder, "packages");
}

/** Generates packages named `@peer/…` in a folder with schemas, and links the packages that they import. */
export async function generateClient(folder: string, interfaces: object): Promise<void> {
  const packages = names.map((name) => [name, { path: `packages/${name}`, name: `@peer/${name}` }]);
  const config = { packages: Object.fromEntries(packages), runtime: "^0.1.0", interfaces };
  await writeFile(join(folder, "bothends.json"), JSON.stringify(config));
  await linkPackages(folder);
  await runProgram({
    command: process.execPath,
    args: [`${root}packages/bothends/dist/bin.js`, "generate", "--config", join(folder, "bothends.json")],
  });
}

/** Compiles a TypeScript project. Throws if the compiler reports errors. */
export async function runTypeScript(project: string): Promise<void> {
  await runProgram({ command: `${root}node_modules/.bin/tsc`, args: ["-b", project] });
}

/** Links the packages that generated packages import, directly or indirectly. */
async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  for (const scope of ["@peer", "@bothends", "@types"]) {
    await mkdir(join(modules, scope), { recursive: true });
  }
  for (const name of names) {
    await symlink(`../../packages/${name}`, join(modules, "@peer", name));
  }
  for (const name of ["runtime", "datatypes", "xml"]) {
    await symlink(`${root}packages/${name}`, join(modules, "@bothends", name));
  }
  await symlink(`${root}node_modules/@types/node`, join(modules, "@types/node"));
}

/** Builds a client from the WSDLs that a third-party server makes from its classes. */
export async function buildPeerClient(peer: string, url: string, protocols: readonly Protocol[]): Promise<OurClient> {
  const folder = createTemporaryFolder();
  await saveWsdls(url, folder);
  const vehicle = { wsdl: ["reg.wsdl", "bespokeapi.wsdl"], ambient: ["username"] };
  const packages = await buildClient(folder, { vehicle });
  const module = join(packages, "client/dist/vehicle/index.js");
  const { VehicleClient } = (await import(pathToFileURL(module).href)) as typeof import("@bothends/client/vehicle");
  return { peer: `${peer}, by its own WSDL`, client: VehicleClient, protocols };
}
