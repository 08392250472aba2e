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
  /** Accepts WSDLs with unresolved references. */
  readonly lenient?: boolean;
}

/**
 * Creates a configuration from flags: at most one interface of each kind, and three packages in neighbouring folders. The flags
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

function configObject({ wsdl, index, name, lenient = false }: ConfigFlags): object {
  const [firstWsdl] = wsdl;
  const soapName = firstWsdl === undefined ? undefined : (name ?? interfaceName(firstWsdl));
  const preferredRestName = index === undefined ? undefined : (name ?? interfaceName(index));
  const restName =
    preferredRestName !== undefined && preferredRestName === soapName ? `${preferredRestName}-rest` : preferredRestName;
  const packagePrefix = soapName ?? restName ?? "";
  return {
    packages: Object.fromEntries(
      ["contract", "client", "server"].map((part) => [
        part,
        { path: part, name: `${packagePrefix.toLowerCase()}-${part}` },
      ]),
    ),
    interfaces: {
      ...(soapName === undefined ? {} : { [soapName]: { wsdl, ...(lenient ? { lenient } : {}) } }),
      ...(restName === undefined ? {} : { [restName]: { index } }),
    },
  };
}

/** Derives the name of an interface from a path: `Stock Quote.v2.wsdl` gives `stock-Quote-v2`. If the file name cannot be used, its folders are tried. */
function interfaceName(path: string): string {
  const steps = path.split("/").reverse();
  const words = steps.map((step, index) => toWords(index === 0 ? step.replace(/\.[^.]*$/, "") : step));
  return words.find(isInterfaceName) ?? "service";
}

function toWords(step: string): string {
  const words = step
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replace(/^[-0-9]+/, "")
    .replace(/-$/, "")
    .slice(0, 64);
  return words.charAt(0).toLowerCase() + words.slice(1);
}
