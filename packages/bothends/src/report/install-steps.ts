import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Generation } from "../generation.js";
import type { Host, Stream } from "../host.js";
import { quoteShellWord } from "../paths.js";

/** The package managers whose commands the next steps contain. */
type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

const lockFiles: readonly (readonly [file: string, manager: PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

/**
 * Returns the package manager of the project in the working folder: the one whose lock file is in the folder or nearest
 * above it, otherwise the one that started this program, otherwise npm.
 */
function findPackageManager({ workingFolder, environment }: Host): PackageManager {
  const files = lockFiles.map(([file]) => file);
  const nearestFile = findNearestFile(files, workingFolder);
  const manager = lockFiles.find(([file]) => file === nearestFile)?.[1];
  if (manager !== undefined) {
    return manager;
  }
  // For example `pnpm/10.1.0 npm/? node/v22.0.0 linux x64`.
  const [name] = (environment["npm_config_user_agent"] ?? "").split("/");
  return lockFiles.find(([, manager]) => manager === name)?.[1] ?? "npm";
}

/** Returns the first of the files that exists in a folder, otherwise in the nearest folder above it that has one. */
function findNearestFile(files: readonly string[], startFolder: string): string | undefined {
  for (let folder = startFolder; ; folder = dirname(folder)) {
    const file = files.find((name) => existsSync(join(folder, name)));
    if (file !== undefined || folder === dirname(folder)) {
      return file;
    }
  }
}

interface Commands {
  /** The name of the package manager in sentences. */
  readonly name: string;
  /** Installs a compiler, and the types of Node. */
  readonly addTools: string;
  /** Adds packages to the project. */
  readonly add: string;
  readonly tsc: string;
  /** Runs a TypeScript program. */
  readonly run: string;
}

const commandsByManager: Readonly<Record<PackageManager, Commands>> = {
  npm: { name: "npm", addTools: "npm install --save-dev", add: "npm install", tsc: "npx tsc", run: "npx tsx" },
  pnpm: { name: "pnpm", addTools: "pnpm add --save-dev", add: "pnpm add", tsc: "pnpm exec tsc", run: "pnpm dlx tsx" },
  yarn: { name: "Yarn", addTools: "yarn add --dev", add: "yarn add", tsc: "yarn tsc", run: "npx tsx" },
  bun: { name: "Bun", addTools: "bun add --dev", add: "bun add", tsc: "bunx tsc", run: "bun" },
};

type PackageKind = keyof Generation["plan"]["packages"];

/** Formats the commands that install and build a package. */
export function formatInstallSteps(product: string, kind: PackageKind, context: InstallContext): string {
  const { addTools, tsc } = commandsByManager[findPackageManager(context.host)];
  const { formatDisplayPath, plan } = context.generation;
  const installSteps = writeCodeSteps(`Install and build the ${product}:`, [
    `${addTools} typescript @types/node`,
    formatLinkCommand(kind, context),
    `${tsc} -b ${quoteShellWord(formatDisplayPath(plan.packages[kind].path))}`,
  ]);
  return `${formatLinkerSteps(context.host)}${installSteps}`;
}

/**
 * Formats the command that turns off Yarn's Plug'n'Play, which TypeScript 7 does not support; empty for projects
 * without Plug'n'Play.
 */
export function formatLinkerSteps(host: Host): string {
  return hasPlugAndPlay(host)
    ? writeCodeSteps("TypeScript does not support Yarn's Plug'n'Play. Install packages in node_modules instead:", [
        "yarn config set nodeLinker node-modules",
      ])
    : "";
}

function hasPlugAndPlay(host: Host): boolean {
  return findPackageManager(host) === "yarn" && findNearestFile([".pnp.cjs"], host.workingFolder) !== undefined;
}

/**
 * Wraps the streams of a host, so that commands such as `npx bothends check` are printed with `yarn` in a project with
 * Plug'n'Play, in which npx does not find the installed packages.
 */
export function withCommandsOfProject(host: Host): Host {
  const adapt = (text: string) =>
    text.includes("npx bothends") && hasPlugAndPlay(host) ? text.replaceAll("npx bothends", "yarn bothends") : text;
  const wrap = ({ isTTY, write }: Stream): Stream => ({ isTTY, write: (text) => write(adapt(text)) });
  return { ...host, out: wrap(host.out), err: wrap(host.err) };
}

/** A generation, and the project in which its packages are installed. */
export interface InstallContext {
  readonly generation: Pick<Generation, "plan" | "config" | "vendoredFolder" | "formatDisplayPath">;
  readonly host: Host;
}

/**
 * Formats the command that adds a generated package to the project. npm links the packages on which it depends too.
 * Other package managers do not, or copy the packages before they are built, so the command names all packages and the
 * protocol `link:`.
 */
export function formatLinkCommand(kind: PackageKind, { generation, host }: InstallContext): string {
  const manager = findPackageManager(host);
  const { add } = commandsByManager[manager];
  const { plan, config, vendoredFolder, formatDisplayPath } = generation;
  const { contract, [kind]: target } = plan.packages;
  const folder = (path: string) => formatFolderArgument(formatDisplayPath(path));
  if (manager === "npm") {
    return `${add} ${folder(target.path)}`;
  }
  const link = (name: string, path: string) => `${name}@link:${folder(path)}`;
  const links = [
    vendoredFolder === undefined ? `@bothends/runtime@${config.runtime}` : link("@bothends/runtime", vendoredFolder),
    ...new Set([contract, target].map(({ name, path }) => link(name, path))),
  ];
  return `${add} ${links.join(" ")}`;
}

/** Returns the name of the project's package manager as it is written in sentences. */
export function getManagerName(host: Host): string {
  return commandsByManager[findPackageManager(host)].name;
}

/** Returns the command that runs a TypeScript program. */
export function getRunCommand(host: Host): string {
  return commandsByManager[findPackageManager(host)].run;
}

/** Formats a folder as an argument of `npm install`. Without `./`, npm would interpret it as a package name. */
function formatFolderArgument(path: string): string {
  return quoteShellWord(/^\.{0,2}\//.test(path) ? path : `./${path}`);
}

/** Formats commands or code below a title. */
export function writeCodeSteps(title: string, lines: readonly string[]): string {
  return `\n${title}\n\n${lines.map((line) => (line === "" ? "\n" : `    ${line}\n`)).join("")}`;
}
