import { posix } from "node:path";
import type { Config, FileTree } from "../model/index.js";
import { getEntry, type Plan } from "../plan/index.js";
import { fill, getRelativePath, type Templates } from "../render/render.js";
import { formatJson } from "../text.js";
import { listRequestedMoves } from "./edit/move-handlers.js";
import type { HandlerChanges } from "./handler-changes.js";
import { createHandlers, getHandlersConstantName } from "./handler-files.js";
import { createHandlerTrees, type HandlerTree } from "./handler-tree.js";
import { mergeHandlers } from "./merge-handlers.js";
import {
  hasOpenOperations,
  noOpenChanges,
  type RecordedChanges,
  readRecord,
  recordFile,
  selectOpenChanges,
  selectUnreadChanges,
  withOpenChanges,
  writeRecord,
} from "./merge-record.js";
import type { MergeReport } from "./merge-report.js";

export type { HandlerChanges, RemovedName, ServiceType } from "./handler-changes.js";
export type { AbsentHandlers, ChangedHandler, MergeReport, RemovedHandler, UnmovedHandler } from "./merge-report.js";

/** The inputs for scaffolding a server. */
export interface ScaffoldInputs {
  readonly plan: Plan;
  readonly config: Config;
  readonly templates: Templates;
  /** The folder of the server, relative to the root, such as `packages/my-server`. */
  readonly path: string;
  /** The npm name of the server. */
  readonly name: string;
  /** The files in the server's folder, keyed by their paths in that folder; empty for a new server. */
  readonly existingFiles: FileTree;
  /** The contract as text, for the record in the server's folder. */
  readonly contract: string;
  /**
   * Returns the changes since a recorded contract, including those of the operations that the user requests to move.
   * Undefined if the recorded contract cannot be read.
   */
  readonly findChangesSince: (contract: string, requestedMoves: HandlerChanges["moves"]) => HandlerChanges | undefined;
  /** The platform of a new server. Default: `node`. */
  readonly adapter?: ServerAdapter;
  /**
   * The command lines for the server's README, with the options of this project: they generate the packages, merge
   * handlers, and link the server's packages in the project folder.
   */
  readonly commands: { readonly generate: string; readonly scaffold: string; readonly link: string };
  /** The name of the project's package manager: `npm`, `pnpm`, `Yarn`. */
  readonly packageManager: string;
  /** The new path of each renamed handler, keyed by its old path. */
  readonly renames?: ReadonlyMap<string, string>;
  /** Converts the path of a file in the server to the path that notes show; absent if both paths are the same. */
  readonly formatDisplayPath?: ((path: string) => string) | undefined;
}

/** The supported platforms of scaffolded servers. */
export const serverAdapters = ["node", "fetch", "express", "fastify", "hono"] as const;
export type ServerAdapter = (typeof serverAdapters)[number];

/** The files to write for a server, and a report for the user. */
export interface Scaffolded {
  /** The contents of new and changed files, keyed by their paths in the server's folder. */
  readonly files: FileTree;
  /** The paths of files whose content has moved to another file. */
  readonly movedPaths: readonly string[];
  /** The old path of each moved file, keyed by its new path. */
  readonly movedFrom: ReadonlyMap<string, string>;
  /** The results of the merge into an existing server; undefined for a new server. */
  readonly report: MergeReport | undefined;
  /** The syntax errors that prevented a merge into an existing server: `src/main.ts:12: '}' expected.` */
  readonly problems: readonly string[];
}

/**
 * Creates a new server, or adds missing handlers to an existing server. The code of existing handlers does not change.
 * If the folder contains only some files of the new server, an earlier run was interrupted: the new server is complete.
 */
export function scaffoldServer(inputs: ScaffoldInputs): Scaffolded {
  const { existingFiles } = inputs;
  const interfaces = createHandlerTrees(inputs.plan);
  if (existingFiles.has(recordFile)) {
    return mergeServer(inputs, interfaces);
  }
  const newServer = createServer(inputs, interfaces);
  const isPartOfServer = [...existingFiles].every(([path, text]) => newServer.files.get(path) === text);
  return isPartOfServer ? newServer : mergeServer(inputs, interfaces);
}

function createServer(inputs: ScaffoldInputs, interfaces: readonly HandlerTree[]): Scaffolded {
  const serverPackage = getEntry(inputs.plan.packages.server);
  const handlers = interfaces.flatMap((tree) => [...createHandlers(tree, serverPackage)]);
  return {
    files: new Map([
      ...createProjectFiles(inputs, interfaces),
      ...handlers,
      [recordFile, writeRecord(inputs.contract)],
    ]),
    movedPaths: [],
    movedFrom: new Map(),
    report: undefined,
    problems: [],
  };
}

function mergeServer(inputs: ScaffoldInputs, interfaces: readonly HandlerTree[]): Scaffolded {
  const recordedText = inputs.existingFiles.get(recordFile);
  const oldRecord = readRecord(recordedText);
  const requestedMoves = interfaces.flatMap((tree) => listRequestedMoves(tree, inputs.renames));
  const findRecordedChanges = (contract: string): readonly RecordedChanges[] => {
    const changes = inputs.findChangesSince(contract, requestedMoves);
    return changes === undefined ? [] : [{ contract, changes }];
  };
  const [newChanges] = oldRecord === undefined ? [] : findRecordedChanges(oldRecord.contract);
  const earlierChanges = oldRecord?.open.contracts.flatMap(findRecordedChanges) ?? [];
  const changes =
    newChanges &&
    withOpenChanges(newChanges.changes, oldRecord?.open, {
      earlierChanges: earlierChanges.map((earlier) => earlier.changes),
      requestedMoves,
    });
  const { files, movedPaths, movedFrom, report, isOpen, unread, isIncomplete, problems } = mergeHandlers(
    inputs.existingFiles,
    interfaces,
    {
      changes,
      serverPackage: getEntry(inputs.plan.packages.server),
      operationPackages: [inputs.plan.packages.client, inputs.plan.packages.contract].map(getEntry),
      renames: inputs.renames ?? new Map(),
      formatDisplayPath: inputs.formatDisplayPath,
    },
  );
  if (problems.length > 0) {
    return { files, movedPaths, movedFrom, report, problems };
  }
  const newRecord = writeRecord(
    inputs.contract,
    isOpen && newChanges && changes
      ? selectOpenChanges(changes, report.unmoved, [...earlierChanges, newChanges])
      : isOpen && newChanges === undefined
        ? { ...noOpenChanges, isIncomplete: true }
        : selectUnreadChanges(unread, changes),
  );
  const record = isIncomplete ? (recordedText ?? newRecord) : newRecord;
  const notes = [
    ...(recordedText !== undefined && changes === undefined ? [unknownChangesNote] : []),
    ...(changes?.isIncomplete === true ? [incompleteChangesNote] : []),
    ...report.notes,
  ];
  return {
    files: record === recordedText ? files : new Map([...files, [recordFile, record]]),
    movedPaths,
    movedFrom,
    report: {
      ...report,
      notes,
      ...(!isIncomplete && (isOpen || hasOpenOperations(unread) || changesNames(newChanges?.changes))
        ? { affectsCode: true }
        : {}),
      ...(changes?.possibleMoves === undefined ? {} : { possibleMoves: changes.possibleMoves }),
    },
    problems,
  };
}

/**
 * Whether the generated packages have other names than before, so that code which names operations and types may not
 * compile any more. True if the changes are unknown.
 */
function changesNames(changes: HandlerChanges | undefined): boolean {
  const { added = [], removed = [], moves = [], removedNames = [], removedTypes = [] } = changes ?? {};
  const { removedInterfaces = [], renamedCode = [] } = changes ?? {};
  return (
    changes === undefined ||
    [added, removed, moves, removedNames, removedTypes, removedInterfaces, renamedCode].some(({ length }) => length > 0)
  );
}

const unknownChangesNote = `The changes since the last run of scaffold are unknown, because the file ${recordFile} was damaged or had been written by another version. The file is now up to date. Check the handlers of operations that may have changed.`;

const incompleteChangesNote = `An older version of bothends wrote the file ${recordFile}. So it is unknown what changed in operations that were renamed before the last run of scaffold, and which of their types no longer exist. Compile the server to find such types. To see the changes, run \`bothends diff\` with a revision from before that run.`;

const runtimePackage = "@bothends/runtime";

/** The packages that an adapter needs, and the command that starts the server. */
interface AdapterProject {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly developmentDependencies: Readonly<Record<string, string>>;
  readonly start: string;
}

const nodeProject = { dependencies: {}, developmentDependencies: {}, start: "node dist/main.js" };
const adapters: Readonly<Record<ServerAdapter, AdapterProject>> = {
  node: nodeProject,
  // Platforms that call `fetch` run `src/main.ts`; Node and the container image run `src/node.ts`.
  fetch: { ...nodeProject, start: "node dist/node.js" },
  express: {
    ...nodeProject,
    dependencies: { express: "^5.3.0" },
    developmentDependencies: { "@types/express": "^5.0.0" },
  },
  fastify: { ...nodeProject, dependencies: { fastify: "^5.12.0" } },
  hono: { ...nodeProject, dependencies: { "@hono/node-server": "^2.1.0", hono: "^4.13.0" } },
};

function createProjectFiles(inputs: ScaffoldInputs, interfaces: readonly HandlerTree[]): FileTree {
  const { name, path, plan, config, templates, commands, adapter = "node" } = inputs;
  const { dependencies, developmentDependencies, start } = adapters[adapter];
  const isWorkspace = config.runtime.startsWith("workspace:");
  const folder = path.slice(path.lastIndexOf("/") + 1);
  const nodeTypes = isWorkspace ? "catalog:" : "^20.19.0";
  const generatedFolders = [...new Set([plan.packages.contract.path, plan.packages.server.path])];
  const sourceFolders = [...[path, ...generatedFolders].map((each) => `${each}/src`), `${path}/dist/test`];
  const imageFolders = [...generatedFolders, findRuntimeFolder(inputs) ?? [], path].flat();
  const slots = {
    name: formatJson(name),
    title: name,
    generateCommand: commands.generate,
    scaffoldCommand: commands.scaffold,
    linkCommand: commands.link,
    // npm refuses a project whose dependencies have the protocol `link:`, which the other package managers need.
    otherManager: inputs.packageManager === "npm" ? undefined : inputs.packageManager,
    folder,
    path,
    runtime: runtimePackage,
    server: getEntry(plan.packages.server),
    serverName: formatJson(plan.packages.server.name),
    serverFolder: plan.packages.server.path,
    // With the reference to the contract, `tsc -b` checks the handlers again even if only the contract changed.
    references: generatedFolders.map((folder) => ({ path: formatJson(getRelativePath(path, folder)) })),
    // The image contains neither the sources of the server and of the packages, nor the compiled tests.
    sourceFolders: sourceFolders.map((path) => ({ path })),
    imageFolders: imageFolders.map((path) => ({ path })),
    serverVersion: formatJson(
      isWorkspace ? config.runtime : `file:${getRelativePath(path, plan.packages.server.path)}`,
    ),
    packageManager: isWorkspace ? "pnpm" : "npm",
    workspace: isWorkspace ? "yes" : undefined,
    start,
    startFile: start.slice("node ".length),
    sourceFile: adapter === "fetch" ? "node.ts" : "main.ts",
    fetchPlatforms: adapter === "fetch" ? "yes" : undefined,
    typescriptVersion: formatJson(isWorkspace ? "catalog:" : "^7.0.2"),
    dependencies: formatRanges({ ...dependencies, [runtimePackage]: getRuntimeRange(inputs) }),
    developmentDependencies: formatRanges({ "@types/node": nodeTypes, ...developmentDependencies }),
    paths: plan.interfaces.flatMap(listPaths).map((path) => ({ path: formatJson(path) })),
    interfaceNames: interfaces.map((tree) => tree.module).join(" and "),
    interfaces: interfaces.map((tree) => ({
      module: tree.module,
      routes: tree.routes,
      handlers: getHandlersConstantName(tree),
      unit: tree.kind === "soap" ? "operation" : "group of routes",
      place: isInFolders(tree) ? "in the folders beside it" : "beside it",
    })),
  };
  const fillTemplate = (file: string) => fill(`server/${file}.hbs`, slots, templates);
  return new Map([
    ["package.json", fillTemplate("package.json")],
    ["tsconfig.json", fillTemplate("tsconfig.json")],
    ["README.md", fillTemplate("README.md")],
    ["Dockerfile", fillTemplate("Dockerfile")],
    ["Dockerfile.dockerignore", ignoredInImage.map((pattern) => `${pattern}\n`).join("")],
    [".gitignore", "node_modules/\ndist/\n"],
    ["src/main.ts", fillTemplate(`main.${adapter}.ts`)],
    ...(adapter === "fetch" ? [["src/node.ts", fillTemplate("main.node.ts")] as const] : []),
    ["src/routes.ts", fillTemplate("routes.ts")],
    ["src/test/server.test.ts", fillTemplate("server.test.ts")],
  ]);
}

/** Whether each service or group of routes has a folder for its handlers. */
function isInFolders(tree: HandlerTree): boolean {
  return [...createHandlers(tree, "").keys()].some((path) => posix.dirname(path) !== tree.folder);
}

/** The files that the image of a server does not contain: products of builds, and files that may contain secrets. */
const ignoredInImage = [
  "**/node_modules",
  "**/*.tsbuildinfo",
  "**/.git",
  "**/.env",
  "**/.env.*",
  "**/*.key",
  "**/*.pem",
  "**/*.p12",
  "**/*.pfx",
  "**/.ssh",
  "**/.aws",
];

function formatRanges(dependencies: Readonly<Record<string, string>>) {
  return Object.entries(dependencies).map(([name, range]) => ({ name: formatJson(name), range: formatJson(range) }));
}

/** Returns the version range of the runtime. The path of a vendored runtime becomes relative to the server. */
function getRuntimeRange(inputs: ScaffoldInputs): string {
  const folder = findRuntimeFolder(inputs);
  return folder === undefined ? inputs.config.runtime : `file:${getRelativePath(inputs.path, folder)}`;
}

/** Returns the folder of a vendored runtime, relative to the project. */
function findRuntimeFolder({ config: { runtime }, plan }: ScaffoldInputs): string | undefined {
  return runtime.startsWith("file:") ? posix.join(plan.packages.server.path, runtime.slice("file:".length)) : undefined;
}

/**
 * Returns the paths of the WSDLs or the index that a server answers without handlers. An interface may have no route
 * for its index.
 */
function listPaths(interfacePlan: Plan["interfaces"][number]): string[] {
  if (interfacePlan.kind === "soap") {
    return interfacePlan.services.flatMap(({ service }) => {
      const address = service.ports.find((port) => port.address !== undefined)?.address;
      return address === undefined ? [] : [`${getPath(address)}?wsdl`];
    });
  }
  const { path, values } = interfacePlan.interface.base;
  const filledPath = values.reduce(
    (text, { variable, values: [first] }) => text.replace(`{${variable}}`, first ?? ""),
    path,
  );
  const routes = interfacePlan.groups
    .flatMap(({ endpoints }) => endpoints.map(({ endpoint }) => endpoint))
    .filter(({ operation, route, namespace }) => operation.at(-1) === "index" && route === `/${namespace}`)
    .map(({ route }) => route);
  const route = routes.includes("/") ? "/" : routes[0];
  return route === undefined ? [] : [`${filledPath.replace(/\/$/, "")}${route}`];
}

function getPath(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : address;
}
