import type { Config } from "../../model/config.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type ConfigDefaults, readConfig } from "./read-config.js";
import { isInterfaceName } from "./read-interfaces.js";

/** The command-line flags that replace a configuration. Paths are relative to the root and use `/`. */
export interface ConfigFlags {
  readonly wsdl: readonly string[];
  readonly index: string | undefined;
  /** The name of the interface and the prefix of package names; undefined for the name of the first file. */
  readonly name: string | undefined;
  /** The name of the index's site, and of the folder that contains all sources: names for files that have no name of their own. */
  readonly siteName?: string | undefined;
  readonly folderName?: string | undefined;
  /** Accepts WSDLs with unresolved references. */
  readonly lenient?: boolean;
  /** What to generate: both ends by default. Without either, only types. */
  readonly parts?: readonly ("client" | "server")[] | undefined;
}

/**
 * Creates a configuration from flags: at most one interface of each kind, and packages in neighbouring folders. The flags
 * are converted to the text of a `bothends.json`, so that one reader checks both and every problem has a position.
 */
export function configFromFlags(
  flags: ConfigFlags,
  diagnostics: Diagnostics,
  defaults: ConfigDefaults,
): Config | undefined {
  const text = `${JSON.stringify(configObject(flags), null, 2)}\n`;
  return readConfig({ path: "(command line)", text }, diagnostics, defaults);
}

function configObject({
  wsdl,
  index,
  name,
  siteName = "",
  folderName = "",
  lenient = false,
  parts = ["client", "server"],
}: ConfigFlags): object {
  const [firstWsdl] = wsdl;
  const soapName = firstWsdl === undefined ? undefined : (name ?? interfaceName([...stepsOf(firstWsdl), folderName]));
  const preferredRestName =
    index === undefined ? undefined : (name ?? interfaceName(restNames(index, { siteName, folderName }), "site"));
  const restName =
    preferredRestName !== undefined && preferredRestName === soapName ? `${preferredRestName}-rest` : preferredRestName;
  const packagePrefix = soapName ?? restName ?? "";
  return {
    packages: Object.fromEntries(
      ["contract", ...parts].map((part) => [part, { path: part, name: `${packagePrefix.toLowerCase()}-${part}` }]),
    ),
    interfaces: {
      ...(soapName === undefined ? {} : { [soapName]: { wsdl, ...(lenient ? { lenient } : {}) } }),
      ...(restName === undefined ? {} : { [restName]: { index } }),
    },
  };
}

/** The name of the file without its extension, then its folders from the innermost on. */
function stepsOf(path: string): readonly string[] {
  const [file = "", ...folders] = path.split("/").reverse();
  return [file.replace(/\.[^.]*$/, ""), ...folders];
}

/** File names that say what the file is, not which site it describes. */
const genericNames: ReadonlySet<string> = new Set([
  "index",
  "wp-json",
  "wp_json",
  "api",
  "rest",
  "routes",
  "discovery",
]);

function restNames(
  path: string,
  { siteName, folderName }: { readonly siteName: string; readonly folderName: string },
): readonly string[] {
  const [file = "", ...folders] = stepsOf(path);
  const names = genericNames.has(file.toLowerCase()) ? [siteName] : [file, siteName];
  return [...names, ...folders, folderName];
}

/** Derives the name of an interface from the first text that has usable words: `Stock Quote.v2` gives `stock-Quote-v2`. */
function interfaceName(texts: readonly string[], fallback = "service"): string {
  return texts.map(toWords).find(isInterfaceName) ?? fallback;
}

function toWords(step: string): string {
  const words = step
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replace(/^[-0-9]+/, "")
    .replace(/-$/, "")
    .slice(0, 64);
  return words.charAt(0).toLowerCase() + words.slice(1);
}
