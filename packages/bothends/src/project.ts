import { dirname, join, relative, resolve, sep } from "node:path";
import {
  type Config,
  type ConfigDefaults,
  configFromFlags,
  Diagnostics,
  isInterfaceName,
  isLimit,
  readConfig,
  type SourceLimits,
  sourceLimits,
} from "@bothends/generator";
import { outputRoot, sourceReader } from "@bothends/generator/disk";
import { type Host, UsageError } from "./host.js";
import type { ProjectOptions } from "./options.js";
import { ownVersion } from "./packed-files.js";

/** The configuration of a run, and the folders of its sources and its output. */
export interface Project {
  /** Undefined if the configuration has errors, which are among the diagnostics. */
  readonly config: Config | undefined;
  readonly diagnostics: Diagnostics;
  /** The folder of the sources. */
  readonly inputRoot: string;
  /** The folder that the packages' paths are relative to. */
  readonly outputRoot: string;
}

/** Reads the project from a configuration file, or from options that replace one. */
export function readProject(options: ProjectOptions, host: Host): Project {
  const hasFlags = options.wsdl !== undefined || options.index !== undefined;
  if (!hasFlags) {
    if (options.out !== undefined || options.name !== undefined) {
      throw new UsageError("--out and --name need --wsdl or --index. A configuration names its own packages.");
    }
    if (options.lenient === true) {
      throw new UsageError('--lenient needs --wsdl. In a configuration, write "lenient": true at the interface.');
    }
    return fromFile(options, host);
  }
  if (options.config !== undefined) {
    throw new UsageError("Give either --config, or --wsdl and --index.");
  }
  return fromFlags(options, host);
}

/** The range of runtime versions in generated packages, unless the configuration has another. */
function defaults(): ConfigDefaults {
  return { runtime: `^${ownVersion()}` };
}

function fromFile(options: ProjectOptions, host: Host): Project {
  const path = resolve(host.workingFolder, options.config ?? "bothends.json");
  const root = options.root === undefined ? dirname(path) : resolve(host.workingFolder, options.root);
  const pathInRoot = slashed(relative(root, path));
  const file = sourceReader({ root })(pathInRoot);
  if (file.kind === "problem") {
    const hint = options.config === undefined ? " Use --config for another file; or --wsdl or --index, and --out." : "";
    throw new UsageError(`Cannot read ${path}: ${file.message}.${hint}`);
  }
  const diagnostics = new Diagnostics();
  const config = readConfig({ path: pathInRoot, text: decoded(file.bytes, path) }, diagnostics, defaults());
  return { config, diagnostics, inputRoot: root, outputRoot: outputRoot({ path: root, workingFolder: root }) };
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8.`);
  }
}

function fromFlags(options: ProjectOptions, host: Host): Project {
  if (options.out === undefined) {
    throw new UsageError("--wsdl and --index need --out, the folder for the generated packages.");
  }
  if (options.name !== undefined && !isInterfaceName(options.name)) {
    throw new UsageError(
      `--name "${options.name.slice(0, 100)}" is not a valid name. A name begins with a lower-case letter and has letters, digits and hyphens, at most 64.`,
    );
  }
  const absolute = (path: string) => resolve(host.workingFolder, path);
  const wsdl = (options.wsdl ?? []).map(absolute);
  const index = options.index === undefined ? undefined : absolute(options.index);
  const inputs = index === undefined ? wsdl : [...wsdl, index];
  const root = options.root === undefined ? commonFolder(inputs.map((path) => dirname(path))) : absolute(options.root);
  const below = (path: string) => slashed(relative(root, path));
  const readFile = sourceReader({ root });
  for (const path of inputs) {
    const file = readFile(below(path));
    // The generator reports all other problems with their positions.
    if (file.kind === "problem" && notReadable.has(file.problem)) {
      throw new UsageError(`Cannot read ${path}: ${file.message}.`);
    }
  }
  const diagnostics = new Diagnostics();
  const flags = {
    wsdl: wsdl.map(below),
    index: index === undefined ? undefined : below(index),
    name: options.name,
    lenient: options.lenient === true,
  };
  return {
    config: configFromFlags(flags, diagnostics, defaults()),
    diagnostics,
    inputRoot: root,
    outputRoot: outputRoot({ path: absolute(options.out), workingFolder: host.workingFolder }),
  };
}

const notReadable: ReadonlySet<string> = new Set(["missing", "irregular", "unreadable"]);

function commonFolder(folders: readonly string[]): string {
  const [first = sep, ...others] = folders;
  const steps = first.split(sep);
  const shared = steps.findIndex((step, index) => others.some((other) => other.split(sep)[index] !== step));
  return shared < 0 ? first : join(steps.slice(0, shared).join(sep), sep);
}

function slashed(path: string): string {
  return path.replaceAll(sep, "/");
}

/** Reads the limits of `--limit name=value`. */
export function readLimits(texts: readonly string[]): Partial<SourceLimits> {
  const limits: { -readonly [K in keyof SourceLimits]?: SourceLimits[K] } = {};
  for (const text of texts) {
    const [, name, value] = /^(\w+)=(\d{1,15})$/.exec(text) ?? [];
    if (name === undefined || !isLimit(name)) {
      const known = Object.keys(sourceLimits).join(", ");
      throw new UsageError(`--limit needs name=value: a whole number, and one of the names ${known}.`);
    }
    limits[name] = Number(value);
  }
  return limits;
}
