import type { Config, FileTree, Interface, Service } from "./model/index.js";
import type { InterfacePlan } from "./plan/index.js";
import type { KnownPublished } from "./publish/inline.js";
import type { ServiceDocument } from "./publish/slots.js";
import { WsdlReadCache } from "./read/wsdl/read-wsdl.js";
import type { Diagnostic, Diagnostics } from "./source/diagnostics.js";
import type { SourceLimits } from "./source/source-limits.js";
import { KnownDocuments, type SourceRecord, type Sources } from "./source/sources.js";

/**
 * Caches the results of runs in one process, for programs that generate again after each edit. Each run reads the bytes of all sources
 * again, but parses only the changed part of a document, and converts only the declarations and definitions in that part. The later
 * stages of an interface are repeated only if one of its documents has changed. The output is the same as without a cache.
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
    const text = settingsText(settings);
    if (text !== this.#settings) {
      this.documents.clear();
      this.wsdlCache = new WsdlReadCache();
      this.published = new WeakMap();
      this.#interfaces.clear();
      this.#settings = text;
    }
  }

  /** Returns a cache for one run that repeats all stages of all interfaces. Their results in the present cache do not change. */
  withoutStages(): GenerationCache {
    const copy = new GenerationCache(this.documents);
    copy.wsdlCache = this.wsdlCache;
    copy.published = this.published;
    copy.#settings = this.#settings;
    return copy;
  }

  /** Returns the stages of an interface: with the results of an earlier run if all its documents are unchanged, otherwise without results. */
  stagesOf(name: string, sources: Sources, diagnostics: Diagnostics): InterfaceStages {
    const knownStages = this.#interfaces.get(name);
    // After an error in an earlier interface, this one is read but not lowered, so the complete results of an earlier run would be wrong.
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

/** Writes the settings as a text, so that two runs can be compared. Spans are written without their source, which is added once. */
function settingsText({ config, limits, rootFolder }: Settings): string {
  const withoutSource = (key: string, value: unknown): unknown =>
    key === "source" ? undefined : value instanceof Map ? [...value] : value;
  return JSON.stringify([config, config.span.source, limits, rootFolder], withoutSource) + config.span.source.text;
}

/** The stages of one interface that depend on its documents, each with its result. */
export class InterfaceStages {
  readonly lower = new CachedStage<Interface | undefined>();
  readonly plan = new CachedStage<InterfacePlan>();
  readonly publish = new CachedStage<ReadonlyMap<Service, ServiceDocument>>();
  readonly emit = new CachedStage<FileTree>();
  readonly record: SourceRecord;
  #isComplete = false;

  constructor(record: SourceRecord) {
    this.record = record;
  }

  /** Whether a later run can reuse the results: the run had no errors, and no earlier interface had requested the same documents. */
  get isComplete(): boolean {
    return this.#isComplete && this.record.isExclusive;
  }

  complete(): void {
    this.#isComplete = true;
  }
}

/** A stage that runs only once, and then remembers its result and the diagnostics that it reported. */
class CachedStage<T> {
  #finished: { readonly result: T; readonly diagnostics: readonly Diagnostic[] } | undefined;

  /** Computes the result, or returns the earlier result and reports its diagnostics again. */
  run(diagnostics: Diagnostics, compute: () => T): T {
    if (this.#finished !== undefined) {
      diagnostics.addAll(this.#finished.diagnostics);
      return this.#finished.result;
    }
    const earlierCount = diagnostics.all.length;
    const result = compute();
    this.#finished = { result, diagnostics: diagnostics.all.slice(earlierCount) };
    return result;
  }
}
