import type { Config, FileTree } from "../model/index.js";
import { getEntry, type Plan } from "../plan/index.js";
import { fill, getRelativePath, type Templates } from "../render/render.js";
import { formatJson } from "../text.js";
import { listRequestedMoves } from "./edit/move-handlers.js";
import type { HandlerChanges, OperationOf, ServiceType } from "./handler-changes.js";
import { createHandlers, getHandlersConstantName } from "./handler-files.js";
import { createHandlerTrees, type HandlerTree } from "./handler-tree.js";
import { mergeHandlers } from "./merge-handlers.js";
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
  const { files, movedPaths, movedFrom, report, isOpen, isIncomplete, problems } = mergeHandlers(
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
        : undefined,
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
      ...(changes?.possibleMoves === undefined ? {} : { possibleMoves: changes.possibleMoves }),
    },
    problems,
  };
}

/** The file in a server's folder that records the contract with which its handlers were last merged. */
const recordFile = ".bothends-scaffold.json";

const recordFormat = 3;

/** The format of older versions, which recorded only some of the open changes, or none. */
const incompleteFormat = 2;

/** The changes of earlier merges that may concern handlers that the user has not moved or removed yet. */
interface OpenChanges {
  readonly moves: HandlerChanges["moves"];
  readonly added: readonly OperationOf[];
  readonly removed: readonly OperationOf[];
  readonly removedTypes: readonly ServiceType[];
  /**
   * The contracts before the merges that found operations or types missing, in the order of these merges. A later merge
   * compares the old version of a moved handler's operation with the new one.
   */
  readonly contracts: readonly string[];
  /** True if other open changes are unknown, because an older version did not record them. */
  readonly isIncomplete?: true;
}

/** A recorded contract, and the changes since then. */
interface RecordedChanges {
  readonly contract: string;
  readonly changes: HandlerChanges;
}

/** Writes the record. `contract` is the text of a contract in the caller's format. */
function writeRecord(contract: string, open?: OpenChanges): string {
  return `${JSON.stringify({ format: recordFormat, contract, open }, null, 2)}\n`;
}

/** Reads the record. Returns undefined if the record is missing, is damaged, or has an unknown format. */
function readRecord(text: string | undefined): { readonly contract: string; readonly open: OpenChanges } | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    const [contract, format] = [readText(value, "contract"), readMember(value, "format")];
    if (contract === undefined || (format !== recordFormat && format !== incompleteFormat)) {
      return undefined;
    }
    const open = readOpenChanges(readMember(value, "open"));
    return { contract, open: format === recordFormat ? open : { ...open, isIncomplete: true } };
  } catch {
    return undefined;
  }
}

/** Reads the open changes. If a member is missing, an older version wrote the record. */
function readOpenChanges(value: unknown): OpenChanges {
  const readItems = <Item>(name: string, readItem: (item: unknown) => Item | undefined): readonly Item[] => {
    const items = readMember(value, name);
    return Array.isArray(items) ? items.flatMap((item) => readItem(item) ?? []) : [];
  };
  const isIncomplete =
    readMember(value, "isIncomplete") === true ||
    (value !== undefined && Object.keys(noOpenChanges).some((name) => readMember(value, name) === undefined));
  const readOperation = (item: unknown): OperationOf | undefined => {
    const [interfaceName, operation] = [readText(item, "interface"), readText(item, "operation")];
    return interfaceName === undefined || operation === undefined ? undefined : { interface: interfaceName, operation };
  };
  return {
    moves: readItems("moves", (item) => {
      const [interfaceName, before, after] = ["interface", "before", "after"].map((name) => readText(item, name));
      return interfaceName === undefined || before === undefined || after === undefined
        ? undefined
        : { interface: interfaceName, before, after };
    }),
    added: readItems("added", readOperation),
    removed: readItems("removed", readOperation),
    removedTypes: readItems("removedTypes", (item) => {
      const [interfaceName, type, routes] = ["interface", "type", "routes"].map((name) => readText(item, name));
      return interfaceName === undefined || type === undefined || routes === undefined
        ? undefined
        : { interface: interfaceName, service: readText(item, "service"), type, routes };
    }),
    contracts: readItems("contracts", (item) => (typeof item === "string" ? item : undefined)),
    ...(isIncomplete ? { isIncomplete } : {}),
  };
}

function readText(value: unknown, name: string): string | undefined {
  const member = readMember(value, name);
  return typeof member === "string" ? member : undefined;
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Adds the open changes of earlier merges to the changes since the last merge. An operation that was renamed before the
 * last merge and again after it has moved to its last name.
 */
function withOpenChanges(
  changes: HandlerChanges,
  { moves, added, removed, removedTypes, isIncomplete }: OpenChanges = noOpenChanges,
  {
    earlierChanges,
    requestedMoves,
  }: { readonly earlierChanges: readonly HandlerChanges[]; readonly requestedMoves: HandlerChanges["moves"] },
): HandlerChanges {
  const findLaterMove = (move: HandlerChanges["moves"][number]) =>
    changes.moves.find((later) => later.interface === move.interface && later.before === move.after);
  const isRequested = ({ before, after }: HandlerChanges["moves"][number]) =>
    requestedMoves.some((move) => move.before === before && move.after === after);
  const possibleMoves = [...earlierChanges, changes].flatMap((some) => some.possibleMoves ?? []);
  const names = [...earlierChanges, changes].flatMap(({ removedNames = [] }) => removedNames);
  return {
    ...changes,
    changes: [...changes.changes, ...listChangesOfMoves(requestedMoves, changes, earlierChanges)],
    moves: [
      ...changes.moves,
      ...earlierChanges.flatMap((earlier) => earlier.moves.filter(isRequested)),
      ...moves.map((move) => ({ ...move, after: findLaterMove(move)?.after ?? move.after })),
    ],
    removed: [...changes.removed, ...removed],
    addedEarlier: added,
    ...(isIncomplete === true ? { isIncomplete } : {}),
    typesRemovedEarlier: removedTypes,
    possibleMoves,
    removedNames: [...new Map(names.map((name) => [`${name.interface} ${name.before}`, name])).values()],
  };
}

const noOpenChanges: OpenChanges = { moves: [], added: [], removed: [], removedTypes: [], contracts: [] };

/**
 * Returns the changes, until now, of the operations that an earlier merge found missing, and whose handlers the user
 * requests to move.
 */
function listChangesOfMoves(
  requestedMoves: HandlerChanges["moves"],
  newChanges: HandlerChanges,
  earlierChanges: readonly HandlerChanges[],
): HandlerChanges["changes"] {
  return requestedMoves.flatMap(({ interface: name, before, after }) => {
    const lastChanges = [...earlierChanges, newChanges].findLast(({ removed }) =>
      removed.some((removal) => removal.interface === name && removal.operation === before),
    );
    const isOfMove = (change: HandlerChanges["changes"][number]) =>
      change.interface === name && change.operations.includes(after);
    const knownTexts = newChanges.changes.filter(isOfMove).map(({ text }) => text);
    return (lastChanges?.changes ?? [])
      .filter((change) => isOfMove(change) && !knownTexts.includes(change.text))
      .map((change) => ({ ...change, operations: [after] }));
  });
}

/** Returns the changes to record for the next merge, with the moves that this merge refused. */
function selectOpenChanges(
  changes: HandlerChanges,
  unmoved: MergeReport["unmoved"] = [],
  recordedChanges: readonly RecordedChanges[],
): OpenChanges {
  const { moves, added, addedEarlier = [], removed, split } = changes;
  const { removedTypes, typesRemovedEarlier = [], isIncomplete } = changes;
  const refusedMoves = unmoved
    .filter((refused) => !moves.some((move) => move.interface === refused.interface && move.before === refused.from))
    .map(({ interface: name, from, to }) => ({ interface: name, before: from, after: to }));
  const isSplit = (addition: OperationOf) =>
    split.some((part) => part.interface === addition.interface && part.after === addition.operation);
  return {
    moves: withoutCopies([...moves, ...refusedMoves]),
    added: withoutCopies([...added.filter((addition) => !isSplit(addition)), ...addedEarlier]),
    removed: withoutCopies(removed),
    removedTypes: withoutCopies([...removedTypes, ...typesRemovedEarlier]),
    contracts: recordedChanges
      .filter(({ changes: { removed, removedNames = [] } }) => removed.length > 0 || removedNames.length > 0)
      .map(({ contract }) => contract),
    ...(isIncomplete === true ? { isIncomplete } : {}),
  };
}

function withoutCopies<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
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
    references: [...new Set([plan.packages.contract.path, plan.packages.server.path])].map((referencedPath) => ({
      path: formatJson(getRelativePath(path, referencedPath)),
    })),
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
    })),
  };
  const fillTemplate = (file: string) => fill(`server/${file}.hbs`, slots, templates);
  return new Map([
    ["package.json", fillTemplate("package.json")],
    ["tsconfig.json", fillTemplate("tsconfig.json")],
    ["README.md", fillTemplate("README.md")],
    ["Dockerfile", fillTemplate("Dockerfile")],
    ["Dockerfile.dockerignore", "**/node_modules\n**/*.tsbuildinfo\n.git\n"],
    [".gitignore", "node_modules/\ndist/\n"],
    ["src/main.ts", fillTemplate(`main.${adapter}.ts`)],
    ...(adapter === "fetch" ? [["src/node.ts", fillTemplate("main.node.ts")] as const] : []),
    ["src/routes.ts", fillTemplate("routes.ts")],
    ["src/test/server.test.ts", fillTemplate("server.test.ts")],
  ]);
}

function formatRanges(dependencies: Readonly<Record<string, string>>) {
  return Object.entries(dependencies).map(([name, range]) => ({ name: formatJson(name), range: formatJson(range) }));
}

/** Returns the version range of the runtime. The path of a vendored runtime becomes relative to the server. */
function getRuntimeRange({ config, path, plan }: ScaffoldInputs): string {
  const { runtime } = config;
  if (!runtime.startsWith("file:")) {
    return runtime;
  }
  const steps = `${plan.packages.server.path}/${runtime.slice("file:".length)}`.split("/");
  const folder: string[] = [];
  for (const step of steps) {
    if (step === "..") {
      folder.pop();
    } else {
      folder.push(step);
    }
  }
  return `file:${getRelativePath(path, folder.join("/"))}`;
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
