/** Where sources are and where output goes: the options that `generate`, `check` and `scaffold` share. */
export interface ProjectOptions {
  readonly config?: string;
  readonly root?: string;
  readonly wsdl?: readonly string[];
  readonly index?: string;
  readonly out?: string;
  readonly name?: string;
  readonly lenient?: boolean;
  readonly vendorRuntime?: boolean;
  /** `name=value`, as often as it was given. */
  readonly limit?: readonly string[];
}

export interface GenerateOptions extends ProjectOptions {
  readonly force?: boolean;
  readonly allowNonempty?: boolean;
  readonly dryRun?: boolean;
}

export interface ScaffoldOptions extends ProjectOptions {
  readonly dryRun?: boolean;
  readonly path?: string;
  readonly allowNonempty?: boolean;
}
