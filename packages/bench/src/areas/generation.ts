import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSyntheticWsdl } from "../generate-synthetic.js";
import type { Group, Sample, Subject } from "../measure.js";
import { createOpenApi } from "../open-api.js";
import { getPeerFile, getPeerModule, hasPeers } from "../peers.js";
import { measureCommand, measureNodeProcess } from "../processes.js";

const workspace = join(import.meta.dirname, "..", "..", "..", "..");
const cli = join(workspace, "packages", "bothends", "dist", "bin.js");
const ownWsdls = join(workspace, "schemas", "vehicle");
const ownIndex = join(workspace, "schemas", "content", "index.json");
/** A folder of third-party schemas beside the repository. Without it, these schemas are not measured. */
const corpora = join(workspace, "..", "shared", "corpora", "wsdl", "gowsdl", "fixtures");

const bareNode: Subject = { name: "bare node", measure: () => measureNodeProcess("") };
const baseline = "A Node process that runs nothing.";

/**
 * Measures complete runs of generators: the interfaces of this repository, synthetic and third-party WSDLs, and an
 * index.
 */
export function measureGeneration(): readonly Group[] {
  const folder = mkdtempSync(join(tmpdir(), "bothends-bench-"));
  const files = new WorkFiles(folder);
  return [
    {
      id: "generate-own",
      title: "Generate, both interfaces",
      unit: "CPU ms",
      baseline,
      subjects: [
        bareNode,
        { name: "Bothends, everything anew (check)", measure: () => measureCommand(cli, ["check"]) },
        { name: "Bothends, nothing changed (generate)", measure: () => measureCommand(cli, ["generate"]) },
      ],
    },
    {
      id: "generate-growth",
      title: "Generate, synthetic WSDLs, cold",
      unit: "CPU ms",
      baseline,
      subjects: [bareNode, ...[10, 150, 600, 2400].map((count) => files.generateSynthetic(count))],
    },
    createWsdlGroup("generate-small", "the 11 operations of registration", join(ownWsdls, "reg.wsdl"), files),
    ...["ec2.wsdl", "vboxweb.wsdl"].flatMap((name) =>
      existsSync(join(corpora, name)) ? [createWsdlGroup(`generate-${name}`, name, join(corpora, name), files)] : [],
    ),
    {
      id: "generate-rest",
      title: "Generate, the content index",
      unit: "CPU ms",
      baseline,
      subjects: [
        bareNode,
        { name: "Bothends", measure: () => files.generate("content", ["--index", ownIndex]) },
        ...(hasPeers ? [{ name: "openapi-typescript (types only)", measure: () => files.openApiTypes() }] : []),
      ],
      close: () => rmSync(folder, { recursive: true }),
    },
  ];
}

function createWsdlGroup(id: string, title: string, wsdl: string, files: WorkFiles): Group {
  return {
    id,
    title: `Generate, ${title}`,
    unit: "CPU ms",
    baseline,
    subjects: [
      bareNode,
      { name: "Bothends, cold", measure: () => files.generate(id, ["--wsdl", wsdl, "--lenient"]) },
      { name: "Bothends, nothing changed", measure: () => files.regenerate(id, ["--wsdl", wsdl, "--lenient"]) },
      ...(hasPeers
        ? [
            { name: "wsdl-tsclient", measure: () => files.runWsdlTsclient(id, wsdl) },
            { name: "node-soap (reads the WSDL, writes nothing)", measure: () => readWithNodeSoap(wsdl) },
          ]
        : []),
    ],
  };
}

function readWithNodeSoap(wsdl: string): Promise<Sample> {
  return measureNodeProcess(
    `const { default: soap } = await import(${JSON.stringify(getPeerModule("soap"))}); await soap.createClientAsync(${JSON.stringify(wsdl)});`,
  );
}

/** The files that generators read and write during measurements. */
class WorkFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Measures a run of `generate` into a new folder. */
  generate(name: string, source: readonly string[]): Promise<Sample> {
    rmSync(this.#getOutput(name), { recursive: true, force: true });
    return this.regenerate(name, source);
  }

  /** Measures a run of `generate` into the folder of the last run, with unchanged sources. */
  regenerate(name: string, source: readonly string[]): Promise<Sample> {
    return measureCommand(cli, ["generate", ...source, "--name", "measured", "--out", this.#getOutput(name)]);
  }

  generateSynthetic(operations: number): Subject {
    const wsdl = join(this.#folder, `synthetic-${operations}.wsdl`);
    writeFileSync(wsdl, writeSyntheticWsdl(operations));
    const megabytes = readFileSync(wsdl).length / 1e6;
    return {
      name: `${operations.toLocaleString("en")} operations, ${megabytes.toFixed(2)} MB`,
      measure: () => this.generate(`synthetic-${operations}`, ["--wsdl", wsdl]),
    };
  }

  runWsdlTsclient(name: string, wsdl: string): Promise<Sample> {
    // Raises a limit of wsdl-tsclient, which fails by default for more than 64 types with one name, as in large
    // schemas.
    const args = [wsdl, "-o", this.#getOutput(`${name}-peer`), "--quiet", "--maxRecursiveDefinitionName", "100000"];
    return measureCommand(getPeerFile("wsdl-tsclient/dist/src/cli.js"), args);
  }

  openApiTypes(): Promise<Sample> {
    const openApiPath = join(this.#folder, "openapi.json");
    if (!readdirSync(this.#folder).includes("openapi.json")) {
      writeFileSync(openApiPath, JSON.stringify(createOpenApi(JSON.parse(readFileSync(ownIndex, "utf8")))));
    }
    return measureCommand(getPeerFile("openapi-typescript/bin/cli.js"), [
      openApiPath,
      "-o",
      join(this.#folder, "openapi.ts"),
    ]);
  }

  #getOutput(name: string): string {
    return join(this.#folder, name);
  }
}
