import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { listen } from "@bothends/runtime/server/node";
import { expect, test } from "vitest";
import { root } from "../house/sources.js";
import { Project } from "./project.js";
import { sendRaw } from "./raw.js";
import { envelope, send, xml } from "./requests.js";
import { wsdlOf } from "./wsdl.js";

const names = ["__proto__", "constructor", "toString", "then", "hasOwnProperty", "valueOf", "prototype"];
const fields = names.map((name) => `<xs:element name="${name}" type="xs:string" minOccurs="0"/>`).join("");
const record = `<xs:complexType name="Odd"><xs:sequence>${fields}</xs:sequence><xs:attribute name="isPrototypeOf" type="xs:string"/></xs:complexType>`;

test("members named as those of every object are sent and received as members of the record", async () => {
  const wsdl = wsdlOf({
    schema: record,
    input: '<xs:element name="odd" type="t:Odd"/>',
    output: '<xs:element name="AskResult" type="t:Odd" minOccurs="0"/>',
  });
  const project = new Project({ "odd.wsdl": wsdl });
  expect((await project.run("generate", "--wsdl", "odd.wsdl", "--out", "packages")).code).toBe(0);
  const scope = join(project.path, "node_modules");
  mkdirSync(join(scope, "@bothends"), { recursive: true });
  for (const name of ["runtime", "datatypes", "xml"]) {
    symlinkSync(join(root, "packages", name), join(scope, "@bothends", name));
  }
  symlinkSync(join(project.path, "packages/contract"), join(scope, "odd-contract"));
  const { OddClient } = await import(join(project.path, "packages/client/src/odd/index.ts"));
  const { oddRoutes } = await import(join(project.path, "packages/server/src/odd/index.ts"));

  const sent = Object.fromEntries([...names, "isPrototypeOf"].map((name) => [name, `value of ${name}`]));
  const got: unknown[] = [];
  const ask = ({ odd }: { odd: unknown }) => {
    got.push(odd);
    return odd;
  };
  const server = await listen([oddRoutes({ ask })], { port: 0, host: "127.0.0.1" });
  try {
    const client = new OddClient({ baseUrl: server.url });
    const back: unknown = await client.ask({ odd: sent });
    expect([got, Object.entries(back ?? {}).sort()]).toEqual([[sent], Object.entries(sent).sort()]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);

    const empty = await client.ask({ odd: {} });
    expect(Object.keys(empty)).toEqual([]);
    const strange = envelope('<Ask xmlns="urn:battery"><odd><__proto__><polluted>1</polluted></__proto__></odd></Ask>');
    expect((await sendRaw(server.port, send("POST /ask", strange, [xml]))).status).toBe(500);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  } finally {
    await server.close();
  }
});

const serviceNames = [
  "CON",
  "nul",
  "a.",
  "a ",
  ".git",
  "node_modules",
  "index",
  "package",
  "lpt1.xsd",
  "..",
  "a/b",
  "C:\\x",
];
const segments = ["CON", "nul", "git", "node_modules", "index", "package", "lpt1", "root", "shared", "Index"];

test("every name that may become the name of a file or a folder becomes one that all file systems accept", async () => {
  const services = serviceNames.map(
    (name) =>
      `<service name="${name}"><port name="Soap" binding="t:Soap"><soap:address location="http://battery.example/x"/></port></service>`,
  );
  const endpoints = [{ methods: ["GET"], args: {} }];
  const routes = segments.map((name) => [`/${name}/v1/${name}`, { methods: ["GET"], endpoints }] as const);
  const index = { namespaces: segments.map((name) => `${name}/v1`), routes: Object.fromEntries(routes) };
  const folders = ["contract", "client", "server"].map((name) => [
    name,
    { path: `packages/${name}`, name: `@x/${name}` },
  ]);
  const interfaces = { soap: { wsdl: ["s.wsdl"] }, rest: { index: "i.json" } };
  const project = new Project({
    "s.wsdl": wsdlOf().replace("</definitions>", `${services.join("")}</definitions>`),
    "i.json": JSON.stringify(index),
    "bothends.json": JSON.stringify({ packages: Object.fromEntries(folders), interfaces }),
  });
  const { code, err } = await project.run("generate");
  expect(code, err).toBe(0);
  const scaffolded = await project.run("scaffold", "server", "made");
  expect(scaffolded.code, scaffolded.err).toBe(0);

  for (const folder of ["packages", "made"]) {
    const paths = Object.keys(project.files(folder));
    for (const name of paths.flatMap((path) => path.split("/"))) {
      expect(name).toMatch(
        /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|README\.md|Dockerfile(?:\.dockerignore)?|\.gitignore|\.bothends-[a-z]+\.json(?:\.gz)?)$/,
      );
      expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/);
    }
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  }
});
