import { type EntryKind, type FileSystem, FileSystemError } from "../../src/disk/file-system.js";
import type { Output, System } from "../../src/disk/output.js";

/** A disk in memory. Paths are absolute and use `/`; links to folders are followed, as on a real disk. */
export class MemoryDisk implements FileSystem {
  readonly files = new Map<string, Uint8Array>();
  readonly folders = new Set<string>(["", "/project"]);
  /** The permissions of files by their paths; 0o644 for other files. */
  readonly modes = new Map<string, number>();
  /** The target of each link by its path. */
  readonly links = new Map<string, string>();
  readonly #identities = new Map<string, number>();
  #nextIdentity = 1;

  getKind(path: string): EntryKind {
    const at = this.#at(path);
    if (this.links.has(at)) {
      return "link";
    }
    return this.files.has(at) ? "file" : this.folders.has(at) ? "folder" : "missing";
  }

  findFolderIdentity(path: string): string | undefined {
    if (this.getKind(path) !== "folder") {
      return undefined;
    }
    const at = this.#at(path);
    const identity = this.#identities.get(at) ?? this.#nextIdentity++;
    this.#identities.set(at, identity);
    return String(identity);
  }

  realPath(path: string): string {
    return this.#at(`${plain(path)}/x`).slice(0, -2);
  }

  list(folder: string): readonly string[] {
    const start = `${this.realPath(folder)}/`;
    const names = [...this.files.keys(), ...this.folders, ...this.links.keys()]
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length).split("/")[0] ?? "");
    return [...new Set(names)];
  }

  read(path: string): Uint8Array {
    const bytes = this.files.get(this.#at(path));
    if (bytes === undefined) {
      throw new FileSystemError("ENOENT", path);
    }
    return bytes;
  }

  createFile(path: string, bytes: Uint8Array): void {
    if (this.getKind(path) !== "missing") {
      throw new FileSystemError("EEXIST", path);
    }
    this.#needParent(path);
    this.files.set(this.#at(path), bytes);
  }

  getMode(path: string): number {
    this.read(path);
    return this.modes.get(this.#at(path)) ?? 0o644;
  }

  setMode(path: string, mode: number): void {
    this.read(path);
    this.modes.set(this.#at(path), mode);
  }

  createFolder(path: string): void {
    if (this.getKind(path) !== "missing") {
      throw new FileSystemError("EEXIST", path);
    }
    this.#needParent(path);
    this.folders.add(this.#at(path));
  }

  rename(from: string, to: string): void {
    const bytes = this.read(from);
    this.#needParent(to);
    this.files.delete(this.#at(from));
    this.files.set(this.#at(to), bytes);
    this.modes.set(this.#at(to), this.modes.get(this.#at(from)) ?? 0o644);
    this.modes.delete(this.#at(from));
  }

  remove(path: string): void {
    if (!this.files.delete(this.#at(path))) {
      throw new FileSystemError("ENOENT", path);
    }
    this.modes.delete(this.#at(path));
  }

  removeFolder(path: string): void {
    if (this.list(path).length > 0) {
      throw new FileSystemError("ENOTEMPTY", path);
    }
    this.folders.delete(this.#at(path));
    this.#identities.delete(this.#at(path));
  }

  syncFolder(): void {}

  #needParent(path: string): void {
    if (!this.folders.has(this.#at(path).replace(/\/[^/]*$/, ""))) {
      throw new FileSystemError("ENOENT", path);
    }
  }

  /** Returns the path after the links in its folders have been followed. */
  #at(path: string): string {
    if (this.links.size === 0) {
      return plain(path);
    }
    const [first = "", ...names] = plain(path).split("/");
    return names.reduce((parent, name) => `${this.links.get(parent) ?? parent}/${name}`, first);
  }

  /** Moves a folder with all it contains; its identity goes with it. */
  moveFolder(from: string, to: string): void {
    const moved = (path: string) => (`${path}/`.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path);
    for (const [path, bytes] of [...this.files]) {
      this.files.delete(path);
      this.files.set(moved(path), bytes);
    }
    for (const folder of [...this.folders]) {
      this.folders.delete(folder);
      this.folders.add(moved(folder));
    }
    for (const [path, identity] of [...this.#identities]) {
      this.#identities.delete(path);
      this.#identities.set(moved(path), identity);
    }
  }

  /** All files as text, sorted by path. */
  snapshot(): Record<string, string> {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const entries = [...this.files].map(
      ([path, bytes]) => [path.replace("/project/", ""), decoder.decode(bytes)] as const,
    );
    return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  write(path: string, text: string): void {
    const full = `/project/${path}`;
    let at = full.indexOf("/", 1);
    for (; at >= 0; at = full.indexOf("/", at + 1)) {
      this.folders.add(full.slice(0, at));
    }
    this.files.set(full, new TextEncoder().encode(text));
  }

  copy(): MemoryDisk {
    const disk = new MemoryDisk();
    for (const [path, bytes] of this.files) {
      disk.files.set(path, bytes);
    }
    for (const folder of this.folders) {
      disk.folders.add(folder);
    }
    return disk;
  }
}

function plain(path: string): string {
  return path.replace(/\/+$/, "");
}

export class Killed extends Error {}

/** The failure of one call: refused, refused after half the work, or the process killed before or during the call. */
export type Fault = "refuse" | "refuse-half" | "kill" | "kill-half";

export interface FaultAt {
  /** The number of the call, from 1. */
  readonly at: number;
  readonly kind: Fault;
  readonly code: string;
  /** Counts the comparisons of folders, or all other calls (the default). */
  readonly counts?: "comparisons" | "other calls";
}

/** A disk on which one call fails. `calls` is the number of calls counted. */
export function faulty(disk: MemoryDisk, fault: FaultAt) {
  const state = { calls: 0 };
  const comparisons = fault.counts === "comparisons";
  const proxy = new Proxy<FileSystem>(disk, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") {
        return method;
      }
      if ((name === "findFolderIdentity") !== comparisons) {
        return method.bind(target);
      }
      return (...parameters: unknown[]) => {
        state.calls++;
        const killed = fault.kind.startsWith("kill");
        if (state.calls === fault.at && fault.kind.endsWith("half")) {
          doHalf(disk, String(name), parameters, () => Reflect.apply(method, target, parameters));
        }
        if (state.calls === fault.at || (killed && state.calls > fault.at)) {
          throw killed ? new Killed("killed") : new FileSystemError(fault.code, "injected");
        }
        return Reflect.apply(method, target, parameters);
      };
    },
  });
  return { fileSystem: proxy, state };
}

function doHalf(disk: MemoryDisk, name: string, [path, bytes]: readonly unknown[], whole: () => void): void {
  try {
    if (name === "createFile" && typeof path === "string" && bytes instanceof Uint8Array) {
      disk.createFile(path, bytes.subarray(0, bytes.length / 2));
    } else {
      whole();
    }
  } catch {
    // The call would have failed anyway.
  }
}

export function testSystem(pid: number, running: ReadonlySet<number> = new Set(), now = 0): System {
  return { pid, host: "here", now: () => now, isRunning: (each) => running.has(each), wait: () => {} };
}

export function outputOf(fileSystem: FileSystem, system: System = testSystem(1)): Output {
  return { root: "/project", packages: ["packages/a", "packages/b"], fileSystem, system };
}
