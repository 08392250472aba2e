import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../house/sources.js";
import { packedFolder } from "./packed.js";

// Root ignores permissions, so the command line runs as the user `nobody` if the tests run as root.
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const temporary = mkdtempSync(join(tmpdir(), "bothends-permissions-"));
const program = join(temporary, "bothends/dist/main.js");

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "packages/pack/dist/main.js"), "--if-changed"]);
  chmodSync(temporary, 0o755);
  cpSync(packedFolder("bothends"), join(temporary, "bothends"), { recursive: true });
}, 120_000);
afterAll(() => {
  setMode(temporary, 0o755);
  rmSync(temporary, { recursive: true, force: true });
});

function setMode(path: string, mode: number): void {
  chmodSync(path, mode);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      setMode(join(path, entry.name), mode);
    }
  }
}

/** A folder with a WSDL that belongs to the user who runs the command line. */
class Folder {
  readonly path = mkdtempSync(join(temporary, "project-"));

  constructor() {
    for (const file of ["reg.wsdl", "records.xsd"]) {
      cpSync(join(root, "schemas/vehicle", file), join(this.path, file));
    }
    writeFileSync(join(this.path, "package.json"), "{}");
    this.#giveAway();
  }

  folder(name: string): void {
    mkdirSync(join(this.path, name), { recursive: true });
    this.#giveAway();
  }

  file(name: string): void {
    writeFileSync(join(this.path, name), "text");
    this.#giveAway();
  }

  mode(name: string, mode: number): void {
    chmodSync(join(this.path, name), mode);
  }

  #giveAway(): void {
    if (isRoot) {
      for (const path of ["", ...this.entries()]) {
        chownSync(join(this.path, path), nobody, nobody);
      }
    }
  }

  entries(): readonly string[] {
    return readdirSync(this.path, { recursive: true, encoding: "utf8" }).sort();
  }

  run(...parameters: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...parameters], {
      cwd: this.path,
      encoding: "utf8",
      ...(isRoot ? { uid: nobody, gid: nobody } : {}),
    });
    return { code: status, out: stdout, err: stderr };
  }
}

const generate = ["generate", "--wsdl", "reg.wsdl", "--out", "generated"];

test("permissions apply to the user who runs these commands", () => {
  const folder = new Folder();
  folder.mode("reg.wsdl", 0);
  const program = `require("fs").readFileSync("reg.wsdl")`;
  const ran = spawnSync(process.execPath, ["-e", program], {
    cwd: folder.path,
    encoding: "utf8",
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
  });
  expect(ran.stderr).toContain("EACCES");
});

const cases: readonly {
  readonly what: string;
  readonly prepare: (folder: Folder) => void;
  readonly command?: readonly string[];
  readonly says: string;
  readonly help: string;
}[] = [
  {
    what: "an output folder that is read-only",
    prepare: (folder) => {
      folder.folder("generated");
      folder.mode("generated", 0o555);
    },
    says: "Cannot write to generated: permission denied (EACCES).",
    help: "Check the permissions of the folder, or choose another folder.",
  },
  {
    what: "an output folder that cannot be entered",
    prepare: (folder) => {
      folder.folder("generated");
      folder.mode("generated", 0o666);
    },
    says: "Cannot write to generated: permission denied (EACCES).",
    help: "Check the permissions of the folder, or choose another folder.",
  },
  {
    what: "a project that is read-only",
    prepare: (folder) => folder.mode("", 0o555),
    says: "permission denied (EACCES).",
    help: "Check the permissions of the folder, or choose another folder.",
  },
  {
    what: "init in a project that is read-only",
    prepare: (folder) => folder.mode("", 0o555),
    command: ["init", "reg.wsdl"],
    says: "Cannot write to this folder: permission denied (EACCES).",
    help: "Check the permissions of the folder, or choose another folder.",
  },
  {
    what: "a file in place of the output folder",
    prepare: (folder) => folder.file("generated"),
    says: "generated is a file, but must be a folder.",
    help: "Rename or move it, or choose another folder for the output.",
  },
  {
    what: "a file in place of a package",
    prepare: (folder) => {
      folder.folder("generated");
      folder.file("generated/client");
    },
    says: "generated/client is a file, but must be a folder.",
    help: "Rename or move it, or choose another folder for the output.",
  },
  {
    what: "a folder in place of a file",
    prepare: (folder) => folder.folder("generated/client/package.json"),
    says: "generated/client/package.json is a folder, but must be a file.",
    help: "Rename or move it, or choose another folder for the output.",
  },
  {
    what: "a WSDL that cannot be read",
    prepare: (folder) => folder.mode("reg.wsdl", 0),
    says: "Cannot read reg.wsdl: permission denied (EACCES).",
    help: "Check the permissions of the file and of its folders.",
  },
  {
    what: "a WSDL in a folder that cannot be entered",
    prepare: (folder) => {
      folder.folder("schemas");
      cpSync(join(folder.path, "reg.wsdl"), join(folder.path, "schemas/reg.wsdl"));
      folder.mode("schemas", 0o644);
    },
    command: ["generate", "--wsdl", "schemas/reg.wsdl", "--out", "generated"],
    says: "Cannot read schemas/reg.wsdl: permission denied (EACCES).",
    help: "Check the permissions of the file and of its folders.",
  },
  {
    what: "a configuration that cannot be read",
    prepare: (folder) => {
      folder.file("bothends.json");
      folder.mode("bothends.json", 0);
    },
    command: ["generate"],
    says: "Cannot read bothends.json: permission denied (EACCES).",
    help: "Check the permissions of the file and of its folders.",
  },
  {
    what: "a folder in place of the configuration",
    prepare: (folder) => folder.folder("bothends.json"),
    command: ["generate"],
    says: "Cannot read bothends.json: it is a folder, not a file.",
    help: "Name the configuration file with --config.",
  },
  {
    what: "an output with a name that no disk can have",
    prepare: () => undefined,
    command: ["generate", "--wsdl", "reg.wsdl", "--out", "a".repeat(300)],
    says: "the name is too long (ENAMETOOLONG).",
    help: "Choose a folder with a shorter path.",
  },
];

test.each(cases)(
  "$what ends with exit code 2, writes nothing, and suggests a fix",
  ({ prepare, command, says, help }) => {
    const folder = new Folder();
    prepare(folder);
    const before = folder.entries();
    const { code, out, err } = folder.run(...(command ?? generate));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
    expect(err).toContain(`\n  help: ${help}\n`);
    expect(err).toMatch(/\n1 error; nothing written\.(?: .*)?\n$/);
    expect(folder.entries()).toEqual(before);
  },
);

test("an included schema that cannot be read is reported where it is included", () => {
  const folder = new Folder();
  folder.mode("records.xsd", 0);
  const { code, err } = folder.run(...generate);
  expect(code).toBe(1);
  expect(err).toMatch(/reg\.wsdl:\d+:\d+: error SRC003 .*records\.xsd cannot be read: permission denied \(EACCES\)\./);
  expect(folder.entries()).not.toContain("generated");
});

test("generated files that are read-only are replaced, in folders that are not", () => {
  const folder = new Folder();
  expect(folder.run(...generate).code).toBe(0);
  folder.mode("generated/client/package.json", 0o444);
  rmSync(join(folder.path, "generated/client/README.md"));
  expect(folder.run(...generate).code).toBe(0);
  expect(folder.entries()).toContain("generated/client/README.md");
});

test("if the cache cannot be written, the command succeeds", () => {
  const folder = new Folder();
  folder.folder("node_modules");
  folder.mode("node_modules", 0o555);
  expect([folder.run(...generate), folder.run(...generate)].map(({ code, err }) => [code, err])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  expect(statSync(join(folder.path, "generated")).isDirectory()).toBe(true);
});

test("paths may have spaces, #, % and brackets", () => {
  const folder = new Folder();
  const odd = "a b#c%20d [x]";
  folder.folder(odd);
  for (const file of ["reg.wsdl", "records.xsd"]) {
    cpSync(join(folder.path, file), join(folder.path, odd, file));
  }
  const options = ["--wsdl", `${odd}/reg.wsdl`, "--out", `${odd}/made #1%41`, "--vendor-runtime"];
  const generated = folder.run("generate", ...options);
  expect(generated.code, generated.err).toBe(0);
  expect(folder.run("check", ...options).code).toBe(0);
  expect(folder.entries()).toContain(`${odd}/made #1%41/client/package.json`);
});
