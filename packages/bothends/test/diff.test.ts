import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { config, ProjectFolder, wsdl } from "./project-folder.js";

/** The WSDL with another optional member in the answer. */
const extended = wsdl().replace(
  '<element name="GreetResult" type="string" minOccurs="0"/>',
  '<element name="GreetResult" type="string" minOccurs="0"/><element name="Mood" type="string" minOccurs="0"/>',
);
/** The WSDL with another type for an argument. */
const changed = wsdl().replace('name="Name" type="string"', 'name="Name" type="int"');

function git(project: ProjectFolder, ...parameters: readonly string[]): string {
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...author, ...parameters], { cwd: project.path, encoding: "utf8" });
}

function committed(): ProjectFolder {
  const project = new ProjectFolder();
  git(project, "init", "-q");
  git(project, "add", "-A");
  git(project, "commit", "-q", "-m", "first");
  return project;
}

test("compares with git's HEAD, names both sides, and reports whom a change affects", async () => {
  const project = committed();
  project.write("schemas/hello.wsdl", extended);
  const { code, out } = await project.run("diff");
  const head = git(project, "rev-parse", "HEAD").slice(0, 8);
  expect(out).toContain(`From HEAD (${head}) to the working folder:\n`);
  expect(out).toContain("GreetResponse.Mood: An optional member was added.\n    Tolerated by old clients\n");
  expect(out).toMatch(/^ {4}schemas\/hello\.wsdl:9:\d+ \(in the old version: schemas\/hello\.wsdl:9:\d+\)$/m);
  expect(out).toContain("    operations: Greet\n");
  expect(code).toBe(1);
  // The answer now has two members, so the TypeScript type of the result changed.
  expect(out).toContain("form of a call's result changed in generated code");
});

test("nothing changed: exit code 0", async () => {
  const project = committed();
  const { code, out } = await project.run("diff");
  expect([code, out]).toEqual([0, expect.stringContaining("nothing changed.")]);
});

test("the base may be a revision, a folder or a file", async () => {
  const project = committed();
  git(project, "tag", "v1");
  project.write("schemas/hello.wsdl", changed);
  git(project, "commit", "-q", "-a", "-m", "second");
  expect((await project.run("diff")).out).toContain("nothing changed.");
  const byTag = await project.run("diff", "--base", "v1");
  expect(byTag.out).toMatch(/^From v1 \([0-9a-f]{8}\) to/);
  expect(byTag.out).toContain("Greet.Name: A type allows fewer values (string → int).");
  project.write("old/bothends.json", config);
  project.write("old/schemas/hello.wsdl", wsdl());
  expect((await project.run("diff", "--base", "old")).out).toContain("From old to the working folder:\n  Greet.Name");
  const byFile = await project.run("diff", "--base", "old/schemas/hello.wsdl");
  expect(byFile.out).toContain("From old/schemas/hello.wsdl to the working folder:\n  Greet.Name");
});

test("the base may be the old version of a folder of the project", async () => {
  const project = new ProjectFolder({
    "bothends.json": config.replace("schemas/hello.wsdl", "schemas/soap/hello.wsdl"),
    "schemas/soap/hello.wsdl": changed,
    "old/soap/hello.wsdl": wsdl(),
  });
  for (const folder of ["old", "old/soap"]) {
    const { out } = await project.run("diff", "--base", folder);
    expect(out).toContain(`From ${folder} to the working folder:\n  Greet.Name`);
    expect(out).toContain("(was old/soap/hello.wsdl:6:");
  }
  project.write("old/soap/hello.wsdl", "<definitions");
  const { code, err } = await project.run("diff", "--base", "old");
  expect([code, err]).toEqual([2, expect.stringContaining("The base old cannot be read: old/soap/hello.wsdl:1:")]);
});

test("a base without the sources is refused, with the folders that it may be", async () => {
  const project = new ProjectFolder({ ...new ProjectFolder().snapshot(), "old/other.wsdl": wsdl() });
  const { code, err } = await project.run("diff", "--base", "old");
  expect([code, err]).toEqual([
    2,
    `error: The base old contains neither bothends.json nor schemas/hello.wsdl.
  help: Nothing was compared. Name the old version of the whole project, or of the folder schemas.
1 error; nothing compared. Try npx bothends diff --help.
`,
  ]);
});

test("a base folder with only some interfaces is compared with these, and the others are named", async () => {
  const both = config.replace('"wsdl": [', '"wsdl": ["schemas/a/hello.wsdl"] }, "other": { "wsdl": [');
  const other = wsdl("Part").replaceAll("urn:hello", "urn:other");
  const files = { "bothends.json": both, "schemas/a/hello.wsdl": changed, "schemas/hello.wsdl": other };
  const project = new ProjectFolder(files);
  for (const path of ["old/schemas/a/hello.wsdl", "upper/a/hello.wsdl", "inner/hello.wsdl"]) {
    project.write(path, wsdl());
  }
  for (const [folder, missing] of [
    ["old", "schemas/hello.wsdl"],
    ["upper", "hello.wsdl"],
  ]) {
    const { code, out, err } = await project.run("diff", "--base", String(folder));
    expect([code, err]).toEqual([
      1,
      `note: Only hello is compared, because ${folder} does not contain ${missing}.\n1 change, 1 worse than --allow tolerated.\n`,
    ]);
    expect(out).toContain(`From ${folder} to the working folder:\n  Greet.Name`);
    expect(out).not.toContain("Part");
  }
  const { code, err } = await project.run("diff", "--base", "inner");
  expect([code, err]).toEqual([2, expect.stringContaining("The base inner contains neither")]);
});

test("the position of a mistake in an old configuration is in its file", async () => {
  const project = new ProjectFolder();
  project.write("old/bothends.json", config.replace('"wsdl"', '"wsld"'));
  const { code, err } = await project.run("diff", "--base", "old");
  expect([code, err]).toEqual([2, expect.stringContaining("The base old cannot be read: old/bothends.json:")]);
});

test("generate reports why it cannot list the changes since HEAD", async () => {
  const project = committed();
  project.write("schemas/hello.wsdl", wsdl().replace('type="string"', 'type="strang"'));
  git(project, "commit", "-q", "-a", "-m", "broken");
  project.write("schemas/hello.wsdl", changed);
  const { code, err } = await project.run("generate");
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(
      /note: The changed files are listed, but not the changes to the schemas\. The base HEAD \([0-9a-f]{8}\) cannot be read: schemas\/hello\.wsdl:6:/,
    ),
  ]);
});

test("a file of a revision that exceeds the limit is called too large", async () => {
  const project = committed();
  project.write("schemas/hello.wsdl", wsdl() + " ".repeat(17 * 1024 * 1024));
  git(project, "commit", "-q", "-a", "-m", "large");
  project.write("schemas/hello.wsdl", wsdl());
  const { code, err } = await project.run("diff", "--base", "HEAD");
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/The base HEAD .* cannot be read: .* The limit fileBytes \(16777216\) is exceeded\./),
  ]);
  expect(err).not.toContain("does not exist");
});

test("a base with a name that is too long for a file is not found", async () => {
  const { code, err } = await committed().run("diff", "--base", "x".repeat(100_000));
  expect([code, err]).toEqual([2, expect.stringContaining("is not a file, a folder, or a git revision.")]);
});

test("HEAD is the base, although schemas have been moved and added since", async () => {
  const project = committed();
  git(project, "mv", "schemas", "wsdl");
  project.write("wsdl/hello.wsdl", changed);
  project.write("wsdl/other.wsdl", wsdl().replaceAll("urn:hello", "urn:other"));
  project.write("bothends.json", config.replace('"schemas/hello.wsdl"', '"wsdl/hello.wsdl", "wsdl/other.wsdl"'));
  const { code, out } = await project.run("diff");
  expect([code, out]).toEqual([1, expect.stringMatching(/^From HEAD \([0-9a-f]{8}\) to the working folder:/)]);
  expect(out).toContain("Greet.Name: A type allows fewer values (string → int).");
  expect(out).toContain("(was schemas/hello.wsdl:6:");
  expect(out).toContain("A service was added");
});

test("a WSDL of an interface with several is compared with its old version", async () => {
  const project = new ProjectFolder({
    "schemas/hello.wsdl": changed,
    "schemas/other.wsdl": wsdl().replaceAll("urn:hello", "urn:other"),
    "bothends.json": config.replace('"schemas/hello.wsdl"', '"schemas/hello.wsdl", "schemas/other.wsdl"'),
    "old/hello.wsdl": wsdl(),
  });
  const { code, out } = await project.run("diff", "--base", "old/hello.wsdl");
  expect([code, out]).toEqual([1, expect.stringContaining("From old/hello.wsdl to the working folder:\n  Greet.Name")]);
  expect(out.split("rule:")).toHaveLength(2);
});

/** An interface with two WSDLs, the second of which imports a schema, and the old version of the first. */
function withImports(files: Readonly<Record<string, string>>): ProjectFolder {
  return new ProjectFolder({
    "schemas/hello.wsdl": changed,
    "schemas/other.wsdl": importing("other").replaceAll("urn:hello", "urn:other"),
    "schemas/other.xsd": typesOnly("urn:types"),
    "bothends.json": config.replace('"schemas/hello.wsdl"', '"schemas/hello.wsdl", "schemas/other.wsdl"'),
    "old/hello.wsdl": wsdl(),
    ...files,
  });
}

/** Returns the WSDL with an imported schema, which declares the type of the argument. */
function importing(file: string): string {
  return wsdl()
    .replace(
      '<element name="Greet">',
      `<import namespace="urn:types" schemaLocation="${file}.xsd"/>\n      <element name="Greet">`,
    )
    .replace('name="Name" type="string"', 'name="Name" type="types:Name" xmlns:types="urn:types"');
}

function typesOnly(namespace: string, builtin = "string"): string {
  return `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}">
  <simpleType name="Name"><restriction base="${builtin}"/></simpleType>
</schema>`;
}

test("documents that only the other WSDLs of an interface import are as they are now", async () => {
  const project = withImports({});
  const { code, out, err } = await project.run("diff", "--base", "old/hello.wsdl");
  expect([code, out, err]).toEqual([1, expect.stringContaining("working folder:\n  Greet.Name"), expect.anything()]);
  expect(out.split("rule:")).toHaveLength(2);
});

test("a document that the old WSDL imports too is read in its old version, or refused", async () => {
  const shared = {
    "schemas/hello.wsdl": importing("other"),
    "schemas/other.xsd": typesOnly("urn:types", "int"),
    "old/hello.wsdl": importing("other"),
  };
  const refused = await withImports(shared).run("diff", "--base", "old/hello.wsdl");
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining(
      "old/hello.wsdl:5:53: The file schemas/other.xsd cannot be read: its old version old/other.xsd does not exist.",
    ),
  ]);
  const project = withImports({ ...shared, "old/other.xsd": typesOnly("urn:types") });
  const { code, out } = await project.run("diff", "--base", "old/hello.wsdl");
  expect([code, out]).toEqual([1, expect.stringContaining("(string → int)")]);
  expect(out).toContain("was old/other.xsd:2:");
});

test("positions in documents that are read as they are now have their current paths", async () => {
  const shared = wsdl().replaceAll("urn:hello", "urn:other");
  const project = withImports({ "schemas/other.wsdl": shared, "old/hello.wsdl": wsdl("Ask") });
  const { out } = await project.run("diff", "--base", "old/hello.wsdl", "--format", "json");
  const paths = JSON.parse(out).contractChanges.changes.map(
    ({ oldPosition }: { readonly oldPosition?: { readonly path: string } }) => oldPosition?.path,
  );
  expect([...new Set(paths)].sort()).toEqual(["old/hello.wsdl", "schemas/other.wsdl"]);
});

test("the documentation lists the members of changes in JSON", async () => {
  const project = committed();
  project.write("schemas/hello.wsdl", extended);
  const { out } = await project.run("diff", "--format", "json");
  const changes: readonly object[] = JSON.parse(out).contractChanges.changes;
  const page = readFileSync(join(import.meta.dirname, "../../../docs/command-line.md"), "utf8");
  const [, table = ""] = page.split("Each of the `changes` has these members.");
  const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)]);
  const documented = rows.map(([, name]) => name);
  expect(changes.map((change) => "direction" in change).sort()).toEqual([false, true]);
  expect(changes.flatMap((change) => Object.keys(change)).filter((name) => !documented.includes(name))).toEqual([]);
});

test("a contract of an earlier format is not compared, and the message names a fix", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  const path = join(project.path, "packages/contract/.bothends-contract.json.gz");
  const text = gunzipSync(readFileSync(path)).toString("utf8");
  writeFileSync(
    path,
    gzipSync(text.replace(/^\{"format":\d+,/, '{"format":2,').replaceAll('"annotations"', '"facts"')),
  );
  const usual = await project.run("diff");
  expect([usual.code, usual.err]).toEqual([2, expect.stringContaining("no earlier run with this version")]);
  const named = await project.run("diff", "--base", "packages/contract/.bothends-contract.json.gz");
  expect([named.code, named.err]).toEqual([2, expect.stringContaining("Name the old schemas instead")]);
  project.write("schemas/hello.wsdl", changed);
  expect((await project.run("generate")).out).not.toContain("Since");
  expect((await project.run("diff")).out).toContain("nothing changed.");
});

test("without git, the positions in the last run are those of its files", async () => {
  const project = new ProjectFolder();
  const withComment = (text: string) => text.replace('<element name="Name"', '<!-- \u{1F600} --><element name="Name"');
  project.write("schemas/hello.wsdl", withComment(wsdl()));
  await project.run("generate");
  project.write("schemas/hello.wsdl", `\n${withComment(changed)}`);
  const { out } = await project.run("diff");
  expect(out).toMatch(/hello\.wsdl:7:42 \(was schemas\/hello\.wsdl:6:42\)/);
});

test("without git, an index whose values look like positions is compared", async () => {
  const index = (type: string) => {
    const args = { at: { default: { source: "a", start: 1, end: 2 } }, id: { type } };
    const endpoints = [{ methods: ["GET"], args }];
    return JSON.stringify({ namespaces: ["a"], routes: { "/a/b": { namespace: "a", methods: ["GET"], endpoints } } });
  };
  const project = new ProjectFolder({ "a.json": index("integer"), "package.json": "{}" });
  const options = ["--index", "a.json", "--out", "generated"];
  expect((await project.run("generate", ...options)).code).toBe(0);
  project.write("a.json", index("string"));
  const { out } = await project.run("generate", ...options);
  expect(out).toContain("Changes since the last run:\n  GET /a/b id: ");
});

test("compares two files without a configuration", async () => {
  const project = new ProjectFolder({ "old.wsdl": wsdl(), "new.wsdl": changed, "package.json": "{}" });
  const { code, out } = await project.run("diff", "--base", "old.wsdl", "--wsdl", "new.wsdl");
  expect([code, out]).toEqual([1, expect.stringContaining("new.wsdl:6:")]);
  expect(out).toContain("(was old.wsdl:6:");
});

test.each([
  { old: "old/svc/hello.wsdl", current: "new/svc/hello.wsdl", folder: "." },
  { old: "../old/svc/hello.wsdl", current: "../new/svc/hello.wsdl", folder: "here" },
  { old: "../old/svc/hello.wsdl", current: "svc/hello.wsdl", folder: "new" },
  { old: "../../old/svc/hello.wsdl", current: "hello.wsdl", folder: "new/svc" },
  { old: "old/services/before.wsdl", current: "new/svc/hello.wsdl", folder: "." },
  { old: "services/before.wsdl", current: "../new/svc/hello.wsdl", folder: "old" },
])(
  "the help of diff $old $current leads to a command that reads imports of another folder",
  async ({ old, current, folder }) => {
    const project = new ProjectFolder({
      "here/x": "",
      "new/svc/hello.wsdl": importing("../common/names"),
      "new/common/names.xsd": typesOnly("urn:types", "int"),
    });
    const oldFolder = old.includes("services") ? "old/services/before.wsdl" : "old/svc/hello.wsdl";
    project.write(oldFolder, importing("../common/names"));
    project.write("old/common/names.xsd", typesOnly("urn:types"));
    let command = ["diff", old, current];
    let result = await project.runIn(folder, ...command);
    for (let count = 0; count < 2 && result.code === 2; count++) {
      const [, root] = /help: .*Add (--root \S+)/.exec(result.err) ?? [];
      command = ["diff", old, current, ...(root ?? "no root").split(" ")];
      result = await project.runIn(folder, ...command);
    }
    expect(result).toMatchObject({ code: 1, err: expect.stringContaining("1 change, 1 worse") });
    expect(result.out).toContain("(string → int)");
  },
);

test("the states may be arguments: a revision, two files, or two folders", async () => {
  const files = {
    "a/bothends.json": config,
    "a/schemas/hello.wsdl": wsdl(),
    "b/bothends.json": config,
    "b/schemas/hello.wsdl": changed,
  };
  const project = new ProjectFolder({ ...files, "package.json": "{}" });
  const byFiles = await project.run("diff", "a/schemas/hello.wsdl", "b/schemas/hello.wsdl");
  expect([byFiles.code, byFiles.out]).toEqual([
    1,
    expect.stringContaining("From a/schemas/hello.wsdl to b/schemas/hello.wsdl:\n  Greet.Name"),
  ]);
  const byFolders = await project.run("diff", "a", "b");
  expect(byFolders.out).toContain("From a to b:\n  Greet.Name");
  expect(byFolders.out).toMatch(/b\/schemas\/hello\.wsdl:6:\d+ \(was a\/schemas\/hello\.wsdl:6:\d+\)/);
  const byRevision = await committed().run("diff", "HEAD");
  expect(byRevision.out).toMatch(/^From HEAD \([0-9a-f]{8}\) to the working folder:\n {2}nothing changed/);
});

test("two folders without a configuration are compared by their only WSDL or index", async () => {
  const project = new ProjectFolder({
    "a/hello.wsdl": wsdl(),
    "b/hello-v2.wsdl": changed,
    "c/one.wsdl": wsdl(),
    "c/two.wsdl": wsdl(),
    "d/notes.txt": "",
  });
  const compared = await project.run("diff", "a", "b");
  expect(compared.out).toContain("From a/hello.wsdl to b/hello-v2.wsdl:\n  Greet.Name");
  const help = "Name a WSDL or an index of each version, or a folder with bothends.json.";
  const several = await project.run("diff", "a", "c");
  expect([several.code, several.err]).toEqual([
    2,
    expect.stringContaining(
      `The folder c contains neither bothends.json nor only one WSDL or index (one.wsdl, two.wsdl).\n  help: ${help}`,
    ),
  ]);
  const none = await project.run("diff", "d", "b");
  expect([none.code, none.err]).toEqual([
    2,
    expect.stringContaining(`The folder d contains neither bothends.json nor a WSDL or an index.\n  help: ${help}`),
  ]);
});

test("two indexes are compared by their files", async () => {
  const index = (type: string) =>
    JSON.stringify({
      routes: { "/a/v1/b": { namespace: "a/v1", endpoints: [{ methods: ["GET"], args: { c: { type } } }] } },
    });
  const project = new ProjectFolder({
    "old.json": index("integer"),
    "new.json": index("string"),
    "package.json": "{}",
  });
  const { out } = await project.run("diff", "old.json", "new.json");
  expect(out).toContain("From old.json to new.json:\n  GET /a/v1/b c: ");
});

test.each([
  { parameters: ["a", "b", "c"], says: 'diff compares two versions, and "c" is a third.' },
  { parameters: ["old", "none.wsdl"], says: 'There is no file or folder "none.wsdl".' },
  { parameters: ["old", "--base", "older"], says: 'The old version is named twice: "old" and --base older.' },
  { parameters: ["old", "schemas", "--wsdl", "x"], says: 'The new version is named twice: "schemas" and --wsdl.' },
  { parameters: ["https://a.example/b?wsdl"], says: "Try npx bothends fetch 'https://a.example/b?wsdl'." },
])("diff $parameters is refused", async ({ parameters, says }) => {
  const { code, err } = await new ProjectFolder().run("diff", ...parameters);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});

test("a change of requests and answers is one entry with two fingerprints", async () => {
  const limited = (length: number) =>
    wsdl()
      .replaceAll(/name="(Name|GreetResult)" type="string"/g, 'name="$1" type="tns:Short"')
      .replace(
        "</schema>",
        `<simpleType name="Short"><restriction base="string"><maxLength value="${length}"/></restriction></simpleType></schema>`,
      );
  const project = new ProjectFolder({ "old.wsdl": limited(9), "new.wsdl": limited(5), "package.json": "{}" });
  const { out, err } = await project.run("diff", "old.wsdl", "new.wsdl");
  expect(out.match(/Short: /g)).toHaveLength(1);
  expect(out).toContain("May break old clients and new clients");
  const [, input = "", output = ""] =
    /fingerprints: ([0-9a-f]{12}) in requests, ([0-9a-f]{12}) in answers/.exec(out) ?? [];
  expect(err).toContain("1 change, 1 worse than --allow tolerated.");
  const accepts = (...fingerprints: readonly string[]) =>
    JSON.stringify({ allow: fingerprints.map((fingerprint) => ({ fingerprint, reason: "Agreed." })) });
  project.write("one.json", accepts(input));
  const byOne = await project.run("diff", "old.wsdl", "new.wsdl", "--allow", "one.json");
  expect([byOne.code, byOne.out.match(/Short: /g)?.length]).toEqual([1, 2]);
  project.write("both.json", accepts(input, output));
  const byBoth = await project.run("diff", "old.wsdl", "new.wsdl", "--allow", "both.json");
  expect([byBoth.code, byBoth.out.match(/Short: /g)?.length]).toEqual([0, 1]);
});

test("two equal files with other names have no differences", async () => {
  const project = new ProjectFolder({ "a/old.wsdl": wsdl(), "b/new.wsdl": wsdl(), "package.json": "{}" });
  const { code, out } = await project.run("diff", "--base", "a/old.wsdl", "--wsdl", "b/new.wsdl");
  expect([code, out]).toEqual([0, expect.stringContaining("0 changes")]);
});

test("positions in a base file are relative to the working folder", async () => {
  const project = new ProjectFolder({ "a/old.wsdl": wsdl(), "b/new.wsdl": changed, "package.json": "{}" });
  const { out } = await project.run("diff", "--base", "a/old.wsdl", "--wsdl", "b/new.wsdl");
  expect(out).toMatch(/b\/new\.wsdl:6:\d+ \(was a\/old\.wsdl:6:\d+\)/);
});

test("a base that cannot be read is exit code 2, with the reason", async () => {
  const project = committed();
  for (const names of [["--base", "no-such-branch"], ["no-such-branch"]]) {
    const unknown = await project.run("diff", ...names);
    expect([unknown.code, unknown.err]).toEqual([
      2,
      expect.stringContaining("The old version, no-such-branch, is not a file, a folder, or a git revision."),
    ]);
  }
  for (const blank of ["", " "]) {
    const empty = await project.run("diff", "--base", blank);
    expect([empty.code, empty.err]).toEqual([2, expect.stringContaining("The name of the old version is empty")]);
  }
  project.write("broken/bothends.json", config);
  project.write("broken/schemas/hello.wsdl", "<definitions");
  const broken = await project.run("diff", "--base", "broken");
  expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("The base broken cannot be read")]);
  const option = await project.run("diff", "--base", "--output=x");
  expect(option.code).toBe(2);
  expect(Object.keys(project.snapshot())).not.toContain("x");
});

test("without a repository and an earlier run there is nothing to compare with", async () => {
  const { code, err } = await new ProjectFolder().run("diff");
  expect([code, err]).toEqual([2, expect.stringContaining("There is no earlier version to compare with")]);
});

test("an allow list accepts changes by fingerprint, and its unused entries are named", async () => {
  const project = committed();
  project.write("schemas/hello.wsdl", changed);
  const first = await project.run("diff", "--format", "json");
  const [change] = JSON.parse(first.out).contractChanges.changes;
  expect([first.code, change.rule, change.isBeyond]).toEqual([1, "type-narrowed", true]);
  const allow = [
    { fingerprint: change.fingerprint, reason: "No client sends text." },
    { fingerprint: "0123456789ab", reason: "An old one." },
  ];
  project.write("accepted.json", JSON.stringify({ allow }));
  const second = await project.run("diff", "--allow", "accepted.json");
  expect([second.code, second.out]).toEqual([0, expect.stringContaining("allowed: No client sends text.")]);
  expect(second.err).toContain(
    'The allow list accepts a change with the fingerprint 0123456789ab ("An old one."), but there is no such change.',
  );
  expect((await project.run("diff", "--allow", "breaks")).code).toBe(0);
  project.write("accepted.json", '{ "allow": [{ "fingerprint": "0123456789ab" }] }');
  const refused = await project.run("diff", "--allow", "accepted.json");
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining('accepted.json:1:13: The entry 0123456789ab of the allow list must have a "reason".\n'),
  ]);
});

test("a mistake in an allow list has a position, a cause and a way out", async () => {
  const project = committed();
  project.write("schemas/hello.wsdl", changed);
  const entry = '{ "fingerprint": "0123456789ab", "reason": "Old." }';
  const cases = [
    [
      '{\n  "allow": [\n    {},\n  ]\n}',
      "3:7: The allow list has a comma after the last item of a list.",
      "Remove the comma.",
    ],
    ["", "1:1: The allow list is empty.", "Save the document again."],
    ["{ allow: [] }", "1:3: The allow list is not JSON: ", "double quotes"],
    ['{ "deny": [] }', '1:1: The allow list must have a list "allow".', '{ "allow": [{ "fingerprint"'],
    ['{ "allow": [\n  { "fingerprint": "abc" }\n] }', "2:20: An entry of the allow list must have", "bothends diff"],
    [`{ "allow": [${entry},\n${entry}] }`, "2:18: Two entries of the allow list", "Remove one of them."],
  ] as const;
  for (const [text, message, help] of cases) {
    project.write("accepted.json", text);
    const { code, err } = await project.run("diff", "--allow", "accepted.json");
    expect([code, err, err]).toEqual([
      2,
      expect.stringContaining(`accepted.json:${message}`),
      expect.stringContaining(help),
    ]);
  }
  project.write("accepted.json", '{ "allow": [] // Nothing is accepted yet.\n}');
  expect((await project.run("diff", "--allow", "accepted.json")).code).toBe(1);
});

test("an entry for a change that has other values now names the new fingerprint", async () => {
  const project = committed();
  const fingerprintOf = async () => {
    const { out } = await project.run("diff", "--format", "json");
    return JSON.parse(out).contractChanges.changes[0].fingerprint;
  };
  project.write("schemas/hello.wsdl", changed);
  const fingerprint = await fingerprintOf();
  project.write("accepted.json", JSON.stringify({ allow: [{ fingerprint, reason: "No client sends text." }] }));
  project.write("schemas/hello.wsdl", changed.replace('name="Name" type="int"', 'name="Name" type="long"'));
  const renewed = await fingerprintOf();
  expect(renewed).not.toBe(fingerprint);
  const { code, err } = await project.run("diff", "--allow", "accepted.json");
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      `note: The allow list accepts a change with the fingerprint ${fingerprint} ("No client sends text."), but the values or consequences of this change are different now. Check the change again, and if the reason still applies, change the fingerprint to ${renewed} (Greet.Name: A type allows fewer values (string → long)).\n`,
    ),
  ]);
});

test("Markdown has a table of the parties, GitHub's format annotates lines", async () => {
  const project = committed();
  project.write("schemas/hello.wsdl", changed);
  const markdown = await project.run("diff", "--format", "markdown");
  expect(markdown.out).toContain("| change | old clients | new clients | TypeScript callers | handlers |\n");
  expect(markdown.out).toContain(
    "Greet.Name: A type allows fewer values (string → int). | may break | – | **breaks** | **breaks** |",
  );
  const github = await project.run("diff", "--format", "github");
  expect(github.out).toMatch(/^::error file=schemas\/hello\.wsdl,line=6,col=\d+,title=type-narrowed::Greet\.Name/);
});

test("GitHub's format annotates equal changes once, with the first ten items", async () => {
  const project = committed();
  const members = (type: string) =>
    Array.from({ length: 12 }, (_, index) => `<element name="m${index}" type="${type}"/>\n`).join("");
  for (const [folder, type] of [
    ["old", "string"],
    ["new", "int"],
  ] as const) {
    project.write(`${folder}/hello.wsdl`, changed.replace(/(<element name="Name"[^>]*>)/, `$1${members(type)}`));
  }
  const { out } = await project.run("diff", "old/hello.wsdl", "new/hello.wsdl", "--format", "github");
  expect(
    out.match(
      /^::error file=new\/hello\.wsdl,line=6,col=\d+,title=type-narrowed::A type allows fewer values \(string → int\), in 12 places\.%0A- /gm,
    ),
  ).toHaveLength(1);
  expect(out.match(/%0A- Greet\.m\d+, new\/hello\.wsdl:\d+:\d+/g)).toHaveLength(10);
  expect(out).toMatch(
    /%0A- and 2 more%0ABreaks TypeScript callers and handlers; may break old clients\. \[[0-9a-f]{12}\]\n/,
  );
});

test("generate reports changes instead of file names, and lists files with --verbose", async () => {
  const project = committed();
  await project.run("generate");
  project.write("schemas/hello.wsdl", changed);
  const { out } = await project.run("generate");
  expect(out).toMatch(
    /\nChanges since HEAD \([0-9a-f]{8}\):\n {2}Greet\.Name: A type allows fewer values \(string → int\)\. Breaks/,
  );
  expect(out).not.toMatch(/^ {2}changed /m);
  project.write("schemas/hello.wsdl", extended);
  expect((await project.run("generate", "--verbose")).out).toMatch(/^ {2}changed /m);
});

test("without git, the contract of the last run is the base", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  project.write("schemas/hello.wsdl", changed);
  expect((await project.run("diff")).out).toContain("From the last run to the working folder:\n  Greet.Name");
  expect((await project.run("generate")).out).toContain("Changes since the last run:\n  Greet.Name");
  expect((await project.run("diff")).out).toContain("nothing changed.");
  rmSync(join(project.path, "packages/contract/.bothends-contract.json.gz"));
  mkdirSync(join(project.path, "packages/contract/.bothends-contract.json.gz"));
  expect((await project.run("generate")).code).toBe(0);
});
