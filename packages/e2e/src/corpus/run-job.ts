import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import {
  type Config,
  catalogue,
  configFromFlags,
  type Diagnostic,
  Diagnostics,
  formatDiagnostics,
  type Generated,
  generate,
  type ReadFile,
} from "@bothends/generator";
import { readFolder, sourceReader, sourceRoot } from "@bothends/generator/disk";
import {
  type Job,
  type JobProblem,
  type JobResult,
  type JobSettings,
  noCalls,
  noDocuments,
  noInstances,
} from "./job.js";
import { judgeCalls } from "./judge-calls.js";
import { judgeDocuments, judgeInstances } from "./judge-messages.js";
import { fileSchemas, madePath, type OutsideSchema, withSchemaWsdl, wsdlSchemas } from "./source-schemas.js";
import { droppedEndpoints, droppedOperations, readWsdlSource } from "./wsdl-source.js";

const templates = readFolder(join(import.meta.dirname, "..", "..", "..", "..", "templates"));

type Judged = Pick<JobResult, "outcome" | "problems" | "operations"> &
  Partial<Pick<JobResult, "documents" | "instances" | "calls" | "isWhole">>;

/** Generates from one source, writes the tree if it is complete, and returns the result. */
export async function runJob(job: Job, settings: JobSettings): Promise<JobResult> {
  const start = performance.now();
  const judged = await judge(job, settings);
  return {
    id: job.id,
    documents: noDocuments,
    instances: noInstances,
    calls: noCalls,
    ...judged,
    seconds: (performance.now() - start) / 1000,
    memory: process.resourceUsage().maxRSS / 1024,
  };
}

function judge(job: Job, settings: JobSettings): Judged | Promise<Judged> {
  const read = sourceReader({ root: settings.folder });
  switch (job.kind) {
    case "wsdl":
      return judgeWsdl(job, read, settings);
    case "index":
      return judgeIndex(job, read, settings);
    case "schemas":
      return judgeSchemas(job, read, settings);
  }
}

function judgeWsdl(job: Job, read: ReadFile, settings: JobSettings): Judged {
  const [path = ""] = job.paths;
  const source = readWsdlSource(path, read);
  if (source.lacks !== undefined) {
    return { ...outcome("ineligible", [{ kind: "ineligible", text: source.lacks }]) };
  }
  const isWhole = source.dangling.length === 0;
  // The root that the command line would choose in the corpus's folder.
  const root = sourceRoot({ sources: [join(settings.folder, path)], workingFolder: settings.folder });
  const pathInRoot = relative(root, join(settings.folder, path)).replaceAll(sep, "/");
  const generated = generateFrom(job, sourceReader({ root }), { wsdl: [pathInRoot], index: undefined }, settings);
  if (generated.plan === undefined) {
    return { ...outcome("refused", refusals(generated)), isWhole };
  }
  const place = { sources: settings.folder, output: join(settings.output, `instances-${job.id}`) };
  return {
    ...written(job, generated, droppedOperations(source.bindings, generated.contract), settings),
    isWhole,
    ...(settings.instances
      ? { instances: judgeInstances(generated.contract, judgeOf(generated, wsdlSchemas(source.files, read)), place) }
      : {}),
  };
}

/** The schema for validating instances; empty if the source contains conflicting declarations, on which validators may differ. */
function judgeOf(generated: Generated, schema: OutsideSchema): OutsideSchema {
  const isContradictory = problemsOf(generated, "warning").some(({ kind }) => kind === "xsd.duplicate");
  return isContradictory ? { ...schema, namespaces: new Set() } : schema;
}

async function judgeIndex(job: Job, read: ReadFile, settings: JobSettings): Promise<Judged> {
  const [path = ""] = job.paths;
  const file = read(path);
  const generated = generateFrom(job, read, { wsdl: [], index: path }, settings);
  if (generated.plan === undefined) {
    return outcome("refused", refusals(generated));
  }
  const index: unknown = file.kind === "file" ? JSON.parse(new TextDecoder().decode(file.bytes)) : undefined;
  return {
    ...written(job, generated, droppedEndpoints(index, generated.contract), settings),
    ...(settings.instances ? { calls: await judgeCalls(generated.contract) } : {}),
  };
}

function judgeSchemas(job: Job, read: ReadFile, settings: JobSettings): Judged {
  const around = withSchemaWsdl(job.paths, read);
  const generated = generateFrom(job, around, { wsdl: [madePath], index: undefined }, settings);
  const found = refusals(generated).filter(({ kind }) => kind !== "wsdl.nothing-bound");
  if (generated.plan === undefined && found.length > 0) {
    return outcome(job.invalid ? "complete" : "refused", found);
  }
  if (job.invalid) {
    const warnings = problemsOf(generated, "warning").filter(({ kind }) => kind.startsWith("xsd."));
    return outcome(warnings.length > 0 ? "warned" : "accepted", warnings);
  }
  if (generated.plan === undefined) {
    return outcome("complete", []);
  }
  const place = { sources: settings.folder, output: join(settings.output, `instances-${job.id}`) };
  return {
    ...written(job, generated, [], settings),
    documents: judgeDocuments(job, generated.contract, around),
    ...(settings.instances
      ? { instances: judgeInstances(generated.contract, fileSchemas(job.paths, read), place) }
      : {}),
  };
}

function generateFrom(
  { id }: Job,
  readFile: ReadFile,
  files: { readonly wsdl: readonly string[]; readonly index: string | undefined },
  { lenient }: JobSettings,
): Generated {
  const diagnostics = new Diagnostics();
  const flags = { ...files, name: undefined, lenient };
  const config = configFromFlags(flags, diagnostics, { runtime: "^0.1.0" });
  if (config === undefined) {
    throw new Error(formatDiagnostics(diagnostics.all, { color: false }));
  }
  return generate({ readFile, templates, config: inOwnFolder(config, id) });
}

/** Adds the job's number to package names, because the packages of all jobs are type-checked together. */
function inOwnFolder(config: Config, id: number): Config {
  const { contract, client, server } = config.packages;
  const packages = {
    contract: { ...contract, name: `@corpus/j${id}-contract` },
    client: { ...client, name: `@corpus/j${id}-client` },
    server: { ...server, name: `@corpus/j${id}-server` },
  };
  return { ...config, packages };
}

function written(
  job: Job,
  { tree, contract }: Generated,
  dropped: readonly JobProblem[],
  { output }: JobSettings,
): Judged {
  for (const [path, text] of tree) {
    const target = join(output, String(job.id), path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const operations = contract.interfaces.reduce(
    (sum, each) =>
      sum +
      (each.kind === "rest" ? each.endpoints.length : each.services.flatMap((service) => service.operations).length),
    0,
  );
  return { outcome: dropped.length === 0 ? "complete" : "incomplete", problems: dropped, operations };
}

function outcome(value: JobResult["outcome"], problems: readonly JobProblem[]): Judged {
  return { outcome: value, problems, operations: 0 };
}

function refusals(generated: Generated): readonly JobProblem[] {
  return problemsOf(generated, "error");
}

function problemsOf({ diagnostics }: Generated, severity: Diagnostic["severity"]): readonly JobProblem[] {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).map(problemOf);
}

function problemOf(diagnostic: Diagnostic): JobProblem {
  const [first = ""] = formatDiagnostics([diagnostic], { color: false }).split("\n");
  return { kind: catalogue[diagnostic.code].kind, text: first };
}
