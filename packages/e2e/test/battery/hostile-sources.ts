import { escapeAttribute, escapeText, isXmlText } from "@bothends/xml";
import fc from "fast-check";

/** The file that hostile code would write, in the working folder. */
export const markerFile = "hostile-marker";

/** Code that sets a global variable and writes a file, by which a test detects that the code ran. */
const marking = ["globalThis.marker=1", `process.getBuiltinModule("node:fs").writeFileSync("${markerFile}","")`];

/** Returns texts that would end a string, comment or template around them, so that the code in them runs. */
function breakouts(code: string): readonly string[] {
  const dollar = "$";
  return [
    `*/${code};/*`,
    `";${code};"`,
    `';${code};//`,
    `\`;${code};\``,
    `${dollar}{${code}}`,
    `\\";${code};//`,
    `\\u002a/${code}`,
    `\n${code}\n`,
    `\r\n${code}//`,
    `\u2028${code}\u2028`,
    `"]: (${code}), ["`,
    `"}; ${code}; ({"`,
    `<${code}>`,
  ];
}

const pieces = [
  "@ts-nocheck",
  "@ts-ignore",
  "/// <reference path='x'/>",
  "//# sourceMappingURL=x",
  "#__PURE__",
  "__proto__",
  "constructor",
  "\u202e",
  "\u0085",
  "\ufeff",
  "{{x}}",
  "{{{x}}}",
  "-->",
  "]]>",
  "é名\u{1f600}",
  "a",
  " ",
];

/** Hostile texts for values, with all kinds of characters that XML allows. */
const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...marking.flatMap(breakouts), ...pieces) },
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(""))
  .filter((text) => isXmlText(text));

const words = `__proto__ constructor prototype hasOwnProperty toString valueOf then default await enum class function
  string number boolean any unknown never object symbol bigint void null undefined Promise Date Error Record Array Object
  Map Set Symbol Uint8Array Readonly Partial Omit JsonValue arguments eval NaN Infinity globalThis process require module exports
  import export static async of get set from type namespace interface let yield new delete in instanceof this super
  xs reg client server Client Server Options Handlers input output options context result body call close index types shared
  CON nul aux LPT1 a. a- a-b a_b a.b A-B AB ab State state STATE _ __ _1 x1 é É 名 ﬁ ß ı İ \u00b7x package node_modules package.json
  RecordDescriptor ServiceClient soapRoutes kind element fields ${"n".repeat(120)}`
  .split(/\s+/)
  .filter((word) => !/^\u00b7/.test(word));

/** Names that XML allows, but that have another meaning in code, such as keywords. */
export const hostileName: fc.Arbitrary<string> = fc.constantFrom(...words);

/** A valid WSDL in which every name and text is hostile. */
export const hostileWsdl: fc.Arbitrary<string> = fc
  .record({
    names: fc.uniqueArray(hostileName, { minLength: 12, maxLength: 12 }),
    texts: fc.array(hostileText, { minLength: 5, maxLength: 5 }),
    values: fc.uniqueArray(hostileText, { minLength: 1, maxLength: 4 }),
  })
  .map(wsdlText);

function wsdlText(parts: {
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly values: readonly string[];
}) {
  const [list, record, nameA, nameB, nameC, nameD, nameE, nameF, operation, service, port, attribute] = parts.names;
  const [documentation = "", action = "", location = "", initial = "", space = ""] = parts.texts;
  const namespace = escapeAttribute(`urn:${space.replaceAll(/[\s#]/g, "")}`);
  const [firstValue = ""] = parts.values;
  const values = parts.values.map((value) => `<xs:enumeration value="${escapeAttribute(value)}"/>`).join("");
  const note = `<xs:annotation><xs:documentation>${escapeText(documentation)}</xs:documentation></xs:annotation>`;
  return `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="${namespace}" targetNamespace="${namespace}">
<types><xs:schema targetNamespace="${namespace}" elementFormDefault="qualified">
<xs:simpleType name="${list}">${note}<xs:restriction base="xs:string">${values}</xs:restriction></xs:simpleType>
<xs:complexType name="${record}">${note}<xs:sequence>
<xs:element name="${nameA}" type="t:${list}" default="${escapeAttribute(firstValue)}">${note}</xs:element>
<xs:element name="${nameB}" type="xs:string" default="${escapeAttribute(initial)}" minOccurs="0"/>
<xs:element name="${nameC}" type="t:${record}" minOccurs="0" maxOccurs="unbounded"/>
<xs:choice><xs:element name="${nameD}" type="xs:int"/><xs:element name="${nameE}"><xs:complexType><xs:sequence><xs:element name="${nameF}" type="xs:date" nillable="true"/></xs:sequence></xs:complexType></xs:element></xs:choice>
</xs:sequence><xs:attribute name="${attribute}" type="xs:string" use="required"/></xs:complexType>
<xs:element name="${operation}"><xs:complexType><xs:sequence><xs:element name="${record}" type="t:${record}"/><xs:element name="${nameA}" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
<xs:element name="${operation}Response"><xs:complexType><xs:sequence><xs:element name="${operation}Result" type="t:${record}" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
</xs:schema></types>
<message name="In"><part name="parameters" element="t:${operation}"/></message>
<message name="Out"><part name="parameters" element="t:${operation}Response"/></message>
<portType name="${service}"><operation name="${operation}"><documentation>${escapeText(documentation)}</documentation><input message="t:In"/><output message="t:Out"/></operation></portType>
<binding name="${port}" type="t:${service}"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="${operation}"><soap:operation soapAction="${escapeAttribute(action.replaceAll(/[\r\n]/g, ""))}"/>
<input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation></binding>
<service name="${service}"><documentation>${escapeText(documentation)}</documentation><port name="${port}" binding="t:${port}"><soap:address location="${escapeAttribute(location)}"/></port></service>
</definitions>`;
}

const name = fc.oneof(hostileName, hostileText).filter((text) => text !== "__proto__" && text !== "");
const segment = fc
  .oneof(
    hostileName,
    hostileText.map((text) => text.replaceAll(/[()[\]{}*+?^$|\\/]/g, "")),
  )
  .filter((text) => text.trim() !== "" && !/^\.{1,2}$/.test(text));

/** A valid discovery index in which every name and text is hostile. */
export const hostileIndex: fc.Arbitrary<string> = fc
  .record({
    segments: fc.uniqueArray(segment, { minLength: 3, maxLength: 3 }),
    args: fc.uniqueArray(name, { minLength: 4, maxLength: 4 }),
    texts: fc.array(hostileText, { minLength: 4, maxLength: 4 }),
    values: fc.uniqueArray(hostileText, { minLength: 1, maxLength: 4 }),
  })
  .map(({ segments, args, texts, values }) => {
    const [space = "", collection = "", member = ""] = segments;
    const [description, initial, title, word] = texts;
    const namespace = `${space}/v1`;
    const definitions = {
      [args[0] ?? ""]: { type: "string", description, enum: values, default: values[0] },
      [args[1] ?? ""]: {
        type: "object",
        description,
        properties: { [args[2] ?? ""]: { type: "string", description } },
      },
      [args[2] ?? ""]: { type: ["array", "null"], items: { type: "integer" }, default: [], title },
      [args[3] ?? ""]: { description: word, default: initial },
    };
    const endpoints = [
      { methods: ["GET"], args: definitions },
      { methods: ["POST", "PUT"], args: definitions },
    ];
    const route = `/${namespace}/${collection}`;
    return JSON.stringify({
      name: title,
      description,
      namespaces: [namespace],
      routes: {
        [`/${namespace}`]: { namespace, methods: ["GET"], endpoints: [{ methods: ["GET"], args: {} }] },
        [route]: { namespace, methods: ["GET", "POST", "PUT"], endpoints },
        [`${route}/(?P<id>[\\d]+)/${member}`]: {
          namespace,
          methods: ["GET"],
          endpoints: [{ methods: ["GET"], args: [] }],
        },
      },
    });
  });
