import { spawnSync } from "node:child_process";
import fs, { cpSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { FileWatch } from "../src/commands/watch.js";
import { hashFile } from "../src/run-record.js";
import { config, ProjectFolder, wsdl } from "./project-folder.js";

/** Watches a project until the test ends, and collects the output. */
function watching(
  project: ProjectFolder,
  {
    parameters = ["watch"],
    isTTY = false,
    now = () => performance.now(),
    onText = () => undefined,
  }: {
    readonly parameters?: readonly string[];
    readonly isTTY?: boolean;
    readonly now?: () => number;
    /** Called with all printed text after each write. */
    readonly onText?: (text: string) => void;
  } = {},
) {
  const printed: string[] = [];
  const interruption = new AbortController();
  const write = (text: string) => {
    printed.push(text);
    onText(printed.join(""));
  };
  const stream = { isTTY, write };
  project.host = { out: stream, err: stream, interrupted: interruption.signal, now };
  const ended = project.run(...parameters);
  onTestFinished(async () => {
    interruption.abort();
    await ended;
  });
  return {
    ended,
    interrupt: () => interruption.abort(),
    text: () => printed.join(""),
    /** Waits until a text is printed after the previous wait. */
    async until(text: string) {
      await expect.poll(() => printed.join(""), { timeout: 8_000, interval: 20 }).toContain(text);
      printed.length = 0;
    },
  };
}

const types = "packages/contract/src/hello/types.ts";

test("a saved schema is in the packages, also one that an editor saves by renaming", async () => {
  const project = new ProjectFolder();
  const watch = watching(project);
  await watch.until("Watching 2 files …\n");
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await watch.until("Watching 2 files …\n");
  expect(project.read(types)).toContain("Welcome");
  project.write("schemas/.hello.wsdl.swp", wsdl("Farewell"));
  renameSync(join(project.path, "schemas/.hello.wsdl.swp"), join(project.path, "schemas/hello.wsdl"));
  await watch.until("Watching 2 files …\n");
  expect(project.read(types)).toContain("Farewell");
});

test.each([
  ["--wsdl", "http://hello.example/hello.wsdl", "--out", "generated"],
  ["--wsdl", "missing.wsdl", "--out", "generated"],
  ["--config", "missing.json"],
])(
  "a mistake in the command line ends the program: %s %s",
  (...parameters) => {
    const project = new ProjectFolder();
    const program = join(import.meta.dirname, "../dist/bin.js");
    const { error, status, stderr } = spawnSync(process.execPath, [program, "watch", ...parameters], {
      cwd: project.path,
      timeout: 15_000,
      encoding: "utf8",
    });
    expect([error, status, stderr]).toEqual([undefined, 2, expect.stringContaining("1 error; nothing written.")]);
  },
  20_000,
);

test("an error is reported, the last good packages stay, and the report of the next run is clean", async () => {
  const project = new ProjectFolder();
  const watch = watching(project);
  await watch.until("Watching");
  const good = project.read(types);
  project.write("schemas/hello.wsdl", "<definitions");
  await watch.until("error XML001");
  expect(project.read(types)).toBe(good);
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await watch.until("0 removed");
  expect(project.read(types)).toContain("Welcome");
});

test.each<[string, (path: string) => void]>([
  ["a file that is too large", (path) => writeFileSync(path, `${wsdl()}${" ".repeat(5_000)}`)],
  [
    "a link out of the project",
    (path) => {
      rmSync(path);
      symlinkSync("/etc/hosts", path);
    },
  ],
  [
    "a link to itself",
    (path) => {
      rmSync(path);
      symlinkSync("hello.wsdl", path);
    },
  ],
])("a source that becomes %s is reported once, and its next save is noticed", async (_, spoil) => {
  const project = new ProjectFolder();
  const source = join(project.path, "schemas/hello.wsdl");
  const onText = (text: string) => {
    if (text.length > 20_000) {
      throw new Error("The report is repeated without end.");
    }
  };
  const watch = watching(project, { parameters: ["watch", "--limit", "fileBytes=5000"], onText });
  await watch.until("Watching 2 files …\n");
  spoil(source);
  await watch.until("The packages are unchanged. Watching 2 files …\n");
  await setTimeout(1_200);
  expect(watch.text()).toBe("");
  rmSync(source);
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await watch.until("Watching 2 files …\n");
  expect(project.read(types)).toContain("Welcome");
});

test("a schema that is removed, and there again, is read again", async () => {
  const project = new ProjectFolder();
  const watch = watching(project);
  await watch.until("Watching");
  rmSync(join(project.path, "schemas"), { recursive: true });
  await watch.until("error SRC001");
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await watch.until("0 removed");
  expect(project.read(types)).toContain("Welcome");
});

test("a schema that appears just after a run found it missing is read", async () => {
  let time = 0;
  let isRemoved = false;
  const project = new ProjectFolder();
  const watch = watching(project, {
    isTTY: true,
    now: () => (time += 1000),
    onText: (text) => {
      // The step is shown after the file was read. Programs such as git remove a file before they write it.
      if (isRemoved && text.includes("Reading schemas/hello.wsdl")) {
        isRemoved = false;
        project.write("schemas/hello.wsdl", wsdl("Welcome"));
      }
    },
  });
  await watch.until("Watching");
  isRemoved = true;
  rmSync(join(project.path, "schemas/hello.wsdl"));
  await watch.until("0 removed");
  expect(project.read(types)).toContain("Welcome");
});

test("the configuration is watched too, also while it is damaged", async () => {
  const project = new ProjectFolder();
  const text = project.read("bothends.json");
  const watch = watching(project);
  await watch.until("Watching");
  project.write("bothends.json", "{");
  await watch.until("error CFG001");
  project.write("bothends.json", text.replace('"hello":', '"other":'));
  await watch.until("removed");
  expect(project.read("packages/contract/src/other/types.ts")).toContain("Greet");
});

test("a save while another run holds the lock is generated when the lock is free", async () => {
  const project = new ProjectFolder();
  const watch = watching(project);
  await watch.until("Watching");
  const lock = { pid: process.ppid, host: hostname(), since: Date.now() };
  project.write(".bothends-lock", JSON.stringify(lock));
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await watch.until("Waiting until the output is no longer locked …\n");
  project.write("schemas/hello.wsdl", wsdl("Farewell"));
  await setTimeout(500);
  expect(watch.text()).toBe("");
  expect(project.read(types)).not.toContain("Farewell");
  rmSync(join(project.path, ".bothends-lock"));
  await watch.until("Watching 2 files …\n");
  expect(project.read(types)).toContain("Farewell");
});

test("an interruption ends a watch that waits for a lock", async () => {
  const project = new ProjectFolder();
  project.write(".bothends-lock", JSON.stringify({ pid: process.ppid, host: hostname(), since: Date.now() }));
  const watch = watching(project);
  await watch.until("Waiting until the output is no longer locked …\n");
  watch.interrupt();
  expect((await watch.ended).code).toBe(0);
});

test("a configuration that is missing is reported once, and read when it is there again", async () => {
  const project = new ProjectFolder();
  const text = project.read("bothends.json");
  const watch = watching(project);
  await watch.until("Watching");
  rmSync(join(project.path, "bothends.json"));
  await watch.until("error: There is no file bothends.json");
  await setTimeout(100);
  expect(watch.text()).not.toContain("error: There is no file bothends.json");
  project.write("bothends.json", text);
  await watch.until("0 removed");
});

test("two files that are saved at once are one run, and imported files are watched", async () => {
  const importing = (name: string) =>
    wsdl(name).replace('"qualified">', '"qualified"><include schemaLocation="more.xsd"/>');
  const schema = (name: string) =>
    `<schema xmlns="http://www.w3.org/2001/XMLSchema"><element name="${name}" type="string"/></schema>`;
  const project = new ProjectFolder({
    "bothends.json": new ProjectFolder().read("bothends.json"),
    "schemas/hello.wsdl": importing("Greet"),
    "schemas/more.xsd": schema("More"),
  });
  const watch = watching(project, { parameters: ["generate", "--watch"] });
  await watch.until("Watching 3 files …\n");
  project.write("schemas/more.xsd", schema("Most"));
  project.write("schemas/hello.wsdl", importing("Welcome"));
  await expect.poll(() => watch.text()).toContain("Watching 3 files …\n");
  expect(watch.text()).toMatch(/\nschemas\/hello\.wsdl, schemas\/more\.xsd:\n/);
});

test("a save does not wait for the disk, but the first run does", async () => {
  const sync = vi.spyOn(fs, "fsyncSync");
  syncBuiltinESMExports();
  onTestFinished(() => {
    sync.mockRestore();
    syncBuiltinESMExports();
  });
  const project = new ProjectFolder();
  const watch = watching(project);
  await watch.until("Watching 2 files …\n");
  const firstCount = sync.mock.calls.length;
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await watch.until("Watching 2 files …\n");
  expect([firstCount > 0, sync.mock.calls.length - firstCount]).toEqual([true, 0]);
});

test("a warning is printed once, and only counted after further saves", async () => {
  const withElements = (operation: string, ...elements: readonly string[]) =>
    wsdl(operation).replace(
      "</definitions>",
      `${elements.map((each) => `<${each} name="Other"/>`).join("")}</definitions>`,
    );
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": withElements("A", "operation") });
  const watch = watching(project);
  const save = async (text: string) => {
    await watch.until("Watching 2 files …\n");
    project.write("schemas/hello.wsdl", text);
    await expect.poll(watch.text, { timeout: 8_000, interval: 20 }).toContain("Watching 2 files …\n");
    return watch.text();
  };
  const first = await save(withElements("B", "operation"));
  expect(first).toContain("note: 1 warning of an earlier run is unchanged.\n");
  expect(first).not.toContain("warning WSDL");
  expect(first).toContain("1 warning;");
  const second = await save(withElements("B", "operation", "port"));
  expect(second).toMatch(/warning WSDL.*port>/);
  expect(second).not.toMatch(/warning WSDL.*operation>/);
  expect(await save(wsdl("B"))).not.toContain("warning");
  expect(await save(withElements("C", "operation"))).toMatch(/warning WSDL.*operation>/);
});

test("changes since the last run are reported", async () => {
  const project = new ProjectFolder();
  const watch = watching(project);
  await watch.until("Watching");
  const colour = '<element name="Name" type="string"/><element name="Colour" type="string" minOccurs="0"/>';
  project.write("schemas/hello.wsdl", wsdl().replace('<element name="Name" type="string"/>', colour));
  await watch.until("Colour");
});

test("the first generation is repeated twice, for faster saves, and writes and reports nothing then", async () => {
  const project = new ProjectFolder();
  let milliseconds = 0;
  // The clock advances by a second at each reading, so that every step is shown.
  const watch = watching(project, { isTTY: true, now: () => (milliseconds += 1000) });
  await expect.poll(watch.text).toContain("Watching");
  const count = (pattern: RegExp) => watch.text().match(pattern)?.length;
  const steps = /Resolving the types of hello/g;
  expect([count(steps), count(/Generated/g), count(/19 added/g)]).toEqual([3, 1, 1]);
  const before = project.snapshot();
  project.write("schemas/hello.wsdl", `${wsdl()}\n`);
  await expect.poll(() => count(/Watching/g)).toBe(2);
  expect([count(steps), count(/Generated/g)]).toEqual([4, 2]);
  expect(project.snapshot()).toEqual({ ...before, "schemas/hello.wsdl": `${wsdl()}\n` });
});

test.each([
  { time: "before the repeated generation", mark: / unchanged\..*\n$/, repeated: 0 },
  {
    time: "during the repeated generation",
    mark: /Resolving the types of hello.*Resolving the types of hello/s,
    repeated: 1,
  },
])("a save $time does not wait until it is complete", async ({ mark, repeated }) => {
  const project = new ProjectFolder();
  let milliseconds = 0;
  let isSaved = false;
  const onText = (text: string) => {
    if (!isSaved && mark.test(text)) {
      isSaved = true;
      project.write("schemas/hello.wsdl", wsdl("Welcome"));
    }
  };
  const watch = watching(project, { isTTY: true, now: () => (milliseconds += 1000), onText });
  await expect.poll(() => watch.text().match(/Watching/g)?.length).toBe(2);
  const count = (pattern: RegExp) => watch.text().match(pattern)?.length;
  expect([count(/Resolving the types of hello/g), count(/Printing code/g)]).toEqual([2 + repeated, 2]);
  expect(project.read(types)).toContain("Welcome");
});

test("saves are noticed without polling after the folder of the schemas was replaced", async () => {
  const project = new ProjectFolder();
  const interruption = new AbortController();
  onTestFinished(() => interruption.abort());
  const path = (name: string) => join(project.path, name);
  const files = new FileWatch(interruption.signal, { pollInterval: 3_600_000 });
  files.setFiles(new Map([[path("schemas/hello.wsdl"), hashFile(path("schemas/hello.wsdl"))]]));
  const change = files.nextChange();
  cpSync(path("schemas"), path("copy"), { recursive: true });
  rmSync(path("schemas"), { recursive: true });
  renameSync(path("copy"), path("schemas"));
  await setTimeout(500);
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  expect(await change).toEqual([path("schemas/hello.wsdl")]);
});

test("a file that an editor empties before it writes the new content is one change", async () => {
  const project = new ProjectFolder();
  const interruption = new AbortController();
  onTestFinished(() => interruption.abort());
  const path = join(project.path, "schemas/hello.wsdl");
  const files = new FileWatch(interruption.signal);
  files.setFiles(new Map([[path, hashFile(path)]]));
  const change = files.nextChange();
  let isWritten = false;
  project.write("schemas/hello.wsdl", "");
  const written = setTimeout(100).then(() => {
    project.write("schemas/hello.wsdl", wsdl("Welcome"));
    isWritten = true;
  });
  expect([await change, isWritten]).toEqual([[path], true]);
  await written;
  files.setFiles(new Map([[path, hashFile(path)]]));
  project.write("schemas/hello.wsdl", "");
  expect(await files.nextChange()).toEqual([path]);
});

test("a change of other files in a watched folder does not go through the watched files", async () => {
  const project = new ProjectFolder();
  const interruption = new AbortController();
  onTestFinished(() => interruption.abort());
  const path = join(project.path, "schemas/hello.wsdl");
  let passes = 0;
  class CountingMap extends Map<string, string | undefined> {
    override keys() {
      passes += 1;
      return super.keys();
    }
  }
  const files = new FileWatch(interruption.signal, { pollInterval: 3_600_000 });
  files.setFiles(new CountingMap([[path, hashFile(path)]]));
  const change = files.nextChange();
  await setTimeout(100);
  const before = passes;
  for (let number = 0; number < 50; number += 1) {
    project.write(`schemas/other-${number}.xsd`, "");
  }
  await setTimeout(300);
  expect(passes).toBe(before);
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  expect(await change).toEqual([path]);
});

test("of many saved files, only the first are named", async () => {
  const names = Array.from({ length: 12 }, (_, number) => `t${String(number).padStart(2, "0")}.xsd`);
  const include = names.map((name) => `<include schemaLocation="${name}"/>`).join("");
  const schema = '<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:hello"/>';
  const start = 'elementFormDefault="qualified">';
  const project = new ProjectFolder({
    "bothends.json": config,
    "schemas/hello.wsdl": wsdl().replace(start, `${start}${include}`),
    ...Object.fromEntries(names.map((name) => [`schemas/${name}`, schema])),
  });
  const watch = watching(project);
  await watch.until("Watching 14 files …\n");
  rmSync(join(project.path, "schemas"), { recursive: true });
  await expect.poll(() => watch.text(), { timeout: 8_000 }).toContain("Watching");
  expect(watch.text()).toContain(
    "\nschemas/hello.wsdl, schemas/t00.xsd, schemas/t01.xsd, schemas/t02.xsd, schemas/t03.xsd and 8 more files:\n",
  );
});

test("an interruption ends the watch", async () => {
  const project = new ProjectFolder();
  const watch = watching(project);
  await watch.until("Watching");
  watch.interrupt();
  expect((await watch.ended).code).toBe(0);
  expect(watch.text()).toBe("Stopped watching.\n");
});
