import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { listen } from "@bothends/runtime/server/node";
import { vehicleRoutes } from "@bothends/server/vehicle";
import * as soap from "soap";
import { expect, onTestFinished, test } from "vitest";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { Project } from "../battery/project.js";
import { root } from "../house/sources.js";

const bin = join(root, "packages/bothends/dist/bin.js");

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server on the loopback address, and returns it with the requests that it receives. */
async function serve(answer: Answer) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? "no login"}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

/** Starts a server that answers with texts by path. */
function serveTexts(texts: Readonly<Record<string, string>>) {
  return serve((request, response) => {
    const text = texts[request.url ?? ""];
    response.writeHead(text === undefined ? 404 : 200, {
      "content-type": text?.startsWith("{") ? "application/json" : "text/xml",
    });
    response.end(text);
  });
}

/** Starts the command line as a process, which can be killed. */
function start(project: Project, parameters: readonly string[]): ChildProcess {
  return spawn(process.execPath, [bin, ...parameters], { cwd: project.path, stdio: ["ignore", "pipe", "pipe"] });
}

const schema = (content: string) =>
  `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:s" targetNamespace="urn:s" elementFormDefault="qualified">${content}</schema>`;
const types = (members: string) =>
  schema(`<complexType name="Order"><sequence><element name="number" type="int"/>${members}</sequence></complexType>`);

/** Returns a WSDL whose types are in another document. */
const wsdl = (
  location: string,
) => `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:s" targetNamespace="urn:s">
  <types>${schema(`<include schemaLocation="${location}"/><element name="Get"><complexType><sequence><element name="id" type="int"/></sequence></complexType></element><element name="GetResponse"><complexType><sequence><element name="order" type="t:Order"/></sequence></complexType></element>`)}</types>
  <message name="In"><part name="p" element="t:Get"/></message><message name="Out"><part name="p" element="t:GetResponse"/></message>
  <portType name="P"><operation name="Get"><input message="t:In"/><output message="t:Out"/></operation></portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/><operation name="Get"><soap:operation soapAction="urn:s/Get"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation></binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="http://s.example/s"/></port></service>
</definitions>`;

test("the WSDL of our own server, changed and fetched again, has the right differences", async () => {
  const server = await listen([vehicleRoutes(vehicleSample)], { port: 0, host: "127.0.0.1" });
  onTestFinished(async () => void (await server.close()));
  let edit = (text: string) => text;
  const front = await serve((request, response) => {
    fetch(server.url + request.url).then(
      async (answer) => response.setHeader("content-type", "text/xml").end(edit(await answer.text())),
      () => response.destroy(),
    );
  });
  const project = new Project({});
  const address = `${front.url}/api/reg.asmx?wsdl`;
  const first = await project.run("fetch", address, "--yes");
  expect(first.code, first.err).toBe(0);
  const [, file = ""] = /added {4}(schemas\/\S+\.wsdl)/.exec(first.out) ?? [];
  expect((await project.run("generate", "--wsdl", file, "--out", "made")).code).toBe(0);
  expect((await project.run("fetch", address, "--yes")).out).toContain("unchanged");
  edit = (text) => text.replace(/(<[\w:]*element [^>]*name=")ABICode"/, '$1ABINumber"');
  const second = await project.run("fetch", address, "--yes");
  expect(second.out).toContain("VehicleData.ABICode removed, ABINumber added: renamed?");
  expect(second.out).toContain("[member-renamed]");
  expect(second.out.match(/\[[a-z-]+\]/g)).toHaveLength(1);
});

test("the WSDL of a third-party server is fetched, and its changes are shown", async () => {
  const text = wsdl("x").replace('<include schemaLocation="x"/>', types("").replace(/^<schema[^>]*>|<\/schema>$/g, ""));
  const host = await serve((_, response) => void response.writeHead(404).end());
  soap.listen(host.server, "/s", { S: { P: { Get: () => ({}) } } }, text);
  const changed = await serve((_, response) => void response.writeHead(404).end());
  soap.listen(
    changed.server,
    "/s",
    { S: { P: { Get: () => ({}) } } },
    text.replace('name="id" type="int"', 'name="id" type="string"'),
  );
  const project = new Project({});
  expect((await project.run("fetch", `${host.url}/s?wsdl`, "--yes")).code).toBe(0);
  const { code, out, err } = await project.run("fetch", `${changed.url}/s?wsdl`, "--yes");
  expect(code, err).toBe(0);
  expect(out).toContain("Get.id: A type allows more values (int → string).");
});

test("a fetch that is killed leaves the old files, and the next one resumes it", async () => {
  let isOpen = false;
  let markRequested = () => {};
  const requested = new Promise<void>((resolve) => {
    markRequested = resolve;
  });
  const { url, requests } = await serve((request, response) => {
    if (request.url === "/s.wsdl") {
      response.end(wsdl("types.xsd"));
    } else if (isOpen) {
      response.end(types('<element name="colour" type="string" minOccurs="0"/>'));
    } else {
      markRequested();
    }
  });
  const project = new Project({ "schemas/s.wsdl": wsdl("types.xsd"), "schemas/types.xsd": types("") });
  const before = project.files("schemas");
  const child = start(project, ["fetch", `${url}/s.wsdl`, "--yes"]);
  await requested;
  child.kill("SIGKILL");
  await once(child, "close");
  expect(project.files("schemas")).toEqual(before);
  isOpen = true;
  const { code, out } = await project.run("fetch", `${url}/s.wsdl`, "--yes");
  expect(code).toBe(0);
  expect(out).toContain("Reused 1 document from an interrupted fetch.");
  expect(out).toContain("Order.colour: An optional member was added. Tolerated by old clients [member-added-optional]");
  expect(requests.filter((line) => line.includes("s.wsdl"))).toHaveLength(1);
});

test("a connection that is cut leaves the old files", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/s.wsdl") {
      response.end(wsdl("types.xsd"));
    } else {
      response.writeHead(200, { "content-length": "5000" });
      response.write(types(""), () => response.destroy());
    }
  });
  const project = new Project({ "schemas/s.wsdl": "old", "schemas/types.xsd": "old" });
  const before = project.files("schemas");
  const { code, err } = await project.run("fetch", `${url}/s.wsdl`, "--yes");
  expect([code, project.files("schemas")]).toEqual([2, before]);
  expect(err).toContain(`Cannot read ${url}/types.xsd`);
});

test("a disk that is full leaves the old files", async () => {
  const long = `<!-- ${"x".repeat(200_000)} -->`;
  const { url } = await serveTexts({
    "/s.wsdl": wsdl("types.xsd"),
    "/types.xsd": types("").replace("</schema>", `${long}</schema>`),
  });
  const project = new Project({ "schemas/s.wsdl": "old", "schemas/types.xsd": "old" });
  const before = project.files("schemas");
  // The shell limits files to 64 KB, so that the second document cannot be written.
  const line = `ulimit -f 64; exec "$0" "$1" fetch ${url}/s.wsdl --yes`;
  const child = spawn("bash", ["-c", line, process.execPath, bin], {
    cwd: project.path,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaints: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
  const [code] = await once(child, "close");
  expect([code, Buffer.concat(complaints).toString()]).toEqual([2, expect.stringContaining("EFBIG")]);
  expect(project.files("schemas")).toEqual(before);
  expect((await project.run("fetch", `${url}/s.wsdl`, "--yes")).code).toBe(0);
  expect(project.read("schemas/types.xsd")).toContain(long);
});

test("only allowed hosts are contacted, and only the host of the address receives the login", async () => {
  const bystander = await serveTexts({});
  const { url: other } = bystander;
  const link = `<${other}/wp-json/>; rel="https://api.w.org/"`;
  const links = { self: [{ href: `${other}/wp-json/` }], help: [{ href: `${other}/help` }] };
  const index = JSON.stringify({
    url: other,
    home: other,
    namespaces: ["a/v1"],
    _links: links,
    routes: {
      "/a/v1/b": { namespace: "a/v1", methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }], _links: links },
    },
  });
  const named = await serve((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    if (path === "/away" || path === "/types.xsd") {
      response.writeHead(302, { location: `${other}${path}` }).end();
    } else if (path === "/page") {
      response.writeHead(200, { link, "content-type": "text/html" }).end("<html></html>");
    } else if (path === "/wp-json/") {
      response.writeHead(200, { link, "content-type": "application/json" }).end(index);
    } else if (path === "/include") {
      response.end(wsdl(`${other}/types.xsd`));
    } else if (path === "/redirected") {
      response.end(wsdl("types.xsd"));
    } else {
      response.end(wsdl("x").replace("<types>", `<import namespace="urn:o" location="${other}/o.wsdl"/><types>`));
    }
  });
  const project = new Project({});
  const login = named.url.replace("//", "//ann:secret@");
  for (const path of ["away", "include", "redirected", "import", "page"]) {
    const { code, err } = await project.run("fetch", `${login}/${path}`, "--yes");
    expect([path, code]).toEqual([path, 2]);
    expect(err).toContain(other);
    expect(err).not.toContain("secret");
  }
  expect((await project.run("fetch", `${login}/wp-json/`, "--yes")).code).toBe(0);
  expect(bystander.requests).toEqual([]);
  expect(named.requests.filter((line) => !line.endsWith(`Basic ${btoa("ann:secret")}`))).toEqual([]);
  await project.run("fetch", `${login}/include`, "--yes", "--allow-host", new URL(other).host);
  expect(bystander.requests).toEqual(["GET /types.xsd no login"]);
  expect(project.files("schemas")).toEqual({ "index.json": expect.stringContaining("/a/v1/b") });
});
