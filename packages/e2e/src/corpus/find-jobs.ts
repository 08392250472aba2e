import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { parseArgs } from "node:util";
import { createSourceReader } from "@bothends/generator/disk";
import type { Job } from "./job.js";
import { readWsdlSource } from "./wsdl-source.js";

/** The options of `pnpm corpus`. */
export interface Options {
  readonly folders: readonly string[];
  readonly instances: boolean;
  readonly strict: boolean;
  readonly lenient: boolean;
  readonly verbose: boolean;
  readonly record: boolean;
  readonly only: string | undefined;
  readonly outputFolder: string | undefined;
  readonly processes: number;
}

export const usage = `pnpm corpus <folder…> [options]

Generates from every WSDL, stand-alone schema and discovery index below a folder, type-checks the output, and compares the
totals with packages/e2e/corpus-baseline.json.

  --instances       create random instances of every message and validate them with xmllint; call every endpoint of an
                    index, in memory, with random arguments
  --lenient         read all WSDLs with --lenient
  --strict          do not read refused WSDLs again with --lenient, which is the default
  --verbose         list every refusal with its position
  --only <text>     only sources whose name contains the text
  --keep <folder>   write the generated packages there and keep them
  --record          write the totals to the baseline
  --processes <n>   default: the number of processors`;

export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      instances: { type: "boolean", default: false },
      lenient: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      only: { type: "string" },
      keep: { type: "string" },
      processes: { type: "string", default: String(availableParallelism()) },
    },
  });
  if (positionals.length === 0) {
    return undefined;
  }
  const { instances, lenient, strict, verbose, record, only, keep } = values;
  return {
    folders: positionals,
    instances,
    lenient,
    strict,
    verbose,
    record,
    only,
    outputFolder: keep,
    processes: Number(values.processes),
  };
}

type FoundJob = Omit<Job, "id">;

/** Finds the sources below a folder: WSDLs, schemas that no other file refers to, indexes, and schema tests. */
export function findJobs(folder: string): readonly Job[] {
  const files = listFilesBelow(folder);
  const manifests = files.filter((path) => path.endsWith("manifest.json"));
  const tests = manifests.flatMap((path) => findSchemaTests(folder, path));
  const suites = manifests.map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  const sources = files.filter((path) => !suites.some((suite) => path.startsWith(suite)) && !manifests.includes(path));
  const wsdls = sources.filter((path) => path.endsWith(".wsdl"));
  const schemas = sources.filter((path) => path.endsWith(".xsd"));
  const importedPaths = listImportedPaths([...wsdls, ...schemas], folder);
  const jobs = [
    ...wsdls.map((path) => createSingleFileJob("wsdl", path)),
    ...schemas.filter((path) => !importedPaths.has(path)).map((path) => createSingleFileJob("schemas", path)),
    ...sources
      .filter((path) => path.endsWith(".json") && isIndex(join(folder, path)))
      .map((path) => createSingleFileJob("index", path)),
    ...tests,
  ];
  return jobs.map((job, id) => ({ id, ...job }));
}

function createSingleFileJob(kind: Job["kind"], path: string): FoundJob {
  return { kind, name: path, paths: [path], documents: [], isInvalid: false };
}

function listFilesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
}

/** Lists the files that other files import or include. */
function listImportedPaths(paths: readonly string[], folder: string): ReadonlySet<string> {
  const read = createSourceReader({ root: folder });
  return new Set(paths.flatMap((path) => readWsdlSource(path, read).files.filter((file) => file !== path)));
}

function isIndex(path: string): boolean {
  try {
    const index: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof index !== "object" || index === null) {
      return false;
    }
    const keys = Object.keys(index);
    return "routes" in index || (keys.length > 0 && keys.every((key) => key.startsWith("/")));
  } catch {
    return false;
  }
}

interface ManifestEntry {
  readonly id: string;
  readonly schemaDocuments: readonly string[];
  readonly schemaValidity: "valid" | "invalid";
  readonly status?: string;
  readonly instances?: readonly { readonly file: string; readonly validity: string; readonly status?: string }[];
}

/** Lists the tests in a manifest of the W3C XML Schema Test Suite, without disputed ones. */
function findSchemaTests(folder: string, path: string): readonly FoundJob[] {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, path), "utf8"));
  const entries = Array.isArray(manifest) ? manifest.filter(isEntry) : [];
  const getPathBelow = (file: string) => (dirname(path) === "." ? file : `${dirname(path)}/${file}`);
  return entries.filter(isUndisputed).map((entry) => ({
    kind: "schemas",
    name: getPathBelow(entry.id),
    paths: entry.schemaDocuments.map(getPathBelow),
    documents: (entry.instances ?? [])
      .filter(isUndisputed)
      .map(({ file, validity }) => ({ path: getPathBelow(file), isValid: validity === "valid" })),
    isInvalid: entry.schemaValidity === "invalid",
  }));
}

function isEntry(value: unknown): value is ManifestEntry {
  return typeof value === "object" && value !== null && "schemaDocuments" in value && "schemaValidity" in value;
}

function isUndisputed({ status }: { readonly status?: string }): boolean {
  return status === undefined || status === "stable" || status === "submitted" || status === "accepted";
}
