import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { bundleCode } from "./bundle-code.js";
import { bundleDeclarations } from "./bundle-declarations.js";
import { bundleLibraries } from "./bundle-libraries.js";
import { createPublishedManifest, licensesFile, listEntries, readManifest } from "./manifest.js";
import { getNodeFile, listNodeEntries, runtimeForNode } from "./node-files.js";
import { type Published, runtime } from "./published.js";
import { root } from "./root.js";
import { createVendoredManifest, listVendoredEntries, vendored } from "./vendored.js";

/** The folder for built packages. */
export const packedFolder = join(root, ".packed");

/** The folder for the vendored runtime, which is the runtime that `--vendor-runtime` writes. */
export const vendoredFolder = join(packedFolder, "vendored-runtime");

/**
 * Builds the folder of a published package, and returns its path. Every package manager makes the same tarball from
 * this folder.
 */
export async function packPackage(published: Published): Promise<string> {
  const folder = join(packedFolder, published.folder);
  await replaceFolder(folder, (unfinished) => buildFolder(published, unfinished));
  return folder;
}

/** Builds the folder of the vendored runtime, which the command line contains, and returns its path. */
export async function packVendoredRuntime(): Promise<string> {
  await replaceFolder(vendoredFolder, buildVendored);
  return vendoredFolder;
}

async function replaceFolder(folder: string, build: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = join(packedFolder, `.${basename(folder)}-${process.pid}`);
  try {
    await build(unfinished);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Builds the vendored runtime: code and declarations. It has no source maps, because users commit it. */
async function buildVendored(folder: string): Promise<void> {
  const manifest = readManifest(vendored.folder);
  const entries = listVendoredEntries(manifest);
  const dist = join(folder, "dist");
  mkdirSync(dist, { recursive: true });
  await bundleCode(vendored, entries, dist);
  await bundleDeclarations(vendored, entries, dist);
  rmSync(join(folder, "src"), { recursive: true });
  for (const name of readdirSync(dist)) {
    const file = join(dist, name);
    if (/^[\w-]+(?:\.js|\.d\.ts)$/.test(name)) {
      writeFileSync(file, readFileSync(file, "utf8").replace(/^\/\/# sourceMappingURL=.*\n?/gm, ""));
    } else {
      rmSync(file, { recursive: true });
    }
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(createVendoredManifest(manifest), null, 2)}\n`);
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}

async function buildFolder(published: Published, folder: string): Promise<void> {
  const manifest = readManifest(published.folder);
  const entries = listEntries(manifest);
  mkdirSync(folder, { recursive: true });
  const modules = [
    ...(await bundleCode(published, entries, join(folder, "dist"))),
    ...(await bundleLibraries(published, join(folder, "dist"))),
  ];
  await bundleDeclarations(published, entries, join(folder, "dist"));
  const hasNodeFiles = published === runtime;
  if (hasNodeFiles) {
    await bundleCode(runtimeForNode, listNodeEntries(manifest), join(folder, "dist/node"));
  }
  // Omits the line break at the end of the manifest, as pnpm does in a tarball.
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify(createPublishedManifest(published, manifest, hasNodeFiles ? getNodeFile : undefined), null, 2),
  );
  const licenses = findLicenses(modules);
  if (licenses !== undefined) {
    writeFileSync(join(folder, licensesFile), licenses);
  }
  const files = { LICENSE: "LICENSE", "README.md": `packages/${published.folder}/README.md`, ...published.files };
  for (const [to, from] of Object.entries(files)) {
    if (!existsSync(join(root, from))) {
      throw new Error(`${from} does not exist, but the package ${published.folder} must contain it.`);
    }
    cpSync(join(root, from), join(folder, to), { recursive: true, filter: (path) => !path.endsWith(".map") });
  }
}

/**
 * Collects the licenses of the libraries that contain some of the modules, in one text; undefined if there are no such
 * libraries.
 */
function findLicenses(modules: readonly string[]): string | undefined {
  const folders = new Set(modules.flatMap((module) => findLibraryFolder(module) ?? []));
  const texts = [...folders].map(getLicense).sort();
  return texts.length === 0 ? undefined : `Libraries that are part of this package.\n\n${texts.join("\n")}`;
}

/**
 * Returns the folder of the library that contains a module: `…/node_modules/@scope/name`. Undefined for modules outside
 * `node_modules`.
 */
function findLibraryFolder(module: string): string | undefined {
  const marker = `${sep}node_modules${sep}`;
  const start = module.lastIndexOf(marker);
  if (start < 0) {
    return undefined;
  }
  const segments = module.slice(start + marker.length).split(sep);
  return module.slice(0, start) + marker + segments.slice(0, segments[0]?.startsWith("@") === true ? 2 : 1).join(sep);
}

function getLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:\.|$)/i.test(name));
  if (file === undefined) {
    throw new Error(`${name} ${version} has no file with its license, so it cannot be part of a package.`);
  }
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  return `==== ${name} ${version} (${license})\n\n${text}\n`;
}
