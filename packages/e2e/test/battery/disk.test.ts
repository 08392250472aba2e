import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../house/sources.js";
import { Project } from "./project.js";
import { wsdlOf } from "./wsdl.js";

const bin = join(root, "packages/bothends/dist/bin.js");

/** The exit code and the output of a process. */
interface Ended {
  readonly code: number | null;
  readonly err: string;
}

function start(cwd: string, parameters: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [bin, ...parameters], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function ended(child: ChildProcess): Promise<Ended> {
  const said: string[] = [];
  child.stderr?.on("data", (data: Buffer) => said.push(data.toString()));
  child.stdout?.resume();
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, err: said.join("") })));
}

/** Creates a project with both interfaces of the repository. Generating it writes many files, which takes some time. */
function largeProject(): Project {
  const project = new Project({});
  cpSync(join(root, "schemas"), join(project.path, "schemas"), { recursive: true });
  cpSync(join(root, "bothends.json"), join(project.path, "bothends.json"));
  return project;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The files that an undisturbed run writes. Created once for all tests of this file. */
let whole: Promise<Readonly<Record<string, string>>> | undefined;

function wholeTree(): Promise<Readonly<Record<string, string>>> {
  whole ??= (async () => {
    const project = largeProject();
    expect((await project.run("generate")).code).toBe(0);
    return project.files("packages");
  })();
  return whole;
}

test("the run after a killed one writes the complete output", async () => {
  const want = await wholeTree();
  let stopped = 0;
  for (const [signal, after] of [
    ["SIGKILL", 0],
    ["SIGINT", 4],
    ["SIGKILL", 10],
    ["SIGKILL", 25],
  ] as const) {
    const project = largeProject();
    const journal = join(project.path, ".bothends-journal");
    const child = start(project.path, ["generate"]);
    const end = ended(child);
    await until(() => existsSync(journal) || child.exitCode !== null);
    await new Promise((resolve) => setTimeout(resolve, after));
    child.kill(signal);
    await end;
    if (existsSync(journal)) {
      stopped += 1;
    }
    expect((await project.run("generate")).code).toBe(0);
    expect(project.files("packages")).toEqual(want);
    expect(Object.keys(project.files()).filter((path) => !/^(?:packages|schemas)\//.test(path))).toEqual([
      "bothends.json",
    ]);
  }
  expect(stopped).toBeGreaterThan(0);
}, 180_000);

/** Code that runs before the command. When the command renames a file for the third time, a signal arrives. */
function sendDuringRenaming(signal: NodeJS.Signals): string {
  const code = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { renameSync } = fs;
let count = 0;
fs.renameSync = (...paths) => {
  renameSync(...paths);
  if (++count === 3) {
    process.kill(process.pid, ${JSON.stringify(signal)});
  }
};
syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s while files are renamed ends the run after them",
  async (signal) => {
    const project = largeProject();
    const child = start(project.path, ["generate"], { NODE_OPTIONS: `--import=${sendDuringRenaming(signal)}` });
    await ended(child);
    expect(child.signalCode).toBe(signal);
    expect(project.files("packages")).toEqual(await wholeTree());
    expect(Object.keys(project.files()).filter((path) => !/^(?:packages|schemas)\//.test(path))).toEqual([
      "bothends.json",
    ]);
  },
);

test("of two simultaneous runs one reports the lock, or both succeed in turn", async () => {
  const project = largeProject();
  const ends = await Promise.all([1, 2].map(() => ended(start(project.path, ["generate"]))));
  for (const { code, err } of ends) {
    expect([0, 2]).toContain(code);
    if (code === 2) {
      expect(err).toMatch(/locked by (?:pid \d+|another run)/);
    }
  }
  expect(ends.map(({ code }) => code)).toContain(0);
  expect(project.files("packages")).toEqual(await wholeTree());
});

test("the output does not depend on folder, locale, time zone and file order", async () => {
  const here = largeProject();
  const there = new Project({ "bothends.json": here.read("bothends.json") });
  for (const [path, text] of Object.entries(here.files("schemas")).reverse()) {
    there.write(`schemas/${path}`, text);
  }
  const env = { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Apia" };
  const { code, err } = await ended(start("/", ["generate", "--config", join(there.path, "bothends.json")], env));
  expect(code, err).toBe(0);
  expect(err).not.toMatch(/: (?:error|warning) /);
  expect(there.files("packages")).toEqual(await wholeTree());
});

const hello = { "schemas/s.wsdl": wsdlOf() };
const config = (wsdl: string) =>
  JSON.stringify({
    packages: Object.fromEntries(
      ["contract", "client", "server"].map((name) => [name, { path: `packages/${name}`, name: `@x/${name}` }]),
    ),
    interfaces: { hello: { wsdl: [wsdl] } },
  });

test("a byte order mark and other line ends do not count as edits", async () => {
  const project = new Project({ ...hello, "bothends.json": config("schemas/s.wsdl") });
  await project.run("generate");
  const texts = Object.entries(project.files("packages")).filter(([path]) => !path.endsWith(".gz"));
  for (const [path, text] of texts) {
    project.write(`packages/${path}`, `${path.endsWith(".ts") ? "\ufeff" : ""}${text.replaceAll("\n", "\r\n")}`);
  }
  project.write("schemas/s.wsdl", wsdlOf({ documentation: "Changed." }));
  const { code, err } = await project.run("generate");
  expect([code, err]).toEqual([0, ""]);
});

test("code and deletions of users are kept", async () => {
  const two = wsdlOf({ operation: "Other" });
  const project = new Project({ ...hello, "bothends.json": config("schemas/s.wsdl") });
  expect((await project.run("scaffold", "server", "mine")).code).toBe(0);
  const handlers = Object.keys(project.files("mine")).filter((path) => /ask\.ts$/.test(path));
  expect(handlers).toHaveLength(1);
  const mine = `mine/${handlers[0]}`;
  project.write(mine, `${project.read(mine)}// mine\n`);
  project.write("schemas/s.wsdl", two);
  expect((await project.run("generate")).code).toBe(0);
  expect(project.read(mine)).toContain("// mine");
  const merged = await project.run("scaffold", "server", "mine");
  expect(merged.code, merged.err).toBe(0);
  expect(merged.out).toContain("no longer in the schema: ");
  expect(project.read(mine)).toContain("// mine");
  rmSync(join(project.path, mine));
  await project.run("generate");
  expect(existsSync(join(project.path, mine))).toBe(false);
});

test("a folder with other files is refused", async () => {
  const project = new Project({
    ...hello,
    "bothends.json": config("schemas/s.wsdl"),
    "packages/client/notes.txt": "mine",
  });
  const before = project.files();
  const { code, err } = await project.run("generate");
  expect([code, project.files()]).toEqual([2, before]);
  expect(err).toContain("--allow-nonempty");
});
