import { join } from "node:path";
import { onDisk } from "./disk-error.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";

const maxBytes = 16 * 1024 * 1024;

/** Whether a folder is there, links followed. */
export function isFolder(path: string, fileSystem: FileSystem = nodeFileSystem): boolean {
  try {
    return fileSystem.kindOf(fileSystem.realPath(path)) === "folder";
  } catch {
    return false;
  }
}

/** Every text file below a folder, by its path in it; links are left out. The order is that of the names. */
export function readFolder(folder: string, fileSystem: FileSystem = nodeFileSystem): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of [...fileSystem.list(join(folder, path))].sort()) {
      const inside = path === "" ? name : `${path}/${name}`;
      const kind = fileSystem.kindOf(join(folder, inside));
      if (kind === "folder") {
        visit(inside);
      } else if (kind === "file") {
        texts.set(inside, new TextDecoder("utf-8").decode(fileSystem.read(join(folder, inside), maxBytes)));
      }
    }
  };
  onDisk(`read ${folder}`, () => visit(""));
  return texts;
}

/** The text of one file of an installed package. */
export function readText(path: string, fileSystem: FileSystem = nodeFileSystem): string {
  return onDisk(`read ${path}`, () =>
    new TextDecoder("utf-8").decode(fileSystem.read(fileSystem.realPath(path), maxBytes)),
  );
}
