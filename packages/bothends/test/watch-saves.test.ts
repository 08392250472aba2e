import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ProjectFolder } from "./project-folder.js";

const workspace = join(import.meta.dirname, "..", "..", "..");
const source = (path: string) => readFileSync(join(workspace, path), "utf8");
const sources = ["schemas/vehicle/reg.wsdl", "schemas/vehicle/bespokeapi.wsdl", "schemas/vehicle/records.xsd"] as const;
const files: Readonly<Record<string, string>> = {
  "bothends.json": source("bothends.json"),
  ...Object.fromEntries(
    [...sources, "schemas/content/index.json", "schemas/content/objects.json"].map((path) => [path, source(path)]),
  ),
};

/** The files that `generate` writes into an empty folder from the sources of another project. */
async function generatedFrom(project: ProjectFolder): Promise<Record<string, string>> {
  const copy = new ProjectFolder(Object.fromEntries(Object.keys(files).map((path) => [path, project.read(path)])));
  expect((await copy.run("generate")).code).toBe(0);
  return packagesOf(copy);
}

/** Returns the generated files, without the snapshot of the contract, which only the first run writes. */
function packagesOf(project: ProjectFolder): Record<string, string> {
  const isGenerated = (path: string) =>
    /^packages\/(?:contract|client|server)\/(?!node_modules)/.test(path) && !path.endsWith(".gz");
  return Object.fromEntries(Object.entries(project.snapshot()).filter(([path]) => isGenerated(path)));
}

/** The paths of the files that differ, or that only one of two sets contains. */
function differences(a: Record<string, string>, b: Record<string, string>): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path]);
}

test("fifty saves, some by renaming, some invalid, some of two files: the packages are as a new run writes them", async () => {
  const project = new ProjectFolder(files);
  let printed = "";
  const interruption = new AbortController();
  const write = (text: string): void => {
    printed += text;
  };
  const stream = { isTTY: false, write };
  project.host = { out: stream, err: stream, interrupted: interruption.signal, now: () => performance.now() };
  const ended = project.run("watch");
  onTestFinished(async () => {
    interruption.abort();
    await ended;
  });
  const until = async (text: string) => {
    await expect.poll(() => printed, { timeout: 8_000, interval: 5 }).toContain(text);
    printed = "";
  };
  await until("Watching");
  const times: number[] = [];
  for (let save = 0; save < 50; save += 1) {
    const path = sources[save % sources.length] ?? sources[0];
    const text = edited(project.read(path), save);
    if (save % 10 === 4) {
      project.write(path, text.slice(0, text.length / 2));
      await until("error XML001");
    }
    const start = performance.now();
    if (save % 3 === 0) {
      project.write("schemas/.saved", text);
      renameSync(join(project.path, "schemas/.saved"), join(project.path, path));
    } else {
      project.write(path, text);
    }
    if (save % 5 === 2) {
      const index = "schemas/content/index.json";
      project.write(index, project.read(index).replace(/"description": "[^"]*"/, `"description": "Save ${save}"`));
    }
    await until("Watching 6 files …\n");
    times.push(performance.now() - start);
    if (save % 10 === 9) {
      expect(differences(packagesOf(project), await generatedFrom(project))).toEqual([]);
      expect(Object.keys(packagesOf(project)).length).toBeGreaterThan(50);
    }
  }
  times.sort((a, b) => a - b);
  const rounded = [times[25], times[49]].map((time) => Math.round(time ?? 0));
  process.stdout.write(`Fifty saves: median ${rounded[0]} ms, worst ${rounded[1]} ms.\n`);
}, 120_000);

/** Renames an element or adds an optional one, so that the document remains valid. */
function edited(text: string, save: number): string {
  const sequence = /<(\w+:)?sequence>/.exec(text);
  if (sequence === null) {
    return `${text}\n`;
  }
  const [tag, prefix = ""] = sequence;
  const added = `<${prefix}element name="Save${save}" minOccurs="0"><${prefix}simpleType><${prefix}restriction base="${xsdPrefix(text)}string"/></${prefix}simpleType></${prefix}element>`;
  const without = text.replace(/<(?:\w+:)?element name="Save\d+".*?<\/(?:\w+:)?element>/, "");
  return without.replace(tag, `${tag}${added}`);
}

/** The prefix of XSD, with its colon, or nothing if XSD is the default namespace. */
function xsdPrefix(text: string): string {
  const bound = /xmlns:(\w+)="http:\/\/www\.w3\.org\/2001\/XMLSchema"/.exec(text);
  return bound === null ? "" : `${bound[1]}:`;
}
