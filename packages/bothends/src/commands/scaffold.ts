import { posix } from "node:path";
import type { Config } from "@bothends/generator";
import { inOutputRoot, readExisting, writeBeside } from "@bothends/generator/disk";
import { generateProject } from "../generation.js";
import { type ExitCode, type Host, hasColour, UsageError } from "../host.js";
import type { ScaffoldOptions } from "../options.js";
import { readTemplates } from "../packed-files.js";

const recordFile = ".bothends-scaffold.json";

/** `bothends scaffold server <name>`: writes a new server, or adds handlers to an existing one. */
export async function runScaffold(name: string, options: ScaffoldOptions, host: Host): Promise<ExitCode> {
  const generation = generateProject(options, host);
  if (generation === undefined) {
    return 1;
  }
  const { config, plan } = generation;
  const server = serverOf(name, config, options.path);
  const output = { ...generation.output, packages: [...generation.output.packages, server.path] };
  const existing = readExisting(output, server.path);
  if (existing.size > 0 && !existing.has(recordFile) && options.allowNonempty !== true) {
    throw new UsageError(
      `${server.path} contains files that were not scaffolded. --allow-nonempty writes beside them.`,
    );
  }
  const { scaffoldServer } = await import("@bothends/generator/scaffold");
  const { files, report } = scaffoldServer({ plan, config, templates: readTemplates(), ...server, existing });
  if (options.dryRun === true) {
    await showChanges(files, { existing, folder: server.path, host });
  } else {
    const write = () => writeBeside(output, files, { folder: server.path, existing });
    for (const { path, before } of inOutputRoot(output.root, write)) {
      host.out.write(`  ${before === undefined ? "added  " : "changed"}  ${path}\n`);
    }
  }
  host.out.write(`${headline(report !== undefined, options.dryRun ?? false)} ${server.path}.\n`);
  if (report !== undefined) {
    host.out.write(reportText(report));
  }
  return 0;
}

function headline(merges: boolean, dryRun: boolean): string {
  if (dryRun) {
    return merges ? "Would merge into" : "Would scaffold";
  }
  return merges ? "Merged into" : "Scaffolded";
}

/** Prints the names of new files, and the differences in files that exist. */
async function showChanges(
  files: ReadonlyMap<string, string>,
  {
    existing,
    folder,
    host,
  }: { readonly existing: ReadonlyMap<string, string>; readonly folder: string; readonly host: Host },
): Promise<void> {
  const { unifiedDiff } = await import("../change-report.js");
  const bytes = new TextEncoder();
  for (const [path, text] of files) {
    const before = existing.get(path);
    const file = `${folder}/${path}`;
    if (before === undefined) {
      host.out.write(`  added    ${file}\n`);
    } else if (before !== text && path !== recordFile) {
      const change = { path: file, before: bytes.encode(before), after: bytes.encode(text) };
      host.out.write(unifiedDiff(change, hasColour(host, host.out)));
    }
  }
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
