import type { ReportFormat, ReportOptions } from "./report/outcome.js";

/** The options for sources and output that all commands have. */
export interface ProjectOptions extends ReportOptions {
  readonly config?: string;
  readonly root?: string;
  readonly wsdl?: readonly string[];
  readonly index?: string;
  readonly out?: string;
  readonly name?: string;
  readonly lenient?: boolean;
  readonly client?: boolean;
  readonly server?: boolean;
  readonly types?: boolean;
  readonly vendorRuntime?: boolean;
  /** The folder for the vendored runtime; implies `vendorRuntime`. */
  readonly vendorRuntimeIn?: string;
  /** `name=value` for each `--limit`. */
  readonly limit?: readonly string[];
  /** The text of the `bothends.json` that `init` will write; no option of the command line. */
  readonly newConfig?: string;
}

/** The options of `bothends generate`. */
export interface GenerateOptions extends ProjectOptions {
  readonly force?: boolean;
  readonly allowNonempty?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
}

/** The options of `bothends scaffold server`. */
export interface ScaffoldOptions extends ProjectOptions {
  readonly dryRun?: boolean;
  readonly path?: string;
  readonly allowNonempty?: boolean;
  readonly adapter?: string;
  /** The names of the interfaces; default all. */
  readonly interface?: readonly string[];
  /** `old=new` for each `--rename`. */
  readonly rename?: readonly string[];
}

/** The options of `bothends fetch`. */
export interface FetchOptions extends ReportOptions {
  readonly into?: string;
  readonly allowHost?: readonly string[];
  readonly user?: string;
  /** `Name: value` for each `--header`. */
  readonly header?: readonly string[];
  /** Seconds for one document. */
  readonly timeout?: string;
  readonly limit?: readonly string[];
  readonly yes?: boolean;
}

/** The options of `bothends init`. */
export interface InitOptions extends FetchOptions {
  readonly wsdl?: readonly string[];
  readonly index?: string;
  readonly name?: string;
  readonly out?: string;
  readonly lenient?: boolean;
  readonly client?: boolean;
  readonly server?: boolean;
  readonly types?: boolean;
  /** Default true. */
  readonly vendorRuntime?: boolean;
  readonly vendorRuntimeIn?: string;
}

/** The options of `bothends diff`. */
export interface DiffOptions extends Omit<ProjectOptions, "format"> {
  readonly format?: ReportFormat | "markdown";
  /** A revision of git, a folder, or a file. */
  readonly base?: string;
  /** Levels, and files with lists. */
  readonly allow?: readonly string[];
}
