import { execFileSync } from "node:child_process";
import fs, { mkdirSync, mkdtempSync, type PathOrFileDescriptor, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSourceReader, readText } from "../../src/disk/file-system.js";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bothends-source-"));
  const root = join(folder, "root");
  mkdirSync(join(root, "sub"), { recursive: true });
  writeFileSync(join(root, "a.xsd"), "inside");
  writeFileSync(join(folder, "outside.xsd"), "outside");
  writeFileSync(join(root, "large.xsd"), "x".repeat(101));
  symlinkSync("../outside.xsd", join(root, "link-out.xsd"));
  symlinkSync("a.xsd", join(root, "link-in.xsd"));
  symlinkSync("..", join(root, "up"));
  symlinkSync("loop.xsd", join(root, "loop.xsd"));
  execFileSync("mkfifo", [join(root, "pipe.xsd")]);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  { path: "a.xsd", want: "file" },
  { path: "sub/../a.xsd", want: "file" },
  { path: "link-in.xsd", want: "file" },
  { path: "b.xsd", want: "missing" },
  { path: "a.xsd/b.xsd", want: "missing" },
  { path: "a\0.xsd", want: "missing" },
  { path: "x".repeat(300), want: "missing" },
  { path: "../outside.xsd", want: "outside" },
  { path: "link-out.xsd", want: "outside" },
  { path: "up/outside.xsd", want: "outside" },
  { path: "sub", want: "irregular" },
  { path: "pipe.xsd", want: "irregular" },
  { path: "loop.xsd", want: "irregular" },
  { path: "large.xsd", want: "large" },
])("$path is $want", ({ path, want }) => {
  const read = createSourceReader({ root: join(folder, "root"), fileBytes: 100 })(path);
  expect(read.kind === "file" ? "file" : read.problem).toBe(want);
  if (read.kind === "file") {
    expect(new TextDecoder().decode(read.bytes)).toBe("inside");
  }
});

test("reads files if readFileSync does not accept file descriptors, as with Yarn's Plug'n'Play", () => {
  const { readFileSync, fstatSync } = fs;
  const path = join(folder, "zipped.txt");
  writeFileSync(path, "a longer text than its status says");
  fs.readFileSync = ((file: PathOrFileDescriptor, ...options: []) => {
    if (typeof file === "number") {
      throw Object.assign(new Error("EBADF: bad file descriptor, fstat"), { code: "EBADF" });
    }
    return readFileSync(file, ...options);
  }) as typeof readFileSync;
  fs.fstatSync = ((file: number) => Object.assign(fstatSync(file), { size: 3 })) as typeof fstatSync;
  syncBuiltinESMExports();
  try {
    expect(readText(path)).toBe("a longer text than its status says");
  } finally {
    Object.assign(fs, { readFileSync, fstatSync });
    syncBuiltinESMExports();
  }
});
