import { expect, test } from "vitest";
import { DiskError } from "../../src/disk/file-system.js";
import { computeTextHash } from "../../src/disk/plan-tree.js";
import { compareTree, readExisting, writeBeside, writeTree } from "../../src/disk/write-files.js";
import { MemoryDisk, outputOf, testSystem } from "./memory-disk.js";

const plain = { force: false, allowNonempty: false, dryRun: false };
const tree = new Map([
  ["packages/a/src/one.ts", "one\n"],
  ["packages/a/src/two.ts", "two\n"],
]);
const manifest = "packages/a/.bothends-manifest.json";

function written(): MemoryDisk {
  const disk = new MemoryDisk();
  writeTree(outputOf(disk), tree, plain);
  return disk;
}

function paths(changes: readonly { readonly path: string }[]): readonly string[] {
  return changes.map(({ path }) => path);
}

test("writes a tree and its manifest, and nothing else", () => {
  expect(Object.keys(written().snapshot())).toEqual([manifest, "packages/a/src/one.ts", "packages/a/src/two.ts"]);
  expect(JSON.parse(written().snapshot()[manifest] ?? "")).toEqual({
    format: 1,
    files: { "src/one.ts": computeTextHash(Buffer.from("one\n")), "src/two.ts": computeTextHash(Buffer.from("two\n")) },
  });
});

test("writes nothing when nothing changed", () => {
  const disk = written();
  const files = new Map(disk.files);
  const { plan } = writeTree(outputOf(disk), tree, plain);
  expect(plan.unchanged).toEqual([...tree.keys()]);
  expect([...disk.files].every(([path, bytes]) => files.get(path) === bytes)).toBe(true);
});

test("lists added, changed and removed files", () => {
  const disk = written();
  const next = new Map([
    ["packages/a/src/one.ts", "1\n"],
    ["packages/a/src/three.ts", "3\n"],
  ]);
  const { plan } = writeTree(outputOf(disk), next, plain);
  expect([paths(plan.added), paths(plan.changed), paths(plan.removed)]).toEqual([
    ["packages/a/src/three.ts"],
    ["packages/a/src/one.ts"],
    ["packages/a/src/two.ts"],
  ]);
  expect(Object.keys(disk.snapshot())).toEqual([manifest, "packages/a/src/one.ts", "packages/a/src/three.ts"]);
});

test.each([
  { change: "line ends", text: "one\r\n" },
  { change: "a byte order mark", text: "\uFEFFone\n" },
])("$change do not count as an edit", ({ text }) => {
  const disk = written();
  disk.write("packages/a/src/one.ts", text);
  expect(writeTree(outputOf(disk), tree, plain).plan.unchanged).toContain("packages/a/src/one.ts");
  const next = new Map([...tree, ["packages/a/src/one.ts", "1\n"]]);
  expect(paths(writeTree(outputOf(disk), next, plain).plan.changed)).toEqual(["packages/a/src/one.ts"]);
});

test("an edited file is refused, and nothing is written", () => {
  const disk = written();
  disk.write("packages/a/src/one.ts", "mine\n");
  const before = disk.snapshot();
  const next = new Map([...tree, ["packages/a/src/two.ts", "2\n"]]);
  const result = writeTree(outputOf(disk), next, plain);
  expect(result.kind).toBe("edited");
  expect(paths(result.plan.edited)).toEqual(["packages/a/src/one.ts"]);
  expect(disk.snapshot()).toEqual(before);
});

test("with force, an edited file is replaced, and a copy is kept under a new name each time", () => {
  const disk = written();
  disk.write("packages/a/src/one.ts", "mine\n");
  expect(writeTree(outputOf(disk), tree, { ...plain, force: true }).backups).toEqual(["packages/a/src/one.ts.orig"]);
  disk.write("packages/a/src/one.ts", "mine again\n");
  expect(writeTree(outputOf(disk), tree, { ...plain, force: true }).backups).toEqual(["packages/a/src/one.ts.1.orig"]);
  expect(disk.snapshot()).toMatchObject({
    "packages/a/src/one.ts": "one\n",
    "packages/a/src/one.ts.orig": "mine\n",
    "packages/a/src/one.ts.1.orig": "mine again\n",
  });
});

test("a file that is no longer generated is removed only if it was not edited", () => {
  const disk = written();
  disk.write("packages/a/src/two.ts", "mine\n");
  const { plan } = writeTree(outputOf(disk), new Map([["packages/a/src/one.ts", "one\n"]]), plain);
  expect(plan.keptPaths).toEqual(["packages/a/src/two.ts"]);
  expect(disk.snapshot()["packages/a/src/two.ts"]).toBe("mine\n");
});

test("a folder with other files is refused until it is allowed, and then they are kept", () => {
  const disk = new MemoryDisk();
  disk.write("packages/a/notes.txt", "mine\n");
  const problem = "contains other files: made/packages/a/notes.txt.";
  expect(() => writeTree({ ...outputOf(disk), shownRoot: "made" }, tree, plain)).toThrow(problem);
  expect(Object.keys(disk.snapshot())).toEqual(["packages/a/notes.txt"]);
  writeTree(outputOf(disk), tree, { ...plain, allowNonempty: true });
  expect(disk.snapshot()["packages/a/notes.txt"]).toBe("mine\n");
});

test("a file in an allowed folder that a generated file would replace counts as edited", () => {
  const disk = new MemoryDisk();
  disk.write("packages/a/src/one.ts", "mine\n");
  expect(writeTree(outputOf(disk), tree, { ...plain, allowNonempty: true }).kind).toBe("edited");
});

test("a folder with only installed files may be written to", () => {
  const disk = new MemoryDisk();
  disk.write("packages/a/node_modules/x/index.js", "");
  expect(writeTree(outputOf(disk), tree, plain).kind).toBe("written");
});

test.each([
  "packages/a/../x.ts",
  "/etc/passwd",
  "packages/a/a\\b.ts",
  "packages/a/con.ts",
  "packages/a/x.",
  "packages/a/.git/config",
  "packages/a/node_modules/x.js",
  "packages/c/x.ts",
  `packages/a/${"x".repeat(241)}`,
  `packages/a/${"xy/".repeat(1400)}z`,
  "packages/a/a\0b",
])("a tree with the path %j is not written", (path) => {
  const disk = new MemoryDisk();
  expect(() => writeTree(outputOf(disk), new Map([[path, "x"]]), plain)).toThrow("cannot be written");
  expect(disk.snapshot()).toEqual({});
});

test("two paths that differ only in letter case are refused", () => {
  const twice = new Map([
    ["packages/a/x.ts", ""],
    ["packages/a/X.ts", ""],
  ]);
  expect(() => writeTree(outputOf(new MemoryDisk()), twice, plain)).toThrow("letter case");
});

test.each(["packages", "packages/a", "packages/a/src", "packages/a/src/one.ts", "packages/a/.bothends-manifest.json"])(
  "a link at %s is never followed",
  (path) => {
    const disk = written();
    for (const file of [...disk.files.keys()].filter((each) => `${each}/`.startsWith(`/project/${path}/`))) {
      disk.files.delete(file);
    }
    disk.links.set(`/project/${path}`, "/elsewhere");
    expect(() => writeTree(outputOf(disk), tree, plain)).toThrow("Links are never followed");
  },
);

test("a folder in place of a file, and a file in place of a folder, are refused", () => {
  const disk = new MemoryDisk();
  disk.write("packages/a", "a file\n");
  expect(() => writeTree(outputOf(disk), tree, plain)).toThrow("must be a folder");
  const other = new MemoryDisk();
  other.write("packages/b/.bothends-manifest.json", '{"format":1,"files":{}}');
  other.write("packages/b/x.ts/y", "");
  expect(() => writeTree(outputOf(other), new Map([["packages/b/x.ts", ""]]), plain)).toThrow("must be a file");
});

const hash = "0".repeat(64);
const listing = (path: string) => JSON.stringify({ format: 1, files: { [path]: hash } });

test.each([
  { text: "", reason: "it is empty" },
  { text: '{"format":1,"files":{"src/one.ts":', reason: "it is not JSON" },
  { text: `<<<<<<< HEAD\n${listing("a.ts")}`, reason: "it contains the marks of an unresolved merge" },
  { text: "null", reason: "it is not a JSON object" },
  { text: "[]", reason: "it is not a JSON object" },
  { text: '{"files":{}}', reason: 'its member "format" is not 1' },
  { text: '{"format":"1","files":{}}', reason: 'its member "format" is not 1' },
  { text: '{"format":2,"files":{}}', reason: "a later version of bothends wrote it, in format 2" },
  { text: '{"format":1}', reason: 'its member "files" is not an object' },
  { text: '{"format":1,"files":[]}', reason: 'its member "files" is not an object' },
  { text: '{"format":1,"files":{"a.ts":"x"}}', reason: 'the hash of "a.ts" is not a SHA-256' },
  { text: '{"format":1,"files":{"a.ts":1}}', reason: 'the hash of "a.ts" is not a SHA-256' },
  ...[
    "../b/one.ts",
    "/etc/passwd",
    "a\\b.ts",
    "./a.ts",
    ".git/config",
    "node_modules/x/a.js",
    "a\u0000.ts",
    "src/../../b.ts",
    "__proto__/../a.ts",
    ".bothends-manifest.json",
    "src/.bothends-journal-0.next",
  ].map((path) => ({
    text: listing(path),
    reason: `it lists ${JSON.stringify(path)}, which cannot be a generated file`,
  })),
])("a damaged manifest is refused, because $reason", ({ text, reason }) => {
  const disk = written();
  disk.write("packages/b/one.ts", "mine\n");
  disk.write(manifest, text);
  const before = disk.snapshot();
  for (const run of [writeTree, compareTree]) {
    expect(() => run(outputOf(disk), new Map(), plain)).toThrow(
      `The manifest ${manifest}, which lists the generated files, cannot be used: ${reason}.`,
    );
    expect(disk.snapshot()).toEqual(before);
  }
});

test("the help for a damaged manifest works", () => {
  const disk = written();
  disk.write("packages/a/src/two.ts", "mine\n");
  disk.write(manifest, "{");
  const help = getHelp(() => writeTree(outputOf(disk), tree, plain));
  expect(help).toBe(
    "Restore it from version control. Or delete it, and run generate with --allow-nonempty; if it then reports edited files, add --force, which keeps copies of them.",
  );
  disk.remove(`/project/${manifest}`);
  expect(writeTree(outputOf(disk), tree, { ...plain, allowNonempty: true }).kind).toBe("edited");
  expect(writeTree(outputOf(disk), tree, { ...plain, allowNonempty: true, force: true }).kind).toBe("written");
  expect(disk.snapshot()["packages/a/src/two.ts.orig"]).toBe("mine\n");
});

test("a manifest of a later version is refused with another help", () => {
  const disk = written();
  disk.write(manifest, '{"format":2,"files":{}}');
  expect(getHelp(() => writeTree(outputOf(disk), tree, plain))).toContain("Run that version");
});

test("if the manifest of a package is missing, the help says so", () => {
  const disk = new MemoryDisk();
  writeTree(outputOf(disk), packageTree, plain);
  disk.remove(`/project/${manifest}`);
  expect(getHelp(() => writeTree(outputOf(disk), packageTree, plain))).toMatch(
    /^If bothends wrote packages\/a, restore packages\/a\/\.bothends-manifest\.json from version control, or run generate with --allow-nonempty\. Otherwise, choose another folder/,
  );
});

const packageTree = new Map([["packages/a/package.json", "{}\n"]]);

function getHelp(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof DiskError ? error.help : undefined;
  }
  return undefined;
}

test("a manifest cannot cause the deletion of files outside its package", () => {
  const disk = written();
  disk.write("secret.txt", "mine\n");
  disk.write(
    manifest,
    JSON.stringify({ format: 1, files: { "../../secret.txt": computeTextHash(Buffer.from("mine\n")) } }),
  );
  expect(() => writeTree(outputOf(disk), tree, plain)).toThrow(
    `it lists "../../secret.txt", which cannot be a generated file`,
  );
  expect(disk.snapshot()["secret.txt"]).toBe("mine\n");
});

test.each([
  { state: "applying", folders: [], entries: [{ target: "secret.txt" }] },
  { state: "staging", folders: ["elsewhere"], entries: [] },
  { state: "applying", folders: [], entries: [{ target: "packages/a/../../secret.txt" }] },
])("a journal that names other files is refused: %j", (journal) => {
  const disk = written();
  disk.write("secret.txt", "mine\n");
  disk.write(".bothends-journal", JSON.stringify(journal));
  const before = disk.snapshot();
  expect(() => writeTree(outputOf(disk), tree, plain)).toThrow("not in a package of this run");
  expect(disk.snapshot()).toEqual(before);
});

test("files in a user's folder are written only if they are unchanged since they were read", () => {
  const disk = new MemoryDisk();
  disk.write("packages/b/src/mine.ts", "mine\n");
  disk.write("packages/b/node_modules/x/index.js", "");
  const output = outputOf(disk);
  const existingFiles = readExisting(output, "packages/b");
  expect([...existingFiles]).toEqual([["src/mine.ts", "mine\n"]]);
  const files = new Map([
    ["src/mine.ts", "mine\nand more\n"],
    ["src/new.ts", "new\n"],
  ]);
  expect(paths(writeBeside(output, files, { folder: "packages/b", existingFiles }))).toHaveLength(2);
  expect(disk.snapshot()["packages/b/src/mine.ts"]).toBe("mine\nand more\n");
  expect(() => writeBeside(output, files, { folder: "packages/b", existingFiles })).toThrow(
    "changed by another program",
  );
});

test("a file in a user's folder keeps its byte order mark", () => {
  const disk = new MemoryDisk();
  disk.write("packages/b/mine.ts", "\uFEFFmine\n");
  const output = outputOf(disk);
  const existingFiles = readExisting(output, "packages/b");
  writeBeside(output, new Map([["mine.ts", "mine\nand more\n"]]), { folder: "packages/b", existingFiles });
  expect(disk.snapshot()["packages/b/mine.ts"]).toBe("\uFEFFmine\nand more\n");
});

test("a changed or moved file in a user's folder keeps its permissions, and a moved file its byte order mark", () => {
  const disk = new MemoryDisk();
  disk.write("packages/b/mine.ts", "mine\n");
  disk.write("packages/b/old.ts", "\uFEFFold\n");
  const output = outputOf(disk);
  const getPath = (name: string) => [...disk.files.keys()].find((path) => path.endsWith(`/${name}`)) ?? "";
  disk.setMode(getPath("mine.ts"), 0o640);
  disk.setMode(getPath("old.ts"), 0o600);
  const files = new Map([
    ["mine.ts", "mine\nand more\n"],
    ["new.ts", "old\nand more\n"],
    ["other.ts", "other\n"],
  ]);
  const options = {
    folder: "packages/b",
    existingFiles: readExisting(output, "packages/b"),
    removed: ["old.ts"],
    movedFrom: new Map([["new.ts", "old.ts"]]),
  };
  writeBeside(output, files, options);
  expect(disk.snapshot()["packages/b/new.ts"]).toBe("\uFEFFold\nand more\n");
  expect(["mine.ts", "new.ts", "other.ts"].map((name) => disk.getMode(getPath(name)))).toEqual([0o640, 0o600, 0o644]);
});

test.each(["changed", "moved"])("a read-only file in a user's folder is not %s", (change) => {
  const disk = new MemoryDisk();
  disk.write("packages/b/mine.ts", "mine\n");
  const output = outputOf(disk);
  disk.setMode([...disk.files.keys()][0] ?? "", 0o444);
  const before = disk.snapshot();
  const options = { folder: "packages/b", existingFiles: readExisting(output, "packages/b") };
  const moved = { ...options, removed: ["mine.ts"], movedFrom: new Map([["new.ts", "mine.ts"]]) };
  expect(() =>
    change === "moved"
      ? writeBeside(output, new Map([["new.ts", "new\n"]]), moved)
      : writeBeside(output, new Map([["mine.ts", "new\n"]]), options),
  ).toThrow("packages/b/mine.ts is read-only, so it was not changed.");
  expect(disk.snapshot()).toEqual(before);
});

test("a file in a user's folder that is not UTF-8 is replaced, but not edited", () => {
  const disk = new MemoryDisk();
  disk.write("packages/b/mine.ts", "");
  const [path = ""] = disk.files.keys();
  disk.files.set(path, Buffer.from("// caf\u00e9\n", "latin1"));
  const output = outputOf(disk);
  const options = { folder: "packages/b", existingFiles: readExisting(output, "packages/b") };
  const files = new Map([["mine.ts", "new\n"]]);
  const moved = { ...options, removed: ["mine.ts"], keepsOldText: true };
  for (const write of [
    () => writeBeside(output, files, { ...options, keepsOldText: true }),
    () => writeBeside(output, new Map(), moved),
  ]) {
    expect(write).toThrow("packages/b/mine.ts is not UTF-8, so it cannot be edited without damage.");
  }
  expect(writeBeside(output, files, options)).toHaveLength(1);
});

test("a dry run and a comparison write nothing", () => {
  const disk = written();
  const before = disk.snapshot();
  const next = new Map([["packages/a/src/one.ts", "1\n"]]);
  expect(paths(writeTree(outputOf(disk), next, { ...plain, dryRun: true }).plan.changed)).toEqual([
    "packages/a/src/one.ts",
  ]);
  expect(paths(compareTree(outputOf(disk), next).removed)).toEqual(["packages/a/src/two.ts"]);
  expect(disk.snapshot()).toEqual(before);
});

test("a second run reports the process that has the lock", () => {
  const disk = new MemoryDisk();
  disk.write(".bothends-lock", JSON.stringify({ pid: 7, host: "here", since: 0 }));
  expect(() => writeTree(outputOf(disk, testSystem(8, new Set([7]))), tree, plain)).toThrow("locked by pid 7");
  expect(Object.keys(disk.snapshot())).toEqual([".bothends-lock"]);
});

test.each([
  { lock: JSON.stringify({ pid: 7, host: "here", since: 0 }), running: [], now: 0, why: "its process is gone" },
  {
    lock: JSON.stringify({ pid: 7, host: "here", since: 0 }),
    running: [7],
    now: 600_001,
    why: "it is older than ten minutes",
  },
  { lock: JSON.stringify({ pid: 7, host: "there", since: 0 }), running: [], now: 600_001, why: "its host is silent" },
  { lock: "", running: [], now: 0, why: "its process was killed while making it" },
])("a lock is replaced when $why", ({ lock, running, now }) => {
  const disk = new MemoryDisk();
  disk.write(".bothends-lock", lock);
  writeTree(outputOf(disk, testSystem(8, new Set(running), now)), tree, plain);
  expect(Object.keys(disk.snapshot()).filter((path) => path.startsWith(".bothends"))).toEqual([]);
});

test.each([
  { now: -1_000_000, host: "here", why: "the clock went backwards" },
  { now: 0, host: "there", why: "its process is on another host" },
])("a lock is respected although $why", ({ now, host }) => {
  const disk = new MemoryDisk();
  disk.write(".bothends-lock", JSON.stringify({ pid: 7, host, since: 0 }));
  expect(() => writeTree(outputOf(disk, testSystem(8, new Set([7]), now)), tree, plain)).toThrow("locked by pid 7");
});

test("a run waits for the disk unless it need not, and writes the same files", () => {
  class CountingDisk extends MemoryDisk {
    waits = 0;
    override createFile(path: string, bytes: Uint8Array, waits = true): void {
      this.waits += Number(waits);
      super.createFile(path, bytes);
    }
    override syncFolder(): void {
      this.waits += 1;
    }
  }
  const [durable, fast] = [new CountingDisk(), new CountingDisk()];
  writeTree(outputOf(durable), tree, plain);
  writeTree(outputOf(fast), tree, { ...plain, waitsForDisk: false });
  expect(durable.waits).toBeGreaterThan(2);
  expect(fast.waits).toBe(0);
  expect(fast.snapshot()).toEqual(durable.snapshot());
});
