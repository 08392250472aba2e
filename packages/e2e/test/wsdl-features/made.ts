import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Diagnostics, formatDiagnostics, generate, readConfig, readConfigFromFlags } from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = join(here, "../../../..");

/** The settings of an interface in `bothends.json`, and the project's files that the settings name, by path. */
interface Project {
  readonly settings?: object;
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Generates from a WSDL in this folder. The output is in a folder below `dist`, from which the workspace's packages can
 * be imported.
 */
export function made(name: string, { settings, files = {} }: Project = {}) {
  const bytes = readFileSync(join(here, `${name}.wsdl`));
  const diagnostics = new Diagnostics();
  const config = readSettings(name, settings, diagnostics);
  if (config === undefined) {
    throw new Error(formatDiagnostics(diagnostics.all, { color: false }));
  }
  const generated = generate({
    readFile: (path) =>
      path === `${name}.wsdl`
        ? { kind: "file", bytes }
        : { kind: "problem", problem: "missing", message: "there is no such file" },
    templates: readFolder(join(repository, "templates")),
    config,
  });
  const remarks = formatDiagnostics(generated.diagnostics, { color: false });
  if (generated.plan === undefined) {
    throw new Error(remarks);
  }

  const dist = join(here, "../../dist");
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(join(dist, `${name}-`));
  for (const [path, text] of [...generated.tree, ...Object.entries(files)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const { path, name: packageName } of Object.values(config.packages)) {
    const link = join(folder, "node_modules", packageName);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(folder, path), link);
  }
  return {
    /** Returns the exports of a generated package. */
    load: (part: keyof typeof config.packages) => {
      const word = generated.plan?.interfaces[0]?.folder ?? "";
      return import(pathToFileURL(join(folder, config.packages[part].path, "src", word, "index.ts")).href);
    },
    remarks,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function readSettings(name: string, settings: object | undefined, diagnostics: Diagnostics) {
  const defaults = { runtime: "^0.1.0" };
  const wsdl = [`${name}.wsdl`];
  if (settings === undefined) {
    return readConfigFromFlags({ wsdl, index: undefined, name: undefined }, diagnostics, defaults);
  }
  const parts = ["contract", "client", "server"].map((part) => [part, { path: part, name: `${name}-${part}` }]);
  const config = { packages: Object.fromEntries(parts), interfaces: { [name]: { wsdl, ...settings } } };
  return readConfig({ path: "bothends.json", text: JSON.stringify(config) }, diagnostics, defaults);
}
