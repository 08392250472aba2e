import { realpathSync } from "node:fs";
import { posix, relative } from "node:path";
import type { Config } from "@bothends/generator";
import { findNearestName } from "@bothends/generator/diagnostics";
import { createOutput, findOutputRoot, type Output, readExisting } from "@bothends/generator/disk";
import type { Generation } from "../generation.js";
import { CommandError, type Host, UsageError } from "../host.js";
import { formatPath, quoteShellWord, withSlashes } from "../paths.js";
import { formatGenerateCommand, listProjectParameters, type ScaffoldOptions, toPortableName } from "../project.js";

// Finds the folder of a server that `scaffold` writes.

/** The file in a server's folder with the contract that its handlers were last merged with. */
export const recordFile = ".bothends-scaffold.json";

interface Server {
  /** The folder of the server, relative to the root of the output. */
  readonly path: string;
  /** The npm name of the server's package. */
  readonly name: string;
}

export type Location = ReturnType<typeof findLocation>;

/**
 * Finds the folder of a server, or the folders in which an existing server may be. Paths are relative to the folder of
 * the user's code.
 */
export function findLocation(name: string, generation: Generation, options: ScaffoldOptions, host: Host) {
  const { config, plan, output: generated } = generation;
  if (plan.packages.server.isOmitted === true) {
    throw new CommandError("A server needs the generated server package, but the project does not generate one.", {
      help: 'Add "server" to "packages" in bothends.json; with --wsdl or --index, leave out --client and --types.',
    });
  }
  const inputs = withInterfaces(plan, options);
  // Without a configuration, the packages have a separate folder, so the server's path is relative to the working
  // folder.
  const hasConfig = options.wsdl === undefined && options.index === undefined;
  const outputFolder = hasConfig
    ? generated.root
    : findOutputRoot({ path: host.workingFolder, workingFolder: host.workingFolder });
  const prefix = withSlashes(relative(outputFolder, generated.root));
  const movedInputs = { config, plan: withPaths(inputs, prefix) };
  const displayRoot = formatPath(realpathSync(host.workingFolder), outputFolder);
  const formatDisplayPath = (path: string) => posix.join(displayRoot, path);
  const server = findServer(name, movedInputs, options.path);
  // Earlier versions of this command wrote servers beside the generated packages, so the server may already exist
  // there.
  const oldPath = posix.join(posix.dirname(movedInputs.plan.packages.server.path), posix.basename(server.path));
  const paths: readonly [string, ...string[]] = options.path === undefined ? [server.path, oldPath] : [server.path];
  const output: Output = {
    ...createOutput(
      outputFolder,
      [...generated.packages.map((folder) => posix.join(prefix, folder)), ...paths],
      displayRoot,
    ),
    otherFolders: (generated.otherFolders ?? []).map((folder) => posix.join(prefix, folder)),
    command: createCommands(name, options).scaffold,
  };
  /** Converts a path in the output of the packages to one relative to the folder of the user's code. */
  const formatProjectPath = (path: string) => posix.join(prefix, path);
  return { inputs: movedInputs, server, paths, output, generated, formatDisplayPath, formatProjectPath };
}

export type Target = ReturnType<typeof findTarget>;

/** Finds the target folder, the files in it, and the inputs of a server. */
export function findTarget(location: Location) {
  const { server, paths, output } = location;
  const readCandidate = (path: string) => ({ path, existing: readExisting(output, path) });
  const candidate =
    paths.map(readCandidate).find(({ existing }) => existing.has(recordFile)) ?? readCandidate(paths[0]);
  return { ...location, server: { ...server, path: candidate.path }, existing: candidate.existing };
}

type Plan = Generation["plan"];

/** Returns the plan with only the selected interfaces. */
function withInterfaces(plan: Plan, { interface: names }: ScaffoldOptions): Plan {
  if (names === undefined) {
    return plan;
  }
  const interfaceNames = plan.interfaces.map(({ interface: source }) => source.name);
  const unknownName = names.find((name) => !interfaceNames.includes(name));
  if (unknownName !== undefined) {
    const suggestion = findNearestName(unknownName, interfaceNames);
    throw new UsageError(`There is no interface "${unknownName.slice(0, 100)}".`, {
      help: `The interfaces are ${interfaceNames.join(", ")}.`,
      suggestion: suggestion === undefined ? undefined : `--interface ${suggestion}`,
    });
  }
  return { ...plan, interfaces: plan.interfaces.filter(({ interface: source }) => names.includes(source.name)) };
}

/** Returns the plan with its package folders moved into another folder. */
function withPaths(plan: Plan, prefix: string): Plan {
  const withPrefix = (packagePlan: Plan["packages"]["server"]) => ({
    ...packagePlan,
    path: posix.join(prefix, packagePlan.path),
  });
  const { contract, client, server } = plan.packages;
  return {
    ...plan,
    packages: { contract: withPrefix(contract), client: withPrefix(client), server: withPrefix(server) },
  };
}

/**
 * Returns the folder and the package name of the server. In a workspace, the folder is beside the generated server
 * package; otherwise it is in the output folder. By default, the package name has the same npm scope as the generated
 * package.
 */
function findServer(
  name: string,
  { config, plan }: { readonly config: Config; readonly plan: Plan },
  path: string | undefined,
): Server {
  const [, scope, word] = /^(?:(@[a-z0-9][a-z0-9._-]*)\/)?([a-z0-9][a-z0-9._-]*)$/.exec(name) ?? [];
  if (word === undefined || name.length > 200) {
    throw new UsageError(`"${name.slice(0, 200)}" is not a valid package name.`, {
      help: "Use lower-case letters, digits, hyphens, dots and underscores.",
      suggestion: toPortableName(name) === "" ? undefined : `bothends scaffold server ${toPortableName(name)}`,
    });
  }
  const generatedPackage = plan.packages.server;
  const inheritedScope = generatedPackage.name.startsWith("@")
    ? generatedPackage.name.slice(0, generatedPackage.name.indexOf("/"))
    : undefined;
  const parent = config.runtime.startsWith("workspace:") ? posix.dirname(generatedPackage.path) : "";
  const folder = posix.normalize(path ?? posix.join(parent, word));
  const packages = Object.values(plan.packages);
  if (
    packages.some(
      (packagePlan) =>
        `${folder}/`.startsWith(`${packagePlan.path}/`) || `${packagePlan.path}/`.startsWith(`${folder}/`),
    )
  ) {
    throw new UsageError(`${folder} is the folder of a generated package, or contains one.`, {
      help: "Choose another name, or another folder with --path.",
    });
  }
  if (folder.startsWith("../") || folder.startsWith("/") || folder === "..") {
    throw new UsageError("--path must be relative to the project, and inside it.", { suggestion: `--path ${word}` });
  }
  const fullScope = scope ?? inheritedScope;
  return { path: folder, name: fullScope === undefined ? word : `${fullScope}/${word}` };
}

/** Returns the command lines that the user must repeat when a schema changes. */
export function createCommands(name: string, options: ScaffoldOptions) {
  const { path, interface: interfaces = [] } = options;
  const shellWords = [
    ...listProjectParameters(options),
    ...(path === undefined ? [] : ["--path", quoteShellWord(path)]),
    ...(interfaces.length === 0 ? [] : ["--interface", ...interfaces.map(quoteShellWord)]),
  ];
  return {
    generate: `npx ${formatGenerateCommand(options)}`,
    scaffold: ["npx bothends scaffold server", name, ...shellWords].join(" "),
  };
}
