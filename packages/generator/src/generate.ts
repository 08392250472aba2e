import { resolveWsdl } from "./components/wsdl/resolve-wsdl.js";
import { describe } from "./describe/describe.js";
import { emit } from "./emit/emit.js";
import { createExampleCall, type ExampleCall } from "./emit/example-call.js";
import { reportUntyped } from "./lower/rest/answers.js";
import { lowerIndex } from "./lower/rest/interface.js";
import { lowerWsdl } from "./lower/wsdl/interface.js";
import type { Config, Contract, FileTree, Interface, InterfaceConfig, Service, SoapInterface } from "./model/index.js";
import { groupServicesByFile, type InterfacePlan, type Plan, planFiles } from "./plan/index.js";
import type { KnownPublished } from "./publish/inline.js";
import { publishServices } from "./publish/publish-wsdl.js";
import type { ServiceDocument } from "./publish/slots.js";
import { readIndex } from "./read/rest/read-index.js";
import { readWsdl, WsdlReadCache } from "./read/wsdl/read-wsdl.js";
import { findSchemaToPublish } from "./read/xsd/well-known/index.js";
import { render, type Templates } from "./render/render.js";
import { type Diagnostic, Diagnostics, sortDiagnostics, withoutFollowUps } from "./source/diagnostics.js";
import { KnownDocuments } from "./source/known-documents.js";
import { listExceededLimits, type SourceLimits, sourceLimits } from "./source/source-limits.js";
import { type ReadFile, SourceRecord, Sources } from "./source/sources.js";

/** The inputs of `generate`, which reads files only with `readFile`. */
export interface Inputs {
  readonly readFile: ReadFile;
  /** The files of `templates/`, by their path relative to that folder. */
  readonly templates: Templates;
  readonly config: Config;
  /** Limits that override those in the configuration. */
  readonly limits?: Partial<SourceLimits>;
  /** Called when a step begins, with a phrase that describes the step to the user: `Printing code`. */
  readonly onStep?: ((step: string) => void) | undefined;
  /** Called after each file is read, and parsed if it is XML. */
  readonly onFileParsed?: (() => void) | undefined;
  /**
   * Called when the run no longer needs the documents, which use most of the run's memory. Only a cache may still refer
   * to them.
   */
  readonly onDocumentsReleased?: (() => void) | undefined;
  /** The results of earlier runs in this process, which make a run faster. They do not affect the output. */
  readonly cache?: GenerationCache | undefined;
  /** The root of the sources in help texts, as a user would write it after `--root`. Default: `.`. */
  readonly rootFolder?: string;
}

/** The result of `generate`. */
export interface Generated {
  /** The files of the generated packages, by their path relative to the root; empty if there are errors. */
  readonly tree: FileTree;
  readonly contract: Contract;
  /** The names and files of the generated packages; undefined if there are errors. */
  readonly plan: Plan | undefined;
  /** The errors, warnings and infos, sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Generates files from sources. A pure function: the same inputs produce the same bytes on every machine. The stages
 * run in this order: read, resolve and lower (`readInterface`), plan (`readAndPlan`), publish, describe and emit
 * (`describeAndEmit`), render.
 */
export function generate(inputs: Inputs): Generated {
  const { templates, config, onStep } = inputs;
  const diagnostics = new Diagnostics();
  const limits = { ...sourceLimits, ...config.limits, ...inputs.limits };
  const { contract, plan, stages, publishedWsdls } = runDocumentStages(inputs, limits, diagnostics);
  const createResultWithErrors = () => ({
    tree: new Map(),
    contract,
    plan: undefined,
    diagnostics: listSortedDiagnostics(diagnostics),
  });
  if (diagnostics.hasErrors) {
    return createResultWithErrors();
  }
  reportUntyped(contract, config, diagnostics);

  inputs.onDocumentsReleased?.();
  onStep?.("Printing code");
  const code = new Map(
    plan.interfaces.flatMap((interfacePlan) => [
      ...describeAndEmit(interfacePlan, plan, { stages, publishedWsdls, diagnostics }),
    ]),
  );
  const exampleCalls = createExampleCalls(plan, stages, diagnostics);
  const tree = new Map([...code, ...render({ plan, config, templates, code, exampleCalls })]);
  for (const { code, ...text } of listExceededLimits(tree, limits)) {
    diagnostics.error(code, config.span, text);
  }
  if (diagnostics.hasErrors) {
    return createResultWithErrors();
  }
  for (const interfaceStages of stages.values()) {
    interfaceStages.complete();
  }
  return { tree, contract, plan, diagnostics: listSortedDiagnostics(diagnostics) };
}

interface PlannedContract {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly stages: StagesByInterface;
}

/**
 * Runs all stages that need the documents, so that the documents, which use most of the memory, can be released
 * afterwards.
 */
function runDocumentStages(
  { readFile, config, rootFolder, onStep, onFileParsed, cache }: Inputs,
  limits: SourceLimits,
  diagnostics: Diagnostics,
): PlannedContract & { readonly publishedWsdls: ReadonlyMap<Service, ServiceDocument> } {
  cache?.begin({ config, limits, rootFolder });
  const knownDocuments = cache?.documents;
  const sources = new Sources({ readFile, onFileParsed, diagnostics, limits, rootFolder, knownDocuments });
  const context = { sources, diagnostics, onStep, cache };
  const plannedContract = readAndPlan(config, context);
  onStep?.("Writing the WSDLs to publish");
  const isServed = !diagnostics.hasErrors && plannedContract.plan.packages.server.isOmitted !== true;
  return {
    ...plannedContract,
    publishedWsdls: isServed ? publish(plannedContract.plan, plannedContract.stages, context) : new Map(),
  };
}

type ReadingContext = Pick<Inputs, "onStep" | "cache"> & {
  readonly sources: Sources;
  readonly diagnostics: Diagnostics;
};

/** The cached stages of each interface, by the name of the interface. */
type StagesByInterface = ReadonlyMap<string, InterfaceStages>;

/** Reads the interfaces of a configuration into a contract, and decides on its TypeScript names and files. */
function readAndPlan(config: Config, context: ReadingContext): PlannedContract {
  const { diagnostics, sources, cache, onStep } = context;
  const stages = new Map<string, InterfaceStages>();
  const interfaces: Interface[] = [];
  for (const interfaceConfig of config.interfaces) {
    const interfaceStages =
      cache?.createStages(interfaceConfig.name, sources, diagnostics) ?? new InterfaceStages(new SourceRecord());
    stages.set(interfaceConfig.name, interfaceStages);
    const loweredInterface = interfaceStages.lower.run(diagnostics, () => readInterface(interfaceConfig, context));
    if (loweredInterface !== undefined) {
      interfaces.push(loweredInterface);
    }
  }
  onStep?.("Planning files");
  const contract = { interfaces };
  const plan = planFiles(contract, config, diagnostics, ({ name }, makePlan) =>
    getStages(name, stages).plan.run(diagnostics, makePlan),
  );
  return { contract, plan, stages };
}

function getStages(name: string, stages: StagesByInterface): InterfaceStages {
  const interfaceStages = stages.get(name);
  if (interfaceStages === undefined) {
    throw new Error(`The interface ${name} is not in the configuration.`);
  }
  return interfaceStages;
}

/** Reads the sources of one interface, resolves their references, and lowers the result to the Contract. */
function readInterface(
  config: InterfaceConfig,
  { sources, diagnostics, onStep, cache }: ReadingContext,
): Interface | undefined {
  if (config.kind === "rest") {
    const index = readIndex(config.index, sources, diagnostics);
    return index === undefined ? undefined : lowerIndex(index, config, { sources, diagnostics });
  }
  const interfaceDiagnostics = diagnostics.withStrictness(config.lenient ? "lenient" : "default");
  const documents = readWsdl(config, sources, interfaceDiagnostics, cache?.wsdlCache);
  onStep?.(`Resolving the types of ${config.name}`);
  const components = resolveWsdl(documents, interfaceDiagnostics, sources.limits);
  return interfaceDiagnostics.hasErrors
    ? undefined
    : lowerWsdl(components, config, interfaceDiagnostics, sources.limits);
}

/** Makes the WSDL that each service publishes. Services of one source WSDL share most of its text. */
function publish(
  plan: Plan,
  stages: StagesByInterface,
  context: ReadingContext,
): ReadonlyMap<Service, ServiceDocument> {
  const { sources, diagnostics } = context;
  const publishedDocuments = new Map<Service, ServiceDocument>();
  for (const { interface: source } of plan.interfaces) {
    if (source.kind !== "soap") {
      continue;
    }
    const interfaceStages = getStages(source.name, stages);
    sources.continueRecord(interfaceStages.record);
    for (const [service, document] of interfaceStages.publish.run(diagnostics, () =>
      publishInterface(source, context),
    )) {
      publishedDocuments.set(service, document);
    }
  }
  return publishedDocuments;
}

function publishInterface(
  { services, slots }: SoapInterface,
  { sources, diagnostics, cache }: ReadingContext,
): ReadonlyMap<Service, ServiceDocument> {
  const publishedDocuments = new Map<Service, ServiceDocument>();
  let characters = 0;
  for (const servicesOfFile of groupServicesByFile(services)) {
    const inputs = {
      ...slots,
      services: servicesOfFile,
      loadSchema: findSchemaToPublish,
      knownPublished: cache?.published,
    };
    const wsdl = publishServices(inputs, sources, diagnostics);
    for (const [index, specificPieces] of (wsdl?.services ?? []).entries()) {
      const service = servicesOfFile[index];
      if (wsdl !== undefined && service !== undefined) {
        publishedDocuments.set(service, { sharedPieces: wsdl.sharedPieces, specificPieces });
      }
    }
    // Makes no further documents if the output is already too large. `generate` reports the exceeded limit.
    characters += [...(wsdl?.sharedPieces ?? []), ...(wsdl?.services.flat() ?? [])].reduce(
      (sum, piece) => sum + (typeof piece === "string" ? piece.length : 0),
      0,
    );
    if (characters > sources.limits.outputBytes) {
      return publishedDocuments;
    }
  }
  return publishedDocuments;
}

interface EmitParts {
  readonly stages: StagesByInterface;
  readonly publishedWsdls: ReadonlyMap<Service, ServiceDocument>;
  readonly diagnostics: Diagnostics;
}

/** Describes one interface and prints its code. Interfaces have separate folders and share no names. */
function describeAndEmit(
  interfacePlan: InterfacePlan,
  plan: Plan,
  { stages, publishedWsdls, diagnostics }: EmitParts,
): FileTree {
  return getStages(interfacePlan.interface.name, stages).emit.run(diagnostics, () => {
    const descriptors = describe({ interfaces: [interfacePlan.interface] });
    return emit({ plan: { ...plan, interfaces: [interfacePlan] }, descriptors, publishedWsdls });
  });
}

/** Creates the calls that the READMEs of clients show. */
function createExampleCalls(
  { interfaces, packages }: Plan,
  stages: StagesByInterface,
  diagnostics: Diagnostics,
): ReadonlyMap<InterfacePlan, ExampleCall> {
  const interfacesWithClient = packages.client.isOmitted === true ? [] : interfaces;
  return new Map(
    interfacesWithClient.flatMap((interfacePlan) => {
      const { exampleCall } = getStages(interfacePlan.interface.name, stages);
      const call = exampleCall.run(diagnostics, () => createExampleCall(interfacePlan));
      return call === undefined ? [] : [[interfacePlan, call] as const];
    }),
  );
}

function listSortedDiagnostics(diagnostics: Diagnostics): readonly Diagnostic[] {
  return sortDiagnostics(withoutFollowUps(diagnostics.all));
}

/** The inputs for reading interfaces. */
export type ContractInputs = Omit<Inputs, "templates">;

/** The result of `readContract`. */
export interface ReadContract {
  readonly contract: Contract;
  /** The names in TypeScript; undefined if there are errors. */
  readonly plan: Plan | undefined;
  /** The errors, warnings and infos, sorted by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the sources into a contract and decides on its TypeScript names, without generating files. */
export function readContract(inputs: ContractInputs): ReadContract {
  const { readFile, config, limits: overrides = {}, rootFolder, onStep } = inputs;
  const diagnostics = new Diagnostics();
  const limits = { ...sourceLimits, ...config.limits, ...overrides };
  const { contract, plan } = readAndPlan(config, {
    sources: new Sources({ readFile, diagnostics, limits, rootFolder }),
    diagnostics,
    onStep,
  });
  return { contract, plan: diagnostics.hasErrors ? undefined : plan, diagnostics: listSortedDiagnostics(diagnostics) };
}

/**
 * Caches the results of runs in one process, for programs that generate again after each edit. Each run reads the bytes
 * of all sources again, but parses only the changed part of a document, and converts only the declarations and
 * definitions in that part. The later stages of an interface are repeated only if one of its documents has changed. The
 * output is the same as without a cache.
 */
export class GenerationCache {
  readonly documents: KnownDocuments;
  wsdlCache = new WsdlReadCache();
  published: KnownPublished = new WeakMap();
  readonly #interfaces = new Map<string, InterfaceStages>();
  #settings = "";

  constructor(documents: KnownDocuments = new KnownDocuments()) {
    this.documents = documents;
  }

  /** Begins a run. Empties the cache if the settings differ from those of the last run. */
  begin(settings: Settings): void {
    const text = formatSettings(settings);
    if (text !== this.#settings) {
      this.documents.clear();
      this.wsdlCache = new WsdlReadCache();
      this.published = new WeakMap();
      this.#interfaces.clear();
      this.#settings = text;
    }
  }

  /** Returns a cache for one run that repeats all stages of all interfaces. The results in this cache do not change. */
  withoutStages(): GenerationCache {
    const copy = new GenerationCache(this.documents);
    copy.wsdlCache = this.wsdlCache;
    copy.published = this.published;
    copy.#settings = this.#settings;
    return copy;
  }

  /**
   * Returns the stages of an interface. If all documents of the interface are unchanged, the stages have the results of
   * an earlier run.
   */
  createStages(name: string, sources: Sources, diagnostics: Diagnostics): InterfaceStages {
    const knownStages = this.#interfaces.get(name);
    // After an error in an earlier interface, this interface is read but not lowered, so the complete results of an
    // earlier run would be wrong.
    if (knownStages?.isComplete === true && !diagnostics.hasErrors && sources.reuseRun(knownStages.record)) {
      return knownStages;
    }
    const stages = new InterfaceStages(sources.startRecord());
    this.#interfaces.set(name, stages);
    return stages;
  }
}

/** The settings of a run. The results of runs with other settings are not reused. */
interface Settings {
  readonly config: Config;
  readonly limits: SourceLimits;
  readonly rootFolder: string | undefined;
}

/**
 * Formats the settings, so that two runs can be compared. Spans are written without their source, which is added only
 * once.
 */
function formatSettings({ config, limits, rootFolder }: Settings): string {
  const withoutSource = (key: string, value: unknown): unknown =>
    key === "source" ? undefined : value instanceof Map ? [...value] : value;
  return JSON.stringify([config, config.span.source, limits, rootFolder], withoutSource) + config.span.source.text;
}

/** The stages of one interface that depend on its documents, each with its result. */
class InterfaceStages {
  readonly lower = new CachedStage<Interface | undefined>();
  readonly plan = new CachedStage<InterfacePlan>();
  readonly publish = new CachedStage<ReadonlyMap<Service, ServiceDocument>>();
  readonly emit = new CachedStage<FileTree>();
  readonly exampleCall = new CachedStage<ExampleCall | undefined>();
  readonly record: SourceRecord;
  #isComplete = false;

  constructor(record: SourceRecord) {
    this.record = record;
  }

  /**
   * Whether a later run can reuse the results: the run had no errors, and no earlier interface had requested the same
   * documents.
   */
  get isComplete(): boolean {
    return this.#isComplete && this.record.isExclusive;
  }

  complete(): void {
    this.#isComplete = true;
  }
}

/** A stage that runs only once, and then remembers its result and the diagnostics that it reported. */
class CachedStage<T> {
  #finishedRun: { readonly result: T; readonly diagnostics: readonly Diagnostic[] } | undefined;

  /** Computes the result, or returns the earlier result and reports its diagnostics again. */
  run(diagnostics: Diagnostics, compute: () => T): T {
    if (this.#finishedRun !== undefined) {
      diagnostics.addAll(this.#finishedRun.diagnostics);
      return this.#finishedRun.result;
    }
    const earlierCount = diagnostics.all.length;
    const result = compute();
    this.#finishedRun = { result, diagnostics: diagnostics.all.slice(earlierCount) };
    return result;
  }
}
