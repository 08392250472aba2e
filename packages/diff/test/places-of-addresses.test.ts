import { expect, test } from "vitest";
import { type Change, diffContracts, readSnapshot, writeSnapshot } from "../src/index.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Changes one address of a service with several ports. The changes must point to the line of the address, or to the
// port if one version has no address.

const prefixes = { soap11: "soap", soap12: "soap12", httpGet: "http", httpPost: "http" } as const;

type Protocol = keyof typeof prefixes;

const protocols = Object.keys(prefixes) as readonly Protocol[];

/** A service with two ports for each protocol. An address of "" is left out. */
function serviceWith(addresses: Readonly<Record<string, string>>): Sources {
  const bindings = protocols.map((protocol) => {
    const prefix = prefixes[protocol];
    return prefix === "http"
      ? `<binding name="${protocol}" type="t:H"><http:binding verb="${protocol === "httpGet" ? "GET" : "POST"}"/>
<operation name="Ask"><http:operation location="/Ask"/><input>${protocol === "httpGet" ? "<http:urlEncoded/>" : '<mime:content type="application/x-www-form-urlencoded"/>'}</input>
<output><mime:mimeXml part="b"/></output></operation></binding>`
      : `<binding name="${protocol}" type="t:P"><${prefix}:binding transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="Ask"><${prefix}:operation soapAction="a"/><input><${prefix}:body use="literal"/></input>
<output><${prefix}:body use="literal"/></output></operation></binding>`;
  });
  const ports = protocols.flatMap((protocol) =>
    ["", "Second"].map((suffix) => {
      const address = addresses[`${protocol}${suffix}`];
      const element = address === "" ? "" : `<${prefixes[protocol]}:address\nlocation="${address}"\n/>`;
      return `<port name="${protocol}${suffix}" binding="t:${protocol}">\n${element}\n</port>`;
    }),
  );
  return {
    "t.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/"
xmlns:mime="http://schemas.xmlsoap.org/wsdl/mime/" xmlns:xs="http://www.w3.org/2001/XMLSchema"
xmlns:t="urn:t" targetNamespace="urn:t">
<types><xs:schema targetNamespace="urn:t" elementFormDefault="qualified">
<xs:element name="Ask"><xs:complexType><xs:sequence>
<xs:element name="q" type="xs:string"/>
</xs:sequence></xs:complexType></xs:element>
<xs:element name="AskResponse"><xs:complexType><xs:sequence>
<xs:element name="r" type="xs:string"/>
</xs:sequence></xs:complexType></xs:element>
</xs:schema></types>
<message name="In"><part name="p" element="t:Ask"/></message>
<message name="Out"><part name="p" element="t:AskResponse"/></message>
<message name="HttpIn"><part name="q" type="xs:string"/></message>
<message name="HttpOut"><part name="b" type="xs:string"/></message>
<portType name="P"><operation name="Ask"><input message="t:In"/><output message="t:Out"/></operation></portType>
<portType name="H"><operation name="Ask"><input message="t:HttpIn"/><output message="t:HttpOut"/></operation></portType>
${bindings.join("\n")}
<service name="S">
${ports.join("\n")}
</service>
</definitions>`,
  };
}

const names = protocols.flatMap((protocol) => [protocol, `${protocol}Second`]);
const addresses = Object.fromEntries(names.map((name) => [name, `http://${name.toLowerCase()}.example/${name}`]));

/** The line of a position in sources. */
function lineAt(sources: Sources, position: Change["oldPosition"]): string | undefined {
  return position && sources[position.path]?.split("\n")[position.line - 1];
}

const edits = {
  scheme: (address: string) => address.replace("http:", "https:"),
  host: (address: string) => address.replace(".example", ".test"),
  path: (address: string) => `${address}/v2`,
  "whole address": () => "https://other.example/s",
  "removed address": () => "",
};

test.each(names.flatMap((name) => Object.entries(edits).map(([title, edit]) => ({ name, title, edit }))))(
  "a changed address points to its line: $title of $name",
  ({ name, edit }) => {
    const changed: Readonly<Record<string, string>> = { ...addresses, [name]: edit(addresses[name] ?? "") };
    const versions = [addresses, changed].map((version) => ({
      sources: serviceWith(version),
      line:
        version[name] === ""
          ? `<port name="${name}" binding="t:${name.replace("Second", "")}">`
          : `location="${version[name]}"`,
    }));
    for (const [before, after] of [versions, versions.toReversed()]) {
      const { changes } = diffContracts(sideOf(before?.sources ?? {}), sideOf(after?.sources ?? {}));
      const found = changes.filter(({ rule }) => rule.startsWith("address-"));
      expect(found.length).toBeGreaterThan(0);
      for (const { message, oldPosition, newPosition } of found) {
        expect(
          [lineAt(before?.sources ?? {}, oldPosition), lineAt(after?.sources ?? {}, newPosition)],
          message,
        ).toEqual([before?.line, after?.line]);
      }
    }
  },
);

test("a snapshot keeps the position of an address", () => {
  const changed = { ...addresses, soap11: "http://other.example/s" };
  const contract = readSnapshot(writeSnapshot(sideOf(serviceWith(addresses)).contract));
  const [base, current] = [sideOf(serviceWith(addresses)), sideOf(serviceWith(changed))];
  const { changes } = diffContracts({ ...base, contract: contract ?? base.contract }, current);
  expect(changes.map(({ oldPosition }) => lineAt(serviceWith(addresses), oldPosition))).toContain(
    `location="${addresses["soap11"]}"`,
  );
});
