import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { indentJson } from "../src/fetch/fetch-index.js";
import { LimitedNetwork } from "../src/fetch/network.js";
import { config, ProjectFolder, wsdl } from "./project-folder.js";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Starts a server on this machine that answers with texts by path. Returns the received requests. The server stops when
 * the test ends.
 */
async function serve(answers: Readonly<Record<string, string | Answer>>) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[request.url ?? ""];
    if (typeof answer === "function") {
      answer(request, response);
    } else if (answer === undefined) {
      response.writeHead(404).end();
    } else {
      response.setHeader("content-type", answer.startsWith("{") ? "application/json" : "text/xml").end(answer);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    url: `http://127.0.0.1:${port}`,
    otherName: `http://localhost:${port}`,
    paths: () => requests.map(({ url }) => url),
  };
}

const schema = (content = "") =>
  `<?xml version="1.0" encoding="ISO-8859-1"?>\n<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:hello">${content}</schema>`;

/** The WSDL with an include of a schema. */
const importing = (location: string, operation?: string) =>
  wsdl(operation).replace(
    'elementFormDefault="qualified">',
    `elementFormDefault="qualified"><include schemaLocation="${location}"/>`,
  );

test("saves a WSDL with everything that it imports, and generates from the files", async () => {
  const { url, paths } = await serve({
    "/hello.asmx?wsdl": importing("hello.asmx?xsd=xsd0"),
    "/hello.asmx?xsd=xsd0": schema('<include schemaLocation="/types/more.xsd"/>'),
    "/types/more.xsd": schema(),
  });
  const project = new ProjectFolder({});
  const { code, out, err } = await project.run("fetch", `${url}/hello.asmx?wsdl`, "--yes");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/3 files written to schemas\. Try npx bothends init --wsdl schemas\/hello\.wsdl\.\n$/);
  expect(Object.keys(project.snapshot())).toEqual(["schemas/hello.wsdl", "schemas/hello.xsd0.xsd", "schemas/more.xsd"]);
  expect(project.read("schemas/hello.wsdl")).toContain('schemaLocation="hello.xsd0.xsd"');
  expect(project.read("schemas/hello.xsd0.xsd")).toMatch(/encoding="utf-8".*schemaLocation="more\.xsd"/s);
  expect(paths()).toHaveLength(3);
  expect((await project.run("generate", "--wsdl", "schemas/hello.wsdl", "--out", "made")).code).toBe(0);
});

const page = "<html><head><title>Hello</title></head><body>The service</body></html>";

test.each([
  { given: "a page", answer: (_: IncomingMessage, response: ServerResponse) => void response.end(page) },
  { given: "status 405", answer: (_: IncomingMessage, response: ServerResponse) => void response.writeHead(405).end() },
])("the WSDL of a service is fetched if its address answers with $given", async ({ answer }) => {
  const { url, paths } = await serve({ "/hello.asmx": answer, "/hello.asmx?wsdl": wsdl() });
  const project = new ProjectFolder({});
  const { code, err } = await project.run("fetch", `${url}/hello.asmx`, "--yes");
  const note = `note: ${url}/hello.asmx is not a WSDL, so ${url}/hello.asmx?wsdl was fetched.\n`;
  expect([code, err]).toEqual([0, note]);
  expect(paths()).toEqual(["/hello.asmx", "/hello.asmx?wsdl"]);
  expect(Object.keys(project.snapshot())).toEqual(["schemas/hello.wsdl"]);
});

test("a page without a WSDL is reported as a page", async () => {
  const { url } = await serve({ "/hello": page, "/hello?wsdl": page });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/hello`, "--yes");
  expect(code).toBe(2);
  expect(err).toContain(`${url}/hello is not a WSDL or a schema. The file is an HTML page with the title "Hello".`);
});

test("documents that import each other are saved once", async () => {
  const { url, paths } = await serve({
    "/a.xsd": schema('<include schemaLocation="b.xsd"/>'),
    "/b.xsd": schema('<include schemaLocation="a.xsd"/><include schemaLocation="b.xsd"/>'),
  });
  const project = new ProjectFolder({});
  expect((await project.run("fetch", `${url}/a.xsd`, "--yes")).code).toBe(0);
  expect(paths()).toEqual(["/a.xsd", "/b.xsd"]);
});

test("shows the differences, and writes only after confirmation", async () => {
  let operation = "Greet";
  const { url } = await serve({ "/hello.wsdl": (_, response) => response.end(wsdl(operation)) });
  const project = new ProjectFolder({});
  const address = `${url}/hello.wsdl`;
  await project.run("fetch", address, "--yes");
  expect((await project.run("fetch", address)).out).toBe("1 document unchanged in schemas.\n");
  operation = "Welcome";
  const before = project.snapshot();
  const refused = await project.run("fetch", address);
  expect([refused.code, project.snapshot()]).toEqual([1, before]);
  expect(refused.out).toMatch(/^Changes since the saved files:\n {2}.*Welcome/);
  expect(refused.out).toContain("  changed  schemas/hello.wsdl\n");
  project.host = { ask: async () => "n" };
  expect((await project.run("fetch", address)).code).toBe(1);
  expect(project.snapshot()).toEqual(before);
  project.host = { ask: async () => "y" };
  expect((await project.run("fetch", address)).code).toBe(0);
  expect(project.read("schemas/hello.wsdl")).toContain("Welcome");
});

test("the changes of other WSDLs that read a replaced file are shown", async () => {
  const types = (members = "") =>
    schema(`<complexType name="T"><sequence><element name="id" type="string"/>${members}</sequence></complexType>`);
  const reading = (operation: string) => importing("types.xsd", operation).replace('type="string"', 'type="tns:T"');
  const { url } = await serve({
    "/a/service.wsdl": reading("Greet"),
    "/a/types.xsd": types(),
    "/b/other.wsdl": reading("Welcome"),
    "/b/types.xsd": types('<element name="more" type="string"/>'),
  });
  const project = new ProjectFolder({});
  await project.run("fetch", `${url}/a/service.wsdl`, "--yes");
  const before = project.snapshot();
  const { code, out, err } = await project.run("fetch", `${url}/b/other.wsdl`);
  expect([code, project.snapshot()]).toEqual([1, before]);
  expect(out).toMatch(
    /^Changes since the saved files, in schemas\/service\.wsdl:\n {2}T\.more: A required member was added/,
  );
  expect(err).toContain(
    "note: schemas/service.wsdl also imports schemas/types.xsd, which changes. If it needs the current file, fetch into another folder with --into.\n",
  );
  expect((await project.run("fetch", `${url}/b/other.wsdl`, "--into", "schemas/other", "--yes")).err).toBe("");
  expect(project.read("schemas/types.xsd")).toBe(before["schemas/types.xsd"]);
});

test("changes have the interface's name of the configuration, otherwise the one that init would choose", async () => {
  const index = (authentication: object) =>
    JSON.stringify({
      name: "My site",
      namespaces: ["a/v1"],
      authentication,
      routes: { "/a/v1/x": { methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] } },
    });
  const current = index({ "application-passwords": { endpoints: {} } });
  const { url } = await serve({ "/wp-json/": current, "/wp-json/?context=help": current });
  const project = new ProjectFolder({ "schemas/index.json": index({}) });
  expect((await project.run("fetch", `${url}/wp-json/`)).out).toMatch(/^Changes .*\n {2}my-site: The index lists/);
  project.write("bothends.json", config.replace(/"hello": \{[^}]*\}/, '"press": { "index": "schemas/index.json" }'));
  expect((await project.run("fetch", `${url}/wp-json/`)).out).toMatch(/^Changes .*\n {2}press: The index lists/);
});

test("a file that is no longer a WSDL is shown line by line", async () => {
  const { url } = await serve({ "/types.xsd": schema("<!-- new -->") });
  const project = new ProjectFolder({ "schemas/types.xsd": schema() });
  expect((await project.run("fetch", `${url}/types.xsd`)).out).toMatch(/^\+.*<!-- new -->/m);
});

test("a change that affects no one is reported as such", async () => {
  const { url } = await serve({ "/hello.wsdl": `${wsdl()}<!-- new -->` });
  const project = new ProjectFolder({ "schemas/hello.wsdl": wsdl() });
  expect((await project.run("fetch", `${url}/hello.wsdl`)).out).toMatch(
    /^The contract does not change for callers or servers\.\n/,
  );
});

test("another host is contacted only if it is allowed, and never gets credentials", async () => {
  const other = await serve({ "/types.xsd": schema() });
  const { url, requests } = await serve({ "/hello.wsdl": importing(`${other.url}/types.xsd`) });
  const project = new ProjectFolder({});
  project.host = { environment: { BOTHENDS_PASSWORD: "secret" } };
  const parameters = ["fetch", `${url}/hello.wsdl`, "--yes", "--user", "ann"];
  const refused = await project.run(...parameters);
  expect(refused.code).toBe(2);
  const host = new URL(other.url).host;
  expect(refused.err).toContain(`nothing written. Try --allow-host ${host}.`);
  expect(other.requests).toEqual([]);
  expect((await project.run(...parameters, "--allow-host", host)).code).toBe(0);
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa("ann:secret")}`);
});

test("all hosts that must be allowed are named at once, with the documents on them", async () => {
  const [first, second] = [await serve({ "/a.xsd": schema() }), await serve({ "/b.xsd": schema() })];
  const include = (url: string) => `<include schemaLocation="${url}"/>`;
  const { url } = await serve({
    "/hello.wsdl": importing("types.xsd"),
    "/types.xsd": schema(include(`${first.url}/a.xsd`) + include(`${second.url}/b.xsd`) + include("more.xsd")),
    "/more.xsd": schema(include(`${second.url}/b.xsd`)),
  });
  const project = new ProjectFolder({});
  const { code, err } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(code).toBe(2);
  expect(err).toBe(`error: 2 documents are on hosts that are not allowed:
  ${first.url}/a.xsd, which ${url}/types.xsd imports
  ${second.url}/b.xsd, which ${url}/types.xsd imports
  help: Only the host of the address is allowed. If you trust the other hosts, repeat the command with the options below. Otherwise, save the documents yourself, and make the location in each import relative.
1 error; nothing written. Try --allow-host ${new URL(first.url).host} --allow-host ${new URL(second.url).host}.
`);
  const hosts = [first.url, second.url].flatMap((each) => ["--allow-host", new URL(each).host]);
  expect((await project.run("fetch", `${url}/hello.wsdl`, "--yes", ...hosts)).code).toBe(0);
});

test.each([
  ["http://schemas.example/", "schemas.example"],
  ["*", undefined],
  ["schemas.example/types", "schemas.example"],
])("--allow-host %s is refused, because it is not a host", async (host, suggested) => {
  const { code, err } = await new ProjectFolder({}).run("fetch", "http://127.0.0.1:2/x", "--yes", "--allow-host", host);
  expect([code, err]).toEqual([2, expect.stringContaining(`--allow-host ${host} is not a host.`)]);
  expect(err).toContain(suggested === undefined ? "Try npx bothends fetch --help." : `Try --allow-host ${suggested}.`);
});

test.each(["LOCALHOST", "localhost"])("the host of --allow-host may be written as %s", async (name) => {
  const other = await serve({ "/types.xsd": schema() });
  const { url } = await serve({ "/hello.wsdl": importing(`${other.otherName}/types.xsd`) });
  const { port } = new URL(other.url);
  const allowed = await new ProjectFolder({}).run(
    "fetch",
    `${url}/hello.wsdl`,
    "--yes",
    "--allow-host",
    `${name}:${port}`,
  );
  expect(allowed.code).toBe(0);
});

test("a login in a document or in a redirect is neither sent nor shown", async () => {
  const { url, requests } = await serve({
    "/hello.wsdl": (request, response) =>
      void response.end(importing(`http://bob:secret@${request.headers.host}/types.xsd`)),
    "/types.xsd": (request, response) =>
      void response.writeHead(302, { location: `http://bob:secret@${request.headers.host}/more.xsd` }).end(),
    "/more.xsd": schema(),
  });
  const { code, out, err } = await new ProjectFolder({}).run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, err]).toEqual([0, ""]);
  expect(out).not.toContain("secret");
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
});

test.each([
  ["mailto:bob:secret@example.com", "mailto:…"],
  ["ldap://bob:secret@example.com/x", "ldap://example.com/x"],
])("the login in a refused redirect to %s is not shown", async (location, shown) => {
  const { url } = await serve({
    "/hello.wsdl": (_, response) => void response.writeHead(302, { location }).end(),
    "/import.wsdl": importing(location),
  });
  const project = new ProjectFolder({});
  const redirected = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  const imported = await project.run("fetch", `${url}/import.wsdl`, "--yes");
  expect([redirected.code, imported.code]).toEqual([2, 2]);
  expect(redirected.err).toContain(`redirects to ${shown}. Redirects to another host`);
  expect(imported.err).toContain(`The documents refer to ${shown}, which is not`);
  expect(redirected.err + imported.err).not.toContain("secret");
});

test("the login in an import that is not a valid address is not shown", async () => {
  const { url } = await serve({ "/hello.wsdl": importing("http://bob:secret@[/types.xsd") });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(code).toBe(2);
  expect(err).toContain('imports "[/types.xsd", which is not a valid address.');
  expect(err).not.toContain("secret");
});

test("a redirect to another port of the host is not followed, and the address to fetch is named", async () => {
  const other = await serve({ "/hello.wsdl": wsdl() });
  const { url } = await serve({
    "/hello.wsdl": (_, response) =>
      void response.writeHead(302, { location: other.url.replace("http:", "https:") }).end(),
  });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, other.requests]).toEqual([2, []]);
  expect(err).toContain(`repeat the command with it: ${other.url.replace("http:", "https:")}/\n`);
  expect(err).not.toContain("Try npx bothends fetch http");
});

test("with a login, a redirect from http to https is not followed, because the login would not be sent", async () => {
  const { url } = await serve({
    "/hello.wsdl": (request, response) =>
      void response.writeHead(302, { location: `https://${request.headers.host}/hello.wsdl` }).end(),
  });
  const { code, err } = await new ProjectFolder({}).run(
    "fetch",
    `${url.replace("//", "//ann:pw@")}/hello.wsdl`,
    "--yes",
  );
  expect(code).toBe(2);
  expect(err).toContain("With a login or a header, redirects from http to https are not followed.");
  expect(err).toContain(`repeat the command with it: ${url.replace("http:", "https:")}/hello.wsdl\n`);
  expect(err).not.toContain("Try npx bothends fetch http");
});

test("an interrupted fetch leaves no file that version control would list", async () => {
  const { project } = await interruptedFetch();
  const git = (...parameters: string[]) =>
    execFileSync("git", ["-C", project.path, ...parameters], { encoding: "utf8" }).trim();
  git("init", "--quiet");
  expect(readdirSync(project.path).sort()).toEqual([".bothends-fetch", ".git"]);
  expect(git("status", "--porcelain", "--untracked-files=all")).toBe("");
});

test("a finished fetch keeps the documents of another that was interrupted", async () => {
  const { project, url } = await interruptedFetch();
  const other = await serve({ "/hello.wsdl": wsdl() });
  await project.run("fetch", `${other.url}/hello.wsdl`, "--yes");
  const { out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(out).toContain("Reused 1 document from an interrupted fetch.");
  expect(readdirSync(project.path)).toEqual(["schemas"]);
});

test.each([404, 500])(
  "after status %d, the help of fetch is not suggested, because it has no way out",
  async (status) => {
    const { url } = await serve({ "/hello.wsdl": (_, response) => void response.writeHead(status).end() });
    const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/hello.wsdl`, "--yes");
    expect(code).toBe(2);
    expect(err).toMatch(/\n1 error; nothing written\.\n$/);
  },
);

test("a finished fetch leaves no folder for interrupted ones", async () => {
  const { url } = await serve({ "/hello.wsdl": wsdl() });
  const project = new ProjectFolder({});
  await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(readdirSync(project.path)).toEqual(["schemas"]);
});

/**
 * A project whose fetch of a WSDL failed at the imported schema. Since then, the WSDL has changed. The server now sends
 * both unless `works` is false.
 */
async function interruptedFetch({ works: worksNow = true } = {}): Promise<{
  readonly project: ProjectFolder;
  readonly url: string;
}> {
  let operation = "Greet";
  let works = false;
  const { url } = await serve({
    "/hello.wsdl": (_, response) => void response.end(importing("types.xsd", operation)),
    "/types.xsd": (_, response) => void (works ? response.end(schema()) : response.destroy()),
  });
  const project = new ProjectFolder({});
  await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  [operation, works] = ["Welcome", worksNow];
  return { project, url };
}

/** Returns the files with the documents of interrupted fetches. */
function listStored(project: ProjectFolder): readonly string[] {
  return Object.keys(project.snapshot()).filter((path) => path !== ".bothends-fetch/.gitignore");
}

test.each(["destroy", "end"] as const)(
  "an answer that ends too early, by %s of the socket, is reported in words, and nothing is written",
  async (end) => {
    const { url } = await serve({
      "/hello.wsdl": (_, response) => {
        response.writeHead(200, { "content-length": 100_000 }).write(wsdl(), () => void response.socket?.[end]());
      },
    });
    const project = new ProjectFolder({});
    const { code, err } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
    expect([code, err]).toEqual([
      2,
      `error: Cannot read ${url}/hello.wsdl: the server closed the connection before the document was complete.
  help: Try again. The received documents are kept for the next run.
1 error; nothing written.
`,
    ]);
  },
);

test("after a fetch of a document that the project has, generate is suggested", async () => {
  const { url } = await serve({ "/hello.wsdl": wsdl("Welcome") });
  const project = new ProjectFolder();
  const { out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(out).toMatch(/1 file written to schemas\. Try npx bothends generate\.\n$/);
});

test("after a fetch of a schema, no command is suggested, because a schema has no operations", async () => {
  const { url } = await serve({ "/types.xsd": schema() });
  const project = new ProjectFolder({});
  const { code, out, err } = await project.run("fetch", `${url}/types.xsd`, "--yes");
  expect([code, out, err]).toEqual([
    0,
    expect.stringMatching(/1 file written to schemas\.\n$/),
    "note: schemas/types.xsd is a schema, from which nothing can be generated: it has no operations. Fetch a WSDL that imports it, or import it in a WSDL.\n",
  ]);
});

test("--fresh fetches the documents of an interrupted fetch again", async () => {
  const { project, url } = await interruptedFetch();
  await project.run("fetch", `${url}/hello.wsdl`, "--yes", "--fresh");
  expect(project.read("schemas/hello.wsdl")).toContain("Welcome");
});

test("a fetch that reused documents is repeated to fetch all of them again", async () => {
  const { project, url } = await interruptedFetch();
  const { out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(out).toContain(
    "Reused 1 document from an interrupted fetch. To fetch all documents again, repeat the command.\n",
  );
  expect(project.read("schemas/hello.wsdl")).toContain("Greet");
  await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(project.read("schemas/hello.wsdl")).toContain("Welcome");
});

test("only the user may read the documents of an interrupted fetch", async () => {
  const { url } = await serve({
    "/hello.wsdl": importing("types.xsd"),
    "/types.xsd": (_, response) => void response.destroy(),
  });
  const project = new ProjectFolder({});
  await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  const [ignored = "", stored = ""] = Object.keys(project.snapshot());
  const readMode = (path: string) => (statSync(join(project.path, path)).mode & 0o777).toString(8);
  expect([readMode(stored), readMode(dirname(stored))]).toEqual(["600", "700"]);
  expect(readMode(".bothends-fetch")).toBe("700");
  expect([ignored, project.read(ignored)]).toEqual([".bothends-fetch/.gitignore", "*\n"]);
});

test.each([
  { what: "of an address with a query", address: "/hello.wsdl?token=s3cret", reused: 1 },
  { what: "after a redirect to an address without a query", address: "/go?token=s3cret", reused: 1 },
  // The query may contain a password, and the address of the document is needed for its imports.
  { what: "after a redirect to an address with a query", address: "/go?other=s3cret", reused: 0 },
])("an interrupted fetch $what stores no query, and $reused documents are reused", async ({ address, reused }) => {
  let works = false;
  const { url } = await serve({
    "/go?token=s3cret": (_, response) => void response.writeHead(302, { location: "/sub/hello.wsdl" }).end(),
    "/go?other=s3cret": (_, response) => void response.writeHead(302, { location: "/sub/hello.wsdl?key=s3cret" }).end(),
    "/hello.wsdl?token=s3cret": importing("types.xsd"),
    "/sub/hello.wsdl": importing("types.xsd"),
    "/sub/hello.wsdl?key=s3cret": importing("types.xsd"),
    "/types.xsd": (_, response) => void (works ? response.end(schema()) : response.destroy()),
    "/sub/types.xsd": (_, response) => void (works ? response.end(schema()) : response.destroy()),
  });
  const project = new ProjectFolder({});
  await project.run("fetch", `${url}${address}`, "--yes");
  expect(listStored(project)).toHaveLength(reused);
  expect(JSON.stringify(project.snapshot())).not.toContain("s3cret");
  works = true;
  const { code, out } = await project.run("fetch", `${url}${address}`, "--yes");
  expect(code).toBe(0);
  expect(out.includes("Reused 1 document from an interrupted fetch.")).toBe(reused === 1);
});

test.each([
  ["other.example:443", "https://other.example/a.xsd", true],
  ["other.example:443", "http://other.example/a.xsd", false],
  ["other.example:8443", "https://other.example/a.xsd", false],
  ["other.example", "https://other.example/a.xsd", true],
])("with --allow-host %s, %s may be fetched: %s", (allowedHost, address, isAllowed) => {
  const network = new LimitedNetwork({
    address: new URL("http://service.example/"),
    allowedHosts: [allowedHost],
    headers: {},
    timeout: 1000,
    fileBytes: 1,
    inputBytes: 1,
    userAgent: "test",
  });
  expect(network.isAllowed(new URL(address))).toBe(isAllowed);
});

test("the reuse of documents is reported, also if nothing changed", async () => {
  let works = true;
  const { url } = await serve({
    "/hello.wsdl": importing("types.xsd"),
    "/types.xsd": (_, response) => void (works ? response.end(schema()) : response.destroy()),
  });
  const project = new ProjectFolder({});
  await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  works = false;
  await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  works = true;
  const { out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(out).toMatch(/^Reused 1 document from an interrupted fetch\..*\n2 documents unchanged in schemas\.\n$/);
});

test("after an import that does not exist, the importing document is fetched again", async () => {
  let location = "missing.xsd";
  const { url } = await serve({
    "/hello.wsdl": (_, response) => void response.end(importing(location)),
    "/types.xsd": schema(),
    "/missing.xsd": (_, response) => void response.writeHead(404).end(),
  });
  const project = new ProjectFolder({});
  const failed = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(failed.err).toContain(`${url}/missing.xsd, which ${url}/hello.wsdl imports, answered with status 404.`);
  location = "types.xsd";
  const { code, out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, out]).toEqual([0, expect.not.stringContaining("Reused")]);
});

test("after an import on another host, the importing document is fetched again", async () => {
  const other = await serve({ "/types.xsd": schema() });
  let location = `${other.url}/types.xsd`;
  const { url } = await serve({
    "/hello.wsdl": (_, response) => void response.end(importing(location)),
    "/types.xsd": schema(),
  });
  const project = new ProjectFolder({});
  const refused = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(refused.err).toContain(`${other.url}/types.xsd, which ${url}/hello.wsdl imports, is on another host`);
  expect(listStored(project)).toEqual([]);
  location = "types.xsd";
  const { code, out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, out]).toEqual([0, expect.not.stringContaining("Reused")]);
});

test("an error after documents were reused names the option that fetches them again", async () => {
  const { project, url } = await interruptedFetch({ works: false });
  const { err } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(err).toContain("Reused 1 document from an interrupted fetch. To fetch all documents again, add --fresh.");
});

test("a document that was stored in part is fetched again", async () => {
  let works = false;
  const { url } = await serve({
    "/hello.wsdl": importing("types.xsd"),
    "/types.xsd": (_, response) => void (works ? response.end(schema()) : response.destroy()),
  });
  const project = new ProjectFolder({});
  await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  const [stored = "", ...others] = listStored(project);
  expect(others).toEqual([]);
  project.write(stored, project.read(stored).slice(0, -200));
  works = true;
  const { code, out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, out]).toEqual([0, expect.not.stringContaining("Reused")]);
});

test("an imported file of the machine is not read, and no host is advised for it", async () => {
  const { url } = await serve({ "/hello.wsdl": importing("file:///etc/hostname") });
  const refused = await new ProjectFolder({}).run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("refer to file:///etc/hostname, which is not an http or https address.");
  expect(refused.err).not.toContain("--allow-host");
});

test("a built-in schema on another host is not asked for", async () => {
  const location =
    'namespace="http://www.w3.org/2000/09/xmldsig#" schemaLocation="http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd"';
  const { url } = await serve({ "/a.xsd": schema(`<import ${location}/>`) });
  const project = new ProjectFolder({});
  expect((await project.run("fetch", `${url}/a.xsd`, "--yes")).code).toBe(0);
  expect(project.read("schemas/a.xsd")).toContain(location);
});

test("redirects are followed on the same host only", async () => {
  const other = await serve({ "/hello.wsdl": wsdl() });
  const redirectTo =
    (location: string): Answer =>
    (_, response) =>
      void response.writeHead(302, { location }).end();
  const { url } = await serve({
    "/old": redirectTo("/hello.wsdl"),
    "/hello.wsdl": wsdl(),
    "/away": redirectTo(`${other.url}/hello.wsdl`),
    "/loop": redirectTo("/loop"),
    "/file": redirectTo("file:///etc/passwd"),
  });
  const project = new ProjectFolder({});
  expect((await project.run("fetch", `${url}/old`, "--yes")).code).toBe(0);
  const away = await project.run("fetch", `${url}/away`, "--yes");
  expect([away.code, other.requests]).toEqual([2, []]);
  expect(away.err).toContain(`repeat the command with it: ${other.url}/hello.wsdl\n`);
  expect((await project.run("fetch", `${url}/loop`, "--yes")).err).toContain("redirects too often");
  expect((await project.run("fetch", `${url}/file`, "--yes")).err).toContain(
    "Redirects to another host, to another port",
  );
});

test("if an import redirects to another host, the help says how to get both documents", async () => {
  const other = await serve({ "/types.xsd": schema() });
  const { url } = await serve({
    "/hello.wsdl": importing("types.xsd"),
    "/types.xsd": (_, response) => void response.writeHead(302, { location: `${other.url}/types.xsd` }).end(),
  });
  const project = new ProjectFolder({});
  const { code, err } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, other.requests]).toEqual([2, []]);
  expect(err).toContain(
    `download it and ${url}/hello.wsdl, and change the import to the name of the downloaded file. Or ask the provider to import this address: ${other.url}/types.xsd\n`,
  );
});

test("an interrupted fetch leaves the old files, and the next one resumes it", async () => {
  let works = false;
  const { url, paths } = await serve({
    "/hello.wsdl": importing("types.xsd", "Welcome"),
    "/types.xsd": (_, response) => void (works ? response.end(schema()) : response.destroy()),
  });
  const project = new ProjectFolder({ "schemas/hello.wsdl": wsdl() });
  const failed = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(failed.code).toBe(2);
  expect(project.read("schemas/hello.wsdl")).toBe(wsdl());
  works = true;
  const { code, out } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect(code).toBe(0);
  expect(out).toContain("Reused 1 document from an interrupted fetch.");
  expect(paths().filter((path) => path === "/hello.wsdl")).toHaveLength(1);
  expect(Object.keys(project.snapshot())).toEqual(["schemas/hello.wsdl", "schemas/types.xsd"]);
});

test("the index of a WordPress site is found from its page, and has schemas", async () => {
  const index = '{"namespaces":["wp/v2"],"routes":{"/wp/v2":{"max":12345678901234567890}}}';
  const { url, requests } = await serve({
    "/": (_, response) => void response.setHeader("link", '</wp-json/>; rel="https://api.w.org/"').end("<html></html>"),
    "/wp-json/?context=help": index,
  });
  const project = new ProjectFolder({});
  const { code, out } = await project.run(
    "fetch",
    `${url}/`,
    "--into",
    "schemas/site",
    "--yes",
    "--header",
    "X-Key: abc",
  );
  expect(code).toBe(0);
  expect(out).toContain("Try npx bothends init --index schemas/site/index.json.");
  expect(project.read("schemas/site/index.json")).toContain('"max": 12345678901234567890');
  expect(requests.map(({ headers }) => headers["x-key"])).toEqual(["abc", "abc"]);
});

const enabled = '{"application-passwords":{"endpoints":{}}}';
const ignored =
  "note: WordPress probably ignored the login, because the index does not list application passwords. The index may lack routes and arguments that are not public. By default, WordPress accepts them only over https: fetch the index from the https address of the site.\n";
const rejected =
  "note: WordPress probably did not accept the login. The index may lack routes and arguments that are not public. Check the user name, and use an application password, not the password of the account.\n";

test.each([
  { login: ["--user", "editor"], authentication: "[]", cache: "", note: ignored },
  { login: ["--user", "editor"], authentication: '{"oauth1":{}}', cache: "max-age=60", note: ignored },
  { login: ["--user", "editor"], authentication: enabled, cache: "", note: rejected },
  { login: ["--user", "editor"], authentication: enabled, cache: "no-cache, must-revalidate, max-age=0", note: "" },
  { login: [], authentication: "[]", cache: "", note: "" },
  { login: ["--header", "Authorization: Bearer abc"], authentication: "[]", cache: "", note: "" },
])("the note about an index with $authentication and the cache rule $cache, fetched with $login", async (site) => {
  const index = `{"namespaces":["wp/v2"],"authentication":${site.authentication},"routes":{"/wp/v2":{}}}`;
  const answer: Answer = (_, response) =>
    void response.setHeader("content-type", "application/json").setHeader("cache-control", site.cache).end(index);
  const { url } = await serve({ "/wp-json/": answer, "/wp-json/?context=help": answer });
  const project = new ProjectFolder({});
  project.host = { environment: { BOTHENDS_PASSWORD: "secret" } };
  const { code, err } = await project.run("fetch", `${url}/wp-json/`, "--yes", ...site.login);
  expect([code, err]).toEqual([0, site.note]);
});

test("a login that is not sent, because the index is on another host, is reported", async () => {
  const index = '{"namespaces":["wp/v2"],"authentication":[],"routes":{"/wp/v2":{}}}';
  const other = await serve({ "/wp-json/?context=help": index });
  const page = `<html><link rel="https://api.w.org/" href="${other.url}/wp-json/"></html>`;
  const { url } = await serve({
    "/": (_, response) => void response.setHeader("content-type", "text/html").end(page),
  });
  const project = new ProjectFolder({});
  project.host = { environment: { BOTHENDS_PASSWORD: "secret" } };
  const allowed = ["--allow-host", new URL(other.url).host];
  const { code, err } = await project.run("fetch", `${url}/`, "--yes", "--user", "editor", ...allowed);
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  expect([code, err]).toEqual([
    0,
    `note: The login was not sent to ${other.url}, because it belongs to ${url}. The index may lack routes and arguments that are not public. To log in there, fetch the index from ${other.url}/wp-json/.\n`,
  ]);
});

test("an ignored login is reported before the question whether to write", async () => {
  const index = '{"namespaces":["wp/v2"],"authentication":[],"routes":{"/wp/v2":{}}}';
  const { url } = await serve({
    "/wp-json/": (_, response) => void response.setHeader("content-type", "application/json").end(index),
    "/wp-json/?context=help": index,
  });
  const project = new ProjectFolder({});
  let textBefore = "";
  let out = "";
  const ask = async (question: string) => {
    if (question.startsWith("Write ")) {
      textBefore = out;
    }
    return "n";
  };
  const write = (text: string) => {
    out += text;
  };
  project.host = { environment: { BOTHENDS_PASSWORD: "secret" }, ask, out: { isTTY: false, write } };
  const { code, err } = await project.run("fetch", `${url}/wp-json/`, "--user", "editor");
  expect([code, err]).toEqual([1, "Nothing written.\n"]);
  expect(textBefore).toContain("note: WordPress probably ignored the login");
});

/** A server that is busy for some requests, and the times of the requests in milliseconds. */
async function serveAfter(refusals: number, headers: () => Readonly<Record<string, string>>) {
  const times: number[] = [];
  const served = await serve({
    "/types.xsd": (_, response) => {
      times.push(performance.now());
      if (times.length <= refusals) {
        response.writeHead(429, headers()).end();
      } else {
        response.end(schema());
      }
    },
  });
  return { ...served, times, pauses: () => times.slice(1).map((time, index) => time - (times[index] ?? 0)) };
}

test.each([
  { what: "seconds", headers: () => ({ "retry-after": "1" }) },
  { what: "a date", headers: () => ({ "retry-after": new Date(Date.now() + 2000).toUTCString() }) },
])("a busy host is asked again after the pause that it requests in $what, which is shown", async ({ headers }) => {
  const { url, pauses } = await serveAfter(1, headers);
  const shown: string[] = [];
  const project = new ProjectFolder({});
  project.host = { err: { isTTY: true, write: (text) => void shown.push(text) } };
  expect((await project.run("fetch", `${url}/types.xsd`, "--yes")).code).toBe(0);
  expect(pauses()).toEqual([expect.any(Number)]);
  expect(pauses()[0]).toBeGreaterThan(900);
  expect(shown.join("")).toMatch(/127\.0\.0\.1:\d+ is busy: waiting [12] seconds?/);
});

test("a busy host that requests no pause is asked three times, with growing pauses", async () => {
  const { url, pauses } = await serveAfter(3, () => ({}));
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/types.xsd`, "--yes");
  expect([code, err]).toEqual([2, expect.stringContaining("answered with status 429: the host is busy.")]);
  const [first = 0, second = 0, ...more] = pauses();
  expect(more).toEqual([]);
  expect(first).toBeGreaterThan(900);
  expect(second).toBeGreaterThan(1900);
});

test("a long pause is reported, and the received documents are kept for the next run", async () => {
  let isBusy = true;
  const { url, paths } = await serve({
    "/hello.wsdl": importing("types.xsd"),
    "/types.xsd": (_, response) =>
      void (isBusy ? response.writeHead(503, { "retry-after": "120" }).end() : response.end(schema())),
  });
  const project = new ProjectFolder({});
  const { code, err } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, err]).toEqual([2, expect.stringContaining("The host asks for a pause of 120 seconds.")]);
  isBusy = false;
  expect((await project.run("fetch", `${url}/hello.wsdl`, "--yes")).code).toBe(0);
  expect(paths()).toEqual(["/hello.wsdl", "/types.xsd", "/types.xsd"]);
});

test("other failures are not repeated", async () => {
  const { url, requests } = await serve({ "/x.wsdl": (_, response) => void response.writeHead(500).end() });
  expect((await new ProjectFolder({}).run("fetch", `${url}/x.wsdl`, "--yes")).code).toBe(2);
  expect(requests).toHaveLength(1);
});

test("an interruption ends a pause", async () => {
  const interruption = new AbortController();
  const { url, times } = await serveAfter(1, () => ({ "retry-after": "30" }));
  const project = new ProjectFolder({});
  project.host = { interrupted: interruption.signal };
  const ran = project.run("fetch", `${url}/types.xsd`, "--yes");
  await expect.poll(() => times.length).toBe(1);
  interruption.abort();
  expect((await ran).err).toContain("The fetch was interrupted.");
});

test.each([
  ["that nothing listens at", "127.0.0.1:2", "No server listens at 127.0.0.1:2. Check the port."],
  ["of another protocol", "127.0.0.1:25", "Port 25 belongs to another protocol, so fetch does not call it."],
])("fetch explains a port %s", async (_, host, help) => {
  const { code, err } = await new ProjectFolder({}).run("fetch", `http://${host}/hello.wsdl`, "--yes");
  expect([code, err]).toEqual([2, expect.stringContaining(help)]);
});

test("a host that never finishes a document is given up after the timeout", async () => {
  const { url } = await serve({ "/x": (_, response) => void response.writeHead(200).write("<definitions ") });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/x`, "--yes", "--timeout", "1");
  expect([code, err]).toEqual([2, expect.stringContaining("did not answer within 1 s.")]);
});

test("a compressed document counts with its size after decompression", async () => {
  const bomb = gzipSync(Buffer.alloc(64 << 20, " "));
  const { url } = await serve({
    "/x": (_, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
  });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/x`, "--yes");
  expect([code, err]).toEqual([2, expect.stringContaining("exceeds the limit fileBytes")]);
});

test("addresses that differ in case, folder or query become separate files", async () => {
  const locations = [
    "Types.xsd",
    "types.xsd",
    "more/types.xsd",
    "t.asmx?xsd=xsd0",
    "t.asmx?xsd=xsd1",
    "t.asmx?XSD=xsd1",
  ];
  const include = (location: string) => `<include schemaLocation="${location}"/>`;
  const { url } = await serve({
    "/all.xsd": schema(locations.map(include).join("")),
    ...Object.fromEntries(
      locations.map((location, index) => [`/${location}`, schema(`<element name="e${index}" type="string"/>`)]),
    ),
  });
  const project = new ProjectFolder({});
  expect((await project.run("fetch", `${url}/all.xsd`, "--yes")).code).toBe(0);
  const files = Object.entries(project.snapshot()).map(([path, text]) => [path, /e\d/.exec(text)?.[0]]);
  expect(new Set(files.map(([path]) => path?.toLowerCase())).size).toBe(locations.length + 1);
  const named = [...project.read("schemas/all.xsd").matchAll(/schemaLocation="([^"]+)"/g)].map(([, name]) => name);
  expect(named.map((name) => /e\d/.exec(project.read(`schemas/${name}`))?.[0])).toEqual(
    locations.map((_, index) => `e${index}`),
  );
});

test("an address whose login has an invalid escape is refused", async () => {
  const { code, err } = await new ProjectFolder({}).run("fetch", "http://a%zz@127.0.0.1:9/x", "--yes");
  expect([code, err]).toEqual([2, expect.stringContaining("The login in the address has an invalid escape.")]);
});

test("documents over a limit are refused", async () => {
  const { url } = await serve({ "/hello.wsdl": wsdl() });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/hello.wsdl`, "--limit", "fileBytes=100");
  expect(code).toBe(2);
  expect(err).toContain("exceeds the limit fileBytes");
});

test("documents that are too large together are refused, and the suggested limit is twice the present one", async () => {
  const main = importing("more.xsd");
  const { url } = await serve({ "/hello.wsdl": main, "/more.xsd": schema(" ".repeat(2_000)) });
  const limit = main.length + 1_000;
  const parameters = ["fetch", `${url}/hello.wsdl`, "--yes", "--limit", `inputBytes=${limit}`];
  const { code, err } = await new ProjectFolder({}).run(...parameters);
  expect(code).toBe(2);
  expect(err).toContain(`more.xsd exceeds the limit inputBytes: more than ${limit} bytes in all documents.`);
  expect(err).toContain(`Try --limit inputBytes=${limit * 2}.`);
});

const jsonAnswer =
  (text: string): Answer =>
  (_, response) =>
    void response.setHeader("content-type", "application/json").end(text);
const linkAnswer =
  (link: string): Answer =>
  (_, response) =>
    void response
      .setHeader("link", `<${link}>; rel="https://api.w.org/"`)
      .setHeader("content-type", "text/html")
      .end("<html></html>");

const loginPage = '<html><title>Sign in</title><input type="password"></html>';

test.each<{ readonly what: string; readonly answer: string | Answer; readonly says: string }>([
  { what: "a login page", answer: loginPage, says: "Try --user <name>." },
  { what: "status 401", answer: (_, response) => response.writeHead(401).end(), says: "Try --user <name>." },
  {
    what: "status 401 of NTLM",
    answer: (_, response) => response.writeHead(401, { "www-authenticate": "NTLM" }).end(),
    says: "Open the address in a browser",
  },
  { what: "status 404", answer: (_, response) => response.writeHead(404).end(), says: "followed by ?wsdl" },
  {
    what: "a SOAP message",
    answer: '<Envelope xmlns="urn:x"/>',
    says: "not a WSDL or a schema, but the element <Envelope> in the namespace urn:x.",
  },
  {
    what: "a WSDL 2.0",
    answer: '<description xmlns="http://www.w3.org/ns/wsdl"/>',
    says: "not a WSDL or a schema, but a WSDL 2.0 description.\n  help: WSDL 2.0 is not supported.",
  },
  {
    what: "an OpenAPI document in JSON",
    answer: jsonAnswer('{"openapi":"3.1.0","paths":{}}'),
    says: "is not an index, but an OpenAPI document (3.1.0).\n  help: OpenAPI is not supported; openapi-typescript",
  },
  {
    what: "an OpenAPI document in YAML",
    answer: "openapi: 3.1.0\npaths: {}\n",
    says: "The file is an OpenAPI document.\n  help: OpenAPI is not supported; openapi-typescript",
  },
  {
    what: "a GraphQL introspection result",
    answer: jsonAnswer('{"data":{"__schema":{}}}'),
    says: "is not an index, but a GraphQL introspection result.\n  help: GraphQL is not supported",
  },
  {
    what: "a zip archive sent as JSON",
    answer: jsonAnswer("PK\u0003\u0004"),
    says: "is not an index, but a zip archive.\n  help: Unpack the archive",
  },
  {
    what: "HTML sent as JSON",
    answer: jsonAnswer(page),
    says: 'is not an index, but an HTML page with the title "Hello".\n  help: Enter the index\'s address',
  },
  {
    what: "a notice before an index",
    answer: jsonAnswer(
      `Notice: Undefined index: lang in plugin.php\n${"\\t".repeat(200)}\n{"name":"Site","routes":{}}`,
    ),
    says: "/x?context=help is not JSON. The answer begins with: Notice: Undefined index: lang in plugin.php ",
  },
  {
    what: "an index after a notice",
    answer: jsonAnswer('<b>Notice</b>: no lang\n{"name":"Site","routes":{}}'),
    says: "help: The site prints this text before its index. Correct its cause, such as a PHP notice",
  },
  { what: "an empty answer", answer: jsonAnswer(" "), says: "is not JSON. The answer is empty." },
  { what: "a document that is not well-formed", answer: "<definitions", says: "Line 1" },
  {
    what: "JSON without routes",
    answer: '{"code":"rest_forbidden"}',
    says: "has no routes: it answered rest_forbidden",
  },
  { what: "a JSON list", answer: jsonAnswer("[]"), says: "is JSON, but not an object" },
  {
    what: "a link to an index that is not an address",
    answer: linkAnswer("http://["),
    says: 'links to an index at "http://[", which is not an http or https address',
  },
  {
    what: "a link to an index with another protocol",
    answer: linkAnswer("javascript:run()"),
    says: 'links to an index at "javascript:run()", which is not an http or https address',
  },
  { what: "status 407", answer: (_, response) => response.writeHead(407).end(), says: "A proxy may require a login" },
  {
    what: "an answer that is not HTTP",
    answer: (_, response) => response.socket?.end("SSH-2.0-x\r\n"),
    says: "the answer is not valid HTTP",
  },
  {
    what: "an answer with too many headers",
    answer: (_, response) => response.socket?.end(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(9_000)}\r\n`),
    says: "the headers of the answer are too large",
  },
])("$what is refused with a fix", async ({ answer, says }) => {
  const { url } = await serve({ "/x": answer, "/x?context=help": answer });
  const project = new ProjectFolder({});
  const { code, err } = await project.run("fetch", `${url}/x`, "--yes");
  expect([code, project.snapshot()]).toEqual([2, {}]);
  expect(err).toContain(says);
});

test("an imported document that cannot be read is reported with the document that imports it", async () => {
  const { url } = await serve({ "/x.wsdl": importing("types.xsd") });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/x.wsdl`, "--yes");
  expect(code).toBe(2);
  expect(err).toContain(`${url}/types.xsd, which ${url}/x.wsdl imports, answered with status 404.`);
  expect(err).toContain("If the provider cannot correct the location, save the documents yourself");
});

test("an address with https of a server without TLS is reported in words", async () => {
  const { url } = await serve({});
  const { code, err } = await new ProjectFolder({}).run("fetch", url.replace("http", "https"), "--yes");
  expect(code).toBe(2);
  expect(err).toContain("the server does not answer with TLS");
  expect(err).toContain("http://");
});

test.each([
  { parameters: ["fetch", "hello.wsdl"], says: "is not an http or https address" },
  {
    parameters: ["fetch", "service.example/a.asmx?wsdl"],
    says: "Try npx bothends fetch 'https://service.example/a.asmx?wsdl'.",
  },
  { parameters: ["fetch", "http://127.0.0.1:1/x"], says: "127.0.0.1:1" },
  { parameters: ["fetch", "http://127.0.0.1:1/x", "--into", "../out"], says: "--into must be a folder inside" },
  { parameters: ["fetch", "http://127.0.0.1:1/x", "--header", "nothing"], says: "--header needs a name and a value" },
  { parameters: ["fetch", "http://127.0.0.1:1/x", "--timeout", "soon"], says: "--timeout needs a number" },
])("$parameters ends with exit code 2", async ({ parameters, says }) => {
  const { code, err } = await new ProjectFolder({}).run(...parameters);
  expect(code).toBe(2);
  expect(err).toContain(says);
});

test("a password in the address is sent as a login, and shown nowhere", async () => {
  const { url, requests } = await serve({});
  const { err } = await new ProjectFolder({}).run("fetch", url.replace("//", "//ann:secret@"));
  expect(requests[0]?.headers.authorization).toBe(`Basic ${btoa("ann:secret")}`);
  expect(err).not.toContain("secret");
});

test("a login page despite a login says that the login was refused", async () => {
  const { url } = await serve({ "/x": loginPage });
  const address = `${url.replace("//", "//ann:secret@")}/x`;
  for (const parameters of [[address], [`${url}/x`, "--header", "Cookie: session=1"]]) {
    const { code, err } = await new ProjectFolder({}).run("fetch", ...parameters);
    expect(code).toBe(2);
    expect(err).toContain("A login page or a proxy answered instead of the service. The server refused the login.");
    expect(err).toContain("Or save the document in a browser after you have logged in.");
    expect(err).not.toContain("--user");
  }
});

test("a login page of another allowed host says that it gets no login", async () => {
  const other = await serve({ "/more.xsd": loginPage });
  const { url } = await serve({ "/hello.wsdl": importing(`${other.url}/more.xsd`) });
  const address = `${url.replace("//", "//ann:secret@")}/hello.wsdl`;
  const { code, err } = await new ProjectFolder({}).run("fetch", address, "--allow-host", new URL(other.url).host);
  expect(code).toBe(2);
  expect(err).toContain(`The login is sent only to ${url}. Save this document yourself`);
});

test.each(["<html><title>Home</title></html>", "no document", " "])(
  "the answer %j is not answered with the advice to fetch it",
  async (answer) => {
    const { url } = await serve({ "/x": answer });
    const { code, err } = await new ProjectFolder({}).run("fetch", `${url}/x`);
    expect(code).toBe(2);
    expect(err).toContain("Check the address.");
    expect(err).not.toContain("bothends fetch <address>");
  },
);

test("status 401 despite a login says that the login was refused", async () => {
  const { url } = await serve({ "/x": (_, response) => response.writeHead(401).end() });
  const { code, err } = await new ProjectFolder({}).run("fetch", `${url.replace("//", "//ann:secret@")}/x`);
  expect(code).toBe(2);
  expect(err).toContain("The server refused the login. Check the name and the password");
  expect(err).not.toContain("--user");
});

test("status 401 of another allowed host says that it gets no login", async () => {
  const other = await serve({ "/more.xsd": (_, response) => response.writeHead(401).end() });
  const { url } = await serve({ "/hello.wsdl": importing(`${other.url}/more.xsd`) });
  const address = `${url.replace("//", "//ann:secret@")}/hello.wsdl`;
  const { code, err } = await new ProjectFolder({}).run("fetch", address, "--allow-host", new URL(other.url).host);
  expect(code).toBe(2);
  expect(err).toContain(`The login is sent only to ${url}. Save this document yourself`);
});

test.each([
  ["in a message", [], "http://[\u009b2J\u202e"],
  ["in a difference of documents", ["--yes"], "\u009b2J\u202e.xsd"],
  ["in JSON", ["--format", "json"], "http://[\u009b2J\u202e"],
])("control and formatting characters of a document are not printed %s", async (_, options, location) => {
  const { url } = await serve({ "/hello.asmx?wsdl": importing(location), "/%C2%9B2J%E2%80%AE.xsd": schema() });
  const project = new ProjectFolder({ "schemas/hello.wsdl": "a\u009b2J\u202e\n" });
  const { out, err } = await project.run("fetch", `${url}/hello.asmx?wsdl`, ...options);
  expect(out + err).not.toMatch(/[\u009b\u202e]/);
  expect(out + err).toMatch(/<U\+009B>2J<U\+202E>|\\u009b2J\\u202e/);
});

test("JSON is indented without changing a token", () => {
  const text = '{"a":[1,{"b":"x, {y}: \\"z\\""}],"c":{},"d":[],"e":1e400,"e":-0}';
  expect(indentJson(text).replaceAll(/\n\s*|(?<=":) /g, "")).toBe(text);
  expect(indentJson('{"a":[]}')).toBe('{\n  "a": []\n}\n');
});

test.each([
  ["deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["with many empty lists", `[${"[],{},".repeat(100_000)}1]`],
])("a %s index is indented in linear time and memory", (_, text) => {
  const indented = indentJson(text);
  expect(indented.replaceAll(/\n */g, "")).toBe(text);
  expect(indented.length).toBeLessThan(32_000_000);
});

const journalOf = (target: string) =>
  JSON.stringify({ state: "staging", folders: [], entries: [{ target, next: "0".repeat(64) }] });

test("an interrupted run of generate is finished or undone by fetch, and the reverse", async () => {
  const { url } = await serve({ "/hello.wsdl": wsdl("Welcome") });
  const project = new ProjectFolder();
  expect(await project.run("generate")).toMatchObject({ code: 0 });
  project.write(".bothends-journal", journalOf("packages/client/package.json"));
  project.write("packages/client/.bothends-journal-0.next", "half");
  expect(await project.run("fetch", `${url}/hello.wsdl`, "--yes")).toMatchObject({ code: 0, err: "" });
  project.write(".bothends-journal", journalOf("schemas/hello.wsdl"));
  project.write("schemas/.bothends-journal-0.next", "half");
  expect(await project.run("generate")).toMatchObject({ code: 0, err: "" });
  project.write(".bothends-journal", journalOf("schemas/hello.wsdl"));
  project.write("schemas/.bothends-journal-0.next", "half");
  expect(await project.run("scaffold", "server", "mine")).toMatchObject({ code: 0, err: "" });
  expect(Object.keys(project.snapshot()).filter((path) => path.includes("journal"))).toEqual([]);
});

test("an interrupted run that wrote to another folder is named with the commands that finish it", async () => {
  const { url } = await serve({ "/hello.wsdl": wsdl("Welcome") });
  const project = new ProjectFolder();
  project.write(".bothends-journal", journalOf("mine/src/main.ts"));
  const { code, err } = await project.run("fetch", `${url}/hello.wsdl`, "--yes");
  expect([code, project.read("schemas/hello.wsdl")]).toEqual([2, wsdl()]);
  expect(err).toContain(
    "help: Repeat the command that was interrupted (generate, fetch, init or scaffold, with the same options): it finishes or undoes its changes. Or delete .bothends-journal, which leaves the files as they are.",
  );
});

test("of many changes, fetch lists the first, and names the option that lists all", async () => {
  const members = (version: "old" | "new") =>
    wsdl().replace(
      '<element name="Name" type="string"/>',
      Array.from(
        { length: 70 },
        (_, index) =>
          `<element name="m${index}"><simpleType><restriction base="string"><enumeration value="a"/>${version === "new" ? `<enumeration value="v${index}"/>` : ""}</restriction></simpleType></element>`,
      ).join(""),
    );
  const { url } = await serve({ "/hello.wsdl": members("new") });
  const changeCount = (text: string) => text.match(/^ {2}Greet\.m/gm)?.length;
  const project = new ProjectFolder({ "schemas/hello.wsdl": members("old") });
  const shortList = await project.run("fetch", `${url}/hello.wsdl`);
  expect(shortList.out).toContain("… and 10 more changes (--verbose lists all)\n");
  expect(changeCount(shortList.out)).toBe(60);
  expect(changeCount((await project.run("fetch", `${url}/hello.wsdl`, "--verbose")).out)).toBe(70);
  expect(changeCount((await project.run("fetch", `${url}/hello.wsdl`, "--yes")).out)).toBe(70);
});

test("equal changes of many members are one line", async () => {
  const members = (type: string) =>
    wsdl().replace(
      '<element name="Name" type="string"/>',
      Array.from({ length: 70 }, (_, index) => `<element name="m${index}" type="${type}"/>`).join(""),
    );
  const { url } = await serve({ "/hello.wsdl": members("int") });
  const project = new ProjectFolder({ "schemas/hello.wsdl": members("date") });
  const { out } = await project.run("fetch", `${url}/hello.wsdl`);
  expect(out.match(/, in 70 places: Greet\.m0, Greet\.m1, Greet\.m10 and 67 more\./g)).toHaveLength(1);
  expect((await project.run("fetch", `${url}/hello.wsdl`, "--verbose")).out).toContain("Greet.m8 and Greet.m9. ");
});
