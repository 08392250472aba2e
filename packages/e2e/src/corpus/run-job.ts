import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import {
  type Config,
  catalogue,
  type Diagnostic,
  Diagnostics,
  formatDiagnostics,
  type Generated,
  generate,
  type ReadFile,
  readConfigFromFlags,
} from "@bothends/generator";
import { createSourceReader, findSourceRoot, readFolder } from "@bothends/generator/disk";
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
import {
  createdWsdlPath,
  type OutsideSchema,
  prepareFileSchemas,
  prepareWsdlSchemas,
  withSchemaWsdl,
} from "./source-schemas.js";
import { listDroppedEndpoints, listDroppedOperations, readWsdlSource } from "./wsdl-source.js";

const templates = readFolder(join(import.meta.dirname, "..", "..", "..", "..", "templates"));

type Judgement = Pick<JobResult, "outcome" | "problems" | "operations"> &
  Partial<Pick<JobResult, "documents" | "instances" | "calls" | "isResolved">>;

/** Generates from one source, writes the tree if it is complete, and returns the result. */
export async function runJob(job: Job, settings: JobSettings): Promise<JobResult> {
  const start = performance.now();
  const judgement = await judge(job, settings);
  return {
    id: job.id,
    documents: noDocuments,
    instances: noInstances,
    calls: noCalls,
    ...judgement,
    seconds: (performance.now() - start) / 1000,
    memory: process.resourceUsage().maxRSS / 1024,
  };
}

function judge(job: Job, settings: JobSettings): Judgement | Promise<Judgement> {
  const readFile = createSourceReader({ root: settings.corpusFolder });
  switch (job.kind) {
    case "wsdl":
      return judgeWsdl(job, readFile, settings);
    case "index":
      return judgeIndex(job, readFile, settings);
    case "schemas":
      return judgeSchemas(job, readFile, settings);
  }
}

function judgeWsdl(job: Job, read: ReadFile, settings: JobSettings): Judgement {
  const [path = ""] = job.paths;
  const source = readWsdlSource(path, read);
  if (source.incompleteReason !== undefined) {
    return { ...createJudgement("ineligible", [{ kind: "ineligible", text: source.incompleteReason }]) };
  }
  const isResolved = source.danglingReferences.length === 0;
  // Uses the root folder that the command line would choose in the folder of the corpus.
  const root = findSourceRoot({ sources: [join(settings.corpusFolder, path)], workingFolder: settings.corpusFolder });
  const pathInRoot = relative(root, join(settings.corpusFolder, path)).replaceAll(sep, "/");
  const generated = generateFrom(job, createSourceReader({ root }), { wsdl: [pathInRoot], index: undefined }, settings);
  if (generated.plan === undefined) {
    return { ...createJudgement("refused", listRefusals(generated)), isResolved };
  }
  const place = { sources: settings.corpusFolder, output: join(settings.outputFolder, `instances-${job.id}`) };
  return {
    ...writeGenerated(job, generated, listDroppedOperations(source.bindings, generated.contract), settings),
    isResolved,
    ...(settings.withInstances
      ? {
          instances: judgeInstances(
            generated.contract,
            createValidationSchema(generated, prepareWsdlSchemas(source.files, read)),
            place,
          ),
        }
      : {}),
  };
}

/**
 * Returns the schema for validating instances. It is empty if the source has conflicting declarations, which validators
 * treat differently.
 */
function createValidationSchema(generated: Generated, schema: OutsideSchema): OutsideSchema {
  const isContradictory = listProblems(generated, "warning").some(({ kind }) => kind === "xsd.duplicate");
  return isContradictory ? { ...schema, namespaces: new Set() } : schema;
}

async function judgeIndex(job: Job, readFile: ReadFile, settings: JobSettings): Promise<Judgement> {
  const [path = ""] = job.paths;
  const file = readFile(path);
  const generated = generateFrom(job, readFile, { wsdl: [], index: path }, settings);
  if (generated.plan === undefined) {
    return createJudgement("refused", listRefusals(generated));
  }
  const index: unknown = file.kind === "file" ? JSON.parse(new TextDecoder().decode(file.bytes)) : undefined;
  return {
    ...writeGenerated(job, generated, listDroppedEndpoints(index, generated.contract), settings),
    ...(settings.withInstances ? { calls: await judgeCalls(generated.contract) } : {}),
  };
}

function judgeSchemas(job: Job, readFile: ReadFile, settings: JobSettings): Judgement {
  const readWithWsdl = withSchemaWsdl(job.paths, readFile);
  const generated = generateFrom(job, readWithWsdl, { wsdl: [createdWsdlPath], index: undefined }, settings);
  const refusedProblems = listRefusals(generated).filter(({ kind }) => kind !== "wsdl.nothing-bound");
  if (generated.plan === undefined && refusedProblems.length > 0) {
    return createJudgement(job.isInvalid ? "complete" : "refused", refusedProblems);
  }
  if (job.isInvalid) {
    const warnings = listProblems(generated, "warning").filter(({ kind }) => kind.startsWith("xsd."));
    return createJudgement(warnings.length > 0 ? "warned" : "accepted", warnings);
  }
  if (generated.plan === undefined) {
    return createJudgement("complete", []);
  }
  const place = { sources: settings.corpusFolder, output: join(settings.outputFolder, `instances-${job.id}`) };
  return {
    ...writeGenerated(job, generated, [], settings),
    documents: judgeDocuments(job, generated.contract, readWithWsdl),
    ...(settings.withInstances
      ? { instances: judgeInstances(generated.contract, prepareFileSchemas(job.paths, readFile), place) }
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
  const config = readConfigFromFlags(flags, diagnostics, { runtime: "^0.1.0" });
  if (config === undefined) {
    throw new Error(formatDiagnostics(diagnostics.all, { color: false }));
  }
  return generate({ readFile, templates, config: withUniqueNames(config, id) });
}

/** Adds the job's number to package names, because the packages of all jobs are type-checked together. */
function withUniqueNames(config: Config, id: number): Config {
  const { contract, client, server } = config.packages;
  const packages = {
    contract: { ...contract, name: `@corpus/j${id}-contract` },
    client: { ...client, name: `@corpus/j${id}-client` },
    server: { ...server, name: `@corpus/j${id}-server` },
  };
  return { ...config, packages };
}

function writeGenerated(
  job: Job,
  { tree, contract }: Generated,
  dropped: readonly JobProblem[],
  { outputFolder }: JobSettings,
): Judgement {
  for (const [path, text] of tree) {
    const target = join(outputFolder, String(job.id), path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const operations = contract.interfaces.reduce(
    (sum, lowered) =>
      sum +
      (lowered.kind === "rest"
        ? lowered.endpoints.length
        : lowered.services.flatMap((service) => service.operations).length),
    0,
  );
  return { outcome: dropped.length === 0 ? "complete" : "incomplete", problems: dropped, operations };
}

function createJudgement(value: JobResult["outcome"], problems: readonly JobProblem[]): Judgement {
  return { outcome: value, problems, operations: 0 };
}

function listRefusals(generated: Generated): readonly JobProblem[] {
  return listProblems(generated, "error");
}

function listProblems({ diagnostics }: Generated, severity: Diagnostic["severity"]): readonly JobProblem[] {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).map(createProblem);
}

function createProblem(diagnostic: Diagnostic): JobProblem {
  const [firstLine = ""] = formatDiagnostics([diagnostic], { color: false }).split("\n");
  return { kind: catalogue[diagnostic.code].kind, text: firstLine };
}
