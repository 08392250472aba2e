import {
  type Config,
  type Contract,
  type Diagnostic,
  formatDiagnostics,
  type Generated,
  generate,
  packageFolders,
} from "@bothends/generator";
import { type FileTree, type Output, outputOn, sourceReader } from "@bothends/generator/disk";
import { type Host, hasColour } from "./host.js";
import type { ProjectOptions } from "./options.js";
import { readTemplates, type VendoredRuntime, vendorRuntime } from "./packed-files.js";
import { readLimits, readProject } from "./project.js";

/** The generated files of a project, and the output they are for. */
export interface Generation {
  readonly tree: FileTree;
  readonly contract: Contract;
  readonly plan: Plan;
  readonly config: Config;
  readonly output: Output;
  /** The folder of the vendored runtime, if there is one. */
  readonly vendored: string | undefined;
}

type Plan = NonNullable<Generated["plan"]>;

/** Reads a project and generates from it in memory, and prints the diagnostics. Undefined if the input is refused. */
export function generateProject(options: ProjectOptions, host: Host): Generation | undefined {
  const project = readProject(options, host);
  if (project.config === undefined) {
    report(project.diagnostics.all, host);
    return undefined;
  }
  const vendored = options.vendorRuntime === true ? vendorRuntime(project.config) : undefined;
  const config = vendored?.config ?? project.config;
  const limits = { ...config.limits, ...readLimits(options.limit ?? []) };
  const readFile = sourceReader({ root: project.inputRoot, fileBytes: limits.fileBytes });
  const { tree, contract, plan, diagnostics } = generate({ readFile, templates: readTemplates(), config, limits });
  report(diagnostics, host);
  if (plan === undefined || diagnostics.some(({ severity }) => severity === "error")) {
    return undefined;
  }
  const packages = packageFolders(config.packages);
  return {
    tree: withRuntime(tree, vendored),
    contract,
    plan,
    config,
    output: outputOn(project.outputRoot, withFolder(packages, vendored)),
    vendored: vendored?.path,
  };
}

function withRuntime(tree: FileTree, vendored: VendoredRuntime | undefined): FileTree {
  return vendored === undefined ? tree : new Map([...tree, ...vendored.files]);
}

function withFolder(packages: readonly string[], vendored: VendoredRuntime | undefined): readonly string[] {
  return vendored === undefined ? packages : [...packages, vendored.path];
}

function report(diagnostics: readonly Diagnostic[], host: Host): void {
  if (diagnostics.length > 0) {
    host.err.write(formatDiagnostics(diagnostics, { colour: hasColour(host, host.err) }));
  }
}
