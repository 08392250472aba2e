import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleCode } from "./bundle-code.js";
import { bundleDeclarations } from "./bundle-declarations.js";
import { bundleLibraries } from "./bundle-libraries.js";
import { licencesOf } from "./licences.js";
import { entriesOf, licencesFile, publishedManifest, readManifest } from "./manifest.js";
import type { Published } from "./published.js";
import { root } from "./root.js";

/** The folder in which the packages are built. */
export const packedFolder = join(root, ".packed");

/** Builds the folder of a published package, from which every packer makes the same tarball, and returns its path. */
export async function packPackage(published: Published): Promise<string> {
  const folder = join(packedFolder, published.folder);
  const unfinished = join(packedFolder, `.${published.folder}-${process.pid}`);
  try {
    await buildFolder(published, unfinished);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

async function buildFolder(published: Published, folder: string): Promise<void> {
  const manifest = readManifest(published.folder);
  const entries = entriesOf(manifest);
  mkdirSync(folder, { recursive: true });
  const modules = [
    ...(await bundleCode(published, entries, join(folder, "dist"))),
    ...(await bundleLibraries(published, join(folder, "dist"))),
  ];
  await bundleDeclarations(published, entries, join(folder, "dist"));
  // Without a line end, as pnpm writes it into a tarball.
  writeFileSync(join(folder, "package.json"), JSON.stringify(publishedManifest(published, manifest), null, 2));
  const licences = licencesOf(modules);
  if (licences !== undefined) {
    writeFileSync(join(folder, licencesFile), licences);
  }
  const files = { LICENSE: "LICENSE", "README.md": `packages/${published.folder}/README.md`, ...published.files };
  for (const [to, from] of Object.entries(files)) {
    if (!existsSync(join(root, from))) {
      throw new Error(`${from} does not exist, which ${published.folder} needs.`);
    }
    cpSync(join(root, from), join(folder, to), { recursive: true, filter: (path) => !path.endsWith(".map") });
  }
}
