import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Collects the licenses of the libraries to which some modules belong, in one text. Undefined if no module belongs to a library.
 */
export function findLicenses(modules: readonly string[]): string | undefined {
  const folders = new Set(modules.flatMap((module) => findLibraryFolder(module) ?? []));
  const texts = [...folders].map(getLicense).sort();
  return texts.length === 0 ? undefined : `Libraries that are part of this package.\n\n${texts.join("\n")}`;
}

/**
 * Returns the folder of a module's library: `…/node_modules/@scope/name`. Returns undefined for modules outside
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
