import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { readTree, type XmlElement } from "@bothends/xml";
import { describe, expect, test } from "vitest";
import { isSkipped, launch, watchedPage } from "../pages/browser.js";
import { Project } from "./project.js";
import { wsdlOf } from "./wsdl.js";

const script = '<script xmlns="http://www.w3.org/1999/xhtml">document.documentElement.id = "ran"</script>';
const markup = `Text${script}<svg xmlns="http://www.w3.org/2000/svg" onload="document.documentElement.id = 'ran'"/><h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x" onerror="document.documentElement.id = 'ran'"/>`;
const annotation = `<xs:annotation><xs:documentation>${markup}</xs:documentation><xs:appinfo>${script}</xs:appinfo></xs:annotation>`;
const schema = (attributes: string, inner: string) =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" ${attributes}>${annotation}${inner}</xs:schema>`;
const type = (name: string) =>
  `<xs:complexType name="${name}">${annotation}<xs:sequence><xs:element name="a" type="xs:int">${annotation}</xs:element></xs:sequence></xs:complexType>`;

/** WSDLs and schemas with scripts in every element that may contain documentation or extensions. */
const sources = {
  "s.wsdl": wsdlOf({
    prolog: '<?xml-stylesheet type="text/xsl" href="x.xsl"?>',
    documentation: markup,
    input: '<xs:element name="I" type="i:I"/><xs:element name="C" type="t:C"/><xs:element name="R" type="t:R"/>',
    root: 'xmlns:i="urn:imported"',
    schema: `<xs:import namespace="urn:imported" schemaLocation="imported.xsd"/><xs:include schemaLocation="chameleon.xsd"/>
      <xs:redefine schemaLocation="redefined.xsd">${annotation}<xs:complexType name="R">${annotation}<xs:complexContent><xs:extension base="t:R"/></xs:complexContent></xs:complexType></xs:redefine>${annotation}`,
    definitions: `<import namespace="urn:other" location="other.wsdl"/>${script}`,
  }),
  "imported.xsd": schema('targetNamespace="urn:imported"', type("I")),
  "chameleon.xsd": schema("", type("C")),
  "redefined.xsd": schema('targetNamespace="urn:battery"', type("R")),
  "other.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" targetNamespace="urn:other">${script}<message name="Other"><documentation>${markup}</documentation></message></definitions>`,
};

/** Generates a server from the sources, and returns the WSDL that it publishes. */
async function publishedText(): Promise<string> {
  const project = new Project(sources);
  const { code, err } = await project.run("generate", "--wsdl", "s.wsdl", "--out", "out");
  expect(code, err).toBe(0);
  const [path = ""] = Object.keys(project.files("out")).filter((each) => each.includes("/wsdl/"));
  const [document]: unknown[] = Object.values(await import(join(project.path, "out", path)));
  if (!Array.isArray(document)) {
    throw new Error(`${path} has no document.`);
  }
  return document.map((piece) => (typeof piece === "string" ? piece : "http://here.example")).join("");
}

function namespacesBelow(element: XmlElement): readonly string[] {
  return element.children.flatMap((child) =>
    child.kind === "text"
      ? []
      : [child.namespace, ...child.attributes.map((each) => each.namespace), ...namespacesBelow(child)],
  );
}

test("a published document has text from every source, but only elements of known namespaces", async () => {
  const text = await publishedText();
  expect([...new Set(namespacesBelow(readTree(text)))].sort()).toEqual([
    "",
    "http://schemas.xmlsoap.org/wsdl/",
    "http://schemas.xmlsoap.org/wsdl/soap/",
    "http://www.w3.org/2001/XMLSchema",
  ]);
  expect(text.match(/<\?/g)).toHaveLength(1);
  expect(text).not.toMatch(/<\S*(?:script|svg|img)|onload|onerror/);
  expect(text).toContain("Textdocument.documentElement.id");
});

describe.skipIf(isSkipped)("in a browser", () => {
  test.each([
    { what: "the source", given: async () => sources["s.wsdl"].replace(/<\?.*?\?>/, ""), runs: true },
    { what: "the published document", given: publishedText, runs: false },
  ])("a script in $what runs: $runs", { timeout: 180_000 }, async ({ given, runs }) => {
    const text = await given();
    const server = createServer((_, answer) => answer.setHeader("content-type", "text/xml").end(text));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await launch();
    try {
      const { page } = await watchedPage(browser, url);
      await page.goto(url);
      expect(await page.evaluate(() => document.documentElement.id === "ran")).toBe(runs);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
