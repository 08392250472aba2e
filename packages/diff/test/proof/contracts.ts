import { join } from "node:path";
import { createDynamicContract, type DynamicContract } from "@bothends/dynamic";
import {
  type Config,
  type Contract,
  Diagnostics,
  formatDiagnostics,
  type ReadContract,
  readConfig,
  readConfigFromFlags,
  readContract,
} from "@bothends/generator";
import { type ContractDiff, diffContracts, type Side } from "../../src/index.js";

export const root = join(import.meta.dirname, "..", "..", "..", "..");

/** Texts by path: a WSDL and its schemas, an index, or a whole project with its `bothends.json`. */
export type Sources = Readonly<Record<string, string>>;

const sides = new WeakMap<Sources, Side>();

/** Reads the contract of sources, once. Throws with the diagnostics if they are refused. */
export function sideOf(sources: Sources): Side {
  const known = sides.get(sources) ?? readSide(sources);
  sides.set(sources, known);
  return known;
}

const diffs = new WeakMap<Side, WeakMap<Side, ContractDiff>>();

/** Compares the contracts of sources, once. */
export function diffOf(oldSources: Sources, newSources: Sources): ContractDiff {
  const [oldSide, newSide] = [sideOf(oldSources), sideOf(newSources)];
  const known = diffs.get(oldSide) ?? new WeakMap<Side, ContractDiff>();
  const diff = known.get(newSide) ?? diffContracts(oldSide, newSide);
  diffs.set(oldSide, known.set(newSide, diff));
  return diff;
}

const dynamicContracts = new WeakMap<Contract, DynamicContract>();

/** Creates the descriptors of a contract, once. Tests call the same contract many times. */
export function dynamicContractOf(contract: Contract): DynamicContract {
  const known = dynamicContracts.get(contract) ?? createDynamicContract(contract);
  dynamicContracts.set(contract, known);
  return known;
}

function readSide(sources: Sources): Side {
  const diagnostics = new Diagnostics();
  const config = configOf(sources, diagnostics);
  const read: ReadContract | undefined = config && readContract({ readFile: readerOf(sources), config });
  const errors = [...diagnostics.all, ...(read?.diagnostics ?? [])].filter(({ severity }) => severity === "error");
  if (read === undefined || errors.length > 0) {
    throw new Error(formatDiagnostics(errors, { color: false }));
  }
  return { name: "test", contract: read.contract, plan: read.plan };
}

export function configOf(sources: Sources, diagnostics: Diagnostics): Config | undefined {
  const text = sources["bothends.json"];
  if (text !== undefined) {
    return readConfig({ path: "bothends.json", text }, diagnostics, { runtime: "^0.1.0" });
  }
  const paths = Object.keys(sources);
  const flags = {
    wsdl: paths.filter((path) => path.endsWith(".wsdl")),
    index: paths.find((path) => path.endsWith(".json")),
    name: "api",
    lenient: false,
  };
  return readConfigFromFlags(flags, diagnostics, { runtime: "^0.1.0" });
}

export function readerOf(sources: Sources) {
  const bytes = new TextEncoder();
  return (path: string) => {
    const text = sources[path];
    return text === undefined
      ? ({ kind: "problem", problem: "missing", message: "there is no such file" } as const)
      : ({ kind: "file", bytes: bytes.encode(text) } as const);
  };
}
