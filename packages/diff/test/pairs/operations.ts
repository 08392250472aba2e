import type { RuleId } from "../../src/index.js";
import { edited, projects } from "../edits/sources.js";
import type { Sources } from "../proof/contracts.js";
import { addresses, declaredFaults, defaults, failures, hosts, schemes } from "../proof/special-calls.js";
import { element, type Pair, sequence, shareSources, wsdlOf } from "./pair.js";
import { type InterfaceSettings, portsOf, serviceOf, servicesOf } from "./service.js";

const [ask, tell, buy] = [{ name: "Ask" }, { name: "Tell" }, { name: "Buy" }];
const call = { old: "Ask", new: "Ask" };

function pair(rule: RuleId, before: InterfaceSettings, after: InterfaceSettings, init: Partial<Pair> = {}): Pair {
  return { rule, old: serviceOf(before), new: serviceOf(after), call, ...init };
}

function both(
  rule: RuleId,
  oppositeRule: RuleId,
  [before, after]: readonly [InterfaceSettings, InterfaceSettings],
  init: Partial<Pair> = {},
): readonly Pair[] {
  const swapped = init.call === undefined ? {} : { call: { ...init.call, old: init.call.new, new: init.call.old } };
  return [pair(rule, before, after, init), pair(oppositeRule, after, before, { ...init, ...swapped })];
}

/** `T` with an integer, which generated code represents as values of a TypeScript type. */
const integersAs = (integer: "bigint" | "number" | "string") => ({
  ...wsdlOf(sequence(element("a:integer"))),
  "bothends.json": config({ api: { wsdl: ["t.wsdl"], typeMap: { integer } } }),
});
const config = (interfaces: object) =>
  JSON.stringify({
    packages: {
      contract: { path: "contract", name: "a" },
      client: { path: "client", name: "b" },
      server: { path: "server", name: "c" },
    },
    interfaces,
  });
const sources = (init: InterfaceSettings, settings: object) => ({
  ...serviceOf(init),
  "bothends.json": config({ api: { wsdl: ["s.wsdl"], ...settings } }),
});
const optionalMembers =
  '<element name="q" type="string" minOccurs="0"/><element name="s" type="string" minOccurs="0"/>';
const withMembers = (members: string): InterfaceSettings => ({ operations: [{ name: "Ask", members }] });
/** A WSDL with a second service, which has no address. */
const withUnaddressedService: Sources = {
  "s.wsdl": (servicesOf([ask], [buy])["s.wsdl"] ?? "").replace('<soap:address location="http://s.example/more"/>', ""),
};
/** An argument that the HTTP ports do not have, so that their operations differ. */
const withSoapArgument = edited("vehicle", [
  {
    file: "reg.wsdl",
    from: /(<s:element name="CheckUSA">\s*<s:complexType>\s*<s:sequence>)/,
    to: '$1<s:element name="Colour" type="s:string" />',
  },
]);
const split: Partial<Pair> = {
  also: ["member-added-required"],
  call: { old: "CheckUSA", new: "CheckUSA", protocol: "soap11" },
};

/** A parameter that only HTTP GET names otherwise. */
const withHttpParameter = edited("vehicle", [
  { file: "reg.wsdl", from: /(<wsdl:message name="CheckAustriaHttpGetIn">\s*<wsdl:part name=")NatCode/, to: "$1Code" },
]);

const onePortType: InterfaceSettings = { protocols: ["soap11", "soap12"], style: "rpc" };
const rpc: InterfaceSettings = { style: "rpc" };
/** A service of rpc style whose bodies have another namespace than its WSDL. */
const withBodyNamespace = (init: InterfaceSettings): Sources => ({
  "s.wsdl": (serviceOf(init)["s.wsdl"] ?? "").replace(/(<soap:body [^>]*)namespace="[^"]*"/g, '$1namespace="urn:body"'),
});
const bothProtocols: InterfaceSettings = { protocols: ["soap11", "soap12"] };
const twoOperations: InterfaceSettings = { protocols: ["soap12"], operations: [{ name: "Ask" }, { name: "Tell" }] };
/** A service whose operations Ask and Tell have each other's actions. */
const exchangedActions = ({ "s.wsdl": text = "", ...others }: Sources): Sources => ({
  ...others,
  "s.wsdl": text.replace(/(?<=soapAction="urn:action\/)\w+/g, (name) => (name === "Ask" ? "Tell" : "Ask")),
});
/** The same service, in which Ask and Tell have each other's names in the port type and the bindings. */
const exchangedNames = ({ "s.wsdl": text = "" }: Sources): Sources => ({
  "s.wsdl": text.replace(/(?<=<operation name=")\w+/g, (name) => (name === "Ask" ? "Tell" : "Ask")),
});
/** A service with two ports at one address, of which one moves to another address. */
const movedPort = (protocol: "soap11" | "soap12") => {
  const prefix = protocol === "soap11" ? "soap" : "soap12";
  const address = `<${prefix}:address location="http://s.example/`;
  return replaced(bothProtocols, [`${address}s"`, `${address}other"`]);
};
const headerAtOnePort: InterfaceSettings = {
  protocols: ["soap11", "soap12"],
  otherOperations: [{ name: "Ask", header: true }],
};
const twoPortTypes: InterfaceSettings = { ...onePortType, otherOperations: [{ name: "Tell" }] };

/** A service with replacements in its WSDL. */
function replaced(init: InterfaceSettings, ...replacements: readonly (readonly [from: string, to: string])[]): Sources {
  const text = replacements.reduce((whole, [from, to]) => {
    if (!whole.includes(from)) {
      throw new Error(`The WSDL does not contain ${from}.`);
    }
    return whole.replace(from, to);
  }, serviceOf(init)["s.wsdl"] ?? "");
  return { "s.wsdl": text };
}

function renamedFault(name: string, init: InterfaceSettings = {}): Sources {
  const text = serviceOf({ ...init, operations: [{ name: "Ask", fault: "Broken" }] })["s.wsdl"] ?? "";
  return { "s.wsdl": text.replaceAll('"Problem"', `"${name}"`) };
}

/** A service with a fault whose detail has some members, each given as `why:string`. */
export function detailed(...members: readonly string[]): Sources {
  const elements = members.map((member) => {
    const [name, type] = member.split(":");
    return `<element name="${name}" type="${type}"/>`;
  });
  return replaced({ operations: [{ name: "Ask", fault: "Broken" }] }, [
    '<element name="Broken"><complexType><sequence><element name="why" type="string"/>',
    `<element name="Broken"><complexType><sequence>${elements.join("")}`,
  ]);
}

/** A pair of WSDLs for a rule, and the swapped pair for the opposite rule. */
function swapped(
  rule: RuleId,
  oppositeRule: RuleId,
  [before, after]: readonly [Sources, Sources],
  init: Partial<Pair> = {},
): readonly Pair[] {
  return [
    { rule, old: before, new: after, call, ...init },
    { rule: oppositeRule, old: after, new: before, call, ...init },
  ];
}

const securityPolicy = "http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702";

/** A service whose binding has a policy with some assertions. */
function secured(...assertions: readonly string[]): Sources {
  const policy = assertions.map((name) => `<sp:${name} xmlns:sp="${securityPolicy}"/>`).join("");
  return replaced(
    {},
    [
      "</definitions>",
      `<wsp:Policy xmlns:wsp="http://www.w3.org/ns/ws-policy" xmlns:wsu="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd" wsu:Id="secure"><wsp:ExactlyOne><wsp:All>${policy}</wsp:All></wsp:ExactlyOne></wsp:Policy></definitions>`,
    ],
    [
      '<binding name="soap11" type="t:P">',
      '<binding name="soap11" type="t:P"><wsp:PolicyReference xmlns:wsp="http://www.w3.org/ns/ws-policy" URI="#secure"/>',
    ],
  );
}

/** A service whose request is one element with an integer. */
function bare(attributes: string): Sources {
  const members = '<element name="q" type="string"/>';
  return replaced({}, [
    `<element name="Ask"><complexType><sequence>${members}</sequence></complexType></element>`,
    `<element name="Ask" type="int" ${attributes}/>`,
  ]);
}

/** A service with a fault that has an action of WS-Addressing. */
function broken(action: string): Sources {
  return replaced({ addressing: "optional", operations: [{ name: "Ask", fault: "Broken" }] }, [
    '<fault name="Problem" message="t:BrokenFault"',
    `<fault name="Problem" message="t:BrokenFault" wsam:Action="${action}"`,
  ]);
}

const twoProtocols: InterfaceSettings = { protocols: ["soap11", "soap12"] };

/** A service of which one port has no address. */
function withoutAddress(init: InterfaceSettings, prefix: "soap" | "soap12"): Sources {
  return replaced(init, [`<${prefix}:address location="http://s.example/s"/>`, ""]);
}

/** A service with a header that is an integer. */
function nilHeader(attributes: string): Sources {
  return replaced({ operations: [{ name: "Ask", header: true }] }, [
    '<element name="Session" type="string"/>',
    `<element name="Session" type="int" ${attributes}/>`,
  ]);
}

/** A document-style service whose request has parts in place of one element, with the name of its operation. */
function partsRequest(name: string, parts: string): Sources {
  return replaced(
    { operations: [{ name: "Ask" }, { name: "Tell" }] },
    ['<part name="p" element="e:Ask"/>', parts],
    ['<portType name="P"><operation name="Ask">', `<portType name="P"><operation name="${name}">`],
    ['style="document"/><operation name="Ask">', `style="document"/><operation name="${name}">`],
  );
}

const partsOfRequests = {
  "without parts": "",
  "with a part that has a type": '<part name="q" type="xs:string"/>',
};

const secondPort = replaced({}, [
  "</service>",
  '<port name="backup" binding="t:soap11"><soap:address location="http://backup.example/s"/></port></service>',
]);

const inPath: InterfaceSettings = {
  protocols: ["httpGet"],
  operations: [{ name: "Ask", location: "/ask/(q)" }],
};

const selling = {
  "more.wsdl":
    serviceOf({
      service: "More",
      namespace: "urn:more",
      operations: [{ name: "Buy" }],
      address: "http://s.example/more",
    })["s.wsdl"] ?? "",
};

const ofOneOperation: InterfaceSettings = { protocols: ["soap12"] };
/** A service whose operations Ask and Tell have the same element, and different actions in SOAP 1.2. */
const sameElement = replaced({ ...ofOneOperation, operations: [ask, tell] }, [
  '<part name="p" element="e:Tell"/>',
  '<part name="p" element="e:Ask"/>',
]);
/** The same service, in which both operations also have the same action. */
const sameAction = {
  "s.wsdl": sameElement["s.wsdl"]?.replace("urn:action/Tell", "urn:action/Ask") ?? "",
};
const rulesOfTwoOperations = [
  { rules: ["soap-action-became-sent", "soap-action-became-unsent"], two: sameElement, init: {} },
  {
    rules: ["requests-became-ambiguous", "requests-became-distinct"],
    two: sameAction,
    init: { failsBetweenEqualEnds: true },
  },
] as const;
const requestsOfTwoOperations = rulesOfTwoOperations.flatMap(
  ({ rules: [rule, oppositeRule], two, init }): readonly Pair[] => {
    const oneOperation = serviceOf(ofOneOperation);
    const title = "because of another operation with the element";
    return [
      { rule, old: oneOperation, new: two, title, also: ["operation-added"], call, ...init },
      { rule: oppositeRule, old: two, new: oneOperation, title, also: ["operation-removed"], call, ...init },
    ];
  },
);

export const operationPairs = shareSources([
  pair("address-scheme-changed", {}, { address: "https://s.example/s" }, { proof: schemes }),
  ...swapped("port-added", "port-removed", [serviceOf(), secondPort]),
  ...swapped("policy-added", "policy-removed", [serviceOf(), secured("UsernameToken")]),
  { rule: "policy-changed", old: secured("UsernameToken"), new: secured("X509Token"), call },
  ...swapped("wire-name-added", "wire-name-removed", [
    sources({}, {}),
    sources({}, { wireNames: { operations: ["Ask"] } }),
  ]),
  { rule: "tolerance-changed", old: sources({}, {}), new: sources({}, { tolerate: ["nil"] }), call },
  ...swapped("soap-action-became-sent", "soap-action-became-unsent", [
    sources({ protocols: ["soap12"] }, {}),
    sources({ protocols: ["soap12"] }, { soap12Action: true }),
  ]),
  ...requestsOfTwoOperations,
  {
    rule: "http-parameters-moved",
    old: replaced(inPath, ["<http:urlEncoded/>", "<http:urlReplacement/>"]),
    new: serviceOf({ protocols: ["httpGet"] }),
    also: ["http-location-changed"],
    call,
  },
  {
    rule: "attachment-types-changed",
    old: projects.album,
    new: edited("album", [{ file: "attachments.wsdl", from: /type="image\/jpeg"/g, to: 'type="image/webp"' }]),
    call: { old: "Add", new: "Add" },
  },
  ...(["default", "fixed"] as const).flatMap((constraint) =>
    swapped(`${constraint}-added`, `${constraint}-removed`, [bare(""), bare(`${constraint}="1"`)], {
      title: "of a request that is one value",
      notShown: "an empty element is the only one that a default concerns",
    }),
  ),
  ...both("operation-added", "operation-removed", [{}, { operations: [ask, { name: "Tell" }] }], {
    call: { old: "Tell", new: "Tell" },
    always: true,
  }),
  pair(
    "operation-renamed",
    { operations: [ask, { name: "CheckMexico" }] },
    { operations: [ask, { name: "CheckMexicanCar" }] },
    {
      call: { old: "CheckMexico", new: "CheckMexicanCar" },
      also: ["name-in-code-changed"],
    },
  ),
  {
    rule: "operation-renamed",
    title: "with another namespace of rpc style",
    old: serviceOf({ ...rpc, operations: [{ name: "CheckMexico" }] }),
    new: withBodyNamespace({ ...rpc, operations: [{ name: "CheckMexicanCar" }] }),
    call: { old: "CheckMexico", new: "CheckMexicanCar" },
    also: ["name-in-code-changed", "input-element-changed", "output-element-changed"],
  },
  {
    rule: "operation-renamed",
    title: "with another namespace of all operations of rpc style",
    old: serviceOf({ ...rpc, operations: [ask, { name: "CheckMexico" }] }),
    new: withBodyNamespace({ ...rpc, operations: [ask, { name: "CheckMexicanCar" }] }),
    call: { old: "CheckMexico", new: "CheckMexicanCar" },
    also: ["name-in-code-changed", "namespace-changed"],
  },
  {
    rule: "operation-moved",
    old: servicesOf([ask, tell], [buy]),
    new: servicesOf([ask], [buy, tell]),
    call: { old: "Tell", new: "Tell" },
  },
  {
    rule: "operation-moved",
    title: "to a new service",
    old: serviceOf({ operations: [ask, tell] }),
    new: servicesOf([ask], [tell]),
    also: ["name-in-code-changed"],
    call: { old: "Tell", new: "Tell" },
  },
  {
    rule: "operation-moved",
    title: "with another header",
    old: servicesOf([ask, tell], [buy]),
    new: servicesOf([ask], [buy, { ...tell, header: true }]),
    also: ["header-added"],
    call: { old: "Tell", new: "Tell" },
  },
  {
    rule: "operation-moved",
    title: "to another port of its service, after which its own port is removed",
    old: portsOf([ask], [tell]),
    new: serviceOf({ operations: [ask, tell] }),
    also: ["name-in-code-changed"],
    call: { old: "Tell", new: "Tell" },
  },
  pair(
    "operation-name-changed",
    {},
    { operations: [{ name: "Inquire", request: "Ask", response: "AskResponse" }] },
    {
      call: { old: "Ask", new: "Inquire" },
      also: ["result-in-code-changed", "soap-action-changed"],
    },
  ),
  ...Object.entries(partsOfRequests).map(
    ([title, parts]): Pair => ({
      rule: "operation-name-changed",
      title,
      old: partsRequest("Ask", parts),
      new: partsRequest("Inquire", parts),
      call: { old: "Ask", new: "Inquire" },
    }),
  ),
  {
    rule: "operation-name-exchanged",
    old: serviceOf(twoOperations),
    new: exchangedNames(serviceOf(twoOperations)),
    also: ["result-in-code-changed"],
    call: { old: "Ask", new: "Tell" },
  },
  pair(
    "input-element-changed",
    {},
    { operations: [{ name: "Ask", request: "Question" }] },
    { also: ["name-in-code-changed", "result-in-code-changed"] },
  ),
  pair(
    "output-element-changed",
    {},
    { operations: [{ name: "Ask", response: "Reply" }] },
    { also: ["name-in-code-changed"] },
  ),
  pair("soap-action-changed", {}, { actionPrefix: "urn:other/" }),
  {
    rule: "soap-action-changed",
    title: "of one protocol",
    old: serviceOf(bothProtocols),
    new: replaced(bothProtocols, ['<soap:operation soapAction="urn:action/', '<soap:operation soapAction="urn:other/']),
    call: { ...call, protocol: "soap11" },
    always: true,
  },
  {
    rule: "soap-action-changed",
    title: "that SOAP 1.2 servers ignore",
    old: sources({ protocols: ["soap12"] }, { soap12Action: true }),
    new: sources({ protocols: ["soap12"], actionPrefix: "urn:other/" }, { soap12Action: true }),
    call,
  },
  {
    rule: "soap-action-changed",
    title: "that SOAP 1.2 servers know as the action of another operation",
    old: sources(twoOperations, { soap12Action: true }),
    new: exchangedActions(sources(twoOperations, { soap12Action: true })),
    call,
  },
  ...both("protocol-added", "protocol-removed", [{}, { protocols: ["soap11", "soap12"] }], {
    call: { ...call, protocol: "soap12" },
    always: true,
  }),
  pair("default-protocol-changed", bothProtocols, { protocols: ["soap12", "soap11"] }, { proof: defaults }),
  pair(
    "default-protocol-changed",
    {},
    { protocols: ["soap12", "soap11"] },
    { title: "to an added one", also: ["protocol-added"], proof: defaults },
  ),
  pair(
    "default-protocol-changed",
    bothProtocols,
    { protocols: ["soap12"] },
    { title: "from a removed one", also: ["protocol-removed"], proof: defaults },
  ),
  pair("soap-version-changed", {}, { protocols: ["soap12"] }),
  pair(
    "http-location-changed",
    { protocols: ["httpGet"] },
    { protocols: ["httpGet"], operations: [{ name: "Ask", location: "/asking" }] },
  ),
  pair("style-changed", {}, { style: "rpc" }),
  pair("encoding-changed", { style: "rpc" }, { style: "rpc", use: "encoded" }),
  pair(
    "soap-version-changed",
    {},
    { protocols: ["soap12"], address: "http://s.example/other" },
    { title: "at another address", also: ["address-path-changed"] },
  ),
  pair("address-path-changed", {}, { address: "http://s.example/other" }),
  pair("address-path-changed", {}, { address: "http://s.example/s?v=2" }, { title: "of its query", proof: hosts }),
  ...(["soap11", "soap12"] as const).flatMap((protocol) => {
    const [before, after] = [serviceOf(bothProtocols), movedPort(protocol)];
    return [
      [before, after],
      [after, before],
    ].flatMap(([old, current], index) =>
      old === undefined || current === undefined
        ? []
        : [
            {
              rule: "address-path-changed" as const,
              title: `of one of two ports, ${protocol}${index === 0 ? "" : ", back"}`,
              old,
              new: current,
              call: { ...call, protocol },
              always: true,
            },
          ],
    );
  }),
  pair("address-host-changed", {}, { address: "http://other.example/s" }, { proof: hosts }),
  pair("service-renamed", {}, { service: "Renamed" }),
  pair("service-namespace-changed", { elements: "urn:e" }, { elements: "urn:e", namespace: "urn:other" }),
  pair("namespace-changed", { elements: "urn:e" }, { elements: "urn:other" }),
  pair(
    "namespace-changed",
    { elements: "urn:e", operations: [{ name: "Ask", header: true }] },
    { elements: "urn:other", operations: [{ name: "Ask", header: true }] },
    { title: "with a header" },
  ),
  { rule: "operation-split", old: projects.vehicle, new: withSoapArgument, ...split },
  {
    rule: "operations-joined",
    old: withSoapArgument,
    new: projects.vehicle,
    ...split,
    also: ["member-removed-required"],
  },
  {
    rule: "member-renamed",
    title: "only at HTTP GET",
    old: projects.vehicle,
    new: withHttpParameter,
    also: ["operation-split"],
    call: { old: "CheckAustria", new: "CheckAustriaHttpGet", protocol: "httpGet" },
  },
  pair("service-split", { protocols: ["soap11", "soap12"] }, headerAtOnePort, {
    title: "by a header at one port",
    also: ["name-in-code-changed", "header-added"],
    notShown: "the calls use the other port",
  }),
  pair("service-split", onePortType, twoPortTypes, {
    also: ["name-in-code-changed", "operation-added", "protocol-removed"],
    call: { ...call, protocol: "soap12" },
    always: true,
  }),
  pair("services-joined", twoPortTypes, onePortType, {
    also: ["name-in-code-changed", "operation-removed", "protocol-added"],
    call: { ...call, protocol: "soap12" },
    always: true,
  }),
  ...both("output-added", "output-removed", [{ operations: [{ name: "Ask", oneWay: true }] }, {}]),
  pair(
    "result-in-code-changed",
    { operations: [{ name: "Ask", answer: '<element name="r" type="string"/>' }] },
    {
      operations: [
        { name: "Ask", answer: '<element name="r" type="string"/><element name="s" minOccurs="0" type="string"/>' },
      ],
    },
    { also: ["member-added-optional"] },
  ),
  ...both("header-added", "header-removed", [{}, { operations: [{ name: "Ask", header: true }] }]),
  ...both("fault-added", "fault-removed", [{}, { operations: [{ name: "Ask", fault: "Broken" }] }], {
    proof: declaredFaults,
  }),
  {
    rule: "fault-renamed",
    title: "whose class has the name of the fault",
    old: renamedFault("Problem"),
    new: renamedFault("Trouble"),
    call,
  },
  pair(
    "fault-element-changed",
    { operations: [{ name: "Ask", fault: "Broken" }] },
    { operations: [{ name: "Ask", fault: "Stuck" }] },
    { proof: declaredFaults },
  ),
  ...swapped("type-widened", "type-narrowed", [detailed("code:int"), detailed("code:long")], {
    title: "of a number in the detail of a fault",
    proof: declaredFaults,
  }),
  ...swapped("type-widened", "type-narrowed", [detailed("code:int"), detailed("code:string")], {
    title: "of a number in the detail of a fault that became a text",
    proof: declaredFaults,
  }),
  ...swapped(
    "member-added-required",
    "member-removed-required",
    [detailed("why:string"), detailed("why:string", "code:int")],
    { title: "of the detail of a fault", proof: declaredFaults },
  ),
  pair("addressing-changed", { addressing: "required" }, { addressing: "required", addressingPrefix: "urn:other/" }),
  ...both("addressing-added", "addressing-removed", [{}, { addressing: "optional" }]),
  ...both("addressing-added", "addressing-removed", [{}, { addressing: "required" }], { title: "as required" }),
  {
    rule: "addressing-changed",
    title: "of a fault",
    old: broken("urn:a"),
    new: broken("urn:b"),
    call,
  },
  {
    rule: "addressing-changed",
    title: "of a renamed fault, whose default action contains its name",
    old: renamedFault("Problem", { addressing: "optional" }),
    new: renamedFault("Trouble", { addressing: "optional" }),
    also: ["fault-renamed"],
    call,
  },
  {
    rule: "port-renamed",
    old: serviceOf(),
    new: replaced({}, ['<port name="soap11"', '<port name="First"']),
    call,
  },
  ...swapped("address-added", "address-removed", [withoutAddress({}, "soap"), serviceOf()], { proof: addresses }),
  ...swapped("address-added", "address-removed", [withoutAddress(twoProtocols, "soap12"), serviceOf(twoProtocols)], {
    title: "of another port",
    call: { ...call, protocol: "soap12" },
  }),
  ...swapped("member-became-nillable", "member-became-not-nillable", [nilHeader(""), nilHeader('nillable="true"')], {
    title: "as a header",
    notShown: "random headers are seldom nil",
  }),
  ...both("addressing-became-required", "addressing-became-optional", [
    { addressing: "optional" },
    { addressing: "required" },
  ]),
  pair("documentation-changed", { documentation: "Asks." }, { documentation: "Asks a question." }),
  ...swapped("ambient-added", "ambient-removed", [sources({}, {}), sources({}, { ambient: ["q"] })]),
  ...swapped(
    "ambient-added",
    "ambient-removed",
    [sources(withMembers(optionalMembers), {}), sources(withMembers(optionalMembers), { ambient: ["q"] })],
    { title: "of an operation whose input calls can omit" },
  ),
  ...swapped("input-became-required", "input-became-optional", [
    serviceOf(withMembers(optionalMembers)),
    serviceOf(withMembers(`<sequence minOccurs="0">${optionalMembers}</sequence>`)),
  ]),
  ...swapped(
    "client-options-became-required",
    "client-options-became-optional",
    [serviceOf(), withUnaddressedService],
    {
      call: { old: "Buy", new: "Buy" },
      always: true,
      failsBetweenEqualEnds: true,
    },
  ).map((each, index) => ({
    ...each,
    also: [index === 0 ? "service-added" : "service-removed", "name-in-code-changed"] as const,
  })),
  {
    rule: "conventions-changed",
    old: sources({}, {}),
    new: sources({}, { conventions: "asmx" }),
    proof: failures,
  },
  { rule: "type-in-code-changed", old: integersAs("bigint"), new: integersAs("string") },
  ...[["bigint", "number"] as const, ["number", "bigint"] as const].map(
    ([before, after]): Pair => ({
      rule: "type-in-code-changed",
      old: integersAs(before),
      new: integersAs(after),
      notShown: "The calls of these proofs do not use the types of `typeMap`, as those of another test do.",
    }),
  ),
  {
    rule: "name-in-code-changed",
    old: sources({}, {}),
    new: sources({}, { names: { Ask: "inquire" } }),
    call,
  },
  ...swapped(
    "interface-added",
    "interface-removed",
    [
      sources({}, {}),
      {
        ...serviceOf(),
        ...selling,
        "bothends.json": config({ api: { wsdl: ["s.wsdl"] }, more: { wsdl: ["more.wsdl"] } }),
      },
    ],
    { call: { old: "Buy", new: "Buy" }, always: true },
  ),
  ...swapped(
    "service-added",
    "service-removed",
    [
      sources({}, {}),
      { ...serviceOf(), ...selling, "bothends.json": config({ api: { wsdl: ["s.wsdl", "more.wsdl"] } }) },
    ],
    {
      title: "with a facade instead of one class",
      also: ["name-in-code-changed"],
      call: { old: "Buy", new: "Buy" },
      always: true,
    },
  ),
]);
