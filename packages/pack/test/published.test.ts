import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiReport } from "../src/api-report.js";
import { nodeModulePattern } from "../src/bundle-declarations.js";
import { listInputs } from "../src/current.js";
import { readManifest } from "../src/manifest.js";
import { runtimeForNode } from "../src/node-files.js";
import { publishedPackages, runtime } from "../src/published.js";
import { vendored } from "../src/vendored.js";

const root = join(import.meta.dirname, "..", "..", "..");
const folderOf = (name: string) => join(root, ".packed", name);
const temporary = mkdtempSync(join(tmpdir(), "bothends-published-"));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "packages/pack/dist/main.js"), "--if-changed"]);
  mkdirSync(join(temporary, "node_modules/@bothends"), { recursive: true });
  symlinkSync(folderOf("runtime"), join(temporary, "node_modules/@bothends/runtime"));
}, 120_000);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe.each(publishedPackages)("the published $folder", (each) => {
  const { folder, dependencies, peerDependencies } = each;
  const text = () => readFileSync(join(folderOf(folder), "package.json"), "utf8");

  test("has a manifest that every packer and every registry understands", () => {
    const manifest = JSON.parse(text());
    expect(text()).not.toMatch(/workspace:|catalog:|@bothends\/source|\/src\//);
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      sideEffects: false,
      engines: { node: ">=20.19" },
    });
    expect(manifest.repository).toMatchObject({ type: "git", directory: `packages/${folder}` });
    expect([manifest.homepage, manifest.bugs, manifest.description]).toEqual([
      expect.stringMatching(/^https:/),
      expect.stringMatching(/^https:/),
      expect.stringMatching(/\w/),
    ]);
    expect(manifest.keywords.length).toBeGreaterThan(4);
    expect(manifest).not.toHaveProperty("private");
    expect(manifest).not.toHaveProperty("scripts");
  });

  test("loads on first use only files that nothing else imports, because bundlers keep all of such a file", () => {
    const dist = join(folderOf(folder), "dist");
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
    const code = files.map((file) => readFileSync(join(dist, file), "utf8")).join("\n");
    const namesIn = (pattern: RegExp) => new Set([...code.matchAll(pattern)].map(([, name]) => name));
    const imported = namesIn(/^(?:import|export)\b[^"\n]*"[./]+(?:[\w-]+\/)*([\w-]+)\.js"/gm);
    const loadedOnFirstUse = namesIn(/\bimport\("[./]+(?:[\w-]+\/)*([\w-]+)\.js"\)/g);
    expect([...loadedOnFirstUse].filter((name) => folder === "runtime" && imported.has(name))).toEqual([]);
  });

  test("is built again after an edit of a package whose sources it contains", () => {
    const names = readdirSync(join(folderOf(folder), "src"));
    const inputs = listInputs(folder);
    expect(names.filter((name) => !inputs.includes(`packages/${name}/src`))).toEqual([]);
  });

  test("has a license and a page", () => {
    const files = readdirSync(folderOf(folder));
    expect(files).toContain("LICENSE");
    expect(readFileSync(join(folderOf(folder), "README.md"), "utf8").split("\n").length).toBeGreaterThan(20);
  });

  test("contains or depends on exactly the dependencies of its inlined packages", () => {
    const inlined =
      {
        runtime: ["xml", "datatypes", "runtime"],
        otel: ["otel"],
        bothends: ["generator", "bothends", "diff", "runtime"],
      }[folder] ?? [];
    const thirdParty = inlined
      .flatMap((name) => Object.keys(readManifest(name).dependencies ?? {}))
      .filter((name) => !name.startsWith("@bothends/"));
    const inside = librariesInside(folder);
    expect(dependencies.filter((name) => inside.includes(name))).toEqual([]);
    expect(thirdParty.filter((name) => !inside.includes(name) && !dependencies.includes(name))).toEqual([]);
    expect(dependencies.filter((name) => !thirdParty.includes(name))).toEqual([]);
    expect([...peerDependencies].sort()).toEqual(
      inlined.flatMap((name) => Object.keys(readManifest(name).peerDependencies ?? {})),
    );
  });

  test("exports the API that its report lists; `pnpm golden:api` rewrites it", () => {
    const report = createApiReport(each);
    expect(report).toBe(readFileSync(join(root, "packages", folder, "api.txt"), "utf8"));
    // The bundler numbers equal names; the report has the names that programs import.
    expect(report).not.toMatch(/\w\$\d/);
  });

  test("has a source map with sources for each file of code", () => {
    const dist = join(folderOf(folder), "dist");
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".js") && !file.endsWith("rolldown-runtime.js"),
    );
    for (const file of files) {
      const code = readFileSync(join(dist, file), "utf8");
      const [, map] = /^\/\/# sourceMappingURL=(.+)$/m.exec(code) ?? [];
      if (map === undefined) {
        // A file with only re-exports needs no source map.
        expect(code.replaceAll(/^(?:import|export) .*|^\/\/.*|\s/gm, ""), file).toBe("");
        continue;
      }
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(dist, file, "..", map), "utf8"));
      expect(sourcesContent, file).toHaveLength(sources.length);
      expect(
        sources.filter(
          (source: string) => !/^(?:[a-z]+\/src|node_modules)\//.test(source) && !source.includes("rolldown"),
        ),
      ).toEqual([]);
    }
  });
});

/** The libraries whose licenses a package contains. */
function librariesInside(folder: string): readonly string[] {
  const file = join(folderOf(folder), "THIRD-PARTY-LICENSES.txt");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return [...text.matchAll(/^==== (\S+) /gm)].map(([, name = ""]) => name);
}

const { exports: entries } = readManifest("runtime");
const specifiers = Object.keys(entries).map((path) => `@bothends/runtime${path.slice(1)}`);

test.each(Object.entries(entries))("the entry %s exports the names of its source", async (path, entry) => {
  const source: object = await import(join(root, "packages/runtime", entry["@bothends/source"]));
  const built: object = await import(fileOf(path, "default"));
  expect(Object.keys(built).sort()).toEqual(Object.keys(source).sort());
  // A file for Node also has the names of other entries.
  const forNode: object = await import(fileOf(path, "node"));
  expect(Object.keys(forNode)).toEqual(expect.arrayContaining(Object.keys(source)));
});

test("CommonJS programs can require every entry", () => {
  const program = `for (const name of ${JSON.stringify(specifiers)}) if (Object.keys(require(name)).length === 0) throw new Error(name);
new (require("@bothends/runtime").SoapFault)({ reason: "from CommonJS" }); console.log("required");`;
  const out = execFileSync(process.execPath, ["--no-warnings", "-e", program], { cwd: temporary, encoding: "utf8" });
  expect(out.trim()).toBe("required");
});

test.each([
  { platform: "default", most: 12 },
  { platform: "node", most: 8 },
] as const)("an entry loads at most $most files with the condition $platform", ({ platform, most }) => {
  const counts = Object.keys(entries).map((path) => [path, loadedFiles(path, platform).size] as const);
  expect(counts.filter(([, count]) => count > most)).toEqual([]);
});

// The files that a program without a bundler loads when it imports a generated client.
test.each([
  {
    what: "no decoder, no errors for answers and no kinds of types",
    loads: ["./client", "./soap-client", "./call", "./soap11", "./xs/basic"],
    not: /decoder|answers|kinds|records|server|routes/,
  },
  { what: "no decoder", loads: ["./xs"], not: /decoder|server|routes/ },
  {
    what: "no XML and no patterns of routes",
    loads: ["./rest-client"],
    not: /message|soap|decoder|answers|kinds|records|server|routes/,
  },
])("$loads load $what", ({ loads, not }) => {
  const files = loads.flatMap((path) => [...loadedFiles(path, "default")]);
  expect(files.filter((file) => not.test(basename(file)))).toEqual([]);
  expect(files.filter((file) => /base/.test(basename(file)))).not.toEqual([]);
});

// If such a file imported one that servers load, a bundler would divide the code that clients load first.
test.each(["error-messages.js", "hooks-and-retries.js", "observed-call.js", "client-unusual-messages.js"])(
  "%s, which clients load on first use, loads no code of servers",
  (name) => {
    const files = followImports(join(folderOf("runtime"), "dist/shared", name));
    expect([...files].filter((file) => /server|routes/.test(basename(file)))).toEqual([]);
  },
);

test.each([
  {
    program: "a client of a REST interface",
    loads: [".", "./rest-client"],
    files: ["base.js", "core.js", "rest-client.js"],
  },
  {
    program: "a client of a SOAP service",
    loads: [".", "./soap-client", "./xs/basic", "./call", "./soap11"],
    files: ["base.js", "core.js", "message.js", "soap-client.js"],
  },
  {
    program: "a server of a SOAP service",
    loads: [".", "./soap-server", "./server/node", "./xs/basic"],
    files: ["base.js", "decoder.js", "listening.js", "message.js", "soap-server.js"],
  },
  {
    program: "a server of a REST interface",
    loads: [".", "./rest-server", "./server/node"],
    files: ["base.js", "listening.js", "rest-server.js", "routes.js"],
  },
])("on Node, $program loads $files", ({ loads, files }) => {
  const loaded = new Set(loads.flatMap((path) => [...loadedFiles(path, "node")]));
  expect([...loaded].map((file) => basename(file)).sort()).toEqual(files);
});

test.each(["transport-node.js", "node/core.js"])("%s loads node:http with the first call", (file) => {
  const code = readFileSync(join(folderOf("runtime"), "dist", file), "utf8");
  expect([...code.matchAll(/^import[^;]*?"(node:[^"]+)";$/gm)].map(([, name]) => name)).toEqual([
    "node:diagnostics_channel",
  ]);
  expect(code).toContain('import("node:http")');
});

test("stack traces of files for Node have the names of functions", () => {
  const program = `import { RestClient } from "@bothends/runtime/rest-client";
try { new RestClient({ descriptorFormat: 1 }, {}); } catch (error) { console.log(error.stack); }`;
  const stack = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: temporary,
    encoding: "utf8",
  });
  expect(stack.match(/(?<=^ +at ).+(?= \(.*\/node\/(?:core|rest-client)\.js:)/gm)).toEqual([
    "checkFormat",
    "new RestClient",
  ]);
});

test("V8 reads the files for Node quickly: they are ASCII, and have no properties of Unicode in patterns", () => {
  const folder = join(folderOf("runtime"), "dist/node");
  for (const { name } of runtimeForNode.sharedFiles) {
    const code = readFileSync(join(folder, `${name}.js`), "utf8");
    expect([name, code.match(/[^\0-\x7f]|(?<!\\)\\p\{.*/g) ?? []]).toEqual([name, []]);
  }
});

// A class that extends one of a file that is still being evaluated is an error: an entry could not be imported. A new
// module of `base` that imports one of another file is the usual reason: `published.ts` and `node-files.ts` say which
// file contains it.
test.each(["shared", "node"])("files of dist/%s do not import each other in cycles", (name) => {
  const folder = join(folderOf("runtime"), "dist", name);
  const files = readdirSync(folder).filter((file) => file.endsWith(".js"));
  const imports = new Map(files.map((file) => [file, importedBy(readFileSync(join(folder, file), "utf8"))]));
  const reached = (file: string, seen: readonly string[]): readonly string[] =>
    seen.includes(file)
      ? [[...seen.slice(seen.indexOf(file)), file].join(" > ")]
      : (imports.get(file) ?? []).flatMap((target) => reached(target, [...seen, file]));
  expect([...new Set(files.flatMap((file) => reached(file, [])))]).toEqual([]);
  expect(imports.get("server.js")).toContain("base.js");
  expect(imports.get("base.js")).toEqual([]);
});

test("each alternative of the patterns that divide the runtime into files matches a module", () => {
  const modules = ["xml", "datatypes", "runtime"].flatMap((name) =>
    readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" }).flatMap((path) =>
      path.endsWith(".ts") ? ["src", "dist"].map((folder) => `${name}/${folder}/${path.replaceAll("\\", "/")}`) : [],
    ),
  );
  const rules = [runtime, runtimeForNode, vendored].flatMap(({ sharedFiles }) =>
    sharedFiles.map((file) => file.modules),
  );
  const all = [...rules, nodeModulePattern].flatMap(({ source }) => alternatives(source.replaceAll(lookahead, "")));
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((each) => !modules.some((path) => new RegExp(each).test(path)))).toEqual([]);
});

const lookahead = /\(\?!(?:[^()]|\([^()]*\))*\)/g;

/**
 * Expands the alternatives of a pattern: returns patterns without alternatives that together match the same texts. An
 * optional group becomes `.*`.
 */
function alternatives(source: string): readonly string[] {
  const [group, inside = "", optional] = /\(\?:([^()]*)\)(\?)?/.exec(source) ?? [];
  if (group === undefined) {
    return source.split("|");
  }
  const choices = optional === undefined ? inside.split("|") : [".*"];
  return [...new Set(choices.flatMap((each) => alternatives(source.replace(group, () => each))))];
}

/** The files of the same folder that a file imports at its start. */
function importedBy(code: string): readonly string[] {
  return [...code.matchAll(/^(?:import|export)[^;]*?["']\.\/([^"']+)["'];$/gm)].map(([, target = ""]) => target);
}

/** The file of an entry of the runtime on Node, or on other platforms. */
function fileOf(path: string, platform: "node" | "default"): string {
  const { exports } = JSON.parse(readFileSync(join(folderOf("runtime"), "package.json"), "utf8"));
  return join(folderOf("runtime"), exports[path][platform]);
}

/** The files that an entry imports, directly or not, without those that it loads on first use. */
function loadedFiles(path: string, platform: "node" | "default"): ReadonlySet<string> {
  return followImports(fileOf(path, platform));
}

/** Returns a file and all files that it imports when it is loaded. */
function followImports(path: string): ReadonlySet<string> {
  const files = new Set([path]);
  for (const file of files) {
    const code = readFileSync(file, "utf8");
    for (const [, target = ""] of code.matchAll(/^(?:import|export)[^;]*?["'](\.[^"']+)["'];$/gm)) {
      files.add(join(file, "..", target));
    }
  }
  return files;
}

test.each(["runtime", "otel", "bothends"])("npm and pnpm pack the same files of %s", (folder) => {
  const tarballs = [
    ["npm", "pack", "--silent"],
    ["npx", "-y", "pnpm@12", "pack"],
  ].map((command, index) => {
    const to = join(temporary, `${folder}-${index}`);
    mkdirSync(to);
    const [program = "", ...parameters] = command;
    execFileSync(program, [...parameters, "--pack-destination", to], { cwd: folderOf(folder), stdio: "ignore" });
    return contents(join(to, readdirSync(to)[0] ?? ""), to);
  });
  expect(tarballs[0]).toEqual(tarballs[1]);
});

/** The files of a tarball with digests of their content. */
function contents(tarball: string, folder: string): readonly string[] {
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  const unpacked = join(folder, "package");
  return readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${file.slice(unpacked.length)} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`);
}
