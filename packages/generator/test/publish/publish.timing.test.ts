import { readTree, schemaLimits } from "@bothends/xml";
import { expect, test } from "vitest";
import { processorTime } from "../../../../testing/processor-time.js";
import { publishWsdl } from "../../src/publish/publish-wsdl.js";

const declarations =
  'xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema" xmlns:tns="urn:a" targetNamespace="urn:a"';

function definitions(inner: string): string {
  return `<wsdl:definitions ${declarations}>${inner}</wsdl:definitions>`;
}

/** The text of the document published for a WSDL, without its slots. */
function publishedText(wsdl: string, files: Readonly<Record<string, string>>): string {
  const trees = new Map(Object.entries(files).map(([path, file]) => [path, readTree(file)]));
  const load = ({
    attributes,
  }: {
    readonly attributes: readonly { readonly localName: string; readonly value: string }[];
  }) => trees.get(attributes.find(({ localName }) => localName === "schemaLocation")?.value ?? "");
  const published = publishWsdl(readTree(wsdl), load, { services: [{ ports: [] }], namespaces: [], operations: [] });
  if ("reason" in published) {
    throw new Error(published.reason);
  }
  return [...published.sharedPieces, ...published.services.flat()]
    .filter((piece) => typeof piece === "string")
    .join("");
}

test("time grows with the schemas, not with schemas times namespaces", () => {
  const wsdl = (count: number): string => {
    const schemas = Array.from(
      { length: count },
      (_, index) =>
        `<s:schema xmlns:n="urn:n${index}" targetNamespace="urn:n${index}"><s:element name="E"/></s:schema>`,
    );
    return definitions(`<wsdl:types>${schemas.join("")}</wsdl:types>`);
  };
  const timeOf = (count: number, times: number): number => {
    const roots = Array.from({ length: times }, () => readTree(wsdl(count), { ...schemaLimits, namespaces: 10_000 }));
    const start = processorTime();
    for (const root of roots) {
      publishWsdl(root, () => undefined, { services: [{ ports: [] }], namespaces: [], operations: [] });
    }
    return processorTime() - start;
  };
  timeOf(400, 4);
  // The lowest of several interleaved rounds, which does not depend on the load: equally many schemas in four documents
  // and in one.
  let least = { four: Number.POSITIVE_INFINITY, single: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 8 && !(least.single < 2.2 * least.four); round += 1) {
    least = { four: Math.min(least.four, timeOf(400, 4)), single: Math.min(least.single, timeOf(1_600, 1)) };
  }
  expect(least.single / least.four).toBeLessThan(2.2);
});

test("the time to find needed components is linear in their number", () => {
  const count = 6_000;
  const chain = Array.from({ length: count }, (_, at) => {
    const next = at === 0 ? "" : `<s:sequence><s:element name="e" type="T${count - at + 1}"/></s:sequence>`;
    return `<s:complexType name="T${count - at}">${next}</s:complexType>`;
  });
  const file = (content: string, next: string) =>
    `<s:schema xmlns:s="http://www.w3.org/2001/XMLSchema"><s:include schemaLocation="${next}"/>${content}</s:schema>`;
  const others = "<s:group/>".repeat(45_000);
  const files = { a: file(chain.join(""), "b"), b: file(others, "c"), c: file(others, "d"), d: file(others, "e") };
  const text = definitions(
    `<wsdl:types><s:schema targetNamespace="urn:a"><s:include schemaLocation="a"/><s:element name="E" type="tns:T1"/></s:schema></wsdl:types>`,
  );
  const start = processorTime();
  expect(publishedText(text, files).match(/<s:complexType /g)).toHaveLength(count);
  expect(processorTime() - start).toBeLessThan(5_000);
});
