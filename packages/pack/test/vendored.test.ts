import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Project } from "ts-morph";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readManifest } from "../src/manifest.js";
import { vendoredFolder } from "../src/pack-package.js";
import { root } from "../src/root.js";

const dist = join(vendoredFolder, "dist");
const temporary = mkdtempSync(join(tmpdir(), "bothends-vendored-"));

beforeAll(() => {
  execFileSync(process.execPath, [
    join(root, "packages/pack/dist/main.js"),
    "--if-changed",
    "runtime",
    "vendored-runtime",
  ]);
  mkdirSync(join(temporary, "node_modules/@bothends"), { recursive: true });
  symlinkSync(vendoredFolder, join(temporary, "node_modules/@bothends/runtime"));
}, 120_000);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const { exports: entries } = readManifest("runtime");
const codeOf = (file: string) => readFileSync(join(dist, file), "utf8");
const manifest = () => JSON.parse(readFileSync(join(vendoredFolder, "package.json"), "utf8"));

test("the vendored runtime is eleven files of code, nine of declarations, a manifest and the license", () => {
  const files = readdirSync(vendoredFolder, { recursive: true, encoding: "utf8" }).sort();
  const ending = (end: string) => files.filter((file) => file.endsWith(end));
  expect(files).toHaveLength(23);
  expect([ending(".js").length, ending(".d.ts").length]).toEqual([11, 9]);
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "dist", "package.json"]));
});

test("the vendored runtime has the name, version and license of the published runtime, and needs nothing", () => {
  const { name, version } = readManifest("runtime");
  expect(manifest()).toMatchObject({
    name,
    version,
    license: "MIT",
    private: true,
    type: "module",
    sideEffects: false,
  });
  expect(manifest()).not.toHaveProperty("dependencies");
  expect(Object.keys(manifest().exports)).toEqual([...Object.keys(entries), "./package.json"]);
});

// Files that import each other are evaluated in an order that depends on the first import.
test.each(Object.keys(entries))("the entry %s can be the only import of a program", (path) => {
  const program = `import ${JSON.stringify(`@bothends/runtime${path.slice(1)}`)};`;
  const options = { cwd: temporary, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], options);
  expect([status, stderr]).toEqual([0, ""]);
});

test("exports at each entry the names of its source", () => {
  const program = `const entries = ${JSON.stringify(Object.keys(entries))};
    const names = await Promise.all(entries.map(async (path) => [path, Object.keys(await import("@bothends/runtime" + path.slice(1)))]));
    console.log(JSON.stringify(Object.fromEntries(names)));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: temporary,
    encoding: "utf8",
  });
  const exported: Readonly<Record<string, readonly string[]>> = JSON.parse(out);
  return Promise.all(
    Object.entries(entries).map(async ([path, entry]) => {
      const source: object = await import(join(root, "packages/runtime", entry["@bothends/source"]));
      expect(exported[path], path).toEqual(expect.arrayContaining(Object.keys(source)));
    }),
  );
});

test("declares the same at each entry as the published runtime", () => {
  const declarations = (folder: string, file: (path: string) => string) => {
    const project = new Project({ compilerOptions: { types: [], removeComments: true } });
    project.addSourceFilesAtPaths(join(folder, "**/*.d.ts"));
    return (path: string) => project.getSourceFileOrThrow(join(folder, file(path))).getExportedDeclarations();
  };
  const published = declarations(join(root, ".packed/runtime/dist"), (path) =>
    path === "." ? "index.d.ts" : `${path.slice(2)}.d.ts`,
  );
  const vendored = declarations(vendoredFolder, (path) => manifest().exports[path].types);
  for (const path of Object.keys(entries)) {
    const found = vendored(path);
    for (const [name, expected] of published(path)) {
      const kinds = (declared: typeof expected) =>
        declared.map((each) => `${each.getKindName()} ${lengthOf(each.getText())}`);
      expect(kinds(found.get(name) ?? []), `${name} of ${path}`).toEqual(kinds(expected));
    }
  }
});

/** The length of a declaration without the numbers that the bundler adds to names. */
function lengthOf(text: string): number {
  return text.replaceAll(/\$\d+|\s+/g, "").length;
}

test("imports modules of Node only where no browser loads them", () => {
  const importing = readdirSync(dist).filter((file) =>
    /(?:from|import\() ?"node:/.test(file.endsWith(".js") ? codeOf(file) : ""),
  );
  expect(importing.sort()).toEqual(["node-client.js", "node-server.js"]);
  const needNode = readdirSync(dist).filter((file) => file.endsWith(".d.ts") && codeOf(file).includes('"node:'));
  expect(needNode.filter((file) => !file.startsWith("node-"))).toEqual([]);
});

test("loads on first use only files that nothing else imports, because bundlers keep all of such a file", () => {
  const code = readdirSync(dist)
    .filter((file) => file.endsWith(".js"))
    .map(codeOf)
    .join("\n");
  const namesIn = (pattern: RegExp) => new Set([...code.matchAll(pattern)].map(([, name = ""]) => name));
  const imported = namesIn(/^(?:import|export)\b[^;]*?"\.\/([\w-]+)\.js";$/gm);
  const loadedOnFirstUse = namesIn(/\bimport\("\.\/([\w-]+)\.js"\)/g);
  expect([...loadedOnFirstUse].sort()).toEqual(["client-rare", "node-client", "server-rare"]);
  expect([...loadedOnFirstUse].filter((name) => imported.has(name))).toEqual([]);
});

test("the vendored runtime has no cycles of files, except those of #transport", () => {
  const files = readdirSync(dist).filter((file) => file.endsWith(".js"));
  const imports = new Map(
    files.map((file) => [
      file,
      [...codeOf(file).matchAll(/^(?:import|export)[^;]*?"\.\/([^"]+)";$/gm)].map(([, target = ""]) => target),
    ]),
  );
  const reached = (file: string, seen: readonly string[]): readonly string[] =>
    seen.includes(file)
      ? [[...seen.slice(seen.indexOf(file)), file].join(" > ")]
      : (imports.get(file) ?? []).flatMap((target) => reached(target, [...seen, file]));
  expect([...new Set(files.flatMap((file) => reached(file, [])))]).toEqual([]);
  expect(imports.get("core.js")).toEqual([]);
});
