import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DiskError, type FileSystem, nodeFileSystem } from "../../src/disk/file-system.js";
import { writeBeside, writeTree } from "../../src/disk/write-files.js";
import { MemoryDisk, outputOf } from "./memory-disk.js";

const options = { force: false, allowNonempty: false, dryRun: false };
const tree = new Map([
  ["packages/a/src/one.ts", "one\n"],
  ["packages/a/src/two.ts", "two\n"],
]);
const next = new Map([
  ["packages/a/src/one.ts", "one, changed\n"],
  ["packages/a/src/three.ts", "three\n"],
]);
const folder = "packages/a/src";
const outsideFiles = { "one.ts": "not ours\n", "two.ts": "two\n", "three.ts": "not ours\n" };
const mutations: ReadonlySet<string> = new Set(["createFile", "createFolder", "rename", "remove", "removeFolder"]);

/** An output that an earlier run wrote, and a folder outside it. */
function writtenDisk(): MemoryDisk {
  const disk = new MemoryDisk();
  writeTree(outputOf(disk), tree, options);
  disk.folders.add("/outside");
  for (const [name, text] of Object.entries(outsideFiles)) {
    disk.files.set(`/outside/${name}`, new TextEncoder().encode(text));
  }
  return disk;
}

function filesIn(disk: MemoryDisk, path: string): Record<string, string> {
  return Object.fromEntries(
    disk.list(path).map((name) => [name, new TextDecoder().decode(disk.read(`${path}/${name}`))]),
  );
}

/** The disk, with an action directly before its n-th call. */
function interrupted(disk: FileSystem, at: number, act: () => void) {
  const state = { calls: 0, name: "" };
  const fileSystem = new Proxy<FileSystem>(disk, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") {
        return method;
      }
      return (...parameters: unknown[]) => {
        state.calls++;
        if (state.calls === at) {
          state.name = String(name);
          act();
        }
        return Reflect.apply(method, target, parameters);
      };
    },
  });
  return { fileSystem, state };
}

const runs = [
  {
    run: "writing generated packages",
    write: (fileSystem: FileSystem) => writeTree(outputOf(fileSystem), next, options),
  },
  {
    run: "writing a server's handlers",
    write: (fileSystem: FileSystem) =>
      writeBeside(outputOf(fileSystem), new Map([["src/one.ts", "one, changed\n"]]), {
        folder: "packages/a",
        existingFiles: new Map([["src/one.ts", "one\n"]]),
      }),
  },
] as const;

test.each(runs)(
  "$run: a run that writes to a folder replaced by a link never succeeds, whenever it is replaced",
  ({ write }) => {
    const { fileSystem: uninterrupted, state: counted } = interrupted(writtenDisk(), -1, () => {});
    write(uninterrupted);
    let refused = 0;
    for (let at = 1; at <= counted.calls; at++) {
      const disk = writtenDisk();
      const { fileSystem, state } = interrupted(disk, at, () => {
        disk.moveFolder(`/project/${folder}`, "/moved");
        disk.links.set(`/project/${folder}`, "/outside");
      });
      let error: unknown;
      try {
        write(fileSystem);
      } catch (thrown) {
        error = thrown;
        refused++;
      }
      const where = `before call ${at}, ${state.name}`;
      if (error === undefined) {
        expect([where, filesIn(disk, "/moved")]).toEqual([
          where,
          expect.objectContaining({ "one.ts": "one, changed\n" }),
        ]);
      } else {
        expect([where, error]).toEqual([where, expect.any(DiskError)]);
        const isUnchanged = filesIn(disk, "/moved")["one.ts"] === "one\n";
        expect([where, (error as DiskError).isPartlyWritten || isUnchanged]).toEqual([where, true]);
      }
      // A swap between the comparison and the call that it protects cannot be prevented, only reported.
      if (error === undefined || !mutations.has(state.name)) {
        expect([where, filesIn(disk, "/outside")]).toEqual([where, outsideFiles]);
      }
    }
    expect(refused).toBeGreaterThan(50);
  },
);

test("the run after a replaced folder is restored finishes the work", () => {
  const disk = writtenDisk();
  let creates = 0;
  const fileSystem = new Proxy<FileSystem>(disk, {
    get(target, name) {
      if (name === "rename" && creates++ === 1) {
        disk.moveFolder(`/project/${folder}`, "/moved");
        disk.links.set(`/project/${folder}`, "/outside");
      }
      return Reflect.get(target, name).bind(target);
    },
  });
  expect(() => writeTree(outputOf(fileSystem), next, options)).toThrow(`${folder} was replaced or removed`);
  disk.links.clear();
  disk.moveFolder("/moved", `/project/${folder}`);
  writeTree(outputOf(disk), next, options);
  expect(filesIn(disk, `/project/${folder}`)).toEqual({ "one.ts": "one, changed\n", "three.ts": "three\n" });
});

test.each([
  { put: "a link", act: (path: string, outside: string) => symlinkSync(outside, path) },
  { put: "another folder", act: (path: string) => mkdirSync(path) },
])("on the real disk, a folder replaced by $put is not written to", ({ act }) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "bothends-swap-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [output, outside] = [join(root, "output"), join(root, "outside")];
  for (const [path, text] of Object.entries(writtenDisk().snapshot())) {
    const file = path.startsWith("/") ? join(root, path) : join(output, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  let swapped = false;
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    createFile(path, bytes) {
      nodeFileSystem.createFile(path, bytes);
      if (!swapped && path.includes("/src/")) {
        swapped = true;
        renameSync(join(output, folder), join(root, "moved"));
        act(join(output, folder), outside);
      }
    },
  };
  expect(() => writeTree({ ...outputOf(fileSystem), root: output }, next, options)).toThrow(
    `${folder} was replaced or removed`,
  );
  expect(
    Object.fromEntries(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), "utf8")])),
  ).toEqual(outsideFiles);
  expect(readFileSync(join(root, "moved/one.ts"), "utf8")).toBe("one\n");
});
