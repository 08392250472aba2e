import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../house/sources.js";

/** The output and the exit code of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
}

/** A copy of the repository's files in a new folder, without installed or built files. */
export class Copy {
  readonly path: string;

  constructor() {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "bothends-copy-")));
    const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
      cwd: root,
      encoding: "utf8",
    });
    for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
      mkdirSync(dirname(join(this.path, file)), { recursive: true });
      cpSync(join(root, file), join(this.path, file));
    }
  }

  /** Runs a command line in a shell. */
  run(line: string, environment: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1", ...environment };
    // Removes `CI`, with which pnpm would not change the lockfile for a scaffolded server, and the variables of a
    // surrounding package manager, which would disable the one in the copy.
    for (const name of Object.keys(env)) {
      if (/^(CI$|NODE_ENV$|p?npm_|VITEST|TEST_RESULTS)/i.test(name)) {
        delete env[name];
      }
    }
    return new Promise((resolve) => {
      execFile("sh", ["-c", line], { cwd: this.path, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, out: stdout + stderr });
      });
    });
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), "utf8");
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
