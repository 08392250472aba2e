import { describe, expect, test } from "vitest";
import { recover } from "../../src/disk/apply-changes.js";
import { DiskError, type FileSystem, FileSystemError } from "../../src/disk/file-system.js";
import { finishInterrupted, readExisting, writeBeside, writeTree } from "../../src/disk/write-files.js";
import { type Fault, faulty, Killed, MemoryDisk, outputOf, testSystem } from "./memory-disk.js";

const options = { force: true, allowNonempty: false, dryRun: false };
const oldTree = new Map([
  ["packages/a/src/one.ts", "one\n"],
  ["packages/a/src/gone/two.ts", "two\n"],
  ["packages/b/three.ts", "three\n"],
]);
const newTree = new Map([
  ["packages/a/src/one.ts", "one, changed\n"],
  ["packages/a/src/new/deep/four.ts", "four\n"],
  ["packages/b/three.ts", "three\n"],
  ["packages/b/five.ts", "five\n"],
]);

const written = (() => {
  const disk = new MemoryDisk();
  writeTree(outputOf(disk), oldTree, options);
  disk.write("packages/b/three.ts", "three, edited\n");
  disk.write("packages/b/notes.txt", "mine\n");
  return disk;
})();

function before(): MemoryDisk {
  return written.copy();
}

function after(): MemoryDisk {
  const disk = before();
  writeTree(outputOf(disk), newTree, options);
  return disk;
}

const oldFiles = before().snapshot();
const newFiles = after().snapshot();
const calls = (() => {
  const { fileSystem, state } = faulty(before(), { at: -1, kind: "refuse", code: "ENOSPC" });
  writeTree(outputOf(fileSystem), newTree, options);
  return state.calls;
})();
const points = Array.from({ length: calls }, (_, index) => index + 1);

test("the two trees of the test differ, and the run calls the disk many times", () => {
  expect(newFiles).not.toEqual(oldFiles);
  expect(newFiles["packages/b/three.ts.orig"]).toBe("three, edited\n");
  expect(calls).toBeGreaterThan(60);
});

describe.each(["ENOSPC", "EACCES", "EROFS", "EPERM", "EIO"])("a disk that fails with %s", (code) => {
  test.each(["refuse", "refuse-half"] satisfies Fault[])(
    "%s at any call leaves either the old or the new files",
    (kind) => {
      for (const at of points) {
        const disk = before();
        const { fileSystem } = faulty(disk, { at, kind, code });
        let failed = false;
        try {
          writeTree(outputOf(fileSystem), newTree, options);
        } catch (error) {
          expect([at, error]).toEqual([at, expect.any(DiskError)]);
          failed = true;
        }
        const rest = withoutOurs(disk.snapshot());
        expect([at, rest]).toEqual([at, failed ? oldFiles : newFiles]);
        expectRecovered(disk, at);
      }
    },
  );
});

test("EIO at any comparison of folders leaves either the old or the new files", () => {
  const counts = "comparisons";
  const { fileSystem, state } = faulty(before(), { at: -1, kind: "refuse", code: "EIO", counts });
  writeTree(outputOf(fileSystem), newTree, options);
  expect(state.calls).toBeGreaterThan(100);
  for (let at = 1; at <= state.calls; at += 3) {
    const disk = before();
    const failing = faulty(disk, { at, kind: "refuse", code: "EIO", counts }).fileSystem;
    let failed = false;
    try {
      writeTree(outputOf(failing), newTree, options);
    } catch (error) {
      expect([at, error]).toEqual([at, expect.any(DiskError)]);
      failed = true;
    }
    expect([at, withoutOurs(disk.snapshot())]).toEqual([at, failed ? oldFiles : newFiles]);
    expectRecovered(disk, at);
  }
});

test.each([1, 8])("a file that is busy %i times is written after as many waits", (times) => {
  const disk = before();
  const waits: number[] = [];
  let busy = times;
  const rename: FileSystem["rename"] = (from, to) => {
    if (to.endsWith("five.ts") && busy-- > 0) {
      throw new FileSystemError("EBUSY", to);
    }
    disk.rename(from, to);
  };
  const fileSystem = new Proxy<FileSystem>(disk, {
    get: (target, name) => (name === "rename" ? rename : Reflect.get(target, name).bind(target)),
  });
  writeTree(outputOf(fileSystem, { ...testSystem(1), wait: (time) => void waits.push(time) }), newTree, options);
  expect(disk.snapshot()).toEqual(newFiles);
  expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 1280].slice(0, times));
});

test("a file that stays busy is reported, and the old files are restored", () => {
  const disk = before();
  const waits: number[] = [];
  const rename: FileSystem["rename"] = (from, to) => {
    if (to.endsWith("five.ts")) {
      throw new FileSystemError("EBUSY", to);
    }
    disk.rename(from, to);
  };
  const fileSystem = new Proxy<FileSystem>(disk, {
    get: (target, name) => (name === "rename" ? rename : Reflect.get(target, name).bind(target)),
  });
  const output = outputOf(fileSystem, { ...testSystem(1), wait: (time) => void waits.push(time) });
  expect(() => writeTree(output, newTree, options)).toThrow(
    "Cannot write packages/b/five.ts: another program is using it (EBUSY).",
  );
  expect(disk.snapshot()).toEqual(oldFiles);
  expect(waits).toHaveLength(8);
});

test.each(["kill", "kill-half"] satisfies Fault[])(
  "%s at any call leaves a state that the next run completes or undoes",
  (kind) => {
    for (const at of points) {
      const disk = before();
      const { fileSystem } = faulty(disk, { at, kind, code: "" });
      expect(() => writeTree(outputOf(fileSystem), newTree, options)).toThrow(Killed);
      expectRecovered(disk, at);
    }
  },
);

test("a run that is killed during recovery is recovered by the next run", () => {
  for (const first of points) {
    for (const second of [1, 2, 3, 5, 8, 13, 21, 34]) {
      const disk = before();
      expect(() =>
        writeTree(outputOf(faulty(disk, { at: first, kind: "kill", code: "" }).fileSystem), newTree, options),
      ).toThrow();
      try {
        recover(outputOf(faulty(disk, { at: second, kind: "kill", code: "" }).fileSystem));
      } catch (error) {
        expect(error).toBeInstanceOf(Killed);
      }
      expectRecovered(disk, first);
    }
  }
});

/** Expects recovery to give one of the two trees, and the next run to give the new one without temporary files. */
function expectRecovered(disk: MemoryDisk, at: number): void {
  const recovered = disk.copy();
  recover(outputOf(recovered));
  const files = withoutLock(recovered.snapshot());
  expect([at, [oldFiles, newFiles].some((each) => JSON.stringify(each) === JSON.stringify(files)), files]).toEqual([
    at,
    true,
    files,
  ]);
  writeTree(outputOf(disk, testSystem(2)), newTree, options);
  expect([at, disk.snapshot()]).toEqual([at, newFiles]);
  expect([...disk.folders].filter((folder) => folder.includes("gone"))).toEqual([]);
}

function withoutLock(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".bothends-lock")));
}

// Undoing can also fail if the same call fails again. The next run removes the temporary files.
function withoutOurs(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !/\.bothends-(?:lock|journal)/.test(path)));
}

test("files beside others can be written again after a kill at any call", () => {
  const existing = () => {
    const disk = new MemoryDisk();
    disk.write("schemas/a.wsdl", "a\n");
    disk.write("schemas/b.xsd", "b\n");
    return disk;
  };
  const files = new Map([
    ["a.wsdl", "a, changed\n"],
    ["b.xsd", "b, changed\n"],
  ]);
  const write = (fileSystem: FileSystem) => {
    const output = { ...outputOf(fileSystem), packages: ["schemas"] };
    finishInterrupted(output);
    writeBeside(output, files, { folder: "schemas", existingFiles: readExisting(output, "schemas") });
  };
  const { fileSystem, state } = faulty(existing(), { at: -1, kind: "refuse", code: "ENOSPC" });
  write(fileSystem);
  for (let at = 1; at <= state.calls; at++) {
    const disk = existing();
    try {
      write(faulty(disk, { at, kind: "kill", code: "" }).fileSystem);
    } catch {
      // The run was killed.
    }
    write(disk);
    expect([at, disk.snapshot()]).toEqual([at, { "schemas/a.wsdl": "a, changed\n", "schemas/b.xsd": "b, changed\n" }]);
  }
});
