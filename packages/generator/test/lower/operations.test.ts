import { expect, test } from "vitest";
import { problems, reported, schema, wsdl } from "../read/wsdl/reading.js";
import { lower, operationTexts, run, typeText } from "./lowering.js";

interface Case {
  readonly types?: string;
  readonly messages: string;
  /** Inside the operation of the port type. */
  readonly operation: string;
  /** Inside the operation of the binding. */
  readonly bound?: string;
  readonly style?: string;
  readonly name?: string;
}

const literal =
  '<wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output>';

function service({ types = "", messages, operation, bound = literal, style = "document", name = "Op" }: Case): string {
  return wsdl(`${schema(types)}${messages}
    <wsdl:portType name="P"><wsdl:operation name="${name}">${operation}</wsdl:operation></wsdl:portType>
    <wsdl:binding name="B" type="t:P"><soap:binding style="${style}"/><wsdl:operation name="${name}">
      <soap:operation soapAction="urn:act"/>${bound}</wsdl:operation></wsdl:binding>
    <wsdl:service name="S"><wsdl:port name="Port" binding="t:B"><soap:address location="http://x.example/"/></wsdl:port></wsdl:service>`);
}

function outcome(testCase: Case): readonly string[] {
  const { contract } = lower(service(testCase));
  const records = contract.types.filter((type) => type.id.includes("@") || type.id.includes("#"));
  return [...contract.services.flatMap(operationTexts), ...records.map(typeText)];
}

const inOut = '<wsdl:input message="t:In"/><wsdl:output message="t:Out"/>';
const message = (name: string, ...parts: readonly string[]) =>
  `<wsdl:message name="${name}">${parts.map((part) => `<wsdl:part ${part}/>`).join("")}</wsdl:message>`;
const element = (name: string, members = "", attributes = "") =>
  `<xs:element name="${name}"${attributes}><xs:complexType><xs:sequence>${members}</xs:sequence></xs:complexType></xs:element>`;
const member = (name: string, type = "xs:string") => `<xs:element name="${name}" type="${type}" minOccurs="0"/>`;
const documentMessages = message("In", 'name="p" element="t:Op"') + message("Out", 'name="p" element="t:OpResponse"');

test("the result of a wrapped operation is the only member of the wrapper", () => {
  const types = element("Op", member("a")) + element("OpResponse", member("OpResult"));
  expect(outcome({ types, messages: documentMessages, operation: inOut })).toEqual([
    "Op(<Op> Op) -> <OpResponse> OpResponse.OpResult [soap11]",
  ]);
});

test("an empty wrapper has no result, and a wrapper with several members is the result", () => {
  const empty = element("Op") + element("OpResponse");
  expect(outcome({ types: empty, messages: documentMessages, operation: inOut })).toEqual([
    "Op(<Op> Op) -> <OpResponse> OpResponse empty [soap11]",
  ]);
  const several = element("Op") + element("OpResponse", member("a") + member("b"));
  expect(outcome({ types: several, messages: documentMessages, operation: inOut })).toEqual([
    "Op(<Op> Op) -> <OpResponse> OpResponse [soap11]",
  ]);
});

test("the result of a bare operation is its element", () => {
  const types = `<xs:element name="Op" type="xs:int" nillable="true"/>${element("OpResponse", member("a"))}`;
  expect(outcome({ types, messages: documentMessages, operation: inOut, name: "Do" })).toEqual([
    "Do(<Op> int nil) -> <OpResponse> OpResponse [soap11]",
  ]);
});

test("operations with equal headers share a type, which is CommonHeaders if the names of its blocks are too long", () => {
  const blocks = ["impersonation", "serializedSecurityContext", "mailboxCulture", "requestServerVersion"];
  const elements = blocks.map((name) => `<xs:element name="${name}" type="xs:int"/>`).join("");
  const parts = blocks.map((name) => `name="${name}" element="t:${name}"`);
  const headers = blocks.map((name) => `<soap:header message="t:H" part="${name}" use="literal"/>`).join("");
  const operation = (name: string) =>
    `<wsdl:operation name="${name}"><soap:operation soapAction="urn:${name}"/><wsdl:input>${headers}<soap:body use="literal"/></wsdl:input></wsdl:operation>`;
  const { contract: alone } = lower(
    wsdl(`${schema(`${element("Find")}${elements}`)}${message("H", ...parts)}
      ${message("Find", 'name="p" element="t:Find"')}
      <wsdl:portType name="P"><wsdl:operation name="Find"><wsdl:input message="t:Find"/></wsdl:operation></wsdl:portType>
      <wsdl:binding name="B" type="t:P"><soap:binding style="document"/>${operation("Find")}</wsdl:binding>`),
  );
  expect(alone.types.map(({ words }) => words.join(" "))).toContain("FindHeaders");
  const { contract } = lower(
    wsdl(`${schema(`${element("Find")}${element("Get")}${elements}`)}${message("H", ...parts)}
      ${message("Find", 'name="p" element="t:Find"')}${message("Get", 'name="p" element="t:Get"')}
      <wsdl:portType name="P"><wsdl:operation name="Find"><wsdl:input message="t:Find"/></wsdl:operation>
        <wsdl:operation name="Get"><wsdl:input message="t:Get"/></wsdl:operation></wsdl:portType>
      <wsdl:binding name="B" type="t:P"><soap:binding style="document"/>${operation("Find")}${operation("Get")}</wsdl:binding>
      <wsdl:service name="S"><wsdl:port name="Port" binding="t:B"><soap:address location="http://x.example/"/></wsdl:port></wsdl:service>`),
  );
  const [find, get] = contract.services.flatMap(({ operations }) => operations);
  expect(get?.input.headers).toBe(find?.input.headers);
  expect(contract.types.find(({ id }) => id === find?.input.headers)?.words).toEqual(["CommonHeaders"]);
});

/** Document-style operations with the header blocks, as a WSDL with one service. */
function withHeaders(operations: Readonly<Record<string, readonly string[]>>): string {
  const names = Object.keys(operations);
  const blocks = [...new Set(Object.values(operations).flat())];
  const messages = names.map((name) => message(name, `name="p" element="t:${name}"`)).join("");
  const declared = [
    ...names.map((name) => element(name)),
    ...blocks.map((name) => `<xs:element name="${name}" type="xs:int"/>`),
  ];
  const bound = Object.entries(operations).map(
    ([name, parts]) =>
      `<wsdl:operation name="${name}"><soap:operation soapAction="urn:${name}"/><wsdl:input>${parts
        .map((part) => `<soap:header message="t:H" part="${part}" use="literal"/>`)
        .join("")}<soap:body use="literal"/></wsdl:input></wsdl:operation>`,
  );
  return wsdl(`${schema(declared.join(""))}${message("H", ...blocks.map((name) => `name="${name}" element="t:${name}"`))}${messages}
    <wsdl:portType name="P">${names.map((name) => `<wsdl:operation name="${name}"><wsdl:input message="t:${name}"/></wsdl:operation>`).join("")}</wsdl:portType>
    <wsdl:binding name="B" type="t:P"><soap:binding style="document"/>${bound.join("")}</wsdl:binding>
    <wsdl:service name="S"><wsdl:port name="Port" binding="t:B"><soap:address location="http://x.example/"/></wsdl:port></wsdl:service>`);
}

test("operations share header types whatever the order of the blocks", () => {
  const { contract } = lower(withHeaders({ Find: ["a", "b"], Get: ["b", "a"], Add: ["a"] }));
  const [find, get, add] = contract.services.flatMap(({ operations }) => operations);
  expect(get?.input.headers).toBe(find?.input.headers);
  expect(add?.input.headers).not.toBe(find?.input.headers);
  expect(contract.types.flatMap(({ id, words }) => (id.includes("@headers") ? words : []))).toEqual([
    "AAndBHeaders",
    "AHeaders",
  ]);
});

test("CommonHeaders is the long header type that most operations use", () => {
  const few = ["impersonation", "serializedSecurityContext", "mailboxCulture", "requestServerVersion"];
  const most = [...few, "timeZone"];
  const { contract } = lower(withHeaders({ Find: few, Sync: few, Get: most, Add: most, Move: most }));
  const wordsOf = (name: string) => {
    const operation = contract.services.flatMap(({ operations }) => operations).find((each) => each.name === name);
    return contract.types.find(({ id }) => id === operation?.input.headers)?.words;
  };
  expect(wordsOf("Find")).toEqual(["FindHeaders"]);
  expect(wordsOf("Move")).toEqual(["CommonHeaders"]);
});

test("the names of header blocks begin with capitals in the name of their type", () => {
  const types = `${element("Op")}<xs:element name="tokenPassport" type="xs:int"/><xs:element name="partnerInfo" type="xs:int"/>`;
  const messages = message(
    "In",
    'name="p" element="t:Op"',
    'name="a" element="t:tokenPassport"',
    'name="b" element="t:partnerInfo"',
  );
  const header = (part: string) => `<soap:header message="t:In" part="${part}" use="literal"/>`;
  const bound = `<wsdl:input>${header("a")}${header("b")}<soap:body use="literal" parts="p"/></wsdl:input>`;
  const { contract } = lower(service({ types, messages, operation: '<wsdl:input message="t:In"/>', bound }));
  expect(contract.types.map(({ words }) => words.join(" "))).toContain("TokenPassportAndPartnerInfoHeaders");
});

test("a body has the default or fixed value of its element", () => {
  const types = `<xs:element name="Op" type="xs:int" default="5"/><xs:element name="OpResponse" type="xs:int" fixed="7"/>`;
  const { contract } = lower(service({ types, messages: documentMessages, operation: inOut }));
  const [operation] = contract.services.flatMap(({ operations }) => operations);
  expect(operation?.input.body).toMatchObject({ default: "5", fixed: undefined });
  expect(operation?.output?.body).toMatchObject({ default: undefined, fixed: "7" });
});

test("several parts are several elements of the body", () => {
  const types = element("Op") + element("OpResponse");
  const messages = message("In", 'name="p" element="t:Op"', 'name="q" element="t:OpResponse"') + message("Out");
  expect(outcome({ types, messages, operation: inOut })).toEqual([
    "Op(parts In@message) -> parts Out@message empty [soap11]",
    "In@message {Op: Op; OpResponse: OpResponse} (Op, OpResponse)",
    "Out@message {} ()",
  ]);
});

test("soap:body may list some of the parts, and headers may contain others", () => {
  const types = `${element("Op") + element("OpResponse", member("r"))}<xs:element name="H" type="xs:int"/>`;
  const messages =
    message("In", 'name="p" element="t:Op"', 'name="h" element="t:H"') +
    message("Out", 'name="p" element="t:OpResponse"');
  const bound = (body: string) =>
    `<wsdl:input><soap:header message="t:In" part="h" use="literal"/>${body}</wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output>`;
  const expected = [
    "Op(<Op> Op + HHeaders@headers) -> <OpResponse> OpResponse.r [soap11]",
    "HHeaders@headers {H: int?} (H)",
  ];
  expect(outcome({ types, messages, operation: inOut, bound: bound('<soap:body use="literal" parts="p"/>') })).toEqual(
    expected,
  );
  expect(outcome({ types, messages, operation: inOut, bound: bound('<soap:body use="literal"/>') })).toEqual(expected);
});

test("an rpc operation wraps its typed parts, unqualified, in the namespace of soap:body", () => {
  const messages =
    message("In", 'name="b" type="xs:int"', 'name="a" type="t:T"') + message("Out", 'name="r" type="xs:string"');
  const body = '<soap:body use="literal" namespace="urn:n"/>';
  const direction = {
    types: '<xs:complexType name="T"/>',
    messages,
    operation: inOut,
    style: "rpc",
    bound: `<wsdl:input>${body}</wsdl:input><wsdl:output>${body}</wsdl:output>`,
  };
  expect(outcome(direction)).toEqual([
    "Op(rpc <{urn:n}Op> {urn:n}Op@rpc) -> rpc <{urn:n}OpResponse> {urn:n}OpResponse@rpc.r [soap11]",
    "{urn:n}Op@rpc {~b: int; ~a: T} (b, a)",
    "{urn:n}OpResponse@rpc {~r: string} (r)",
  ]);
  const encoded = { ...direction, bound: direction.bound.replaceAll("literal", "encoded") };
  expect(outcome(encoded)).toEqual([
    "Op(rpc encoded <{urn:n}Op> {urn:n}Op@rpc) -> rpc encoded <{urn:n}OpResponse> {urn:n}OpResponse@rpc.r [soap11]",
    "{urn:n}Op@rpc {~b: int nil; ~a: T nil} (b, a)",
    "{urn:n}OpResponse@rpc {~r: string nil} (r)",
  ]);
});

test("a fault has the element of its part", () => {
  const types = element("Op") + element("OpResponse", member("r")) + element("F", member("a"));
  const messages = documentMessages + message("Bad", 'name="f" element="t:F"');
  const operation = `${inOut}<wsdl:fault name="bad" message="t:Bad"/>`;
  expect(outcome({ types, messages, operation })).toEqual([
    "Op(<Op> Op) -> <OpResponse> OpResponse.r throws bad:F [soap11]",
  ]);
});

test("an operation without output is one-way", () => {
  const direction = {
    types: element("Op"),
    messages: message("In", 'name="p" element="t:Op"'),
    operation: '<wsdl:input message="t:In"/>',
    bound: '<wsdl:input><soap:body use="literal"/></wsdl:input>',
  };
  expect(outcome(direction)).toEqual(["Op(<Op> Op) [soap11]"]);
});

test("overloaded operations are identified by the names of their messages", () => {
  const { contract } = lower(
    wsdl(`${schema(element("A") + element("B"))}${message("InA", 'name="p" element="t:A"')}${message("InB", 'name="p" element="t:B"')}
      <wsdl:portType name="P">
        <wsdl:operation name="Op"><wsdl:input name="a" message="t:InA"/></wsdl:operation>
        <wsdl:operation name="Op"><wsdl:input name="b" message="t:InB"/></wsdl:operation></wsdl:portType>
      <wsdl:binding name="B" type="t:P"><soap:binding/>
        <wsdl:operation name="Op"><wsdl:input name="b"><soap:body use="literal"/></wsdl:input></wsdl:operation>
        <wsdl:operation name="Op"><wsdl:input name="a"><soap:body use="literal"/></wsdl:input></wsdl:operation></wsdl:binding>`),
  );
  expect(contract.services.flatMap(operationTexts)).toEqual(["Op#2(<B> B) [soap11]", "Op(<A> A) [soap11]"]);
});

/** A multipart message with a part that is not in the soap:body. */
function related(content: string): string {
  return `<wsdl:input><mime:multipartRelated><mime:part><soap:body use="literal"/></mime:part><mime:part>${content}</mime:part></mime:multipartRelated></wsdl:input>`;
}

test("attached parts are members that contain bytes", () => {
  const { contract } = lower(
    wsdl(`${schema("")}${message("In", 'name="p" type="xs:int"', 'name="q" type="xs:base64Binary"')}
      <wsdl:portType name="P"><wsdl:operation name="Op"><wsdl:input message="t:In"/></wsdl:operation></wsdl:portType>
      <wsdl:binding name="B" type="t:P"><soap:binding style="rpc"/><wsdl:operation name="Op">
        ${related('<mime:content part="q" type="image/png"/><mime:content part="q" type="image/gif"/>')}</wsdl:operation></wsdl:binding>`),
  );
  const [operation] = contract.services.flatMap((service) => service.operations);
  expect(operation?.input.attachments).toMatchObject([{ key: "q", part: "q", types: ["image/png", "image/gif"] }]);
  const wrapper = contract.types.find((type) => type.kind === "record");
  expect(wrapper?.kind === "record" && wrapper.fields.map((field) => field.key)).toEqual(["p"]);
});

test("a body without members is a member when there are attachments", () => {
  const { contract } = lower(
    wsdl(`${schema('<xs:element name="E" type="xs:string"/>')}${message("In", 'name="p" element="t:E"', 'name="q" type="xs:int"')}
      <wsdl:portType name="P"><wsdl:operation name="Op"><wsdl:input message="t:In"/></wsdl:operation></wsdl:portType>
      <wsdl:binding name="B" type="t:P"><soap:binding/><wsdl:operation name="Op">${related('<mime:content part="q" type="image/png"/>')}</wsdl:operation></wsdl:binding>`),
  );
  const [input] = contract.services.flatMap((service) => service.operations.map((operation) => operation.input));
  expect(input).toMatchObject({ body: { kind: "parts" }, attachments: [{ key: "q" }] });
  const parts = contract.types.find((type) => type.kind === "record");
  expect(parts?.kind === "record" && parts.fields.map((field) => field.key)).toEqual(["E"]);
});

const refused: readonly (readonly [string, Case, string])[] = [
  [
    "an attachment without a part",
    {
      messages: message("In", 'name="p" type="xs:int"'),
      operation: '<wsdl:input message="t:In"/>',
      style: "rpc",
      bound: related('<mime:content type="image/png"/>'),
    },
    "error unsupported.mime-multipart: A mime:content beside the soap:body does not name its part.",
  ],
  [
    "an attachment of a part that the message lacks",
    {
      messages: message("In", 'name="photo" type="xs:int"'),
      operation: '<wsdl:input message="t:In"/>',
      style: "rpc",
      bound: related('<mime:content part="Photo" type="image/png"/>'),
    },
    'error wsdl.unknown-part: mime:content names the part "Photo", which the message "In" does not have. Did you mean "photo"?',
  ],
  [
    "a part that soap:body names and the message lacks",
    {
      messages: message("In", 'name="part" type="xs:int"'),
      operation: '<wsdl:input message="t:In"/>',
      style: "rpc",
      bound: '<wsdl:input><soap:body use="literal" parts="prat"/></wsdl:input>',
    },
    'error wsdl.unknown-part: soap:body names the part "prat", which the message "In" does not have. Did you mean "part"?',
  ],
  [
    "a line break in the soapAction",
    {
      messages: message("In"),
      operation: '<wsdl:input message="t:In"/>',
      bound: '<soap:operation soapAction="a"/><wsdl:input><soap:body use="literal"/></wsdl:input>',
      name: "Line",
    },
    "error wsdl.bad-action",
  ],
];

test.each(refused)("%s is refused", (_, testCase, text) => {
  const source = service(testCase).replace("urn:act", testCase.name === "Line" ? "urn:a&#13;&#10;Evil: 1" : "urn:act");
  expect(problems(run(source).diagnostics).join("\n")).toContain(text);
});

test("a multipart message with only a root part is the same as a soap:body", () => {
  const bound =
    '<wsdl:input><mime:multipartRelated><mime:part><soap:body use="literal"/></mime:part></mime:multipartRelated></wsdl:input>';
  const messages = message("In", 'name="p" element="t:Op"');
  expect(outcome({ types: element("Op"), messages, operation: '<wsdl:input message="t:In"/>', bound })).toEqual([
    "Op(<Op> Op) [soap11]",
  ]);
});

test("a document style part with a type is an element with the part's name, with a warning", () => {
  const source = service({
    messages: message("In", 'name="p" type="xs:int"'),
    operation: '<wsdl:input message="t:In"/>',
  });
  const { contract, diagnostics } = lower(source);
  expect(contract.services.flatMap(operationTexts)).toEqual(["Op(parts In@message) [soap11]"]);
  expect(reported(diagnostics)).toEqual([expect.stringContaining("warning wsdl.document-type-part")]);
});

const dangling: readonly (readonly [string, string, string])[] = [
  [
    'element="t:Op"',
    'element="t:Opp"',
    'a.wsdl:4:54 error wsdl.unknown-element: The part "p" refers to the element t:Opp, which no schema declares. Did you mean t:Op (a.wsdl:2:',
  ],
  ['element="t:Op"', 'type="t:Opp"', "error wsdl.unknown-type"],
  [
    'message="t:In"',
    'message="t:Inn"',
    'error wsdl.unknown-message: The input or output "OpRequest" refers to the message t:Inn, which no document defines. Did you mean t:In (a.wsdl:',
  ],
  [
    'type="t:P"',
    'type="t:p"',
    'error wsdl.unknown-port-type: The binding "B" refers to the port type t:p, which no document defines. Did you mean t:P (a.wsdl:',
  ],
  [
    'binding="t:B"',
    'binding="t:b"',
    'error wsdl.unknown-binding: The port "Port" refers to the binding t:b, which no document defines. Did you mean t:B (a.wsdl:',
  ],
  [
    '<soap:binding style="document"/><wsdl:operation name="Op">',
    '<soap:binding style="document"/><wsdl:operation name="OP">',
    'error wsdl.unknown-operation: The operation "OP" is bound, but the port type "P" does not have it. Did you mean "Op"?',
  ],
  [
    "<wsdl:portType",
    '<wsdl:message name="In"/><wsdl:portType',
    'error wsdl.duplicate-name: The message "In" is defined twice.',
  ],
  [
    'element="t:Op"',
    'element="t:Op" type="xs:int"',
    'error wsdl.part-type: The part "p" has both an element and a type.',
  ],
];

test.each(dangling)("%s as %s is reported", (from, to, text) => {
  const source = service({
    types: element("Op") + element("OpResponse"),
    messages: `\n\n${documentMessages}`,
    operation: inOut,
  });
  expect(source).toContain(from);
  expect(problems(run(source.replace(from, to)).diagnostics).join("\n")).toContain(text);
});

test.each([
  { namespace: `urn:${"long".repeat(30)}`, to: "t:Opp", want: "Did you mean t:Op (" },
  { namespace: "urn:t", to: "t:Xyz", want: "Declare the element" },
])("a suggestion for $to in $namespace depends on the local name", ({ namespace, to, want }) => {
  const source = service({
    types: element("Op") + element("OpResponse"),
    messages: documentMessages,
    operation: inOut,
  });
  const text = source.replace('element="t:Op"', `element="${to}"`).replaceAll("urn:t", namespace);
  expect(problems(run(text).diagnostics).join("\n")).toContain(want);
});
