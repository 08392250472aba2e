import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../host.js";

/** The scripts that a project gets. */
export const projectScripts: Readonly<Record<string, string>> = {
  generate: "bothends generate --vendor-runtime",
  "generate:check": "bothends check --vendor-runtime",
};

/** What a repository should not contain. */
const ignored = ["node_modules/", "dist/", ".bothends-journal*", ".bothends-lock", "*.orig"];

/** The configuration of a new project, as text. */
export function configText({
  name,
  folder,
  source,
}: {
  readonly name: string;
  readonly folder: string;
  readonly source: { readonly wsdl: readonly string[] } | { readonly index: string };
}): string {
  const part = (kind: string) => ({ path: `${folder}/${kind}`, name: `${name.toLowerCase()}-${kind}` });
  const config = {
    $schema: "./node_modules/bothends/bothends.schema.json",
    packages: { contract: part("contract"), client: part("client"), server: part("server") },
    interfaces: { [name]: source },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** A file to write, with its whole text. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
}

/** `package.json` with the scripts. Scripts with these names are kept. */
export function packageFile(folder: string, name: string): ProjectFile | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) {
    const manifest = { name, version: "0.0.0", private: true, type: "module", scripts: projectScripts };
    return { path: "package.json", text: `${JSON.stringify(manifest, null, 2)}\n`, isNew: true };
  }
  const before = readFileSync(path, "utf8");
  const manifest = parsedManifest(before);
  const scripts = { ...projectScripts, ...objectIn(manifest, "scripts") };
  const [indent = "  "] = /(?<=^\{\r?\n)[ \t]+/.exec(before) ?? [];
  const after = `${JSON.stringify({ ...manifest, scripts }, null, indent)}\n`;
  return hasAll(objectIn(manifest, "scripts")) ? undefined : { path: "package.json", text: after, isNew: false };
}

function hasAll(scripts: object): boolean {
  return Object.keys(projectScripts).every((name) => name in scripts);
}

function parsedManifest(text: string): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null) {
      return value;
    }
  } catch {
    // Reported below.
  }
  throw new UsageError("package.json is not a JSON object.", { help: "Correct it, and run bothends init again." });
}

function objectIn(manifest: object, name: string): object {
  const value: unknown = Object.entries(manifest).find(([key]) => key === name)?.[1];
  return typeof value === "object" && value !== null ? value : {};
}

/** `.gitignore` with the missing lines; undefined if it has them all. */
export function ignoreFile(folder: string): ProjectFile | undefined {
  const path = join(folder, ".gitignore");
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lines = new Set(before.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "").replace(/\/$/, "")));
  const missing = ignored.filter((line) => !lines.has(line.replace(/\/$/, "")));
  if (missing.length === 0) {
    return undefined;
  }
  const start = before === "" || before.endsWith("\n") ? before : `${before}\n`;
  return { path: ".gitignore", text: `${start}${missing.join("\n")}\n`, isNew: before === "" };
}

/** Replaces a file as a whole. */
export function writeProjectFile(folder: string, { path, text }: ProjectFile): void {
  const file = join(folder, path);
  writeFileSync(`${file}.bothends-new`, text);
  renameSync(`${file}.bothends-new`, file);
}
