import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../testing/temporary-folder.js";
import { run } from "../../../bothends/src/run-if-changed.js";

/** The output and the exit code of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A new folder with sources, in which commands can be run. The folder is removed when the test ends. */
export class Project {
  readonly path = realpathSync(mkdtempSync(join(temporaryFolder, "bothends-battery-")));

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
    for (const [path, content] of Object.entries(files)) {
      this.write(path, content);
    }
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), "utf8");
  }

  /** Reads the files below a folder, except caches in `node_modules`. Returns their contents by path. */
  files(below = "."): Readonly<Record<string, string>> {
    const from = join(this.path, below);
    const entries = readdirSync(from, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const kept = paths.filter((path) => !path.slice(from.length).includes("/node_modules/"));
    return Object.fromEntries(kept.sort().map((path) => [path.slice(from.length + 1), readFileSync(path, "utf8")]));
  }

  async run(...parameters: readonly string[]): Promise<Ran> {
    const out: string[] = [];
    const err: string[] = [];
    const code = await run(parameters, {
      workingFolder: this.path,
      environment: {},
      out: { isTTY: false, write: (text) => void out.push(text) },
      err: { isTTY: false, write: (text) => void err.push(text) },
      now: () => 0,
    });
    return { code, out: out.join(""), err: err.join("") };
  }
}
