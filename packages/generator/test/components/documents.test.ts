import { expect, test } from "vitest";
import { wellKnownNamespaces } from "../../src/read/xsd/well-known/index.js";
import { inSchema, kinds, reports, resolve } from "./resolve-schemas.js";
import { elementOf, typeText } from "./show.js";

const xs = 'xmlns:x="http://www.w3.org/2001/XMLSchema"';
const chameleon = `<x:schema ${xs}><x:complexType name="T"><x:sequence><x:element ref="e"/></x:sequence></x:complexType><x:element name="e" type="x:int"/></x:schema>`;

test("a schema whose root has no namespace is refused with the namespace to declare", () => {
  const { diagnostics } = resolve({
    "a.xsd": inSchema('<x:import namespace="urn:b" schemaLocation="b.xsd"/>'),
    "b.xsd": '<schema targetNamespace="urn:b"/>',
  });
  expect(diagnostics.all.map(({ message, help }) => [message, help])).toEqual([
    [
      "Expected an XML Schema document, but found <schema> without a namespace.",
      'Declare the namespace of XML Schema: xmlns="http://www.w3.org/2001/XMLSchema".',
    ],
  ]);
});

test.each([
  { location: "http://x.example/b.xsd", want: "is on the network. Documents are never downloaded." },
  { location: "//x.example/b.xsd", want: "is on the network. Documents are never downloaded." },
  { location: "\\\\x.example\\b.xsd", want: "is on the network. Documents are never downloaded." },
  { location: "urn:/b.xsd", want: "is not the path of a file." },
])("the location $location $want", ({ location, want }) => {
  const { diagnostics } = resolve({ "a.xsd": inSchema(`<x:import namespace="urn:b" schemaLocation="${location}"/>`) });
  expect(diagnostics.all.map(({ message }) => message)).toEqual([`The location "${location}" ${want}`]);
});

test("an included document shares the namespace, and includes may be circular", () => {
  const resolved = resolve({
    "a.xsd": inSchema(
      '<x:include schemaLocation="b.xsd"/><x:include schemaLocation="a.xsd"/><x:element name="a" type="t:B"/>',
    ),
    "b.xsd": inSchema('<x:include schemaLocation="./a.xsd"/><x:complexType name="B"/>'),
  });
  expect(reports(resolved)).toEqual([]);
  expect(elementOf(resolved.schema, "a").type).toBe(resolved.schema.types.get("{urn:a}B"));
});

test("a document without a namespace is in the namespace of each document that includes it", () => {
  const resolved = resolve({
    "a.xsd": inSchema('<x:include schemaLocation="c.xsd"/><x:import namespace="urn:b" schemaLocation="b.xsd"/>'),
    "b.xsd": `<x:schema ${xs} targetNamespace="urn:b"><x:include schemaLocation="c.xsd"/></x:schema>`,
    "c.xsd": chameleon,
  });
  expect(reports(resolved)).toEqual([]);
  expect([...resolved.schema.types.keys()]).toEqual(["{urn:a}T", "{urn:b}T"]);
  const [a, b] = [...resolved.schema.types.values()];
  expect(a?.span.source).toBe(b?.span.source);
  expect(a?.span.start).toBe(b?.span.start);
  expect(elementOf(resolved.schema, "e").name).toEqual({ namespace: "urn:a", local: "e" });
  expect(typeText(resolved.schema, "T")).toBe("(e)");
});

test("the order of includes does not change the order of components", () => {
  const leaf = (name: string) => inSchema(`<x:complexType name="${name}"/>`);
  const order = (includes: string) => [
    ...resolve({ "a.xsd": inSchema(includes), "b.xsd": leaf("B"), "c.xsd": leaf("C") }).schema.types.keys(),
  ];
  const b = '<x:include schemaLocation="b.xsd"/>';
  const c = '<x:include schemaLocation="c.xsd"/>';
  expect(order(b + c)).toEqual(["{urn:a}B", "{urn:a}C"]);
  expect(order(c + b)).toEqual(order(b + c));
});

test("well-known schemas are built in, whatever their location", () => {
  const resolved = resolve({
    "a.xsd": inSchema(
      '<x:import namespace="http://www.w3.org/XML/1998/namespace" schemaLocation="http://www.w3.org/2001/xml.xsd"/>' +
        '<x:complexType name="T"><x:attribute ref="xml:lang" use="required"/></x:complexType>',
    ),
  });
  expect(reports(resolved)).toEqual([]);
  expect(typeText(resolved.schema, "T")).toBe("empty @lang");
});

test.each(wellKnownNamespaces)("the built-in schema for %s has no mistakes", (namespace) => {
  const resolved = resolve({ "a.xsd": inSchema(`<x:import namespace="${namespace}"/>`) }, "strict");
  expect(reports(resolved)).toEqual([]);
  expect(resolved.schema.namespaces.has(namespace)).toBe(true);
});

test("built-in schemas import the schemas that they refer to", () => {
  const secext = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
  const resolved = resolve({
    "a.xsd": inSchema(
      `<x:import namespace="${secext}" schemaLocation="${secext}"/>` +
        `<x:complexType name="T"><x:sequence><x:element ref="s:UsernameToken" xmlns:s="${secext}"/></x:sequence></x:complexType>`,
    ),
  });
  expect(reports(resolved)).toEqual([]);
  expect([...resolved.schema.namespaces].filter((namespace) => namespace.endsWith("utility-1.0.xsd"))).toHaveLength(1);
});

test("the types of WS-Notification that ONVIF's schemas use are built in", () => {
  const wsn = "http://docs.oasis-open.org/wsn/b-2";
  const resolved = resolve({
    "a.xsd": inSchema(
      `<x:import namespace="${wsn}" schemaLocation="${wsn}.xsd"/>` +
        `<x:element name="a" type="n:NotificationMessageHolderType" xmlns:n="${wsn}"/><x:element name="b" type="n:FilterType" xmlns:n="${wsn}"/>`,
    ),
  });
  expect(reports(resolved)).toEqual([]);
  expect(elementOf(resolved.schema, "a").type).toBe(resolved.schema.types.get(`{${wsn}}NotificationMessageHolderType`));
});

test("a document with a DTD is replaced if its namespace is well known, and refused as a root", () => {
  const signature = "http://www.w3.org/2000/09/xmldsig#";
  const files = {
    "a.xsd": inSchema(
      `<x:import namespace="${signature}" schemaLocation="s.xsd"/><x:element name="a" type="s:KeyInfoType" xmlns:s="${signature}"/>`,
    ),
    "s.xsd": `<!DOCTYPE schema><x:schema ${xs} targetNamespace="${signature}"/>`,
  };
  const replaced = resolve(files);
  expect(reports(replaced)).toEqual([expect.stringContaining("xml.dtd-replaced")]);
  expect(elementOf(replaced.schema, "a").type).toBe(replaced.schema.types.get(`{${signature}}KeyInfoType`));
  const included = resolve({
    ...files,
    "a.xsd": files["a.xsd"].replace("<x:element", '<x:import namespace="urn:b" schemaLocation="b.xsd"/><x:element'),
    "b.xsd": `<x:schema ${xs} targetNamespace="urn:b"><x:include schemaLocation="s.xsd"/></x:schema>`,
  });
  expect(reports(included)).toEqual([
    expect.stringContaining("xml.dtd-replaced:"),
    expect.stringContaining("xml.dtd:"),
  ]);
});

test("a copy of a well-known schema replaces the built-in one", () => {
  const resolved = resolve({
    "a.xsd": inSchema('<x:import namespace="http://www.w3.org/XML/1998/namespace" schemaLocation="xml.xsd"/>'),
    "xml.xsd": `<x:schema ${xs} targetNamespace="http://www.w3.org/XML/1998/namespace"><x:attribute name="only"/></x:schema>`,
  });
  expect([...resolved.schema.attributes.keys()]).toEqual(["{http://www.w3.org/XML/1998/namespace}only"]);
});

const soapArray = inSchema(
  '<x:import namespace="http://schemas.xmlsoap.org/soap/encoding/"/>' +
    '<x:complexType name="Names"><x:complexContent><x:restriction base="e:Array" xmlns:e="http://schemas.xmlsoap.org/soap/encoding/">' +
    '<x:attribute ref="e:arrayType" w:arrayType="x:string[,]" xmlns:w="http://schemas.xmlsoap.org/wsdl/"/>' +
    "</x:restriction></x:complexContent></x:complexType>",
);

test("wsdl:arrayType is read as a property of its attribute", () => {
  const resolved = resolve({ "a.xsd": soapArray });
  expect(reports(resolved)).toEqual([]);
  const type = resolved.schema.types.get("{urn:a}Names");
  const uses = type?.kind === "complexType" ? type.attributeUses : [];
  const arrayType = uses.find((use) => use.arrayType !== undefined)?.arrayType;
  expect(arrayType?.name.local).toBe("string");
  expect(arrayType?.type?.builtin).toBe("string");
  expect(arrayType?.dimensions).toBe("[,]");
});

test("references to a redefined type refer to the redefinition", () => {
  const resolved = resolve({
    "a.xsd": inSchema(
      '<x:redefine schemaLocation="b.xsd"><x:complexType name="T"><x:complexContent><x:extension base="t:T">' +
        '<x:sequence><x:element name="more"/></x:sequence></x:extension></x:complexContent></x:complexType></x:redefine>',
    ),
    "b.xsd": inSchema(
      '<x:complexType name="T"><x:sequence><x:element name="old"/></x:sequence></x:complexType><x:element name="e" type="t:T"/>',
    ),
  });
  expect(reports(resolved)).toEqual([]);
  expect(typeText(resolved.schema, "T")).toBe("((old), (more))");
  expect(elementOf(resolved.schema, "e").type).toBe(resolved.schema.types.get("{urn:a}T"));
  const base = resolved.schema.types.get("{urn:a}T")?.baseType;
  expect(base?.name).toBeUndefined();
  expect(base?.context).toEqual({ owner: "type", name: { namespace: "urn:a", local: "T" }, steps: ["redefined"] });
});

test("a reference to the group inside its redefinition refers to the original", () => {
  const resolved = resolve({
    "a.xsd": inSchema(
      '<x:redefine schemaLocation="b.xsd"><x:group name="G"><x:sequence><x:group ref="t:G"/><x:element name="more"/></x:sequence>' +
        '</x:group></x:redefine><x:complexType name="T"><x:group ref="t:G"/></x:complexType>',
    ),
    "b.xsd": inSchema('<x:group name="G"><x:sequence><x:element name="old"/></x:sequence></x:group>'),
  });
  expect(reports(resolved)).toEqual([]);
  expect(typeText(resolved.schema, "T")).toBe("((old), more)");
});

const problems = [
  {
    fact: "an include of another namespace",
    files: {
      "a.xsd": inSchema('<x:include schemaLocation="b.xsd"/>'),
      "b.xsd": `<x:schema ${xs} targetNamespace="urn:b"/>`,
    },
    want: ["warning xsd.include-namespace"],
  },
  {
    fact: "a redefinition of another namespace",
    files: {
      "a.xsd": inSchema('<x:redefine schemaLocation="b.xsd"/>'),
      "b.xsd": `<x:schema ${xs} targetNamespace="urn:b"/>`,
    },
    want: ["error xsd.include-namespace"],
  },
  {
    fact: "an import of another namespace than the document's",
    files: {
      "a.xsd": inSchema('<x:import namespace="urn:c" schemaLocation="b.xsd"/>'),
      "b.xsd": `<x:schema ${xs} targetNamespace="urn:b"/>`,
    },
    want: ["warning xsd.import-namespace"],
  },
  {
    fact: "a namespace that is known but not imported",
    files: {
      "a.xsd": inSchema('<x:include schemaLocation="c.xsd"/><x:element name="e" type="b:B" xmlns:b="urn:b"/>'),
      "b.xsd": `<x:schema ${xs} targetNamespace="urn:b"><x:complexType name="B"/></x:schema>`,
      "c.xsd": inSchema('<x:import namespace="urn:b" schemaLocation="b.xsd"/>'),
    },
    want: ["warning xsd.not-imported"],
  },
  {
    fact: "a schema that imports its own namespace",
    files: { "a.xsd": inSchema('<x:import namespace="urn:a"/>') },
    want: ["warning xsd.own-import"],
  },
  {
    fact: "two declarations of one name, in two documents",
    files: {
      "a.xsd": inSchema('<x:include schemaLocation="b.xsd"/><x:complexType name="T"/>'),
      "b.xsd": inSchema('<x:simpleType name="T"><x:restriction base="x:int"/></x:simpleType>'),
    },
    want: ["error xsd.duplicate", "error xsd.duplicate"],
  },
  {
    fact: "two equal declarations, in two copies of a document",
    files: {
      "a.xsd": inSchema(`<x:include schemaLocation="b.xsd"/><x:include schemaLocation="c.xsd"/>`),
      "b.xsd": inSchema(
        '<x:complexType name="T"><x:attribute name="a" type="t:S"/></x:complexType><x:simpleType name="S"><x:restriction base="x:int"><x:enumeration value="1"/></x:restriction></x:simpleType>',
      ),
      "c.xsd": inSchema(
        '<!-- a copy --><x:complexType  name="T"><x:attribute name="a" type="t:S"/></x:complexType><x:simpleType name="S"><x:restriction base="x:int"><x:enumeration value="1"/></x:restriction></x:simpleType>',
      ),
    },
    want: ["warning xsd.duplicate", "warning xsd.duplicate"],
  },
  {
    fact: "a redefinition of nothing",
    files: {
      "a.xsd": inSchema('<x:redefine schemaLocation="b.xsd"><x:complexType name="T"/></x:redefine>'),
      "b.xsd": inSchema(""),
    },
    want: ["error xsd.redefine"],
  },
  {
    fact: "a redefinition that does not derive from what it redefines",
    files: {
      "a.xsd": inSchema('<x:redefine schemaLocation="b.xsd"><x:complexType name="T"/></x:redefine>'),
      "b.xsd": inSchema('<x:complexType name="T"/>'),
    },
    want: ["error xsd.redefine"],
  },
  {
    fact: "a document that is not a schema",
    files: { "a.xsd": inSchema('<x:include schemaLocation="b.xsd"/>'), "b.xsd": "<html/>" },
    want: ["error source.unexpected"],
  },
];

test.each([
  ["an include of another namespace", '<x:include schemaLocation="b.xsd"/>', "xsd.include-namespace"],
  [
    "an import whose schemaLocation is called location",
    '<x:import namespace="urn:b" location="b.xsd"/>',
    "xsd.misplaced-attribute",
  ],
])("%s is read as an import", (_, link, kind) => {
  const resolved = resolve({
    "a.xsd": inSchema(`${link}<x:element name="e" type="b:B" xmlns:b="urn:b"/>`),
    "b.xsd": `<x:schema ${xs} targetNamespace="urn:b"><x:complexType name="B"/></x:schema>`,
  });
  expect(kinds(resolved)).toEqual([`warning ${kind}`]);
  expect(elementOf(resolved.schema, "e").type.name).toEqual({ namespace: "urn:b", local: "B" });
});

test.each(problems)("$fact is reported", ({ files, want }) => {
  expect(kinds(resolve(files))).toEqual(want);
});
