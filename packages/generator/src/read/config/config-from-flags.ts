import type { Config } from "../../model/config.js";
import type { Diagnostics } from "../../source/diagnostics.js";
import { type ConfigDefaults, readConfig } from "./read-config.js";
import { isInterfaceName } from "./read-interfaces.js";

/** What the command line says instead of a configuration. Paths are relative to the root, with `/`. */
export interface ConfigFlags {
  readonly wsdl: readonly string[];
  readonly index: string | undefined;
  /** The interface's name, and how the packages' names begin; undefined: as the first file is called. */
  readonly name: string | undefined;
  /** What WSDLs refer to, and no document declares, is left open. */
  readonly lenient?: boolean;
}

/**
 * A configuration from flags: one interface of each kind that is given, and three packages beside each other. It is
 * written out as the `bothends.json` that would say the same, so that there is one reader and every problem has a place.
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

/** A file's name as an interface's: `Stock Quote.v2.wsdl` is `stock-Quote-v2`. A file that may not be called so gives its folder's. */
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
