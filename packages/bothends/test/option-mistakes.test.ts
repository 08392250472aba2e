import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ProjectFolder, wsdl } from "./project-folder.js";

/** A mistake in options or in the configuration, with the expected error, help and end of the last line. */
interface Mistake {
  readonly mistake: string;
  readonly parameters: readonly string[];
  /** The interfaces of the configuration, if there is one. */
  readonly interfaces?: unknown;
  readonly says: string;
  readonly help: string;
  readonly verdict: string;
}

const fromFile = ["--wsdl", "hello.wsdl", "--out", "made"];
const generate = ["generate"];
const cfg005 = "Details: npx bothends explain CFG005";

const cases: readonly Mistake[] = [
  {
    mistake: "an empty --out",
    parameters: ["generate", "--wsdl", "hello.wsdl", "--out="],
    says: "--out is empty.",
    help: "",
    verdict: "Try --out generated.",
  },
  {
    mistake: "a root that does not exist",
    parameters: ["generate", ...fromFile, "--root", "nowhere"],
    says: "--root nowhere is not a folder.",
    help: "Name the folder that contains all sources.",
    verdict: "Try npx bothends generate --help.",
  },
  {
    mistake: "a revision without a repository",
    parameters: ["diff", ...fromFile, "--base", "HEAD"],
    says: "The old version, HEAD, is neither a file nor a folder. It is not a revision either, because the sources are not in a git repository.",
    help: "Without --base, diff compares with the last run of generate.",
    verdict: "Try npx bothends diff --help.",
  },
  {
    mistake: "a code that does not exist",
    parameters: ["explain", "FOO"],
    says: 'There is no diagnostic or rule "FOO".',
    help: "Each error and each warning shows its code, and each change in a report of diff its rule.",
    verdict: "Try npx bothends explain --help.",
  },
  {
    mistake: "a rule that is misspelled",
    parameters: ["explain", "member-renammed"],
    says: 'There is no diagnostic or rule "member-renammed".',
    help: "",
    verdict: "Try npx bothends explain member-renamed.",
  },
  {
    mistake: "a second address",
    parameters: ["fetch", "http://127.0.0.1:2/a?wsdl", "http://127.0.0.1:2/b?wsdl"],
    says: "too many arguments for 'fetch'. Expected 1 argument but got 2.",
    help: "Run the command once for each argument. If an argument contains spaces, put it in quotation marks.",
    verdict: "Try npx bothends fetch --help.",
  },
  {
    mistake: "a configuration and a WSDL",
    parameters: ["generate", ...fromFile, "--config", "bothends.json"],
    says: "--config cannot be combined with --wsdl or --index.",
    help: "",
    verdict: "Try npx bothends generate --help.",
  },
  {
    mistake: "a short option",
    parameters: ["generate", "-w", "hello.wsdl"],
    says: "unknown option '-w'.",
    help: "Options have no short forms. Did you mean --wsdl?",
    verdict: "Try npx bothends generate --help.",
  },
  {
    mistake: "a name with spaces and capitals",
    parameters: ["generate", ...fromFile, "--name", "My Service"],
    says: '--name "My Service" is not a valid name.',
    help: "must begin with a lower-case letter",
    verdict: "Try --name my-service.",
  },
  {
    mistake: "only types, and a client",
    parameters: ["generate", ...fromFile, "--types", "--client"],
    says: "--types writes only types, so it cannot be combined with --client or --server.",
    help: "Leave out --types",
    verdict: "Try npx bothends generate --help.",
  },
  {
    mistake: "files separated by a comma",
    parameters: ["generate", "--wsdl", "hello.wsdl,other.wsdl", "--out", "made"],
    says: "Cannot read hello.wsdl,other.wsdl: there is no such file.",
    help: "Separate several files by spaces, not by commas.",
    verdict: "Try --wsdl hello.wsdl other.wsdl.",
  },
  {
    mistake: "a pattern that the shell does not see",
    parameters: ["generate", "--wsdl", "*.wsdl", "--out", "made"],
    says: "Cannot read *.wsdl: there is no such file.",
    help: "The shell does not expand a * in quotation marks. The folder contains hello.wsdl.",
    verdict: "Try --wsdl hello.wsdl.",
  },
  {
    mistake: "scaffold without server",
    parameters: ["scaffold", "my-server", ...fromFile],
    says: "unknown command 'my-server'.",
    help: "",
    verdict: "Try npx bothends scaffold server my-server --wsdl hello.wsdl --out made.",
  },
  {
    mistake: "a misspelled command of scaffold",
    parameters: ["scaffold", "sever", "my-server"],
    says: "unknown command 'sever'.",
    help: "Did you mean server?",
    verdict: "Try npx bothends scaffold server my-server.",
  },
  {
    mistake: "a file in place of a command",
    parameters: ["hello.wsdl", "--name", "hi"],
    says: "unknown command 'hello.wsdl'.",
    help: "",
    verdict: "Try npx bothends init hello.wsdl --name hi.",
  },
  {
    mistake: "init with an address without a scheme",
    parameters: ["init", "service.example/quotes.asmx?wsdl"],
    says: '"service.example/quotes.asmx?wsdl" is neither a file nor an address.',
    help: "begin it with http:// or https://.",
    verdict: "Try npx bothends init 'https://service.example/quotes.asmx?wsdl'.",
  },
  {
    mistake: "init with the address of a local service without a scheme",
    parameters: ["init", "localhost:8080"],
    says: '"localhost:8080" is neither a file nor an address.',
    help: "begin it with http:// or https://.",
    verdict: "Try npx bothends init http://localhost:8080.",
  },
  {
    mistake: "init with a misspelled file",
    parameters: ["init", "./helo.wsdl"],
    says: "Cannot read helo.wsdl: there is no such file.",
    help: "Did you mean hello.wsdl?",
    verdict: "Try npx bothends init hello.wsdl.",
  },
  {
    mistake: "init with a missing file after another file",
    parameters: ["init", "hello.wsdl", "nothing-alike.wsdl"],
    says: "Cannot read nothing-alike.wsdl: there is no such file.",
    help: "The folder contains hello.wsdl.",
    verdict: "Try npx bothends init hello.wsdl.",
  },
  {
    mistake: "init with the same file twice",
    parameters: ["init", "hello.wsdl", "./hello.wsdl"],
    says: "hello.wsdl is named twice.",
    help: "Name each file once.",
    verdict: "Try npx bothends init hello.wsdl.",
  },
  {
    mistake: "scaffold without a name",
    parameters: ["scaffold", "server", ...fromFile],
    says: "missing required argument 'name'.",
    help: "Add it to the command, for example npx bothends scaffold server my-server.",
    verdict: "Try npx bothends scaffold server --help.",
  },
  {
    mistake: "a server with a name that no package can have",
    parameters: ["scaffold", "server", "My Server!", ...fromFile],
    says: '"My Server!" is not a valid package name.',
    help: "Use lower-case letters",
    verdict: "Try npx bothends scaffold server my-server.",
  },
  {
    mistake: "fetch without an address",
    parameters: ["fetch"],
    says: "missing required argument 'address'.",
    help: "bothends fetch 'https://service.example/quotes.asmx?wsdl'.",
    verdict: "Try npx bothends fetch --help.",
  },
  {
    mistake: "the command of a similar program",
    parameters: ["validate"],
    says: "unknown command 'validate'.",
    help: "Did you mean check?",
    verdict: "Try npx bothends check --help.",
  },
  {
    mistake: "fetch with an address without a scheme, and options",
    parameters: ["fetch", "site.example/wp-json/", "--user", "editor", "--into", "schemas/site"],
    says: '"site.example/wp-json/" is not an http or https address.',
    help: "To read a file, use npx bothends generate",
    verdict: "Try npx bothends fetch https://site.example/wp-json/ --into schemas/site --user editor.",
  },
  {
    mistake: "init with an address without a scheme, and options",
    parameters: ["init", "www.site.example/wp-json/", "--user", "editor", "--name", "site"],
    says: '"www.site.example/wp-json/" is neither a file nor an address.',
    help: "If it is an address, begin it with http:// or https://.",
    verdict: "Try npx bothends init https://www.site.example/wp-json/ --name site --user editor.",
  },
  {
    mistake: "fetch with a file",
    parameters: ["fetch", "hello.wsdl"],
    says: '"hello.wsdl" is not an http or https address.',
    help: "To read a file, use npx bothends generate",
    verdict: "Try npx bothends generate --wsdl hello.wsdl --out generated.",
  },
  {
    mistake: "fetch with an address without a scheme",
    parameters: ["fetch", "localhost:8080/x.wsdl"],
    says: '"localhost:8080/x.wsdl" is not an http or https address.',
    help: "",
    verdict: "Try npx bothends fetch http://localhost:8080/x.wsdl.",
  },
  {
    mistake: "explain without a code",
    parameters: ["explain"],
    says: "missing required argument 'code'.",
    help: "bothends explain WSDL012.",
    verdict: "Try npx bothends explain --help.",
  },
  {
    mistake: "help as a command",
    parameters: ["help", "generate"],
    says: "unknown command 'help'.",
    help: "",
    verdict: "Try npx bothends generate --help.",
  },
  {
    mistake: "watch without a configuration",
    parameters: ["watch"],
    says: "There is no file bothends.json in this folder.",
    help: "Create it with npx bothends init",
    verdict: "Try npx bothends init.",
  },
  {
    mistake: "a list of interfaces",
    parameters: generate,
    interfaces: [{ wsdl: ["hello.wsdl"] }],
    says: '"interfaces" must be an object.',
    help: 'Give each interface a name: { "quotes": { "wsdl": ["quotes.wsdl"] } }.',
    verdict: cfg005,
  },
  {
    mistake: "a file in place of an interface",
    parameters: generate,
    interfaces: { hello: "hello.wsdl" },
    says: 'Interface "hello" must be an object.',
    help: 'Write { "wsdl": ["hello.wsdl"] }.',
    verdict: cfg005,
  },
  {
    mistake: "a list of files in place of an interface",
    parameters: generate,
    interfaces: { site: ["site.json"] },
    says: 'Interface "site" must be an object.',
    help: 'Write { "index": "site.json" }.',
    verdict: cfg005,
  },
  {
    mistake: "the address of a service in an interface",
    parameters: generate,
    interfaces: { hello: { url: "https://x.example/hello.asmx?wsdl" } },
    says: 'The interface "hello" has neither "wsdl" nor "index".',
    help: "Run npx bothends fetch 'https://x.example/hello.asmx?wsdl' --into schemas, and name the file that it writes.",
    verdict: "Details: npx bothends explain CFG011",
  },
  {
    mistake: "a pattern in the configuration",
    parameters: generate,
    interfaces: { hello: { wsdl: ["*.wsdl"] } },
    says: "*.wsdl",
    help: "List every file by name: wildcards such as * are not supported.",
    verdict: "Details: npx bothends explain CFG006",
  },
  {
    mistake: "a path of Windows",
    parameters: generate,
    interfaces: { hello: { wsdl: [".\\schemas\\hello.wsdl"] } },
    says: "must be relative, with / between its segments.",
    help: 'Write "schemas/hello.wsdl".',
    verdict: "Details: npx bothends explain CFG006",
  },
  {
    mistake: "a switch in quotation marks",
    parameters: generate,
    interfaces: { hello: { wsdl: ["hello.wsdl"], lenient: "true" } },
    says: '"lenient" must be true or false.',
    help: "Write true without quotation marks.",
    verdict: cfg005,
  },
  {
    mistake: "a word in capitals",
    parameters: generate,
    interfaces: { hello: { wsdl: ["hello.wsdl"], conventions: "ASMX" } },
    says: '"conventions" must be "standard" or "asmx".',
    help: 'Did you mean "asmx"?',
    verdict: cfg005,
  },
];

test.each(cases)("$mistake is reported with a fix", async ({ parameters, interfaces, says, help, verdict }) => {
  const packages = { path: "made", name: "made" };
  const project = new ProjectFolder({
    "hello.wsdl": wsdl(),
    ...(interfaces === undefined ? {} : { "bothends.json": JSON.stringify({ packages, interfaces }, null, 2) }),
  });
  const before = project.snapshot();
  const { code, out, err } = await project.run(...parameters);
  expect([code > 0, out]).toEqual([true, ""]);
  expect(project.snapshot()).toEqual(before);
  expect(err).toMatch(interfaces === undefined ? /^error: / : /^bothends\.json:\d+:\d+: error CFG\d+ /);
  expect(err).toContain(says);
  expect(err).toContain(help);
  const last = err.trimEnd().split("\n").at(-1) ?? "";
  const result = parameters[0] === "diff" ? "compared" : "written";
  expect(last).toMatch(new RegExp(`^1 error; nothing ${result}\\. (?:Try|Details:) \\S+`));
  expect(last.endsWith(verdict), last).toBe(true);
});

test("a single package prints a first call that imports its client", async () => {
  const project = new ProjectFolder({
    "hello.wsdl": wsdl(),
    "bothends.json": JSON.stringify({
      packages: { path: "made", name: "made" },
      interfaces: { hello: { wsdl: ["hello.wsdl"] } },
    }),
  });
  const { out } = await project.run("generate");
  expect(out).toContain('import { HelloClient } from "made/client/hello";');
  expect(Object.keys(JSON.parse(project.read("made/package.json")).exports)).toContain("./client/hello");
});

test.each(["member-renamed", "MEMBER-RENAMED"])("explain %s prints the rule of diff", async (name) => {
  const { code, out, err } = await new ProjectFolder({}).run("explain", name, "WSDL012");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^member-renamed\n\nRule of diff\. A member was probably renamed\.\n\n- Each reader ignores the name [^`]*\nold clients +new clients [^`]*\n\n\nWSDL012\n/,
  );
});

test("diff in a git repository without commits says so", async () => {
  const project = new ProjectFolder();
  spawnSync("git", ["init"], { cwd: project.path });
  for (const revision of ["HEAD", "main"]) {
    const { code, err } = await project.run("diff", revision);
    expect([code, err]).toEqual([
      2,
      `error: The old version, ${revision}, is neither a file nor a folder. It is not a revision either, because the git repository has no commits.
  help: Commit the old schemas, or name a file or a folder with them. Without --base, diff compares with the last run of generate.
1 error; nothing compared. Try npx bothends diff --help.
`,
    ]);
  }
});
