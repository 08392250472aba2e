import { type EntryKind, type FileSystem, FileSystemError } from "../../src/disk/file-system.js";
import type { Output, System } from "../../src/disk/output.js";

/** A disk in memory. Paths are absolute, with `/`. */
export class MemoryDisk implements FileSystem {
  readonly files = new Map<string, Uint8Array>();
  readonly folders = new Set<string>(["", "/project"]);
  readonly links = new Set<string>();

  kindOf(path: string): EntryKind {
    const at = plain(path);
    if (this.links.has(at)) {
      return "link";
    }
    return this.files.has(at) ? "file" : this.folders.has(at) ? "folder" : "missing";
  }

  realPath(path: string): string {
    return plain(path);
  }

  list(folder: string): readonly string[] {
    const start = `${plain(folder)}/`;
    const names = [...this.files.keys(), ...this.folders, ...this.links]
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length).split("/")[0] ?? "");
    return [...new Set(names)];
  }

  read(path: string): Uint8Array {
    const bytes = this.files.get(plain(path));
    if (bytes === undefined) {
      throw new FileSystemError("ENOENT", path);
    }
    return bytes;
  }

  create(path: string, bytes: Uint8Array): void {
    if (this.kindOf(path) !== "missing") {
      throw new FileSystemError("EEXIST", path);
    }
    this.#needParent(path);
    this.files.set(plain(path), bytes);
  }

  createFolder(path: string): void {
    if (this.kindOf(path) !== "missing") {
      throw new FileSystemError("EEXIST", path);
    }
    this.#needParent(path);
    this.folders.add(plain(path));
  }

  rename(from: string, to: string): void {
    const bytes = this.read(from);
    this.#needParent(to);
    this.files.delete(plain(from));
    this.files.set(plain(to), bytes);
  }

  remove(path: string): void {
    if (!this.files.delete(plain(path))) {
      throw new FileSystemError("ENOENT", path);
    }
  }

  removeFolder(path: string): void {
    if (this.list(path).length > 0) {
      throw new FileSystemError("ENOTEMPTY", path);
    }
    this.folders.delete(plain(path));
  }

  syncFolder(): void {}

  #needParent(path: string): void {
    if (!this.folders.has(plain(path).replace(/\/[^/]*$/, ""))) {
      throw new FileSystemError("ENOENT", path);
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

/** How the k-th call fails: refused, refused after half the work, or the process killed before or in it. */
export type Fault = "refuse" | "refuse-half" | "kill" | "kill-half";

/** The disk with its k-th call failing. `calls` tells how many there were. */
export function faulty(disk: MemoryDisk, fault: { readonly at: number; readonly kind: Fault; readonly code: string }) {
  const state = { calls: 0 };
  const proxy = new Proxy<FileSystem>(disk, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") {
        return method;
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
    if (name === "create" && typeof path === "string" && bytes instanceof Uint8Array) {
      disk.create(path, bytes.subarray(0, bytes.length / 2));
    } else {
      whole();
    }
  } catch {
    // It would have failed anyway.
  }
}

export function testSystem(pid: number, running: ReadonlySet<number> = new Set(), now = 0): System {
  return { pid, host: "here", now: () => now, isRunning: (each) => running.has(each), wait: () => {} };
}

export function outputOf(fileSystem: FileSystem, system: System = testSystem(1)): Output {
  return { root: "/project", packages: ["packages/a", "packages/b"], fileSystem, system };
}
