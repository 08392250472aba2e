import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, type SourceFile, sourceFiles } from "./sources.js";

const packages = [
  "xml",
  "datatypes",
  "runtime",
  "otel",
  "generator",
  "dynamic",
  "diff",
  "bothends",
  "pack",
  "bench",
  "e2e",
];
const handWritten = packages.flatMap((name) => sourceFiles(`packages/${name}/src`));
const generated = ["contract", "client", "server"].flatMap((name) => sourceFiles(`packages/${name}/src`));

/** Returns the lines of code that match a pattern. Comments are not searched. */
function linesWith(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    withoutComments(file.text)
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

function withoutComments(text: string): string {
  return text
    .replace(/^[ \t]*\/\*\*?[\s\S]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|\s)\/\/ .*$/gm, "");
}

// Biome checks handwritten files for default exports, `any` and names that are not kebab-case. It does not read
// generated files.

test("generated files have kebab-case names, no default exports and no any", () => {
  const names = generated.map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
  expect(names.filter((name) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(name))).toEqual([]);
  expect(linesWith(generated, /^export default\b|\bas any\b|: any[,;)\]>| ]|<any>/)).toEqual([]);
});

test("no casts go through unknown, and no type errors are suppressed", () => {
  expect(linesWith([...handWritten, ...generated], /as unknown as|@ts-(ignore|nocheck|expect-error)/)).toEqual([]);
});

test("nothing is evaluated from text", () => {
  expect(linesWith([...handWritten, ...generated], /\beval\(|new Function\(/)).toEqual([]);
});

/** The folders of all packages that a package depends on, directly or through others. */
function listDependencies(folder: string, found = new Set<string>()): ReadonlySet<string> {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // pnpm installs the dependencies of a package beside it, and those of this repository's packages below them.
  const installed = folder.includes("/node_modules/")
    ? folder.replace(/(.*\/node_modules)\/.*/, "$1")
    : `${folder}/node_modules`;
  for (const name of Object.keys({ ...peerDependencies, ...dependencies })) {
    const dependency = join(installed, name);
    const path = existsSync(dependency) ? realpathSync(dependency) : undefined;
    if (path !== undefined && !found.has(path)) {
      found.add(path);
      listDependencies(path, found);
    }
  }
  return found;
}

test("no dependency of a published package has native code or a script that runs when it is installed", () => {
  const published = ["xml", "datatypes", "runtime", "otel", "generator", "diff", "bothends"];
  const dependencies = new Set(published.flatMap((name) => [...listDependencies(join(root, "packages", name))]));
  const names = [...dependencies].map((path) => path.slice(path.lastIndexOf("/node_modules/") + 14));
  expect(names).toEqual(expect.arrayContaining(["ts-morph", "handlebars", "commander"]));
  const native = [...dependencies].filter((path) => {
    const { gypfile, scripts = {} } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const isRunAtInstall = ["preinstall", "install", "postinstall"].some((name) => name in scripts);
    const hasAddon = readdirSync(path, { recursive: true }).some((file) =>
      /\.node$|(?:^|\/)binding\.gyp$/.test(String(file)),
    );
    return gypfile === true || isRunAtInstall || (path.includes("/node_modules/") && hasAddon);
  });
  expect(native).toEqual([]);
});

/**
 * The files that create regular expressions. Their texts are constants, escaped, or names that the generator has made.
 */
const filesWithExpressions = [
  "packages/bothends/src/report/workspace-steps.ts",
  "packages/datatypes/src/pattern/character-class.ts",
  "packages/datatypes/src/types/date-time.ts",
  "packages/generator/src/scaffold/service-notes.ts",
  "packages/generator/src/source/document-addresses.ts",
  "packages/generator/src/source/unexpected-files.ts",
  "packages/generator/src/source/xml-names.ts",
  "packages/runtime/src/client/transports/ntlm.ts",
  "packages/runtime/src/observe/redact.ts",
  "packages/xml/src/name-characters.ts",
  "packages/xml/src/reader/content.ts",
  "packages/xml/src/reader/scan-name.ts",
];

test("no pattern from a schema or a message becomes a regular expression", () => {
  const product = handWritten.filter(({ path }) => !/^packages\/(bench|e2e|pack)\//.test(path));
  const lines = linesWith([...product, ...generated], /\bRegExp\(/).filter((line) => !/\breadRegExp\(/.test(line));
  const files = new Set(lines.map((line) => line.slice(0, line.indexOf(":"))));
  expect([...files].sort()).toEqual(filesWithExpressions);
});

test("reading, comparing and generating open no sockets", () => {
  const offline = handWritten.filter(({ path }) => /^packages\/(xml|datatypes|generator|dynamic|diff)\//.test(path));
  expect(offline.length).toBeGreaterThan(200);
  expect(linesWith(offline, /"node:(?:http2?|https|net|tls|dgram|dns)\b|\bfetch\(|\bWebSocket\(/)).toEqual([]);
});

test("servers combine no signals, because a listener on a signal that lives long keeps memory", () => {
  expect(
    linesWith(
      handWritten.filter(({ path }) => path.includes("/runtime/src/server/")),
      /AbortSignal\.any\(/,
    ),
  ).toEqual([]);
});

test("every generated file has the same first line, which states that it is generated", () => {
  const first = new Set(generated.map((file) => file.text.split("\n")[0]));
  expect([...first]).toHaveLength(1);
  expect([...first][0]).toMatch(/^\/\/ Generated by bothends/);
});

test("the main entries of generated packages export no descriptors", () => {
  const exportsDescriptors = ({ text }: SourceFile) =>
    /^export \{[^}]*\} from "[^"]*\boperations(?:\.js)?";/m.test(text);
  const entries = generated.filter(({ path }) => path.endsWith("/index.ts"));
  expect(entries.length).toBe(6);
  expect(entries.filter(exportsDescriptors).map(({ path }) => path)).toEqual([]);
});

test("the generator contains no names from this repository's interfaces", () => {
  const words =
    /\b(CheckUSA|NatCode|RegistrationNumber|bespokeapi|CurrentTextValue|vehicleData|translation_language|core\/v2|pt-pt|CheckIrishTaxi)\b/;
  const product = handWritten.filter((file) => !/^packages\/(bench|e2e)\//.test(file.path));
  expect(linesWith(product, words)).toEqual([]);
});

test("no source file has more than 500 lines", () => {
  const long = handWritten.filter(({ text }) => text.split("\n").length > 501);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("no folder of sources has more than 15 files", () => {
  const counts = new Map<string, number>();
  for (const { path } of handWritten) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
});

test("no comment is wider than 120 columns, the width to which Biome formats code", () => {
  const tests = packages
    .flatMap((name) => sourceFiles(`packages/${name}/test`))
    .filter(({ path }) => !path.includes("/expected/"));
  const wide = [...handWritten, ...tests].flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (isWideComment(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

function isWideComment(line: string): boolean {
  return line.length > 120 && /^\s*(?:\/\/|\/?\*)/.test(line);
}

test("the types of all tests are checked", () => {
  const compiler = join(root, "node_modules/.bin/tsc");
  const config = JSON.parse(
    execFileSync(compiler, ["-p", "packages", "--showConfig"], { cwd: root, encoding: "utf8" }),
  );
  const checked = new Set<string>(config.files.map((path: string) => join("packages", path)));
  const tests = sourceFiles("packages").filter(({ path }) => /\.test(?:-d)?\.ts$/.test(path));
  expect(tests.length).toBeGreaterThan(300);
  expect(tests.filter(({ path }) => !checked.has(path)).map(({ path }) => path)).toEqual([]);
  expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts.test).toContain("tsc -b packages &&");
});

test("tests that measure processor time are in the timing suite", () => {
  const tests = packages.flatMap((name) => sourceFiles(`packages/${name}/test`));
  const others = tests.filter(({ path }) => /(?<!\.timing)\.test\.ts$/.test(path));
  expect(others.length).toBeGreaterThan(200);
  expect(linesWith(others, /\bcpuUsage\(|\bprocessorTime/)).toEqual([]);
});
