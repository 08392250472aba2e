import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../house/sources.js";

/** The output and the exit code of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The published packages, by the folders that `pnpm pack:all` builds. */
export const packages = ["runtime", "bothends"] as const;
/** Returns the folder from which a published package is packed. */
export function packedFolder(name: string): string {
  return join(root, ".packed", name);
}

/** The published packages as tarballs, and an empty folder for a program that uses them. */
export class Packed {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "bothends-pack-")));
  /** The folder of a user's program, outside this repository. */
  readonly app = join(this.path, "app");

  /** Builds the packages if their sources changed. */
  async build(): Promise<void> {
    mkdirSync(this.app);
    const { code, out, err } = await this.run("node", [join(root, "packages/pack/dist/main.js"), "--if-changed"]);
    if (code !== 0) {
      throw new Error(out + err);
    }
  }

  /** Builds the packages if their sources changed, and packs them. */
  async pack(): Promise<void> {
    await this.build();
    for (const name of packages) {
      const packed = await this.run("npm", ["pack", "--pack-destination", this.path], packedFolder(name));
      if (packed.code !== 0) {
        throw new Error(packed.out + packed.err);
      }
    }
  }

  tarball(name: string): string {
    const start = name === "bothends" ? "bothends-" : `bothends-${name}-`;
    const found = readdirSync(this.path).find(
      (file) => file.startsWith(start) && /^\d.*\.tgz$/.test(file.slice(start.length)),
    );
    if (found === undefined) {
      throw new Error(`${name} was not packed.`);
    }
    return join(this.path, found);
  }

  /** Returns the files of a tarball, and its manifest. */
  async contents(name: string): Promise<{ readonly files: readonly string[]; readonly manifest: string }> {
    const listed = await this.run("tar", ["-tzf", this.tarball(name)], this.path);
    const manifest = await this.run("tar", ["-xzOf", this.tarball(name), "package/package.json"], this.path);
    const files = listed.out.split("\n").map((file) => file.replace(/^package\//, ""));
    return { files: files.filter((file) => file !== ""), manifest: manifest.out };
  }

  /** Runs the compiler of this repository, so that the test need not install one. */
  tsc(...parameters: readonly string[]): Promise<Ran> {
    return this.run(join(root, "node_modules/.bin/tsc"), [...parameters, "--pretty", "false"], this.path);
  }

  run(command: string, parameters: readonly string[], folder = this.app): Promise<Ran> {
    // The names of environment variables that are removed. `NODE_EXTRA_CA_CERTS` is kept, because npm may need it for
    // its registry.
    const foreign = /^(npm_|VITEST|TEST_|NODE_(?!EXTRA_CA_CERTS)|FORCE_COLOR)/i;
    const variables = Object.entries(process.env).filter(([name]) => !foreign.test(name));
    const options = { cwd: folder, env: Object.fromEntries(variables), maxBuffer: 64 << 20 };
    return new Promise((resolve) => {
      execFile(command, parameters, options, (error, out, err) => {
        resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : -1, out, err });
      });
    });
  }

  read(file: string): string {
    return readFileSync(join(this.app, file), "utf8");
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.app, file)), { recursive: true });
    writeFileSync(join(this.app, file), text);
  }

  copy(file: string, to: string): void {
    cpSync(join(root, file), join(this.app, to));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
