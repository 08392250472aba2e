import { expect, onTestFinished, test } from "vitest";
import { processorTime } from "../../../testing/processor-time.js";
import { config, ProjectFolder } from "./project-folder.js";

/** A WSDL of about 3 MB, with 1,700 operations whose requests have a record each. */
function largeWsdl(): string {
  const names = Array.from({ length: 1700 }, (_, index) => `ReadTheMeasurementsOfStation${index}`);
  const each = (text: (name: string) => string) => names.map(text).join("\n");
  const members = Array.from(
    { length: 8 },
    (_, index) =>
      `      <s:element name="measurement${index}" type="s:${index % 2 === 0 ? "string" : "int"}" minOccurs="0"/>`,
  ).join("\n");
  const message = (name: string) => `  <message name="${name}"><part name="parameters" element="t:${name}"/></message>`;
  const body = '<soap:body use="literal"/>';
  return `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:large" targetNamespace="urn:large">
  <types><s:schema targetNamespace="urn:large" elementFormDefault="qualified">
${each(
  (name) => `    <s:complexType name="${name}Record">
      <s:annotation><s:documentation>What ${name} measured, in the units of the station.</s:documentation></s:annotation>
      <s:sequence>
${members}
      </s:sequence>
    </s:complexType>
    <s:element name="${name}"><s:complexType><s:sequence><s:element name="record" type="t:${name}Record"/></s:sequence></s:complexType></s:element>
    <s:element name="${name}Response"><s:complexType><s:sequence><s:element name="isKnown" type="s:boolean"/></s:sequence></s:complexType></s:element>`,
)}
  </s:schema></types>
${each((name) => `${message(name)}\n${message(`${name}Response`)}`)}
  <portType name="P">
${each((name) => `    <operation name="${name}"><input message="t:${name}"/><output message="t:${name}Response"/></operation>`)}
  </portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
${each((name) => `    <operation name="${name}"><soap:operation soapAction="urn:large/${name}"/><input>${body}</input><output>${body}</output></operation>`)}
  </binding>
  <service name="Large"><port name="P" binding="t:B"><soap:address location="http://large.example/"/></port></service>
</definitions>`;
}

test("a saved schema of 3 MB is in the packages after a bounded time of the processor", async () => {
  const text = largeWsdl();
  expect(text.length).toBeGreaterThan(3_000_000);
  const project = new ProjectFolder({ "bothends.json": config, "schemas/hello.wsdl": text });
  let isWaiting = false;
  const interruption = new AbortController();
  const write = (line: string): void => {
    isWaiting = isWaiting || line.startsWith("Watching");
  };
  const out = { isTTY: false, write };
  project.host = { out, err: out, interrupted: interruption.signal, now: () => performance.now() };
  const ended = project.run("watch");
  onTestFinished(async () => {
    interruption.abort();
    await ended;
  });
  const waiting = () => expect.poll(() => isWaiting, { timeout: 60_000, interval: 5 }).toBe(true);
  await waiting();
  const seconds: number[] = [];
  for (let save = 0; save < 5; save += 1) {
    isWaiting = false;
    const start = processorTime();
    project.write("schemas/hello.wsdl", text.replace('name="measurement0"', `name="saved${save}"`));
    await waiting();
    seconds.push((processorTime() - start) / 1000);
    expect(project.read("packages/contract/src/hello/types.ts")).toContain(`saved${save}?: string`);
  }
  const [fastest = Number.NaN] = seconds.sort((a, b) => a - b);
  process.stdout.write(`Saves of 3 MB: ${seconds.map((each) => each.toFixed(2)).join(", ")} s of the processor.\n`);
  // Measured: 1.9 s on a busy machine, with the report of the changes.
  expect(fastest).toBeLessThan(4);
}, 240_000);
