import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Diagnostics, formatDiagnostics, type Generated, generate, readConfig } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import type { AnyEndpointDescriptor } from "@bothends/runtime";
import type { RestServerOptions, Routes } from "@bothends/runtime/server";

const repository = fileURLToPath(new URL("../../../../../", import.meta.url));

const config = {
  packages: {
    contract: { path: "contract", name: "@recorded/contract" },
    client: { path: "client", name: "@recorded/client" },
    server: { path: "server", name: "@recorded/server" },
  },
  runtime: "^0.1.0",
  interfaces: { site: { index: "index.json", base: { path: "/wp-json" } } },
} as const;

/** The packages generated from a recorded index, compiled and loaded. */
export interface GeneratedSite {
  readonly endpoints: readonly AnyEndpointDescriptor[];
  /** The generated route factory. Its handlers have no types, because the replay creates them from the index. */
  readonly routes: (handlers: object, options: RestServerOptions) => Routes;
}

/** Generates packages from an index, compiles contract and server as a user would, and loads them. */
export async function generateSite(indexFile: string): Promise<GeneratedSite> {
  const tree = generateTree(readFileSync(indexFile));
  const dist = join(repository, "packages/e2e/dist");
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(join(dist, "recorded-site-"));
  try {
    write(tree, folder);
    compile(folder);
    const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href);
    const [operations, server] = await Promise.all([
      load("contract/dist/site/operations.js"),
      load("server/dist/site/index.js"),
    ]);
    const routes = getMember(server, "siteRoutes");
    if (!isFactory(routes)) {
      throw new Error("The generated server has no routes.");
    }
    return { endpoints: Object.values(Object(operations)).filter(isEndpoint), routes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function generateTree(bytes: Uint8Array): Generated["tree"] {
  const diagnostics = new Diagnostics();
  const parsedConfig = readConfig({ path: "bothends.json", text: JSON.stringify(config) }, diagnostics, {
    runtime: "^0.1.0",
  });
  if (parsedConfig === undefined) {
    throw new Error(formatDiagnostics(diagnostics.all, { color: false }));
  }
  const result = generate({
    readFile: () => ({ kind: "file", bytes }),
    templates: readFolder(join(repository, "templates")),
    config: parsedConfig,
  });
  if (result.plan === undefined) {
    throw new Error(formatDiagnostics(result.diagnostics, { color: false }));
  }
  return result.tree;
}

function write(tree: Generated["tree"], folder: string): void {
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const { path, name } of Object.values(config.packages)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(folder, path), link);
  }
}

function compile(folder: string): void {
  const tsc = join(repository, "node_modules/.bin/tsc");
  const run = spawnSync(tsc, ["-b", "server", "--pretty", "false"], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) {
    throw new Error(`The generated packages do not compile.\n${run.stdout}${run.stderr}`);
  }
}

function isFactory(value: unknown): value is GeneratedSite["routes"] {
  return typeof value === "function";
}

function isEndpoint(value: unknown): value is AnyEndpointDescriptor {
  return getMember(value, "kind") === "endpoint";
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
