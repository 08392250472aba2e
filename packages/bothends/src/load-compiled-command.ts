import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";
import { setCommandFlags, withDefaultGrowth } from "./v8-flags.js";

// The published package has this module in place of `run-command.ts`. There, `run-command.ts` and all its imports are
// one CommonJS file, because Node 20 can cache compiled code only for CommonJS. Generating the two example interfaces
// then takes a quarter less time.

const folder = import.meta.dirname;
/** The cache is in the package's folder, because other users may write to the default folder for temporary files. */
const cacheFolder = join(folder, "..", "node_modules", ".cache");
const requireFile = nodeModule.createRequire(import.meta.url);
const checksumBytes = 4;
/** The exports of loaded files, by path. */
const exportsByPath = new Map<string, unknown>();

// Loads the built-in modules that commands need before it sets the flags: see `setCommandFlags`.
for (const name of ["node:child_process", "node:os", "node:timers/promises"]) {
  requireFile(name);
}
setCommandFlags();

export const { runCommand }: typeof import("./run-command.js") = load("./command.cjs");

/** Loads a file of the published package, as `require` does. From Node 22 on, Node caches its compiled code. */
function load(name: string) {
  if ("enableCompileCache" in nodeModule) {
    return requireFile(name);
  }
  const path = join(folder, name);
  const exports = exportsByPath.get(path) ?? loadWithCache(path);
  exportsByPath.set(path, exports);
  return exports;
}

function loadWithCache(path: string): unknown {
  const cachePath = getCachePath(path);
  const cachedData = readCache(cachePath);
  // The file is ASCII, so V8 stores one byte per character.
  const source = nodeModule.default.wrap(readFileSync(path, "latin1"));
  const script = withDefaultGrowth(
    () =>
      new Script(source, {
        filename: path,
        ...(cachedData === undefined ? {} : { cachedData }),
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      }),
  );
  // The libraries that the command loads on first use are in the same folder.
  const requireBeside = (name: string): unknown => (name.startsWith("./") ? load(name) : requireFile(name));
  const module: { exports: unknown; require: typeof requireBeside } = { exports: {}, require: requireBeside };
  script.runInThisContext()(module.exports, requireBeside, module, path, folder);
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // Writes the cache when the process exits: V8 compiles a function at its first call, so only then is the code
    // complete.
    process.once("exit", () => writeCache(cachePath, script));
  }
  return module.exports;
}

/**
 * Returns the path of the cached code: one file per code version, Node version and command, because each command calls
 * different functions.
 */
function getCachePath(path: string): string {
  const { size, mtimeMs } = statSync(path);
  const command = /^[a-z]{1,20}$/.exec(process.argv[2] ?? "")?.[0] ?? "other";
  const name = path.slice(folder.length + 1);
  return join(cacheFolder, `${name}-${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}-${command}`);
}

/** Reads compiled code if its checksum is correct, because V8 does not detect damaged code. */
function readCache(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const code = bytes.subarray(checksumBytes);
    return bytes.readUInt32LE() === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Writes compiled code. A failure is ignored, because it only makes the next run slower. */
function writeCache(path: string, script: Script): void {
  try {
    const code = script.createCachedData();
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(crc32(code));
    mkdirSync(cacheFolder, { recursive: true });
    const unfinishedPath = `${path}.${process.pid}`;
    writeFileSync(unfinishedPath, Buffer.concat([checksum, code]));
    renameSync(unfinishedPath, path);
  } catch {
    // Ignores the failure: the next run only has to compile the code again.
  }
}
