import type { Config, FileTree, Interface, Service } from "./model/index.js";
import type { InterfacePlan } from "./plan/index.js";
import type { ServiceDocument } from "./publish/index.js";
import type { Diagnostic, Diagnostics } from "./source/diagnostics.js";
import type { SourceLimits } from "./source/source-limits.js";
import { KnownDocuments, type SourceRecord, type Sources } from "./source/sources.js";

/** The settings of a run. What runs with other settings made is not used. */
interface Settings {
  readonly config: Config;
  readonly limits: SourceLimits;
  readonly rootFolder: string | undefined;
}

/**
 * What the runs of one process have made, for programs that generate again after each edit. A run reads all sources again, but
 * parses only documents whose bytes differ, and repeats the steps of an interface only if one of its documents differs. The
 * result is the same as that of a run without a cache.
 */
export class GenerationCache {
  readonly documents = new KnownDocuments();
  readonly #interfaces = new Map<string, InterfaceSteps>();
  #settings = "";

  /** Begins a run. */
  begin(settings: Settings): void {
    const text = settingsText(settings);
    if (text !== this.#settings) {
      this.documents.clear();
      this.#interfaces.clear();
      this.#settings = text;
    }
  }

  /** Returns the steps of an interface: those of an earlier run if all its documents are the same, else new ones. */
  stepsOf(name: string, sources: Sources, diagnostics: Diagnostics): InterfaceSteps {
    const known = this.#interfaces.get(name);
    // After an error, later interfaces are read only in part.
    if (known?.isComplete === true && !diagnostics.hasErrors && sources.adopt(known.record)) {
      return known;
    }
    const steps = new InterfaceSteps(sources.startRecord());
    this.#interfaces.set(name, steps);
    return steps;
  }
}

/** The configuration as text: equal texts give equal results. Spans refer to the configuration's own text. */
function settingsText({ config, limits, rootFolder }: Settings): string {
  const withoutSource = (key: string, value: unknown): unknown =>
    key === "source" ? undefined : value instanceof Map ? [...value] : value;
  return JSON.stringify([config, config.span.source, limits, rootFolder], withoutSource) + config.span.source.text;
}

/** The result of a step, with the diagnostics that it reported. */
class Step<T> {
  #known: { readonly result: T; readonly diagnostics: readonly Diagnostic[] } | undefined;

  /** Runs the step, or returns its earlier result and reports its diagnostics again. */
  run(diagnostics: Diagnostics, step: () => T): T {
    if (this.#known !== undefined) {
      diagnostics.repeat(this.#known.diagnostics);
      return this.#known.result;
    }
    const before = diagnostics.all.length;
    const result = step();
    this.#known = { result, diagnostics: diagnostics.all.slice(before) };
    return result;
  }
}

/** The steps of one interface, with their results. */
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

  /** Whether a later run can use the results: the interface has no error, and its documents belong to no other. */
  get isComplete(): boolean {
    return this.#isComplete && this.record.isExclusive;
  }

  complete(): void {
    this.#isComplete = true;
  }
}
