import { resolve } from "node:path";
import { diffContracts, shortChanges } from "@bothends/diff";
import type { GenerateWords } from "../base/generate-words.js";
import { writeGeneration } from "../commands/generate.js";
import { type Generation, type GenerationResult, generateProject } from "../generation.js";
import type { Host } from "../host.js";
import type { GenerateOptions } from "../options.js";
import { failureOutcome } from "../report/failure.js";
import { counted, type Outcome } from "../report/outcome.js";
import { shownPath } from "../report/paths.js";
import { present } from "../report/present.js";
import { hashOfFile, type RecordedSource } from "../run-record.js";
import { watchFiles } from "./watch-files.js";

/** `bothends watch`: generates whenever a source changes, until it is interrupted. What was generated last stays while there are errors. */
export async function runWatch(options: GenerateOptions, host: Host): Promise<Outcome> {
  const signal = host.interrupted ?? new AbortController().signal;
  const files = watchFiles(signal);
  let last: Generation | undefined;
  for (let changed: readonly string[] | undefined = []; changed !== undefined; changed = await files.next()) {
    const start = host.now();
    const { outcome, sources, generation } = generateOnce(options, host, { last, start });
    files.expect(new Map(sources.map(({ path, hash }) => [path, hash])));
    last = generation ?? last;
    const heading = changed.map((path) => shownPath(host.workingFolder, path)).join(", ");
    host.out.write(heading === "" ? "" : `\n${heading}:\n`);
    await present(outcome, options, host);
    host.err.write(outcome.exit === 0 ? "" : "The packages are as they were. ");
    host.out.write(`Watching ${counted(sources.length, "file")} …\n`);
  }
  return { exit: 0, result: "stopped watching" };
}

interface Once {
  readonly outcome: Outcome;
  readonly sources: readonly RecordedSource[];
  /** Undefined if the input was refused. */
  readonly generation: Generation | undefined;
}

function generateOnce(
  options: GenerateOptions,
  host: Host,
  { last, start }: { readonly last: Generation | undefined; readonly start: number },
): Once {
  let result: GenerationResult | undefined;
  try {
    result = generateProject(options, host);
    if (result.kind === "refused") {
      return { outcome: result.outcome, sources: result.sources, generation: undefined };
    }
    const { generation } = result;
    const words = last === undefined ? undefined : () => changesSince(last, generation);
    const outcome = writeGeneration(generation, { options, host, start, words });
    return { outcome, sources: generation.sources, generation };
  } catch (error) {
    const known = result?.kind === "generated" ? result.generation.sources : last?.sources;
    return { outcome: failureOutcome(error), sources: known ?? namedFiles(options, host), generation: undefined };
  }
}

/** The changes of the schemas since the last good run. */
function changesSince(last: Generation, { contract, plan }: Generation): GenerateWords {
  const { changes } = diffContracts(
    { name: "the last run", contract: last.contract, plan: last.plan },
    { name: "this run", contract, plan },
  );
  const text = shortChanges(changes)
    .map((line) => `  ${line}\n`)
    .join("");
  return { text: text === "" ? undefined : text, keep: () => undefined };
}

/** The files that the command line names, when nothing could be read. */
function namedFiles({ config, wsdl, index }: GenerateOptions, { workingFolder }: Host): readonly RecordedSource[] {
  const inputs = [...(wsdl ?? []), ...(index === undefined ? [] : [index])];
  const names = inputs.length > 0 ? inputs : [config ?? "bothends.json"];
  return names.map((name) => {
    const path = resolve(workingFolder, name);
    return { path, hash: hashOfFile(path) };
  });
}
