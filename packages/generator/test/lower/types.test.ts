import { expect, test } from "vitest";
import { problems } from "../read/wsdl/reading.js";
import { around, lower, record, remarks, run, types, typeText } from "./lowering.js";

const fields: readonly (readonly [string, string])[] = [
  ['<xs:element name="a" type="xs:string"/>', "{a: string} (a)"],
  ['<xs:element name="a" type="xs:int" minOccurs="0"/>', "{a: int?} (a)"],
  ['<xs:element name="a" type="xs:int" nillable="true" default="3"/>', "{a: int nil=3} (a)"],
  ['<xs:element name="a" type="xs:int" fixed="3" maxOccurs="5"/>', "{a: int[1..5]=!3} (a)"],
  ['<xs:element name="a" type="xs:QName" default=" t:x "/>', "{a: QName={urn:t}x} (a)"],
  ['<xs:element name="a" type="xs:NOTATION" fixed="t:x"/>', "{a: NOTATION=!{urn:t}x} (a)"],
  ['<xs:element name="a" minOccurs="0" maxOccurs="unbounded"/>', "{a: anyType[0..]} (a)"],
  ['<xs:element name="a" form="unqualified" type="xs:anySimpleType"/>', "{~a: anySimpleType} (a)"],
  ['<xs:element name="a" maxOccurs="0" minOccurs="0"/><xs:element name="b" type="xs:int"/>', "{b: int} (b)"],
  ['<xs:any minOccurs="0" maxOccurs="unbounded"/>', "{any: any[0..]} (any)"],
  ['<xs:any namespace="##other"/><xs:any namespace="##local"/>', "{any: any; any2: any} (any, any2)"],
];

test.each(fields)("a sequence of %s", (content, text) => {
  expect(record(`<xs:sequence>${content}</xs:sequence>`)).toBe(`Op ${text}`);
});

const a = '<xs:element name="a" type="xs:int"/>';
const b = '<xs:element name="b" type="xs:int"/>';
const c = '<xs:element name="c" type="xs:int"/>';
const ab = "{a: int; b: int}";

const groups: readonly (readonly [string, string])[] = [
  [`<xs:sequence>${a}<xs:sequence>${b}</xs:sequence></xs:sequence>`, `${ab} (a, b)`],
  [`<xs:choice>${a}${b}</xs:choice>`, `${ab} ((a | b))`],
  [`<xs:choice minOccurs="0">${a}${b}</xs:choice>`, `${ab} ((a | b)?)`],
  [`<xs:all>${a}${b}</xs:all>`, `${ab} ((a & b))`],
  [`<xs:all minOccurs="0">${a}${b}</xs:all>`, `${ab} ((a & b)?)`],
  [`<xs:sequence minOccurs="0">${a}${b}</xs:sequence>`, `${ab} ((a, b)?)`],
  [`<xs:choice>${a}<xs:sequence>${b}${c}</xs:sequence></xs:choice>`, "{a: int; b: int; c: int} ((a | (b, c)))"],
  [
    `<xs:choice>${a}<xs:choice minOccurs="0">${b}${c}</xs:choice></xs:choice>`,
    "{a: int; b: int; c: int} ((a | b | c)?)",
  ],
  [`<xs:choice>${a}<xs:sequence/></xs:choice>`, "{a: int} ((a)?)"],
  [`<xs:choice>${a}</xs:choice>`, "{a: int} (a)"],
  [`<xs:sequence minOccurs="0">${a}</xs:sequence>`, "{a: int?} (a)"],
  [`<xs:choice minOccurs="0" maxOccurs="unbounded">${a}</xs:choice>`, "{a: int[0..]} (a)"],
  [
    `<xs:sequence minOccurs="2" maxOccurs="3"><xs:element name="a" type="xs:int" maxOccurs="2"/></xs:sequence>`,
    "{a: int[2..6]} (a)",
  ],
  [`<xs:sequence><xs:sequence minOccurs="0" maxOccurs="0">${a}</xs:sequence>${b}</xs:sequence>`, "{b: int} (b)"],
  ["<xs:sequence/>", "{} ()"],
  ["", "{} ()"],
  [`<xs:choice>${a}<xs:sequence>${b}${a}</xs:sequence></xs:choice>`, `${ab} ((a | (b, a)))`],
  [`<xs:sequence>${a}${b}${a}</xs:sequence>`, "{a: int; b: int; a2<a>: int} (a, b, a2)"],
  [
    `<xs:choice>${a}<xs:element name="a" type="xs:int" maxOccurs="2"/></xs:choice>`,
    "{a: int; a2<a>: int[1..2]} ((a | a2))",
  ],
];

test.each(groups)("the content %s becomes the fields and content model %s", (content, text) => {
  expect(record(content)).toBe(`Op ${text}`);
});

test("a group that may repeat becomes a member with a record for each occurrence", () => {
  expect(
    types(`<xs:element name="Op"><xs:complexType><xs:sequence>
      <xs:choice maxOccurs="unbounded">${a}<xs:sequence maxOccurs="2">${b}${c}</xs:sequence></xs:choice>
      <xs:choice minOccurs="0" maxOccurs="3">${a}${b}</xs:choice>
    </xs:sequence></xs:complexType></xs:element>`),
  ).toEqual([
    "Op {choice: (Op/(choice))[1..]; choice2: (Op/(choice);2)[0..3]} (choice, choice2)",
    "Op/(choice) {a: int; sequence: (Op/(choice)/(sequence))[1..2]} ((a | sequence))",
    "Op/(choice)/(sequence) {b: int; c: int} (b, c)",
    `Op/(choice);2 ${ab} ((a | b))`,
  ]);
});

test("a named group that repeats has one record for all references", () => {
  expect(
    types(`<xs:group name="G"><xs:sequence>${a}${b}</xs:sequence></xs:group>
      <xs:complexType name="T"><xs:group ref="t:G" maxOccurs="unbounded"/></xs:complexType>
      <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="t" type="t:T"/><xs:group ref="t:G" minOccurs="0" maxOccurs="2"/></xs:sequence></xs:complexType></xs:element>`),
  ).toEqual([
    `G@group ${ab} (a, b)`,
    "T {sequence: (G@group)[1..]} (sequence)",
    "Op {t: T; sequence: (G@group)[0..2]} (t, sequence)",
  ]);
});

test("attributes come first, then elements; wildcards last", () => {
  expect(
    record(`<xs:sequence>${a}</xs:sequence><xs:attribute name="x" type="xs:int" use="required"/>
      <xs:attribute name="y"/><xs:attribute name="z" use="prohibited"/><xs:anyAttribute/>`),
  ).toBe("Op {@x: int; @y: anySimpleType?; a: int; anyAttribute: any attributes} (a)");
});

test("an attribute with the name of an element is numbered, with a warning", () => {
  const content = `<xs:element name="Op"><xs:complexType><xs:sequence>${a}</xs:sequence><xs:attribute name="a"/></xs:complexType></xs:element>`;
  expect(types(content)).toEqual(["Op {@a2: anySimpleType?; a: int} (a)"]);
  expect(remarks(content)).toEqual([
    expect.stringMatching(
      /^a\.wsdl:2:\d+ warning types\.member-clash: The attribute a becomes the member "a2", because "a" is taken\./,
    ),
  ]);
});

test("simple content is a member named value", () => {
  expect(
    record(
      '<xs:simpleContent><xs:extension base="xs:decimal"><xs:attribute name="value"/></xs:extension></xs:simpleContent>',
    ),
  ).toBe("Op {@value2: anySimpleType?; #value: decimal} ()");
});

test("mixed content is one list of text and elements", () => {
  expect(
    types(
      `<xs:element name="Op"><xs:complexType mixed="true"><xs:sequence>${a}<xs:choice maxOccurs="2">${b}${a}</xs:choice><xs:any/></xs:sequence><xs:attribute name="x"/></xs:complexType></xs:element>`,
    ),
  ).toEqual([
    "Op {@x: anySimpleType?; content: mixed(Op/(content))} (content)",
    "Op/(content) {a: int; b: int; any: any} ((a | b | any))",
  ]);
});

test("an extension has the members of its base first, and refers to it", () => {
  const result = types(`
    <xs:complexType name="A"><xs:sequence>${a}</xs:sequence><xs:attribute name="x"/></xs:complexType>
    <xs:complexType name="B"><xs:complexContent><xs:extension base="t:A"><xs:choice>${b}${c}</xs:choice><xs:attribute name="a"/></xs:extension></xs:complexContent></xs:complexType>
    <xs:element name="Op" type="t:B"/>`);
  expect(result).toEqual([
    "A {@x: anySimpleType?; a: int} (a)",
    "B : A {^@x: anySimpleType?; ^a: int; @a2: anySimpleType?; b: int; c: int} (a, (b | c))",
  ]);
});

test("a restriction does not extend its base", () => {
  const result = types(`
    <xs:complexType name="A"><xs:sequence>${a}<xs:element name="b" type="xs:int" minOccurs="0"/></xs:sequence><xs:attribute name="x"/></xs:complexType>
    <xs:complexType name="B"><xs:complexContent><xs:restriction base="t:A"><xs:sequence>${a}</xs:sequence></xs:restriction></xs:complexContent></xs:complexType>
    <xs:element name="Op" type="t:B"/>`);
  expect(result).toEqual(["B {@x: anySimpleType?; a: int} (a)"]);
});

test("a restriction lists the members that it removes from types in the contract", () => {
  const restricted = (restricting: string, others: string) =>
    types(`
    <xs:complexType name="A"><xs:sequence>${a}<xs:element name="b" type="xs:int" minOccurs="0"/><xs:any minOccurs="0"/></xs:sequence><xs:attribute name="x"/></xs:complexType>
    <xs:complexType name="B"><xs:complexContent><xs:restriction base="t:A"><xs:sequence>${a}${restricting}</xs:sequence><xs:attribute name="x" use="prohibited"/></xs:restriction></xs:complexContent></xs:complexType>
    ${others}`);
  const op = (type: string) =>
    `<xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="op" type="t:${type}"/></xs:sequence></xs:complexType></xs:element>`;
  expect(restricted("", op("A"))).toEqual([
    "A {@x: anySimpleType?; a: int; b: int?; any: any?} (a, b, any)",
    "A* any A: A=A | B=B",
    "B {a: int} (a) without x, b, any",
    "Op {op: A*} (op)",
  ]);
  expect(restricted("", op("B"))).toEqual(["B {a: int} (a)", "Op {op: B} (op)"]);
});

const derived = (name: string, by: "extension" | "restriction", base: string, content: string, abstract = "false") =>
  `<xs:complexType name="${name}" abstract="${abstract}"><xs:complexContent><xs:${by} base="t:${base}"><xs:sequence>${content}</xs:sequence></xs:${by}></xs:complexContent></xs:complexType>`;
const optional = (name: string) => `<xs:element name="${name}" type="xs:int" minOccurs="0"/>`;
const family = `<xs:complexType name="A"><xs:sequence>${optional("a")}${optional("b")}${optional("c")}</xs:sequence></xs:complexType>
  <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="op" type="t:A"/></xs:sequence></xs:complexType></xs:element>`;

test("types derived from a restriction list the members that it removed", () => {
  const result = types(
    `${family}${derived("B", "restriction", "A", optional("a") + optional("b"), "true")}
     ${derived("C", "restriction", "B", optional("a"))}${derived("D", "extension", "C", optional("d"))}`,
  );
  expect(result.slice(-2)).toEqual(["C {a: int?} (a) without b, c", "D : C {^a: int?; d: int?} (a, d) without b, c"]);
});

test("an extension that adds a removed member again does not extend its base", () => {
  const result = types(
    `${family}${derived("B", "restriction", "A", optional("a"))}
     ${derived("C", "extension", "B", optional("c"))}${derived("D", "extension", "C", optional("d"))}`,
  );
  expect(result.slice(-3)).toEqual([
    "B {a: int?} (a) without b, c",
    "C {a: int?; c: int?} (a, c) without b",
    "D : C {^a: int?; ^c: int?; d: int?} (a, c, d) without b",
  ]);
});

const shapes = `
  <xs:complexType name="Shape" ABSTRACT><xs:sequence>${a}</xs:sequence></xs:complexType>
  <xs:complexType name="Circle"><xs:complexContent><xs:extension base="t:Shape"><xs:sequence>${b}</xs:sequence></xs:extension></xs:complexContent></xs:complexType>
  <xs:complexType name="Dot"><xs:complexContent><xs:extension base="t:Circle"/></xs:complexContent></xs:complexType>
  <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="s" type="t:Shape"/></xs:sequence></xs:complexType></xs:element>`;

test("a reference to a type with derived types is a union of them", () => {
  expect(types(shapes.replace("ABSTRACT", ""))).toEqual([
    "Shape {a: int} (a)",
    "Shape* any Shape: Shape=Shape | Circle=Circle | Dot=Dot",
    "Circle : Shape {^a: int; b: int} (a, b)",
    "Dot : Circle {^a: int; ^b: int} (a, b)",
    "Op {s: Shape*} (s)",
  ]);
});

test("an abstract type is not an alternative", () => {
  expect(types(shapes.replace("ABSTRACT", 'abstract="true"')).slice(0, 2)).toEqual([
    "Shape abstract {a: int} (a)",
    "Shape* any Shape: Circle=Circle | Dot=Dot",
  ]);
});

test("block excludes derived types", () => {
  expect(types(shapes.replace("ABSTRACT", 'block="extension"')).at(-1)).toBe("Op {s: Shape} (s)");
});

test.each([
  [
    "extension",
    [
      "Shape* any Shape: Shape=Shape | Circle=Circle | Small=Small",
      "Shape*/no-extension any Shape: Shape=Shape | Small=Small",
    ],
  ],
  [
    "restriction",
    [
      "Shape* any Shape: Shape=Shape | Circle=Circle | Small=Small",
      "Shape*/no-restriction any Shape: Shape=Shape | Circle=Circle",
    ],
  ],
  ["#all", ["Shape* any Shape: Shape=Shape | Circle=Circle | Small=Small"]],
  ["substitution", ["Shape* any Shape: Shape=Shape | Circle=Circle | Small=Small"]],
])("block=%s excludes types with this derivation, but only from its element", (block, want) => {
  const all = types(`
  <xs:complexType name="Shape"><xs:sequence>${a}</xs:sequence></xs:complexType>
  <xs:complexType name="Circle"><xs:complexContent><xs:extension base="t:Shape"><xs:sequence>${b}</xs:sequence></xs:extension></xs:complexContent></xs:complexType>
  <xs:complexType name="Small"><xs:complexContent><xs:restriction base="t:Shape"><xs:sequence>${a}</xs:sequence></xs:restriction></xs:complexContent></xs:complexType>
  <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="s" type="t:Shape"/><xs:element name="some" type="t:Shape" block="${block}"/></xs:sequence></xs:complexType></xs:element>`);
  expect(all.filter((line) => line.includes(" any "))).toEqual(want);
  const some = want[1]?.replace(/ .*/, "") ?? (block === "#all" ? "Shape" : "Shape*");
  expect(all.at(-1)).toBe(`Op {s: Shape*; some: ${some}} (s, some)`);
});

const substitutes = `
  <xs:element name="head" type="xs:string" ABSTRACT/>
  <xs:element name="one" type="xs:string" substitutionGroup="t:head"/>
  <xs:element name="two" type="xs:string" substitutionGroup="t:one"/>
  <xs:element name="Op"><xs:complexType><xs:sequence><xs:element ref="t:head" OCCURS/></xs:sequence></xs:complexType></xs:element>`;

test("a substitution group is a choice of its members", () => {
  expect(types(substitutes.replace("ABSTRACT", "").replace("OCCURS", 'minOccurs="0"'))).toEqual([
    "Op {head: string; one: string; two: string} ((head | one | two)?)",
  ]);
});

test("a substitution group that repeats is a member named after its head", () => {
  expect(types(substitutes.replace("ABSTRACT", 'abstract="true"').replace("OCCURS", 'maxOccurs="unbounded"'))).toEqual([
    "Op/(head) {one: string; two: string} ((one | two))",
    "Op {head: (Op/(head))[1..]} (head)",
  ]);
});

const simple: readonly (readonly [string, string])[] = [
  [
    '<xs:restriction base="xs:string"><xs:maxLength value="3"/><xs:pattern value="a"/><xs:pattern value="b"/></xs:restriction>',
    "string maxLength=3 pattern=a|b",
  ],
  [
    '<xs:restriction base="xs:string"><xs:enumeration value="x"/><xs:enumeration value="y"/></xs:restriction>',
    'string in "x" "y"',
  ],
  ['<xs:restriction base="xs:QName"><xs:enumeration value="t:x"/></xs:restriction>', 'QName in "{urn:t}x"'],
  [
    '<xs:restriction base="xs:int"><xs:minInclusive value="1"/><xs:maxExclusive value="9"/></xs:restriction>',
    "int minInclusive=1 maxExclusive=9",
  ],
  ['<xs:list itemType="xs:int"/>', "list of int"],
  ['<xs:union memberTypes="xs:int xs:string"/>', "union of int, string"],
];

test.each(simple)("the simple type %s", (content, text) => {
  expect(types(`<xs:simpleType name="S">${content}</xs:simpleType><xs:element name="Op" type="t:S"/>`)).toEqual([
    `S ${text}`,
  ]);
});

test("anonymous simple types are named by their path", () => {
  expect(
    types(`<xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="a"><xs:simpleType><xs:list><xs:simpleType>
      <xs:restriction base="xs:int"><xs:maxInclusive value="9"/></xs:restriction></xs:simpleType></xs:list></xs:simpleType></xs:element></xs:sequence></xs:complexType></xs:element>`),
  ).toEqual(["Op {a: Op/a} (a)", "Op/a list of Op/a/item", "Op/a/item int maxInclusive=9"]);
});

test("an anonymous type and a named type with the name of its element have different ids", () => {
  expect(
    types(`<xs:complexType name="Op"><xs:sequence>${a}</xs:sequence></xs:complexType>
      <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="op" type="t:Op"/></xs:sequence></xs:complexType></xs:element>`),
  ).toEqual(["Op {a: int} (a)", "Op@element {op: Op} (op)"]);
});

test("recursive types are lowered once", () => {
  expect(
    types(`<xs:complexType name="N"><xs:sequence><xs:element name="n" type="t:N" minOccurs="0" maxOccurs="unbounded"/></xs:sequence></xs:complexType>
      <xs:element name="Op" type="t:N"/>`),
  ).toEqual(["N {n: N[0..]} (n)"]);
});

test("a type without references is left out", () => {
  expect(types('<xs:complexType name="Unused"/><xs:element name="Op" type="xs:int"/>')).toEqual([]);
});

test("soapenc:Array restrictions are arrays", () => {
  const array = (content: string) => `<xs:import namespace="http://schemas.xmlsoap.org/soap/encoding/"/>
    <xs:complexType name="L"><xs:complexContent><xs:restriction base="soapenc:Array">${content}</xs:restriction></xs:complexContent></xs:complexType>
    <xs:element name="Op" type="t:L"/>`;
  const arrayType = (type: string) => `<xs:attribute ref="soapenc:arrayType" wsdl:arrayType="${type}"/>`;
  expect(types(array(arrayType("xs:int[]")))).toEqual(["L array of int item"]);
  expect(types(array(arrayType("xs:int[][]")))).toEqual(["L array of L/(item) item", "L/(item) array of int item"]);
  expect(
    types(array('<xs:sequence><xs:element name="x" type="xs:string" maxOccurs="unbounded"/></xs:sequence>'), ""),
  ).toEqual(["L array of string x"]);
});

test("arrays may be nested in each other, but not too deeply", () => {
  const array = (name: string, item: string) =>
    `<xs:complexType name="${name}"><xs:complexContent><xs:restriction base="soapenc:Array"><xs:attribute ref="soapenc:arrayType" wsdl:arrayType="${item}"/></xs:restriction></xs:complexContent></xs:complexType>`;
  const nested = (count: number, innermost = "xs:int[]") =>
    `<xs:import namespace="http://schemas.xmlsoap.org/soap/encoding/"/>${Array.from({ length: count }, (_, index) =>
      array(`N${index}`, index === 0 ? innermost : `t:N${index - 1}[]`),
    ).join("")}<xs:element name="Op" type="t:N${count - 1}"/>`;
  const refusal = /unsupported\.array-dimensions: More than 32 arrays are nested in each other\./;
  expect(problems(run(around(nested(32))).diagnostics)).toEqual([]);
  expect(problems(run(around(nested(32, "t:N31[]"))).diagnostics)).toEqual([]);
  for (const content of [nested(33), nested(2_000), nested(32, "xs:int[][]"), nested(1, `xs:int${"[]".repeat(33)}`)]) {
    expect(problems(run(around(content)).diagnostics)).toEqual([expect.stringMatching(refusal)]);
  }
});

test("soapenc's simple types are the built-in types", () => {
  expect(
    types(`<xs:import namespace="http://schemas.xmlsoap.org/soap/encoding/"/>
      <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="a" type="soapenc:string"/></xs:sequence></xs:complexType></xs:element>`),
  ).toEqual(["Op {a: string} (a)"]);
});

test("types are in schema order, and types of included documents are sorted by namespace", () => {
  const included =
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:complexType name="B"/><xs:complexType name="A"/></xs:schema>';
  const files = {
    "a.wsdl": around(`<xs:include schemaLocation="i.xsd"/>
      <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="a" type="t:A"/><xs:element name="b" type="t:B"/><xs:element name="z" type="t:Z"/></xs:sequence></xs:complexType></xs:element>
      <xs:complexType name="Z"/>`),
    "i.xsd": included,
  };
  expect(lower(files).contract.types.map((type) => type.id)).toEqual(["{urn:t}Op", "{urn:t}Z", "{urn:t}B", "{urn:t}A"]);
});

test("an element that occurs too often in one type is refused", () => {
  const many = '<xs:element name="a" type="xs:int"/>'.repeat(1_001);
  const { diagnostics } = run(
    around(`<xs:element name="Op"><xs:complexType><xs:sequence>${many}</xs:sequence></xs:complexType></xs:element>`),
  );
  expect(problems(diagnostics)).toEqual([
    expect.stringContaining('error limit.sameNameElements: The name "a" occurs more than 1000 times in one type.'),
  ]);
});

test("a group without complexType, and a derivation without complexContent, are read as if they were inside", () => {
  const content = `<xs:element name="Op"><xs:sequence><xs:element name="a" type="t:B"/></xs:sequence></xs:element>
    <xs:complexType name="A"><xs:sequence><xs:element name="x" type="xs:int"/></xs:sequence></xs:complexType>
    <xs:complexType name="B"><xs:extension base="t:A"><xs:sequence><xs:element name="y" type="xs:int"/></xs:sequence></xs:extension></xs:complexType>`;
  expect(types(content)).toEqual(["Op {a: B} (a)", "A {x: int} (x)", "B : A {^x: int; y: int} (x, y)"]);
  expect(remarks(content)).toEqual([
    expect.stringContaining("<xs:sequence> is not allowed in <xs:element>. It is read as if it were in <complexType>."),
    expect.stringContaining(
      "<xs:extension> is not allowed in <xs:complexType>. It is read as if it were in <complexContent>.",
    ),
  ]);
});

test("an extension of a simple type without simpleContent is reported with one suggestion", () => {
  const content = `<xs:element name="Op"><xs:complexType><xs:extension base="xs:string"><xs:attribute name="k" type="xs:int"/></xs:extension></xs:complexType></xs:element>`;
  expect(types(content)).toEqual(["Op {@k: int?; #value: string} ()"]);
  expect(remarks(content)).toEqual([
    expect.stringContaining(
      "Put the element into <complexContent>, or into <simpleContent> if its base is a simple type.",
    ),
    expect.stringContaining("Use <simpleContent><extension>."),
  ]);
});

test.each(["sequence", "choice", "all"])("an element with a type and the group %s is refused", (group) => {
  const both = `<xs:element name="a" type="xs:string"><xs:${group}><xs:element name="x" type="xs:int"/></xs:${group}></xs:element>`;
  for (const content of [
    both.replace('"a"', '"Op"'),
    `<xs:element name="Op"><xs:complexType><xs:sequence>${both}</xs:sequence></xs:complexType></xs:element>`,
  ]) {
    expect(problems(run(around(content)).diagnostics)).toEqual([
      expect.stringContaining(
        `<element> has both type="xs:string" and a child <${group}>. Remove the attribute or the child.`,
      ),
    ]);
  }
});

test("tolerated differences widen only the types of answers", () => {
  const source = around(
    `<xs:simpleType name="Sky"><xs:restriction base="xs:string"><xs:enumeration value="clear"/></xs:restriction></xs:simpleType>
     <xs:simpleType name="Wind"><xs:restriction base="xs:string"><xs:enumeration value="calm"/></xs:restriction></xs:simpleType>
     <xs:complexType name="Plain"><xs:sequence><xs:element name="note" type="xs:string" minOccurs="0"/></xs:sequence></xs:complexType>
     <xs:complexType name="Day"><xs:sequence><xs:element name="sky" type="t:Sky"/></xs:sequence></xs:complexType>
     <xs:element name="Op"><xs:complexType><xs:sequence><xs:element name="day" type="t:Day"/><xs:element name="plain" type="t:Plain" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>
     <xs:element name="OpResponse"><xs:complexType><xs:sequence><xs:element name="days" type="t:Day" maxOccurs="unbounded"/><xs:element name="wind" type="t:Wind" minOccurs="0"/><xs:element name="plain" type="t:Plain" minOccurs="0"/></xs:sequence></xs:complexType></xs:element>`,
  )
    .replace(
      "<wsdl:portType",
      '<wsdl:message name="Out"><wsdl:part name="parameters" element="t:OpResponse"/></wsdl:message><wsdl:portType',
    )
    .replace('<wsdl:input message="t:In"/>', '<wsdl:input message="t:In"/><wsdl:output message="t:Out"/>')
    .replace(
      "</wsdl:input></wsdl:operation>",
      '</wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>',
    );
  const { contract } = lower(source, { tolerate: ["enumeration"] });
  const widened = contract.types.map(
    (type) => (type.kind === "enumeration" && type.open ? "open " : "") + typeText(type),
  );
  expect(widened).toEqual([
    'Sky string in "clear"',
    'open Wind string in "calm"',
    "Plain {note: string?} (note)",
    "Day {sky: Sky} (sky)",
    "Op {day: Day; plain: Plain?} (day, plain)",
    "OpResponse {days: Day^answer[1..]; wind: Wind?; plain: Plain?} (days, wind, plain)",
    'open Sky^answer string in "clear"',
    "Day^answer {sky: Sky^answer} (sky)",
  ]);
  expect(contract.types.at(-1)?.words).toEqual(["Day", "Answer"]);
});
