import { gzipSync } from "node:zlib";
import { type WsdlParts, wsdlOf } from "./wsdl.js";

export interface Row {
  readonly name: string;
  /** The content of `s.wsdl`, or the parts from which `wsdlOf` makes it. */
  readonly wsdl?: string | Uint8Array | WsdlParts;
  readonly index?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Text that the first error contains; absent if the schema is accepted. */
  readonly refused?: string;
  /** Text that a warning contains. */
  readonly warned?: string;
  /** Code that the contract package must contain. */
  readonly makes?: string | RegExp;
}

/** A text that would run code if it were in a template literal. */
const hole = `\`${"$"}{x}`;
const element = (type: string, more = "") => `<xs:element name="a" type="${type}"${more}/>`;
const simple = (name: string, inner: string) => `<xs:simpleType name="${name}">${inner}</xs:simpleType>`;
const enumeration = (values: readonly string[]) =>
  simple(
    "E",
    `<xs:restriction base="xs:string">${values.map((value) => `<xs:enumeration value="${value}"/>`).join("")}</xs:restriction>`,
  );
const pattern = (value: string): WsdlParts => ({
  schema: simple("P", `<xs:restriction base="xs:string"><xs:pattern value="${value}"/></xs:restriction>`),
  input: element("t:P"),
});
const include = (location: string): WsdlParts => ({ schema: `<xs:include schemaLocation="${location}"/>` });
const schema = (inner: string) =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:battery">${inner}</xs:schema>`;
const record = (name: string, inner: string) =>
  `<xs:complexType name="${name}"><xs:sequence>${inner}</xs:sequence></xs:complexType>`;
const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? "" : i - 1};`.repeat(10)}">`).join("")}]>`;
const many = (count: number, textAt: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => textAt(index)).join("");
const without = (part: RegExp) => wsdlOf().replace(part, "");

const wsdlRows: readonly Row[] = [
  { name: "document type: nested entities", wsdl: { prolog: laughs, documentation: "&a8;" }, refused: "(xml.dtd)" },
  { name: "document type: empty", wsdl: { prolog: "<!DOCTYPE definitions []>" }, refused: "(xml.dtd)" },
  {
    name: "document type: external entity",
    wsdl: { prolog: '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>', documentation: "&x;" },
    refused: "(xml.dtd)",
  },
  {
    name: "schemaLocation: remote",
    wsdl: include("http://169.254.169.254/latest/x.xsd"),
    refused: "Save a copy of the document as x.xsd",
  },
  ...[
    "../../etc/x.xsd",
    "/etc/passwd",
    "file:///etc/passwd",
    "%2e%2e/x.xsd",
    "..%5cx.xsd",
    "a%00.xsd",
    "C:\\x.xsd",
    ".",
    "",
  ].map((location) => ({
    name: `schemaLocation: ${location}`,
    wsdl: include(location),
    refused: "(import.outside)",
  })),
  ...["\\\\unc\\x", "//host/x", "jar:file:/x", "javascript:1"].map((location) => ({
    name: `schemaLocation: ${location}`,
    wsdl: include(location),
    refused: "(import.remote)",
  })),
  { name: "schemaLocation: NUL", wsdl: include("a&#0;"), refused: "(xml.not-well-formed)" },
  {
    name: "includes in a cycle",
    wsdl: include("a.xsd"),
    files: {
      "a.xsd": schema('<xs:include schemaLocation="a.xsd"/><xs:include schemaLocation="b.xsd"/>'),
      "b.xsd": schema('<xs:include schemaLocation="./a.xsd"/>'),
    },
  },
  {
    name: "type names that are reserved in TypeScript",
    wsdl: {
      schema: ["string", "any", "Promise", "Date", "default", "await", "enum"]
        .map((name) => record(name, element("xs:int")))
        .join(""),
      input: element("t:await"),
    },
    makes: 'name: "{urn:battery}await"',
  },
  {
    name: "names that differ only in characters or case",
    wsdl: {
      schema: record("a-b", element("xs:int")) + record("a_b", element("xs:string")),
      input: '<xs:element name="State" type="t:a-b"/><xs:element name="state" type="t:a_b"/>',
    },
    warned: "(name.type-clash)",
    makes: /State: AB;\n\s+state: AB2;/,
  },
  {
    name: "enumeration: code and duplicates",
    wsdl: { schema: enumeration(["');process.exit(1)//", "", "a", "a", "A"]), input: element("t:E") },
    warned: "(types.duplicate-value)",
    makes: `["');process.exit(1)//", "", "a", "A"]`,
  },
  {
    name: "enumeration: too many values",
    wsdl: { schema: enumeration(Array.from({ length: 20_001 }, (_, i) => `${i}`)), input: element("t:E") },
    refused: "(limit.enumValues)",
  },
  { name: "code in: namespace", wsdl: { namespace: `urn:&quot;${hole}` }, makes: `"urn:\\"${hole}"` },
  { name: "code in: action", wsdl: { action: `a&quot;${hole}` }, makes: `"a\\"${hole}"` },
  { name: "line break in action", wsdl: { action: "a&#13;&#10;X: y" }, refused: "(wsdl.bad-action)" },
  { name: "code in: location", wsdl: { location: `http://x/&quot;${hole}` }, makes: `\\"${hole}"` },
  {
    name: "over a limit: length of a namespace",
    wsdl: { namespace: `urn:${"u".repeat(2_000)}` },
    refused: "(limit.namespaceChars)",
  },
  {
    name: "over a limit: length of a target namespace",
    wsdl: wsdlOf().replace(/(?<= targetNamespace=")[^"]*/, "u".repeat(60_000)),
    refused: "(limit.namespaceChars)",
  },
  { name: "undeclared prefix", wsdl: { input: element("nope:x") }, refused: "s.wsdl:5:80: error XSD008" },
  {
    name: "unknown: type and element",
    wsdl: { input: `${element("t:No")}<xs:element ref="t:Nope"/>` },
    refused: "(xsd.unknown-type)",
    warned: "(xsd.unknown-element)",
  },
  { name: "unknown: message", wsdl: wsdlOf().replace('"t:In"', '"t:Out2"'), refused: "(wsdl.unknown-message)" },
  { name: "unknown: port type", wsdl: wsdlOf().replace('"t:Port"', '"t:Prt"'), refused: "(wsdl.unknown-port-type)" },
  {
    name: "more than fifty errors",
    wsdl: { input: many(60, (i) => `<xs:element name="a${i}" type="t:No"/>`) },
    refused: "… and 10 more errors.",
  },
  {
    name: "cycle: recursive complex types",
    wsdl: {
      schema:
        record("A", element("t:B", ' minOccurs="0"')) +
        record("B", `${element("t:A")}<xs:element name="b" type="t:B" minOccurs="0"/>`),
      input: element("t:A"),
    },
    makes: /interface B {\n\s+a: A;\n\s+b\?: B/,
  },
  ...[
    simple("A", '<xs:restriction base="t:B"/>') + simple("B", '<xs:restriction base="t:A"/>'),
    simple("A", '<xs:union memberTypes="t:A xs:int"/>'),
    simple("A", '<xs:list itemType="t:A"/>'),
    '<xs:group name="g"><xs:sequence><xs:group ref="t:g"/></xs:sequence></xs:group>',
    '<xs:attributeGroup name="g"><xs:attributeGroup ref="t:g"/></xs:attributeGroup>',
    '<xs:complexType name="A"><xs:complexContent><xs:extension base="t:A"/></xs:complexContent></xs:complexType>',
    '<xs:element name="h" substitutionGroup="t:i"/><xs:element name="i" substitutionGroup="t:h"/>',
  ].map((cycle) => ({ name: `cycle: ${cycle}`, wsdl: { schema: cycle }, refused: "(xsd.circular)" })),
  {
    name: "maxOccurs: 999999999",
    wsdl: { input: element("xs:int", ' maxOccurs="999999999"') },
    makes: "max: 999999999",
  },
  {
    name: "maxOccurs: nested",
    wsdl: {
      input: `<xs:sequence maxOccurs="99999">${element("xs:int", ' minOccurs="9999" maxOccurs="99999"')}<xs:element name="b" type="xs:int"/></xs:sequence>`,
    },
  },
  {
    name: "maxOccurs: less than minOccurs",
    wsdl: { input: element("xs:int", ' minOccurs="3" maxOccurs="2"') },
    refused: "(xsd.occurs)",
  },
  ...["-1", "1e30", "x", ""].map((count) => ({
    name: `maxOccurs: ${count}`,
    wsdl: { input: element("xs:int", ` maxOccurs="${count}"`) },
    refused: "(xsd.invalid-value)",
  })),
  { name: "pattern: nested repetition", wsdl: pattern("(\\d+)+"), makes: "(\\\\d+)+" },
  ...["(", "[b-a]", "(?=a)", "a{2,1}", "\\p{Nope}", "(".repeat(1_000) + ")".repeat(1_000)].map((text) => ({
    name: `pattern: ${text.slice(0, 30)}`,
    wsdl: pattern(text),
    refused: "(xsd.pattern)",
  })),
  { name: "pattern: long", wsdl: pattern("a".repeat(10_000)), refused: "(limit.patternChars)" },
  ...["(a{1,1000}){1,1000}", "a{99999999999}"].map((text) => ({
    name: `pattern: ${text}`,
    wsdl: pattern(text),
    refused: "(limit.patternStates)",
  })),
  {
    name: "unsupported: XSD 1.1",
    wsdl: { schema: '<xs:complexType name="A"><xs:sequence/><xs:assert test="1"/></xs:complexType>' },
    refused: "<xs:assert> is not allowed in",
  },
  {
    name: "unsupported: required extension",
    wsdl: wsdlOf().replace(
      "<input><soap:body",
      '<input><x:y xmlns:x="urn:x" xmlns:w="http://schemas.xmlsoap.org/wsdl/" w:required="true"/><soap:body',
    ),
    refused: "(unsupported.extension)",
  },
  {
    name: "unsupported: transport",
    wsdl: wsdlOf().replace("http://schemas.xmlsoap.org/soap/http", "urn:jms"),
    warned: "(wsdl.other-transport)",
  },
  {
    name: "built-in schema in a warning",
    wsdl: {
      schema: `<xs:complexType name="A"><xs:complexContent><xs:extension base="xs:anyType"><xs:sequence>${element("xs:int")}</xs:sequence></xs:extension></xs:complexContent></xs:complexType>`,
      input: element("t:A"),
    },
    warned: "<http://www.w3.org/2001/XMLSchema>:1:1: warning XSD050",
  },
  {
    name: "ports: no service",
    wsdl: without(/<service[\s\S]*<\/service>/),
    makes: 'ports: { soap11: { name: "Soap" } }',
  },
  { name: "ports: no binding", wsdl: without(/<binding[\s\S]*<\/service>/), refused: "(wsdl.nothing-bound)" },
  {
    name: "ports: two services of one name",
    wsdl: wsdlOf().replace(
      /(<service[\s\S]*<\/service>)/,
      (text) => text + text.replace(/location="[^"]*"/, `location="http://other/"`),
    ),
    refused: "(wsdl.duplicate-name)",
  },
  {
    name: "not a WSDL 1.1 document: WSDL 2.0",
    wsdl: '<description xmlns="http://www.w3.org/ns/wsdl"/>',
    refused: ", but found a WSDL 2.0 description.",
  },
  { name: "not a WSDL 1.1 document: HTML", wsdl: "<!DOCTYPE html><html>404", refused: ", but found an HTML page." },
  { name: "not a WSDL 1.1 document: JSON", wsdl: "{}", refused: ", but found JSON." },
  { name: "not a WSDL 1.1 document: empty", wsdl: "", refused: ", but found an empty file." },
  { name: "not a WSDL 1.1 document: one byte", wsdl: "x", refused: ", but found text that is not XML." },
  ...["#".repeat(60), "# ".repeat(60), "// ".repeat(60), `${"// a ".repeat(60)}\n${"// b ".repeat(60)}`].map(
    (text) => ({
      name: `not a WSDL 1.1 document: comment signs ${text.slice(0, 4)}`,
      wsdl: `${text}x`,
      refused: ", but found text that is not XML.",
    }),
  ),
  {
    name: "not a WSDL 1.1 document: GraphQL",
    wsdl: '# a\n"""b"""\ntype C {',
    refused: ", but found a GraphQL schema.",
  },
  {
    name: "not a WSDL 1.1 document: Protocol Buffers",
    wsdl: "// a\n// b\n\npackage c.d;",
    refused: ", but found a Protocol Buffers file.",
  },
  { name: "not a WSDL 1.1 document: gzip", wsdl: gzipSync("x"), refused: ", but found gzip data." },
  { name: "not a WSDL 1.1 document: PDF", wsdl: "%PDF-1.7", refused: ", but found a PDF document." },
  { name: "not a WSDL 1.1 document: zeros", wsdl: new Uint8Array(9), refused: "(xml.not-well-formed)" },
  { name: "over a limit: depth", wsdl: `<a>${"<a>".repeat(1e6)}`, refused: "(limit.depth)" },
  { name: "over a limit: attributes", wsdl: `<a ${many(1e5, (i) => ` a${i}=""`)}/>`, refused: "(limit.attributes)" },
  { name: "over a limit: bytes", wsdl: new Uint8Array(65 << 20).fill(32), refused: "(limit.fileBytes)" },
];

const index = (routes: string) => `{"namespaces":["a/v1"],"routes":${routes}}`;
const endpoint = (args: string) =>
  `{"namespace":"a/v1","methods":["GET"],"endpoints":[{"methods":["GET"],"args":${args}}]}`;
const route = (path: string, args = "{}") => index(`{${JSON.stringify(path)}:${endpoint(args)}}`);
const arg = (definition: string) => route("/a/v1/x", `{"a":${definition}}`);

const indexRows: readonly Row[] = [
  ...["[]", '"x"', "7", index('{"/a":null}'), index('{"/a":{}}'), route("/a/v1/x", "[1]"), arg("null")].map((text) => ({
    name: `index: ${text}`,
    index: text,
    refused: "(index.shape)",
  })),
  { name: "index: comment signs", index: `${"# ".repeat(60)}x`, refused: ", but found text that is not JSON." },
  { name: "index: long text", index: "x".repeat(1e6), refused: ", but found text that is not JSON." },
  { name: "index: no routes", index: "{}", refused: "(index.not-an-index)" },
  { name: "index: empty routes", index: index("[]"), refused: "(index.not-an-index)" },
  {
    name: "index: methods as a string",
    index: index('{"/a":{"endpoints":[{"methods":"GET"}]}}'),
    refused: "/routes/~1a/endpoints/0/methods is a string",
  },
  { name: "index: PHP's empty array", index: route("/a/v1/x", "[]"), makes: "args: {}" },
  { name: "JSON: __proto__", index: arg('{"properties":{"__proto__":{}}}'), refused: "a/properties/__proto__" },
  { name: "JSON: duplicate key", index: arg('{"type":"string","type":"string"}'), refused: "(json.duplicate-key)" },
  { name: "JSON: depth", index: '{"a":'.repeat(1e5), refused: "limit.jsonDepth" },
  { name: "JSON: 1e400", index: arg('{"default":1e400}'), refused: "(json.number)" },
  { name: "JSON: surrogate", index: arg('{"default":"\\ud800"}'), refused: "(json.surrogate)" },
  { name: "JSON: byte order mark", index: `\ufeff${route("/a/v1/x")}` },
  { name: "JSON: trailing comma", index: '{"a":1,}', refused: "(json.syntax)" },
  { name: "route: nested repetition", index: route("/a/v1/(?P<id>(\\d+)+)"), makes: "id: { required: true" },
  ...["/a/(?P<id>", "/a)", "a", "/a/../b"].map((path) => ({
    name: `route: ${path}`,
    index: route(path),
    refused: "(route.syntax)",
  })),
  ...["/a/(?P<id>(?<=a)b)", "/a/(?P<id>\\1)"].map((path) => ({
    name: `route: ${path}`,
    index: route(path),
    refused: "(route.pattern)",
  })),
  { name: "route: many states", index: route("/a/(?P<id>(a|b){1,99999})"), refused: "(limit.patternStates)" },
  ...["/(?P<__proto__>a)", "/(?P<a>b)/(?P<a>b)"].map((path) => ({
    name: `route: ${path}`,
    index: route(path),
    refused: "(route.variable)",
  })),
  { name: "argument: unknown type", index: arg('{"type":"wibble"}'), warned: "(arg.type)", makes: "a?: unknown" },
  { name: "argument: union", index: arg('{"type":["string","null"]}'), makes: "a?: string | null | undefined" },
  { name: "argument: no type", index: arg("{}"), makes: "a?: unknown" },
  { name: "argument: enumeration", index: arg('{"type":"integer","enum":["x"]}'), warned: "(arg.enum)" },
  { name: "argument: default", index: arg('{"enum":["x"],"default":"y"}'), warned: "(arg.default)" },
  {
    name: "argument: required",
    index: arg('{"type":"string","required":"1"}'),
    warned: "(arg.required)",
    makes: "a: string;",
  },
  {
    name: "argument: property toString",
    index: arg('{"type":"object","properties":{"toString":{"type":"string"}}}'),
    makes: "toString?: string",
  },
];

/** Hostile schemas, with the expected results of the generator. */
export const schemaCases: readonly Row[] = [...wsdlRows, ...indexRows];

/** Returns the files of a case, and the options for generating from them. */
export function projectOf({ wsdl = {}, index: json, files }: Row) {
  const source = typeof wsdl === "string" || wsdl instanceof Uint8Array ? wsdl : wsdlOf(wsdl);
  return {
    files: json === undefined ? { "s.wsdl": source, ...files } : { "i.json": json },
    from: json === undefined ? ["--wsdl", "s.wsdl"] : ["--index", "i.json"],
  };
}
