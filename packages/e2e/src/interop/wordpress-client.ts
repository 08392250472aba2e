import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./child.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** What is generated: a client of the site's own index, and one of the content interface below the site's prefix. */
const config = {
  packages: {
    contract: { path: "packages/contract", name: "@peer/contract" },
    client: { path: "packages/client", name: "@peer/client" },
    server: { path: "packages/server", name: "@peer/server" },
  },
  runtime: "^0.1.0",
  interfaces: {
    site: { index: "site.json" },
    content: { index: "content.json", base: { path: "/wp-json" }, wireNames: { segments: ["core"] } },
  },
} as const;

/** Generates packages from a live index in a folder and compiles them with the calls. Gives the program of the calls. */
export async function buildSiteClient(folder: string, indexUrl: string): Promise<string> {
  const answer = await fetch(indexUrl);
  await writeFile(join(folder, "site.json"), await answer.text());
  await cp(`${root}schemas/content/index.json`, join(folder, "content.json"));
  await writeFile(join(folder, "bothends.json"), JSON.stringify(config));
  await cp(`${root}packages/e2e/peers/wordpress/calls`, join(folder, "calls"), { recursive: true });
  await link(folder);
  const generator = `${root}packages/cli/dist/bin.js`;
  await runProgram({
    command: process.execPath,
    args: [generator, "generate", "--config", join(folder, "bothends.json")],
  });
  await runProgram({ command: `${root}node_modules/.bin/tsc`, args: ["-b", join(folder, "calls")] });
  return join(folder, "calls/dist/main.js");
}

/** The packages that the generated ones and the calls import. */
async function link(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  for (const scope of ["@peer", "@bothends", "@types"]) await mkdir(join(modules, scope), { recursive: true });
  for (const name of ["contract", "client", "server"]) {
    await symlink(`../../packages/${name}`, join(modules, "@peer", name));
  }
  for (const name of ["runtime", "xml"]) await symlink(`${root}packages/${name}`, join(modules, "@bothends", name));
  await symlink(`${root}node_modules/@types/node`, join(modules, "@types/node"));
}
