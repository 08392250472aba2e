import { diffContracts, type Side, shortChanges } from "@bothends/diff";
import { configFromFlags, Diagnostics, readContract, sourceLimits } from "@bothends/generator";

/** Documents by their names. */
type Files = ReadonlyMap<string, string>;

/** A document before and after a fetch, each with everything that it imports. */
export interface FetchedDocument {
  /** The name of the main document. */
  readonly main: string;
  readonly before: Files;
  readonly after: Files;
}

/**
 * The changes of the contract between two states of a document, a line for each; undefined if one of them is not there or
 * cannot be read, or is a schema without a WSDL.
 */
export function contractChanges({ main, before, after }: FetchedDocument): readonly string[] | undefined {
  if (!before.has(main) || !/\.(?:wsdl|json)$/.test(main)) {
    return undefined;
  }
  const [old, current] = [sideOf("the saved files", main, before), sideOf("the address", main, after)];
  return old === undefined || current === undefined ? undefined : shortChanges(diffContracts(old, current).changes);
}

function sideOf(name: string, main: string, files: Files): Side | undefined {
  const diagnostics = new Diagnostics();
  const isIndex = main.endsWith(".json");
  const flags = { wsdl: isIndex ? [] : [main], index: isIndex ? main : undefined, name: "fetched", lenient: true };
  const config = configFromFlags(flags, diagnostics, { runtime: "*" });
  if (config === undefined) {
    return undefined;
  }
  const encoder = new TextEncoder();
  const {
    contract,
    plan,
    diagnostics: found,
  } = readContract({
    config,
    limits: sourceLimits,
    readFile: (path) => {
      const text = files.get(path);
      return text === undefined
        ? { kind: "problem", problem: "missing", message: "there is no such file" }
        : { kind: "file", bytes: encoder.encode(text) };
    },
  });
  return found.some(({ severity }) => severity === "error") ? undefined : { name, contract, plan };
}
