import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../testing/temporary-folder.js";
import type { Host } from "../src/host.js";
import { run } from "../src/run-if-changed.js";

/** The smallest WSDL with an operation. */
export function wsdl(operation = "Greet"): string {
  return `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:tns="urn:hello" targetNamespace="urn:hello">
  <types>
    <schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:hello" elementFormDefault="qualified">
      <element name="${operation}">
        <complexType><sequence><element name="Name" type="string"/></sequence></complexType>
      </element>
      <element name="${operation}Response">
        <complexType><sequence><element name="${operation}Result" type="string" minOccurs="0"/></sequence></complexType>
      </element>
    </schema>
  </types>
  <message name="In"><part name="parameters" element="tns:${operation}"/></message>
  <message name="Out"><part name="parameters" element="tns:${operation}Response"/></message>
  <portType name="Hello">
    <operation name="${operation}"><input message="tns:In"/><output message="tns:Out"/></operation>
  </portType>
  <binding name="HelloSoap" type="tns:Hello">
    <soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="${operation}">
      <soap:operation soapAction="urn:hello/${operation}"/>
      <input><soap:body use="literal"/></input>
      <output><soap:body use="literal"/></output>
    </operation>
  </binding>
  <service name="Hello">
    <port name="HelloSoap" binding="tns:HelloSoap"><soap:address location="http://hello.example/hello"/></port>
  </service>
</definitions>
`;
}

/** A WSDL with services and the names of their operations. */
export function wsdlOfServices(services: Readonly<Record<string, readonly string[]>>): string {
  const join = (texts: readonly string[], format: (text: string) => string) => texts.map(format).join("");
  const operations = Object.values(services).flat();
  return `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns:tns="urn:hello" targetNamespace="urn:hello">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:hello">
    ${join(operations, (name) => `<element name="${name}" type="string"/><element name="${name}Response" type="string"/>`)}
  </schema></types>
  ${join(operations, (name) => `<message name="${name}In"><part name="p" element="tns:${name}"/></message><message name="${name}Out"><part name="p" element="tns:${name}Response"/></message>`)}
  ${join(
    Object.keys(services),
    (service) =>
      `<portType name="${service}">${join(services[service] ?? [], (name) => `<operation name="${name}"><input message="tns:${name}In"/><output message="tns:${name}Out"/></operation>`)}</portType>
  <binding name="${service}" type="tns:${service}"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>${join(services[service] ?? [], (name) => `<operation name="${name}"><soap:operation soapAction="urn:${name}"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`)}</binding>
  <service name="${service}"><port name="${service}" binding="tns:${service}"><soap:address location="http://hello.example/${service}"/></port></service>`,
  )}
</definitions>`;
}

export const config = JSON.stringify(
  {
    packages: {
      contract: { path: "packages/contract", name: "@hello/contract" },
      client: { path: "packages/client", name: "@hello/client" },
      server: { path: "packages/server", name: "@hello/server" },
    },
    interfaces: { hello: { wsdl: ["schemas/hello.wsdl"] } },
  },
  null,
  2,
);

/** A folder with a project, and a function that runs commands in it. The folder is removed when the test ends. */
export class ProjectFolder {
  readonly path = realpathSync(mkdtempSync(join(temporaryFolder, "bothends-cli-")));

  /** Members of the host that replace the default ones: answers to prompts, an interruption. */
  host: Partial<Host> = {};

  constructor(files: Readonly<Record<string, string>> = { "bothends.json": config, "schemas/hello.wsdl": wsdl() }) {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) {
      this.write(path, text);
    }
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), "utf8");
  }

  /** Every file and link below the folder with its content. */
  snapshot(): Record<string, string> {
    const entries = readdirSync(this.path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(
      files.sort().map((path) => [path.slice(this.path.length + 1), readFileSync(path, "utf8")]),
    );
  }

  run(...parameters: readonly string[]) {
    return this.runIn(".", ...parameters);
  }

  /** Runs a command in a folder of the project. */
  async runIn(folder: string, ...parameters: readonly string[]) {
    const said: { out: string[]; err: string[] } = { out: [], err: [] };
    const streamTo = (texts: string[]) => ({ isTTY: false, write: (text: string) => void texts.push(text) });
    const host: Host = {
      workingFolder: join(this.path, folder),
      environment: {},
      out: streamTo(said.out),
      err: streamTo(said.err),
      now: () => 0,
      ...this.host,
    };
    const code = await run(parameters, host);
    return { code, out: said.out.join(""), err: said.err.join("") };
  }
}
