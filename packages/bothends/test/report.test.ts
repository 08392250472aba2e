import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DiskError } from "@bothends/generator/disk";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Host } from "../src/host.js";
import { formatReport, formatResult } from "../src/report/changes.js";
import { ProjectFolder, wsdl } from "./project-folder.js";

/** A WSDL with a mistake: its part refers to an element that no schema declares. */
const broken = wsdl().replace('element="tns:Greet"', 'element="tns:Gret"');

/** A WSDL with two warnings of one code: names without a prefix. */
const doubtful = wsdl().replace('message="tns:In"', 'message="In"').replace('message="tns:Out"', 'message="Out"');

test("the verdict is the last line, counts what was found, and names the command that explains it", async () => {
  const project = new ProjectFolder();
  project.write("schemas/hello.wsdl", broken);
  const { err } = await project.run("generate");
  expect(err.trimEnd().split("\n").at(-1)).toBe("1 error; nothing written. Details: npx bothends explain WSDL012");
});

test("errors come after warnings", async () => {
  const project = new ProjectFolder();
  project.write("schemas/hello.wsdl", `${broken.replace("<types>", '<types><x:note xmlns:x="urn:x"/>')}`);
  const { err } = await project.run("generate");
  const severities = [...err.matchAll(/^\S+:\d+:\d+: (\w+) /gm)].map(([, severity]) => severity);
  expect(severities).toEqual([...severities].sort().reverse());
});

test("positions are relative to the working directory", async () => {
  const project = new ProjectFolder({ "in/bothends.json": "{}", "in/hello.wsdl": broken, "here/x": "" });
  const { err } = await project.runIn("here", "generate", "--wsdl", "../in/hello.wsdl", "--out", "made");
  expect(err).toMatch(/^\.\.\/in\/hello\.wsdl:\d+:\d+: error /m);
});

test("warnings of one code are printed once, with the other positions; --verbose prints all", async () => {
  const project = new ProjectFolder();
  project.write("schemas/hello.wsdl", doubtful);
  const folded = await project.run("generate", "--dry-run");
  const verbose = await project.run("generate", "--dry-run", "--verbose");
  const count = (text: string) => [...text.matchAll(/: warning \w+ /g)].length;
  expect(count(verbose.err)).toBeGreaterThan(count(folded.err));
  expect(folded.err).toMatch(/^ {2}and \d+ more \w+ warnings?: schemas\/hello\.wsdl:\d+:\d+/m);
});

test("--format json prints one object with positions, verdict and changes", async () => {
  const project = new ProjectFolder();
  const { out, err } = await project.run("generate", "--format", "json");
  expect(err).toBe("");
  const report = JSON.parse(out);
  expect(report).toMatchObject({ format: 1, exitCode: 0, diagnostics: [], mistakes: [] });
  expect(report.files.added).toContain("packages/contract/src/hello/types.ts");
  project.write("schemas/hello.wsdl", broken);
  const refused = JSON.parse((await project.run("generate", "--format=json")).out);
  expect(refused).toMatchObject({ exitCode: 1, diagnostics: [{ code: "WSDL012", path: "schemas/hello.wsdl" }] });
  const usage = JSON.parse((await project.run("generate", "--format", "json", "--nope")).out);
  expect(usage).toMatchObject({ exitCode: 2, mistakes: [{ message: "unknown option '--nope'." }] });
});

test("--format github annotates the lines of a pull request", async () => {
  const project = new ProjectFolder();
  project.write("schemas/hello.wsdl", broken);
  const { code, out } = await project.run("check", "--format", "github");
  expect(code).toBe(1);
  expect(out).toMatch(
    /^::error file=schemas\/hello\.wsdl,line=\d+,col=\d+,title=WSDL012 \(wsdl\.unknown-element\)::The part /,
  );
});

test("check --format github annotates files that are out of date", async () => {
  const project = new ProjectFolder();
  await project.run("generate");
  project.write("packages/client/src/hello/index.ts", "// other\n");
  const { code, out } = await project.run("check", "--format", "github");
  expect([code, out]).toEqual([1, expect.stringContaining("::error file=packages/client/src/hello/index.ts,title=")]);
});

test("a document outside the root is answered with the root to use", async () => {
  const project = new ProjectFolder({
    "a/package.json": "{}",
    "a/hello.wsdl": wsdl().replace(
      '<schema xmlns="http',
      '<schema xmlns="http://www.w3.org/2001/XMLSchema"><include schemaLocation="../b/more.xsd"/></schema><schema xmlns="http',
    ),
    "b/more.xsd": '<schema xmlns="http://www.w3.org/2001/XMLSchema"/>',
  });
  const refused = await project.run("generate", "--wsdl", "a/hello.wsdl", "--out", "made");
  expect(refused.err).toContain("; nothing written. Try --root . Details: npx bothends explain SRC007");
  expect((await project.run("generate", "--wsdl", "a/hello.wsdl", "--out", "made", "--root", ".")).code).toBe(0);
});

test("explain prints the entries of codes and kinds", async () => {
  const { code, out } = await new ProjectFolder({}).run("explain", "wsdl012", "import.remote");
  expect(code).toBe(0);
  expect(out).toMatch(/^WSDL012\n\nwsdl\.unknown-element, error\./);
  expect(out).toContain("\nSRC006\n");
  expect(out).not.toMatch(/```|\*\*/);
});

test("explain lists the consequences of a rule of the diff", async () => {
  const { code, out } = await new ProjectFolder({}).run("explain", "operation-removed");
  expect(code).toBe(0);
  expect(out).toMatch(/^old clients +new clients +callers +handlers$/m);
  expect(out).toMatch(/^breaks .* calls$/m);
  expect(out).not.toMatch(/```|\*\*|\|/);
});

test("explain suggests the nearest code", async () => {
  const { code, err } = await new ProjectFolder({}).run("explain", "WSDL0122");
  expect(code).toBe(2);
  expect(err).toContain("Try npx bothends explain WSDL012");
});

test.each(["bash", "zsh", "fish"])("completion for %s knows commands and options", async (shell) => {
  const { code, out } = await new ProjectFolder({}).run("completion", shell);
  expect(code).toBe(0);
  expect(out).toContain("scaffold");
  expect(out).toContain("vendor-runtime");
});

/** The output of a command on a terminal, whose clock advances by the same time whenever it is read. */
async function onTerminal(parameters: readonly string[], environment: Host["environment"], milliseconds = 0) {
  const project = new ProjectFolder({ "hello.wsdl": wsdl(), "wrong.wsdl": "<a/>" });
  const texts: string[] = [];
  const stream = { isTTY: true, write: (text: string) => void texts.push(text) };
  let time = 0;
  project.host = { environment, out: stream, err: stream, now: () => (time += milliseconds) };
  await project.run(...parameters);
  return texts.join("");
}

const refusal = ["generate", "--wsdl", "wrong.wsdl", "--out", "made"];

test("a terminal gets colors, and the verdict of a refusal is red", async () => {
  const text = await onTerminal(refusal, {});
  expect(text).toMatch(/^wrong\.wsdl:1:1: \u001b\[1;31merror WSDL001\u001b\[0m /);
  expect(text).toMatch(/\u001b\[1;31m1 error; nothing written\..*\u001b\[0m\n$/);
  expect(await onTerminal(["generate", "--nonsense"], {})).toMatch(/^\u001b\[1;31merror:\u001b\[0m unknown option/);
});

test.each([{ NO_COLOR: "1" }, { NO_COLOR: "1", FORCE_COLOR: "1" }, { FORCE_COLOR: "0" }, { TERM: "dumb" }])(
  "a terminal with %o gets no colors",
  async (environment) => expect(await onTerminal(refusal, environment)).not.toContain("\u001b"),
);

test("FORCE_COLOR colors the log of a continuous integration", async () => {
  const project = new ProjectFolder({ "wrong.wsdl": "<a/>" });
  expect((await project.run(...refusal)).err).not.toContain("\u001b");
  project.host = { environment: { FORCE_COLOR: "1" } };
  expect((await project.run(...refusal)).err).toContain("\u001b[1;31merror");
});

test("a terminal shows the steps of a command that takes a second, and removes them", async () => {
  const flags = ["generate", "--wsdl", "hello.wsdl", "--out", "made"];
  const slow = await onTerminal(flags, { NO_COLOR: "1" }, 1000);
  const steps = [...slow.matchAll(/\r\u001b\[2K([^\r\n]*)/g)].map(([, step]) => step);
  expect(steps).toEqual([
    "Reading hello.wsdl",
    "Resolving the types of hello",
    "Planning files",
    "Writing the WSDLs to publish",
    "Printing code",
    expect.stringMatching(/^Generated 1 interface/),
  ]);
  expect(await onTerminal(flags, { NO_COLOR: "1" })).not.toContain("\r");
});

test("a terminal shows at once that a large file is read", async () => {
  const project = new ProjectFolder({
    "hello.wsdl": wsdl().replace("<types>", `<!--${"x".repeat(600_000)}--><types>`),
  });
  const texts: string[] = [];
  project.host = { err: { isTTY: true, write: (text) => void texts.push(text) } };
  expect((await project.run("generate", "--wsdl", "hello.wsdl", "--out", "made")).code).toBe(0);
  expect(texts.join("")).toBe("\r\u001b[2KReading hello.wsdl\r\u001b[2K");
});

test.each([
  ["large", 600_000, 1],
  ["small", 400_000, 0],
])("the host is informed of a %s source only if it is large", async (_, length, callCount) => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl().replace("<types>", `<!--${"x".repeat(length)}--><types>`) });
  const beforeLargeSource = vi.fn();
  project.host = { beforeLargeSource };
  expect((await project.run("generate", "--wsdl", "hello.wsdl", "--out", "made")).code).toBe(0);
  expect(beforeLargeSource).toHaveBeenCalledTimes(callCount);
});

test.each([
  ["accepted", wsdl(), 0],
  ["refused", "<definitions", 1],
])("the host is informed when a large source is parsed and %s", async (_, text, code) => {
  const project = new ProjectFolder({ "hello.wsdl": `<!--${"x".repeat(600_000)}-->${text}` });
  const calls: string[] = [];
  project.host = {
    beforeLargeSource: () => void calls.push("before"),
    afterSource: () => void calls.push("after"),
  };
  expect((await project.run("generate", "--wsdl", "hello.wsdl", "--out", "made")).code).toBe(code);
  expect([...new Set(calls)]).toEqual(["before", "after"]);
});

test("notes are counted with the option that shows them, and listed with it", async () => {
  const args = { context: { type: "string", enum: ["edit"], default: "view" } };
  const routes = { "/wp/v2/block-renderer": { endpoints: [{ methods: ["GET"], args }] } };
  const project = new ProjectFolder({ "site.json": JSON.stringify({ namespaces: ["wp/v2"], routes }) });
  const flags = ["generate", "--index", "site.json", "--out", "made", "--dry-run"];
  const brief = await project.run(...flags);
  expect([brief.code, brief.err]).toEqual([0, ""]);
  expect(brief.out).toMatch(/\n2 notes \(see --verbose\); \d+ added/);
  const full = await project.run(...flags, "--verbose");
  expect(full.err).toContain(": info IDX032 ");
  expect(full.out).toMatch(/\n2 notes; \d+ added/);
});

/** A server that answers every path with one text, until the test ends. */
async function serveText(text: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader("content-type", "text/xml").end(text));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/**
 * Returns a clock that throws an error at the given reading. `generate` reads the clock twice before it writes, and
 * once afterwards.
 */
function clockFailingAt(failingReading: number): () => number {
  let readings = 0;
  return () => {
    readings += 1;
    if (readings === failingReading) {
      throw new Error("the clock failed");
    }
    return 0;
  };
}

test("a failure after the packages are written is reported with the files that were written", async () => {
  const project = new ProjectFolder();
  project.host = { now: clockFailingAt(3) };
  const { code, out, err } = await project.run("generate");
  expect(code).toBe(2);
  expect(err).toContain(
    "error: The packages are written, but the changes since the last run cannot be listed: internal error: the clock failed\n",
  );
  expect(out).toContain("  added    packages/contract/src/hello/types.ts\n");
  expect(err.trimEnd().split("\n").at(-1)).toMatch(/^1 error; \d+ added, 0 changed, 0 removed, 0 unchanged\.$/);
  const next = await project.run("generate", "--format", "json");
  expect(JSON.parse(next.out)).toMatchObject({ exitCode: 0, files: { added: [], changed: [] } });
});

test("if a server cannot be written, the verdict names the packages that were generated for it", async () => {
  const project = new ProjectFolder();
  project.write("servers/greeter/src", "a file in place of a folder");
  const { code, err } = await project.run(
    ...["scaffold", "server", "greeter", "--path", "servers/greeter", "--allow-nonempty"],
  );
  expect(code).toBe(2);
  expect(err).toContain("error: The packages are written, but the server is not: servers/greeter/src is a file");
  expect(err).toContain("1 error; only the packages are written, in packages/server and the folders beside it.\n");
  expect(await project.run("check")).toMatchObject({ code: 0 });
});

test("the verdict of init names the documents that were saved before the input was refused", async () => {
  const project = new ProjectFolder({});
  const url = await serveText(broken);
  const { code, err } = await project.run("init", `${url}/hello.wsdl`);
  expect(code).toBe(1);
  expect(err).toContain("1 error; only schemas/hello.wsdl is written. ");
  expect(Object.keys(project.snapshot())).toEqual(["schemas/hello.wsdl"]);
});

test("the verdict of init names the packages if the files of the project cannot be written", async () => {
  const project = new ProjectFolder({ "hello.wsdl": wsdl() });
  mkdirSync(join(project.path, "package.json.bothends-new"));
  const { code, err } = await project.run("init", "hello.wsdl");
  expect(code).toBe(2);
  expect(err).toContain("error: The packages are written, but package.json is not: Cannot write package.json: ");
  expect(err).toMatch(/1 error; \d+ added, 0 changed, 0 removed, 0 unchanged\.\n$/);
  expect(err).not.toContain("internal error");
});

test("if init fails, its JSON lists the saved documents and the project files too", async () => {
  const project = new ProjectFolder({});
  const url = await serveText(wsdl());
  mkdirSync(join(project.path, "package.json.bothends-new"));
  const { code, out } = await project.run("init", `${url}/hello.wsdl`, "--format", "json");
  const { files } = JSON.parse(out);
  expect(code).toBe(2);
  expect(files.added).toEqual(
    expect.arrayContaining(["schemas/hello.wsdl", ".gitignore", "generated/client/package.json"]),
  );
  expect(files.added).not.toContain("package.json");
});

test("init does not claim to have written documents that existed unchanged", async () => {
  const project = new ProjectFolder({ "schemas/hello.wsdl": broken });
  const url = await serveText(broken);
  const { code, err } = await project.run("init", `${url}/hello.wsdl`);
  expect(code).toBe(1);
  expect(err).toContain("1 error; nothing written.");
});

test.each([
  ["--out", ".."],
  ["--vendor-runtime-in", ".."],
  ["--name", "not a name"],
])("init refuses the option %s %s before it fetches the address", async (...option) => {
  const project = new ProjectFolder({});
  const url = await serveText(wsdl());
  const { code, err } = await project.run("init", `${url}/hello.wsdl`, ...option);
  expect([code, err]).toEqual([2, expect.stringContaining("nothing written")]);
  expect(project.snapshot()).toEqual({});
});

test("the watch does not claim that the packages are unchanged if some may have been written", async () => {
  const project = new ProjectFolder();
  const printed: string[] = [];
  const interruption = new AbortController();
  const stream = { isTTY: false, write: (text: string) => void printed.push(text) };
  let readings = 0;
  // After the first run, the clock is read when a run begins, then when it shows its progress at the terminal.
  const now = () => {
    readings += 1;
    if (readings === 2 && printed.join("").includes("Watching")) {
      throw new DiskError("The disk failed.", { isPartlyWritten: true });
    }
    return 0;
  };
  project.host = { out: stream, err: { ...stream, isTTY: true }, interrupted: interruption.signal, now };
  const ended = project.run("watch");
  await expect.poll(() => printed.join("")).toContain("Watching 2 files …\n");
  readings = 0;
  project.write("schemas/hello.wsdl", wsdl("Welcome"));
  await expect.poll(() => printed.join("")).toContain("some files may have been written");
  await expect.poll(() => printed.join("").split("Watching").length).toBeGreaterThan(2);
  expect(printed.join("")).not.toContain("The packages are unchanged.");
  interruption.abort();
  expect(await ended).toMatchObject({ code: 0 });
});

test("the watch reports that the packages are written if the changes cannot be listed, and goes on", async () => {
  const project = new ProjectFolder();
  const printed: string[] = [];
  const interruption = new AbortController();
  const stream = { isTTY: false, write: (text: string) => void printed.push(text) };
  project.host = { out: stream, err: stream, interrupted: interruption.signal, now: clockFailingAt(3) };
  const ended = project.run("watch");
  await expect.poll(() => printed.join("")).toContain("Watching 2 files …\n");
  expect(printed.join("")).toContain("error: The packages are written, but the changes");
  expect(printed.join("")).not.toContain("The packages are unchanged.");
  interruption.abort();
  expect(await ended).toMatchObject({ code: 0 });
});

test("a mistake in an option of scaffold is reported before the packages are generated", async () => {
  const project = new ProjectFolder();
  const before = project.snapshot();
  const { code, err } = await project.run("scaffold", "server", "greeter", "--rename", "nonsense");
  expect([code, err]).toEqual([2, expect.stringContaining("nothing written")]);
  expect(project.snapshot()).toEqual(before);
});

test("the handlers to check that the user has written come first, and all of them are listed", () => {
  const changed = ["a", "b", "c", "d", "e", "f"].map((operation) => ({
    operation,
    position: "src/x.ts:1",
    change: "A member was added",
    isImplemented: operation > "b",
  }));
  const report = { added: [], renamed: [], removed: [], notes: [], candidates: [], changed };
  const text = formatReport(report, { command: "", folder: "mine", verbose: false });
  expect([...text.matchAll(/check (\w)/g)].map(([, operation]) => operation)).toEqual(["c", "d", "e", "f"]);
  expect(text).toContain("… and 2 more handlers without your code\n");
});

test("the line of an operation that was split names the handler that answered its calls before", () => {
  const previous = { operation: "reg.check", position: "src/check.ts:7" };
  const changed = [
    {
      operation: "reg.checkGet",
      position: "src/check-get.ts:3",
      change: "It was split",
      isImplemented: true,
      previous,
    },
  ];
  const report = { added: [], renamed: [], removed: [], notes: [], candidates: [], changed };
  expect(formatReport(report, { command: "", folder: "mine", verbose: false })).toContain(
    "  check reg.checkGet (mine/src/check-get.ts:3), whose calls reg.check answered before (mine/src/check.ts:7)\n",
  );
});

test("of many changes, all those of handlers that the user has written are listed", () => {
  const changed = Array.from({ length: 40 }, (_, index) => ({
    operation: `operation${index}`,
    position: "src/x.ts:1",
    change: `Member ${index} was added`,
    isImplemented: index % 2 === 1,
  }));
  const report = { added: [], renamed: [], removed: [], notes: [], candidates: [], changed };
  const text = formatReport(report, { command: "", folder: "mine", verbose: false });
  const listed = [...text.matchAll(/check operation(\d+)/g)].map(([, index]) => Number(index));
  expect(listed).toEqual(changed.flatMap(({ isImplemented }, index) => (isImplemented || index < 10 ? [index] : [])));
  expect(text).toContain("… and 15 more changes of handlers without your code\n");
});

const onlyMember = { operation: "old", position: "src/handlers.ts:5", newPath: undefined };

test.each([
  {
    what: "a file",
    code: { files: ["src/old.ts"], declarations: [], reExports: [] },
    want: "(mine/src/old.ts, listed at mine/src/handlers.ts:5). Delete the file, its import and the member that refers to it, which",
  },
  {
    what: "a file that is exported again",
    code: { files: ["src/old.ts"], declarations: [], reExports: ["src/index.ts:2", "src/second.ts:1"] },
    want: "Delete the file, its import, its re-exports (mine/src/index.ts:2, mine/src/second.ts:1) and the member that refers to it, which",
  },
  {
    what: "a part of a file",
    code: { files: [], declarations: ["src/old.ts:7"], reExports: ["src/index.ts:2"] },
    want: "(mine/src/old.ts:7, listed at mine/src/handlers.ts:5). Remove the handler, its import, its re-export (mine/src/index.ts:2) and the member that refers to it, which",
  },
  {
    what: "a group",
    code: { files: ["src/a.ts", "src/b.ts"], declarations: ["src/old.ts:7"], reExports: [] },
    want: "Remove the files and the handler, their imports and the member that refers to them, which",
  },
])("what to remove with a handler in $what is named", ({ code, want }) => {
  const report = {
    added: [],
    renamed: [],
    changed: [],
    notes: [],
    candidates: [],
    removed: [{ ...onlyMember, ...code }],
  };
  expect(formatReport(report, { command: "", folder: "mine", verbose: false })).toContain(want);
});

test("the command for renames names each handler once, also if a class and its base class have it", () => {
  const code = { files: [], declarations: [], reExports: [], isInClass: true } as const;
  const removed = [1, 2].map((line) => ({ ...onlyMember, ...code, position: `src/x.ts:${line}`, newPath: "new" }));
  const report = { added: [], candidates: [], renamed: [], removed, changed: [], notes: [] };
  const text = formatReport(report, { command: "run", folder: "mine", verbose: false });
  expect(text).toMatch(/handlers: run --rename old=new$/m);
});

test("a file that stays in the folder of the old service is named", () => {
  const renamed = [{ from: "shop.getOrder", to: "search.getOrder", keptFiles: ["src/shop/shop/get-order.ts"] }];
  const report = { added: [], candidates: [], renamed, removed: [], changed: [], notes: [] };
  expect(formatReport(report, { command: "", folder: "mine", verbose: false })).toBe(
    "handler renamed: shop.getOrder is now search.getOrder, but its code stays in mine/src/shop/shop/get-order.ts\n" +
      "Then compile the server: TypeScript reports other code that these changes affect, such as functions and tests.\n",
  );
});

test("a handler that was not moved is to be checked, with the positions of both places", () => {
  const unmoved = {
    interface: "shop",
    from: "shop.getOrder",
    to: "search.getOrder",
    reason: "It is a member of a class.",
    position: "src/orders.ts:10",
    newPosition: "src/shop/search/get-order.ts:3",
    uses: ["src/limits.ts:7"],
    code: { files: [], declarations: [], reExports: [], member: "src/orders.ts:10" },
  };
  const report = { added: [], candidates: [], renamed: [], unmoved: [unmoved], removed: [], changed: [], notes: [] };
  expect(formatReport(report, { command: "", folder: "mine", verbose: false })).toBe(
    "check: shop.getOrder (mine/src/orders.ts:10) was not moved to search.getOrder (mine/src/shop/search/get-order.ts:3). It is a member of a class. Move the handler yourself, with the imports and the code that it needs. Other code names shop.getOrder, too: mine/src/limits.ts:7. Change the name there.\n",
  );
  expect(formatResult(report, false)).toBe("0 handlers added, 1 to check, 0 to remove");
});
