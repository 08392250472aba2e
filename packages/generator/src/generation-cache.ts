import type { Config, FileTree, Interface, Service } from "./model/index.js";
import type { InterfacePlan } from "./plan/index.js";
import type { KnownPublished } from "./publish/inline.js";
import type { ServiceDocument } from "./publish/slots.js";
import { KnownWsdlParts } from "./read/wsdl/read-wsdl.js";
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
  parts = new KnownWsdlParts();
  published: KnownPublished = new WeakMap();
  readonly #interfaces = new Map<string, InterfaceSteps>();
  #settings = "";

  constructor(documents: KnownDocuments = new KnownDocuments()) {
    this.documents = documents;
  }

  /** Begins a run. Empties the cache if the settings differ from those of the last run. */
  begin(settings: Settings): void {
    const text = settingsText(settings);
    if (text !== this.#settings) {
      this.documents.clear();
      this.parts = new KnownWsdlParts();
      this.published = new WeakMap();
      this.#interfaces.clear();
      this.#settings = text;
    }
  }

  /** A cache for one run that repeats the steps of all interfaces. The results of the steps in this cache stay. */
  withoutSteps(): GenerationCache {
    const copy = new GenerationCache(this.documents);
    copy.parts = this.parts;
    copy.published = this.published;
    copy.#settings = this.#settings;
    return copy;
  }

  /** Returns the steps of an interface: those of an earlier run if all its documents are unchanged, otherwise new ones. */
  stepsOf(name: string, sources: Sources, diagnostics: Diagnostics): InterfaceSteps {
    const knownSteps = this.#interfaces.get(name);
    // If an earlier interface has an error, this one is read only in part, so complete results of an earlier run are not used.
    if (knownSteps?.isComplete === true && !diagnostics.hasErrors && sources.reuseRun(knownSteps.record)) {
      return knownSteps;
    }
    const steps = new InterfaceSteps(sources.startRecord());
    this.#interfaces.set(name, steps);
    return steps;
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

/** The steps of one interface, each with its result. */
export class InterfaceSteps {
  readonly lower = new Step<Interface | undefined>();
  readonly plan = new Step<InterfacePlan>();
  readonly publish = new Step<ReadonlyMap<Service, ServiceDocument>>();
  readonly emit = new Step<FileTree>();
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

/** A step that runs only once. It remembers its result and the diagnostics that it reported. */
class Step<T> {
  #finished: { readonly result: T; readonly diagnostics: readonly Diagnostic[] } | undefined;

  /** Runs the step, or returns its earlier result and reports its diagnostics again. */
  run(diagnostics: Diagnostics, step: () => T): T {
    if (this.#finished !== undefined) {
      diagnostics.addAll(this.#finished.diagnostics);
      return this.#finished.result;
    }
    const earlierCount = diagnostics.all.length;
    const result = step();
    this.#finished = { result, diagnostics: diagnostics.all.slice(earlierCount) };
    return result;
  }
}
