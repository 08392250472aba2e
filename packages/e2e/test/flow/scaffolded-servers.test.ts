import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { strict } from "../../../generator/test/cases/type-check.js";
import { Project } from "../battery/project.js";
import { root } from "../house/sources.js";

const wsdl = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:orders" targetNamespace="urn:orders">
  <types><xs:schema targetNamespace="urn:orders" elementFormDefault="qualified">
    ${["Count", "Wait"].map((name) => `<xs:element name="${name}"><xs:complexType><xs:sequence><xs:element name="shelf" type="xs:string"/></xs:sequence></xs:complexType></xs:element><xs:element name="${name}Response"><xs:complexType><xs:sequence><xs:element name="count" type="xs:int"/></xs:sequence></xs:complexType></xs:element>`).join("\n    ")}
  </xs:schema></types>
  ${["Count", "Wait"].map((name) => `<message name="${name}In"><part name="p" element="t:${name}"/></message><message name="${name}Out"><part name="p" element="t:${name}Response"/></message>`).join("\n  ")}
  <portType name="P">${["Count", "Wait"].map((name) => `<operation name="${name}"><input message="t:${name}In"/><output message="t:${name}Out"/></operation>`).join("")}</portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>${["Count", "Wait"].map((name) => `<operation name="${name}"><soap:operation soapAction="urn:orders/${name}"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`).join("")}</binding>
  <service name="orders"><port name="P" binding="t:B"><soap:address location="http://shop.example/orders"/></port></service>
</definitions>`;

const endpoint = (args: object) => ({
  namespace: "site/v1",
  methods: ["GET"],
  endpoints: [{ methods: ["GET"], args }],
});
const site = {
  namespaces: ["site/v1"],
  routes: {
    "/site/v1/pages": endpoint({ search: { type: "string", required: false } }),
    "/site/v1/tags": endpoint({}),
  },
};
const packages = ["contract", "client", "server"].map((name) => [
  name,
  { path: `packages/${name}`, name: `@x/${name}` },
]);
const config = {
  packages: Object.fromEntries(packages),
  interfaces: { shop: { wsdl: ["orders.wsdl"] }, site: { index: "site.json" } },
};

/** Creates a project with a scaffolded server in `mine`, and implements two of its handlers. */
async function scaffolded(adapter: string): Promise<Project> {
  const project = new Project({
    "bothends.json": JSON.stringify(config),
    "orders.wsdl": wsdl,
    "site.json": JSON.stringify(site),
  });
  const { code, err } = await project.run("scaffold", "server", "mine", "--adapter", adapter);
  expect(code, err).toBe(0);
  const sources = Object.keys(project.files("mine/src"));
  const edit = (name: string, from: RegExp, to: string) => {
    const path = `mine/src/${sources.find((each) => each.endsWith(name))}`;
    const text = project.read(path);
    expect(text).toMatch(from);
    const implemented = text.replace(from, to);
    project.write(path, implemented.replace(/, (?:SoapFault|RestError) }/, " }"));
  };
  edit("/wait.ts", /async \(_input, _context\) => \{[\s\S]*\};/, waiting);
  edit("/pages.ts", /async \(_input, _context\) => \{[\s\S]*?\n {2}\}/, 'async ({ search }) => [search ?? "all"]');
  return project;
}

const waiting = `async ({ shelf }) => {
  console.log("waiting");
  await new Promise((resolve) => setTimeout(resolve, 600));
  return shelf.length;
};`;

/** Installs and builds the server as its README describes, but with this repository's packages. */
function build(project: Project): void {
  const here = (path: string) => join(root, path);
  const modules = ["express", "fastify", "hono", "@hono/node-server", "@types/express"];
  const links: Readonly<Record<string, string>> = {
    "@x/contract": join(project.path, "packages/contract"),
    "@x/server": join(project.path, "packages/server"),
    "@bothends/runtime": here("packages/runtime"),
    "@types/node": here("node_modules/@types/node"),
    ...Object.fromEntries(modules.map((name) => [name, here(`packages/e2e/node_modules/${name}`)])),
  };
  for (const [name, target] of Object.entries(links)) {
    const path = join(project.path, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(relative(dirname(path), target), path);
  }
  compile(project);
}

/** Compiles the server, also with options that a user's project may set, but the scaffolded project does not. */
function compile(project: Project): void {
  const tsc = join(root, "node_modules/.bin/tsc");
  const run = (...parameters: readonly string[]) =>
    execFileSync(tsc, parameters, { cwd: join(project.path, "mine"), encoding: "utf8" });
  run("-b");
  const strictOptions = Object.entries(strict).filter(([, value]) => typeof value === "boolean");
  run("-p", ".", "--incremental", "false", ...strictOptions.flatMap(([name, value]) => [`--${name}`, `${value}`]));
}

/** A running program, with its output and, as soon as it listens, its address. */
interface Running {
  readonly url: string;
  readonly program: ChildProcessByStdio<null, Readable, Readable>;
  readonly output: () => string;
}

/**
 * Gives all HTTP servers an idle timeout of a minute, so that no busy machine is as slow as a server that waits for it.
 */
const longIdleTimeout = `data:text/javascript,import { Server } from "node:http";
Object.defineProperty(Server.prototype, "keepAliveTimeout", { get: () => 60_000, set() {} });`;

/** Makes the last stage of the server's image from a project that has been built, without the development packages. */
function makeImage(project: Project): Project {
  const [buildStage = "", lastStage = ""] = project
    .read("mine/Dockerfile")
    .split(/^FROM .*$/m)
    .slice(1);
  const [, paths = ""] = /^RUN npm prune --omit=dev && rm -rf (.*)$/m.exec(buildStage) ?? [];
  for (const path of paths.split(" ")) {
    rmSync(join(project.path, path.replace(/^\/project\//, "")), { recursive: true });
  }
  const image = new Project({});
  for (const [, path = "", target] of lastStage.matchAll(/^COPY --from=build \/project\/(\S+) \/project\/(\S+)$/gm)) {
    expect(target).toBe(path);
    cpSync(join(project.path, path), join(image.path, path), { recursive: true, verbatimSymlinks: true });
  }
  return image;
}

/** Starts the program that the image of the server runs. */
async function start(project: Project, port?: string): Promise<Running> {
  const [, path = ""] = /^CMD \["node", "(.*)"\]$/m.exec(project.read("mine/Dockerfile")) ?? [];
  expect(project.read("mine/package.json")).toContain(`"start": "tsc -b && node ${path}"`);
  const program = spawn(process.execPath, ["--import", longIdleTimeout, path], {
    cwd: join(project.path, "mine"),
    env: { ...process.env, PORT: port ?? String(await freePort()), HOST: "127.0.0.1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void program.kill("SIGKILL"));
  let output = "";
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await expect.poll(() => output, { timeout: 30_000, interval: 20 }).toContain("Listening at ");
  const [, url = ""] = /Listening at (\S+)/.exec(output) ?? [];
  return { url, program, output: () => output };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Send = (path: string, init?: RequestInit) => Promise<Response>;

const messageOf = (operation: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation} xmlns="urn:orders"><shelf>top</shelf></${operation}></s:Body></s:Envelope>`;

function callSoap(send: Send, operation: string): Promise<Response> {
  return send("/orders", {
    method: "POST",
    headers: { "content-type": "text/xml", soapaction: `"urn:orders/${operation}"` },
    body: messageOf(operation),
  });
}

/** Calls `Wait` on a connection that the client never closes: `fetch` closes its connections when they are idle. */
function callOnOpenConnection(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const body = messageOf("Wait");
  const head = [
    "POST /orders HTTP/1.1",
    `host: ${hostname}`,
    "content-type: text/xml",
    'soapaction: "urn:orders/Wait"',
  ];
  socket.write(`${head.join("\r\n")}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  let answer = "";
  return new Promise((resolve, reject) => {
    socket.setEncoding("utf8").on("error", reject);
    socket.on("data", (text: string) => {
      answer += text;
      if (answer.includes("</soap:Envelope>")) {
        resolve(answer);
      }
    });
  });
}

/** Checks the answers of implemented and new handlers of both interfaces, and of the paths for operators. */
async function expectAnswers(send: Send): Promise<void> {
  for (const path of ["/health", "/ready", "/orders?wsdl"]) {
    expect((await send(path)).status, path).toBe(200);
  }
  const answered = await callSoap(send, "Wait");
  expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining("<count>3</count>")]);
  const fault = await callSoap(send, "Count");
  expect([fault.status, await fault.text()]).toEqual([
    500,
    expect.stringContaining("<faultstring>This operation is not implemented yet.</faultstring>"),
  ]);
  const found = await send("/wp-json/site/v1/pages?search=home");
  expect([found.status, await found.json()]).toEqual([200, ["home"]]);
  const missing = await send("/wp-json/site/v1/tags");
  expect([missing.status, await missing.json()]).toEqual([501, expect.objectContaining({ code: expect.any(String) })]);
  expect((await send("/nothing")).status).toBe(404);
}

test.each(["node", "fetch", "express", "fastify", "hono"])(
  "a server scaffolded for %s builds, answers and stops after the calls in flight",
  {
    timeout: 120_000,
  },
  async (adapter) => {
    const project = await scaffolded(adapter);
    build(project);
    const { url, program, output } = await start(project);
    await expectAnswers((path, init) => fetch(url + path, init));
    // The lines of calls are written together, some milliseconds later.
    await expect.poll(output).toMatch(/^\{.*"operation":"(?:count|Count)".*"remoteAddress":"127\.0\.0\.1".*\}$/m);

    const ended = new Promise<number | null>((resolve) => program.once("exit", resolve));
    const inFlight = callOnOpenConnection(url);
    await expect.poll(() => output().split("waiting").length).toBe(3);
    const killed = performance.now();
    program.kill("SIGTERM");
    expect(await inFlight).toMatch(/^HTTP\/1\.1 200 [\s\S]*<count>3<\/count>/);
    expect(await ended).toBe(0);
    // The open connection of the client must not delay the end of the server for its idle timeout, or for
    // `drainTimeout`, 10 s.
    expect(performance.now() - killed).toBeLessThan(8_000);
    await expect.poll(output).toMatch(/^Stopping after SIGTERM\n[\s\S]*^Stopped/m);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  },
);

test("a server scaffolded for fetch has a module for platforms that call fetch", { timeout: 120_000 }, async () => {
  const project = await scaffolded("fetch");
  build(project);
  const { default: server }: { readonly default: { fetch(request: Request): Promise<Response> } } = await import(
    pathToFileURL(join(project.path, "mine/dist/main.js")).href
  );
  await expectAnswers((path, init) => server.fetch(new Request(`http://shop.example${path}`, init)));
});

test("a server scaffolded for Hono can be tested with app.request", { timeout: 120_000 }, async () => {
  const project = await scaffolded("hono");
  build(project);
  const code = `const { app } = await import("./dist/main.js");
    const answer = await app.request("/orders?wsdl");
    console.log(answer.status + " " + answer.headers.get("content-type"));
    process.exit();`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: join(project.path, "mine"),
    env: { ...process.env, PORT: String(await freePort()), HOST: "127.0.0.1" },
    encoding: "utf8",
  });
  expect(output).toContain("200 text/xml");
});

test("a build after a schema edit reports the handlers that no longer compile", { timeout: 120_000 }, async () => {
  const project = await scaffolded("node");
  build(project);
  project.write("orders.wsdl", wsdl.replaceAll('name="shelf"', 'name="rack"'));
  expect(await project.run("generate")).toMatchObject({ code: 0 });
  const stdout = expect.stringMatching(/shop\/wait\.ts.*'shelf' does not exist/);
  expect(() => compile(project)).toThrow(expect.objectContaining({ stdout }));
});

test("the image of a server contains no sources and no tests, and answers", { timeout: 120_000 }, async () => {
  const project = await scaffolded("node");
  build(project);
  const image = makeImage(project);
  const paths = Object.keys(image.files());
  expect(paths).toContain("mine/dist/main.js");
  expect(paths.filter((path) => /(?<!\.d)\.ts$|\.test\.js$/.test(path))).toEqual([]);
  const { url } = await start(image);
  await expectAnswers((path, init) => fetch(url + path, init));
});

test("a port in use ends the server with a message", { timeout: 120_000 }, async () => {
  const project = await scaffolded("node");
  build(project);
  const { url } = await start(project);
  const { port } = new URL(url);
  const again = () =>
    execFileSync(process.execPath, ["dist/main.js"], {
      cwd: join(project.path, "mine"),
      env: { ...process.env, PORT: port, HOST: "127.0.0.1" },
      stdio: "pipe",
      encoding: "utf8",
    });
  expect(again).toThrow(/The server cannot start: .*EADDRINUSE.* Set PORT or HOST to listen at a different address\./);
});

test.each(["node", "express", "fastify", "hono"] as const)(
  "a server scaffolded for %s reads the variable PORT",
  { timeout: 120_000 },
  async (adapter) => {
    const project = await scaffolded(adapter);
    build(project);
    const [, path = ""] = /^CMD \["node", "(.*)"\]$/m.exec(project.read("mine/Dockerfile")) ?? [];
    const env = { ...process.env, HOST: "127.0.0.1" };
    const cwd = join(project.path, "mine");
    const { program, url } = await start(project, "0");
    expect(Number(new URL(url).port)).toBeGreaterThan(0);
    expect((await fetch(url)).status).toBeLessThan(500);
    program.kill("SIGKILL");
    for (const port of ["abc", "70000"]) {
      const { status, stderr } = spawnSync(process.execPath, [path], {
        cwd,
        env: { ...env, PORT: port },
        encoding: "utf8",
      });
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^The server cannot start: .*[^.]\. Set PORT or HOST to listen at a different address\.\n$/,
      );
    }
    // The default port may be in use: the message then names it.
    expect(project.read(`mine/src/${path.replace(/^dist\/(.*)\.js$/, "$1")}.ts`)).toContain(
      'process.env["PORT"] || 8080',
    );
  },
);
