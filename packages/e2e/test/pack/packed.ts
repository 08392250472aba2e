import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
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

export const packages = ["xml", "datatypes", "runtime", "generator", "bothends"] as const;

/** The published packages as tarballs, and an empty folder to use them in. */
export class Packed {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "bothends-pack-")));
  /** The folder of a user's program, outside this repository. */
  readonly app = join(this.path, "app");

  /** Packs copies of the built packages, because packing adds files to their folders. */
  async pack(): Promise<void> {
    const space = join(this.path, "space");
    const files = ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", "templates"];
    const kept = ["package.json", "README.md", "dist", "scripts", "bothends.schema.json"];
    for (const file of [...files, ...packages.flatMap((name) => kept.map((each) => `packages/${name}/${each}`))]) {
      if (existsSync(join(root, file))) {
        cpSync(join(root, file), join(space, file), { recursive: true });
      }
    }
    const pack = ["-y", "pnpm@12", "--recursive", "--filter", "./packages/*", "pack", "--pack-destination", this.path];
    const { code, out, err } = await this.run("npx", pack, space);
    if (code !== 0) {
      throw new Error(out + err);
    }
    mkdirSync(this.app);
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

  /** The files of a tarball, and its manifest. */
  async contents(name: string): Promise<{ readonly files: readonly string[]; readonly manifest: string }> {
    const listed = await this.run("tar", ["-tzf", this.tarball(name)], this.path);
    const manifest = await this.run("tar", ["-xzOf", this.tarball(name), "package/package.json"], this.path);
    const files = listed.out.split("\n").map((file) => file.replace(/^package\//, ""));
    return { files: files.filter((file) => file !== ""), manifest: manifest.out };
  }

  /** Runs the compiler of this repository, so that none has to be installed. */
  tsc(...parameters: readonly string[]): Promise<Ran> {
    return this.run(join(root, "node_modules/.bin/tsc"), [...parameters, "--pretty", "false"], this.path);
  }

  run(command: string, parameters: readonly string[], folder = this.app): Promise<Ran> {
    const own = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|TEST_|NODE_|FORCE_COLOR)/i.test(name));
    const options = { cwd: folder, env: Object.fromEntries(own), maxBuffer: 64 << 20 };
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
