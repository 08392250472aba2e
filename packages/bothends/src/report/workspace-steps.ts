import { dirname, join, relative } from "node:path";
import { isFile, readText } from "@bothends/generator/disk";
import type { Host } from "../host.js";
import { formatPath, withSlashes } from "../paths.js";
import { writeCodeSteps } from "./install-steps.js";

// Finds the workspace of pnpm, npm, Yarn or Bun that contains a server, so that the user can exclude the server: the
// package manager of a workspace would install it, and copy the generated packages instead of linking them.

interface Workspace {
  /** The file that lists the packages. */
  readonly file: string;
  /** The patterns for the folders of the packages; those that begin with `!` exclude folders. */
  readonly patterns: readonly string[];
}

/**
 * Formats the step that excludes the folder of a server from the workspace in which it is; empty without a workspace
 * and for folders that the workspace does not include.
 */
export function formatWorkspaceSteps(folder: string, { workingFolder }: Host): string {
  const workspace = findWorkspace(dirname(folder));
  if (workspace === undefined) {
    return "";
  }
  const path = withSlashes(relative(dirname(workspace.file), folder));
  if (!includesFolder(workspace, path)) {
    return "";
  }
  const file = formatPath(workingFolder, workspace.file);
  return file.endsWith(".json")
    ? writeCodeSteps(`The workspace in ${file} includes ${path}. Exclude it: add this item to "workspaces":`, [
        JSON.stringify(`!${path}`),
      ])
    : writeCodeSteps(`The workspace in ${file} includes ${path}. Exclude it: add this line to "packages":`, [
        `- ${JSON.stringify(`!${path}`)}`,
      ]);
}

/** Finds the nearest workspace in a folder or above it. */
function findWorkspace(startFolder: string): Workspace | undefined {
  for (let folder = startFolder; ; folder = dirname(folder)) {
    const [yamlFile, manifest] = [join(folder, "pnpm-workspace.yaml"), join(folder, "package.json")];
    if (isFile(yamlFile)) {
      return { file: yamlFile, patterns: readYamlPatterns(readText(yamlFile)) };
    }
    const patterns = isFile(manifest) ? readManifestPatterns(readText(manifest)) : undefined;
    if (patterns !== undefined) {
      return { file: manifest, patterns };
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

/** Reads the list `packages` of a `pnpm-workspace.yaml`: one item on each line, or all items in brackets. */
function readYamlPatterns(text: string): readonly string[] {
  const [, rest = "", lines = ""] = /^packages:(.*)\r?\n?((?:[ \t]*(?:-.*|#.*)?(?:\r?\n|$))*)/m.exec(text) ?? [];
  const items = rest.includes("[")
    ? (/^packages:\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? "").split(",")
    : [...lines.matchAll(/^[ \t]*-[ \t]+(.*)$/gm)].map(([, item = ""]) => item.replace(/[ \t]+#.*$/, ""));
  return items.map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2")).filter((item) => item !== "");
}

/** Reads `workspaces` of a `package.json`; undefined if there is none. */
function readManifestPatterns(text: string): readonly string[] | undefined {
  try {
    const { workspaces } = Object(JSON.parse(text));
    const patterns: unknown = Array.isArray(workspaces) ? workspaces : Object(workspaces).packages;
    return Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string") : undefined;
  } catch {
    return undefined;
  }
}

function includesFolder({ patterns }: Workspace, path: string): boolean {
  const matches = (pattern: string) => createMatcher(pattern).test(path);
  const excluded = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  return patterns.some((pattern) => !pattern.startsWith("!") && matches(pattern)) && !excluded.some(matches);
}

/** Converts a pattern for folders to a regular expression: `packages/*`, `apps/**`, `{apps,tools}/*`. */
function createMatcher(pattern: string): RegExp {
  const source = pattern
    .replace(/^\.\//, "")
    .replace(/\/$/, "")
    .replace(/\*\*\/|\*\*|[*?{},.+^$()|[\]\\]/g, (text) => globSyntax.get(text) ?? `\\${text}`);
  return new RegExp(`^${source}$`);
}

const globSyntax: ReadonlyMap<string, string> = new Map([
  ["**/", "(?:.*/)?"],
  ["**", ".*"],
  ["*", "[^/]*"],
  ["?", "[^/]"],
  ["{", "(?:"],
  [",", "|"],
  ["}", ")"],
]);
