import type { Config, FileTree } from "../model/index.js";
import { entryOf, type Plan } from "../plan/index.js";
import { fill, json, relativePath, type Templates } from "../render/index.js";
import { createHandlers, handlersConstant } from "./handler-files.js";
import { type HandlerInterface, handlerTrees, readRecord, recordFile, recordOf, recordText } from "./handler-tree.js";
import { type MergeReport, mergeHandlers } from "./merge-handlers.js";

/** The server to make, and what it is made from. */
export interface ScaffoldInputs {
  readonly plan: Plan;
  readonly config: Config;
  readonly templates: Templates;
  /** The package's folder, relative to the root: `packages/my-server`. */
  readonly path: string;
  /** The npm name. */
  readonly name: string;
  /** The files of the folder by their paths in it; empty for a new server. */
  readonly existing: FileTree;
}

/** The files to write, and what people have to know about a merge. */
export interface Scaffolded {
  /** New and changed files by their paths in the folder. */
  readonly files: FileTree;
  /** Undefined for a new server. */
  readonly report: MergeReport | undefined;
}

/** Makes a new server, or adds handlers to an existing one. Nothing that people wrote is changed or removed. */
export function scaffoldServer(inputs: ScaffoldInputs): Scaffolded {
  const interfaces = handlerTrees(inputs.plan);
  return inputs.existing.size === 0 ? newServer(inputs, interfaces) : mergedServer(inputs, interfaces);
}

function newServer(inputs: ScaffoldInputs, interfaces: readonly HandlerInterface[]): Scaffolded {
  const serverPackage = entryOf(inputs.plan.packages.server);
  const handlers = interfaces.flatMap((target) => [...createHandlers(target, serverPackage)]);
  return {
    files: new Map([...projectFiles(inputs, interfaces), ...handlers, [recordFile, recordText(recordOf(interfaces))]]),
    report: undefined,
  };
}

function mergedServer(inputs: ScaffoldInputs, interfaces: readonly HandlerInterface[]): Scaffolded {
  const before = inputs.existing.get(recordFile);
  const { files, report } = mergeHandlers(inputs.existing, interfaces, {
    record: readRecord(before),
    serverPackage: entryOf(inputs.plan.packages.server),
  });
  const record = recordText(recordOf(interfaces));
  return { files: record === before ? files : new Map([...files, [recordFile, record]]), report };
}

const runtimePackage = "@bothends/runtime";

function projectFiles(inputs: ScaffoldInputs, interfaces: readonly HandlerInterface[]): FileTree {
  const { name, path, plan, config, templates } = inputs;
  const workspace = config.runtime.startsWith("workspace:");
  const folder = path.slice(path.lastIndexOf("/") + 1);
  const slots = {
    name: json(name),
    title: name,
    folder,
    runtime: runtimePackage,
    runtimeName: json(runtimePackage),
    runtimeVersion: json(config.runtime),
    server: entryOf(plan.packages.server),
    serverName: json(plan.packages.server.name),
    serverPath: json(relativePath(path, plan.packages.server.path)),
    serverVersion: json(workspace ? config.runtime : `file:${relativePath(path, plan.packages.server.path)}`),
    packageManager: workspace ? "pnpm" : "npm",
    typescriptVersion: json(workspace ? "catalog:" : "^7.0.2"),
    nodeTypesVersion: json(workspace ? "catalog:" : "^20.19.0"),
    paths: plan.interfaces.flatMap(pathsOf).map(json).join(", "),
    interfaceNames: interfaces.map((target) => target.module).join(" and "),
    interfaces: interfaces.map((target) => ({
      module: target.module,
      routes: target.routes,
      handlers: handlersConstant(target),
      unit: target.kind === "soap" ? "operation" : "group of routes",
    })),
  };
  const template = (file: string) => fill(`server/${file}.hbs`, slots, templates);
  return new Map([
    ["package.json", template("package.json")],
    ["tsconfig.json", template("tsconfig.json")],
    ["README.md", template("README.md")],
    [".gitignore", "node_modules/\ndist/\n"],
    ["src/main.ts", template("main.ts")],
    ["src/routes.ts", template("routes.ts")],
    ["src/test/server.test.ts", template("server.test.ts")],
  ]);
}

/** The paths of documents that a server answers without handlers: WSDLs and indexes. */
function pathsOf(target: Plan["interfaces"][number]): string[] {
  if (target.kind === "soap") {
    return target.services.flatMap(({ service }) => {
      const address = service.ports.find((port) => port.address !== undefined)?.address;
      return address === undefined ? [] : [`${pathOf(address)}?wsdl`];
    });
  }
  const { path, values } = target.interface.base;
  const filled = values.reduce(
    (text, { variable, values: [first] }) => text.replace(`{${variable}}`, first ?? ""),
    path,
  );
  return [`${filled.replace(/\/$/, "")}/`];
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : address;
}
