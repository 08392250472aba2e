import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateClient, root, runTypeScript } from "./built-client.js";

/** What is generated: a client of the site's own index, and one of the content interface below the site's prefix. */
const interfaces = {
  site: { index: "site.json" },
  content: { index: "content.json", base: { path: "/wp-json" }, wireNames: { segments: ["core"] } },
} as const;

/** Generates packages from a live index in a folder and compiles them with the calls. Gives the program of the calls. */
export async function buildSiteClient(folder: string, indexUrl: string): Promise<string> {
  const answer = await fetch(indexUrl);
  await writeFile(join(folder, "site.json"), await answer.text());
  await cp(`${root}schemas/content/index.json`, join(folder, "content.json"));
  await cp(`${root}packages/e2e/peers/wordpress/calls`, join(folder, "calls"), { recursive: true });
  await generateClient(folder, interfaces);
  await runTypeScript(join(folder, "calls"));
  return join(folder, "calls/dist/main.js");
}
