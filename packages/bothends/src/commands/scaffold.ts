import { posix } from "node:path";
import type { Config } from "@bothends/generator";
import { inOutputRoot, readExisting, writeBeside } from "@bothends/generator/disk";
import { generateProject } from "../generation.js";
import { type Host, hasColour, UsageError } from "../host.js";
import type { ScaffoldOptions } from "../options.js";
import { readTemplates } from "../packed-files.js";
import { counted, type Outcome } from "../report/outcome.js";
import { unifiedDiff } from "../unified-diff.js";

const recordFile = ".bothends-scaffold.json";

/** `bothends scaffold server <name>`: writes a new server, or adds handlers to an existing one. */
export async function runScaffold(name: string, options: ScaffoldOptions, host: Host): Promise<Outcome> {
  const result = generateProject(options, host);
  if (result.kind === "refused") {
    return result.outcome;
  }
  const { config, plan, output: packages, diagnostics, inputRoot } = result.generation;
  const server = serverOf(name, config, options.path);
  const output = { ...packages, packages: [...packages.packages, server.path] };
  const existing = readExisting(output, server.path);
  if (existing.size > 0 && !existing.has(recordFile) && options.allowNonempty !== true) {
    throw new UsageError(`${server.path} contains files that were not scaffolded.`, {
      help: "Choose another folder with --path, or write beside the files with --allow-nonempty.",
    });
  }
  const { scaffoldServer } = await import("@bothends/generator/scaffold");
  const { files, report } = scaffoldServer({ plan, config, templates: readTemplates(), ...server, existing });
  const dryRun = options.dryRun ?? false;
  const write = () => writeBeside(output, files, { folder: server.path, existing });
  const changes = dryRun
    ? changesText(files, { existing, folder: server.path, host })
    : inOutputRoot(output.root, write)
        .map(({ path, before }) => `  ${before === undefined ? "added  " : "changed"}  ${path}\n`)
        .join("");
  return {
    exit: 0,
    diagnostics,
    root: inputRoot,
    body: `${changes}${headline(report !== undefined, dryRun)} ${server.path}.\n${report === undefined ? "" : reportText(report)}`,
    result: resultText(report, dryRun),
  };
}

function headline(merges: boolean, dryRun: boolean): string {
  if (dryRun) {
    return merges ? "Would merge into" : "Would scaffold";
  }
  return merges ? "Merged into" : "Scaffolded";
}

function resultText(report: Report | undefined, dryRun: boolean): string {
  if (dryRun) {
    return "nothing written";
  }
  if (report === undefined) {
    return "a new server";
  }
  const { added, changed, removed } = report;
  return `${counted(added.length, "handler")} added, ${changed.length} to check, ${removed.length} to remove`;
}

/** The names of new files, and the differences in files that exist. */
function changesText(
  files: ReadonlyMap<string, string>,
  {
    existing,
    folder,
    host,
  }: { readonly existing: ReadonlyMap<string, string>; readonly folder: string; readonly host: Host },
): string {
  const bytes = new TextEncoder();
  return [...files]
    .map(([path, text]) => {
      const before = existing.get(path);
      const file = `${folder}/${path}`;
      if (before === undefined) {
        return `  added    ${file}\n`;
      }
      if (before === text || path === recordFile) {
        return "";
      }
      const change = { path: file, before: bytes.encode(before), after: bytes.encode(text) };
      return unifiedDiff(change, hasColour(host, host.out));
    })
    .join("");
}

interface Server {
  readonly path: string;
  readonly name: string;
}

/** The folder and the package name of the server: by default beside the generated server package, and in its scope. */
function serverOf(name: string, config: Config, path: string | undefined): Server {
  const [, scope, word] = /^(?:(@[a-z0-9][a-z0-9._-]*)\/)?([a-z0-9][a-z0-9._-]*)$/.exec(name) ?? [];
  if (word === undefined || name.length > 200) {
    throw new UsageError(
      `"${name.slice(0, 200)}" is not a valid package name: use lower-case letters, digits, - . and _.`,
    );
  }
  const generated = config.packages.server;
  const inherited = generated.name.startsWith("@") ? generated.name.slice(0, generated.name.indexOf("/")) : undefined;
  const folder = posix.normalize(path ?? posix.join(posix.dirname(generated.path), word));
  const packages = Object.values(config.packages);
  if (packages.some((each) => `${folder}/`.startsWith(`${each.path}/`) || `${each.path}/`.startsWith(`${folder}/`))) {
    throw new UsageError(
      `${folder} is the folder of a generated package. Choose another name, or another folder with --path.`,
    );
  }
  if (folder.startsWith("../") || folder.startsWith("/") || folder === "..") {
    throw new UsageError("--path must be relative to the project, and inside it.");
  }
  const fullScope = scope ?? inherited;
  return { path: folder, name: fullScope === undefined ? word : `${fullScope}/${word}` };
}

interface Report {
  readonly added: readonly string[];
  readonly removed: readonly { readonly operation: string; readonly place: string }[];
  readonly changed: readonly { readonly operation: string; readonly place: string }[];
  readonly notes: readonly string[];
}

function reportText({ added, removed, changed, notes }: Report): string {
  const lines = [
    ...added.map((operation) => `handler added: ${operation}`),
    ...removed.map(
      ({ operation, place }) => `no longer in the schema: ${operation} (${place}); remove it when you want`,
    ),
    ...changed.map(({ operation, place }) => `changed in the schema: ${operation} (${place})`),
    ...notes,
  ];
  return lines.length === 0 ? "Nothing is missing.\n" : lines.map((line) => `${line}\n`).join("");
}
