import { fileURLToPath } from "node:url";
import {
  type Config,
  Diagnostics,
  formatDiagnostics,
  type Generated,
  type GenerationCache,
  generate,
  readConfig,
  readConfigFromFlags,
} from "@bothends/generator";
import { readFolder } from "@bothends/generator/disk";
import { type Case, readerOf } from "./case.js";

export interface Outcome {
  /** All generated files; empty if the input is refused. */
  readonly tree: ReadonlyMap<string, string>;
  readonly diagnostics: Generated["diagnostics"];
  /** The formatted diagnostics, without colors. */
  readonly text: string;
}

const templates = readTemplates();
const defaults = { runtime: "^0.1.0" };

/**
 * Generates from the `bothends.json` of a case, or else from flags for its sources. The outcome is the same without a
 * cache.
 */
export function generateCase(testCase: Case, cache?: GenerationCache): Outcome {
  const configDiagnostics = new Diagnostics();
  const config = configOf(testCase, configDiagnostics);
  if (config === undefined) {
    return { tree: new Map(), diagnostics: configDiagnostics.all, text: shown(configDiagnostics.all) };
  }
  const { tree, diagnostics } = generate({
    readFile: readerOf(testCase),
    templates,
    config,
    limits: testCase.options.limits ?? {},
    cache,
  });
  return { tree, diagnostics, text: shown([...configDiagnostics.all, ...diagnostics]) };
}

function shown(diagnostics: Generated["diagnostics"]): string {
  return formatDiagnostics(diagnostics, { color: false });
}

function configOf({ input, name }: Case, diagnostics: Diagnostics): Config | undefined {
  const configFile = input.get("bothends.json");
  if (configFile !== undefined) {
    return readConfig({ path: "bothends.json", text: new TextDecoder().decode(configFile) }, diagnostics, defaults);
  }
  const top = [...input.keys()].filter((path) => !path.includes("/"));
  return readConfigFromFlags(
    {
      wsdl: top.filter((path) => path.endsWith(".wsdl")),
      index: top.find((path) => path.endsWith(".json")),
      name: name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    },
    diagnostics,
    defaults,
  );
}

/** Reads the templates of the repository, from the sources or from the built code of this file. */
function readTemplates(): ReadonlyMap<string, string> {
  const here = fileURLToPath(import.meta.url);
  return readFolder(`${here.slice(0, here.lastIndexOf("/packages/generator/test/"))}/templates`);
}
