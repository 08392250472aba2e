import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

/** What a run of the corpus does. */
export interface Options {
  readonly folders: readonly string[];
  readonly instances: boolean;
  readonly strict: boolean;
  readonly lenient: boolean;
  readonly verbose: boolean;
  readonly record: boolean;
  readonly only: string | undefined;
  readonly keep: string | undefined;
  readonly processes: number;
}

export const usage = `pnpm corpus <folder…> [options]

Generates from every WSDL, stand-alone schema and discovery index below a folder, type-checks the output, and compares the
numbers with packages/e2e/corpus-baseline.json.

  --instances       make random instances of every message, and validate them with xmllint; call every endpoint of
                    an index, in memory, with random arguments
  --lenient         take WSDLs leniently alone
  --strict          take WSDLs as usual alone (default: what is refused is taken leniently after that)
  --verbose         show each refusal with its place
  --only <text>     only sources whose name holds the text
  --keep <folder>   write the trees there, and leave them
  --record          write the numbers into the baseline
  --processes <n>   default: as many as there are processors`;

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
  if (positionals.length === 0) return undefined;
  const { instances, lenient, strict, verbose, record, only, keep } = values;
  return {
    folders: positionals,
    instances,
    lenient,
    strict,
    verbose,
    record,
    only,
    keep,
    processes: Number(values.processes),
  };
}
