import type { RuleId } from "../../src/index.js";
import { edited, projects } from "../edits/sources.js";
import type { Pair } from "./pair.js";
import { type ServiceFacts, serviceOf } from "./service.js";

const ask = { name: "Ask" };
const call = { old: "Ask", new: "Ask" };

function pair(rule: RuleId, old: ServiceFacts, new_: ServiceFacts, facts: Partial<Pair> = {}): Pair {
  return { rule, old: serviceOf(old), new: serviceOf(new_), call, ...facts };
}

function both(
  rule: RuleId,
  mirror: RuleId,
  [old, new_]: readonly [ServiceFacts, ServiceFacts],
  facts: Partial<Pair> = {},
): readonly Pair[] {
  const swapped = facts.call === undefined ? {} : { call: { ...facts.call, old: facts.call.new, new: facts.call.old } };
  return [pair(rule, old, new_, facts), pair(mirror, new_, old, { ...facts, ...swapped })];
}

const config = (interfaces: object) =>
  JSON.stringify({
    packages: {
      contract: { path: "contract", name: "a" },
      client: { path: "client", name: "b" },
      server: { path: "server", name: "c" },
    },
    interfaces,
  });
const sources = (facts: ServiceFacts, settings: object) => ({
  ...serviceOf(facts),
  "bothends.json": config({ api: { wsdl: ["s.wsdl"], ...settings } }),
});
const notCalled = "the wire is the same";

/** An argument that the HTTP ports do not have, so that their operations are others. */
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

const onePortType: ServiceFacts = { protocols: ["soap11", "soap12"], style: "rpc" };
const twoPortTypes: ServiceFacts = { ...onePortType, otherOperations: [{ name: "Tell" }] };

export const operationPairs: readonly Pair[] = [
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
    },
  ),
  pair(
    "operation-name-changed",
    {},
    { operations: [{ name: "Inquire", request: "Ask", response: "AskResponse" }] },
    {
      call: { old: "Ask", new: "Inquire" },
      also: ["result-in-code-changed", "soap-action-changed"],
    },
  ),
  pair(
    "input-element-changed",
    {},
    { operations: [{ name: "Ask", request: "Question" }] },
    { also: ["result-in-code-changed"] },
  ),
  pair("output-element-changed", {}, { operations: [{ name: "Ask", response: "Reply" }] }),
  pair("soap-action-changed", {}, { actionPrefix: "urn:other/" }),
  ...both("protocol-added", "protocol-removed", [{}, { protocols: ["soap11", "soap12"] }], {
    call: { ...call, protocol: "soap12" },
    always: true,
  }),
  pair("soap-version-changed", {}, { protocols: ["soap12"] }),
  pair(
    "http-location-changed",
    { protocols: ["httpGet"] },
    { protocols: ["httpGet"], operations: [{ name: "Ask", location: "/asking" }] },
  ),
  pair(
    "style-changed",
    {},
    { style: "rpc" },
    { also: ["namespace-changed"], notShown: "the bodies of both styles have other types" },
  ),
  pair("encoding-changed", { style: "rpc" }, { style: "rpc", use: "encoded" }, { also: ["member-became-nillable"] }),
  pair("address-path-changed", {}, { address: "http://s.example/other" }),
  pair(
    "address-host-changed",
    {},
    { address: "http://other.example/s" },
    { notShown: "the transport in memory has no hosts" },
  ),
  pair("service-renamed", {}, { service: "Renamed" }),
  pair("service-namespace-changed", { elements: "urn:e" }, { elements: "urn:e", namespace: "urn:other" }),
  pair("namespace-changed", { elements: "urn:e" }, { elements: "urn:other" }),
  { rule: "operation-split", old: projects.vehicle, new: withSoapArgument, ...split },
  {
    rule: "operations-joined",
    old: withSoapArgument,
    new: projects.vehicle,
    ...split,
    also: ["member-removed-required"],
  },
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
    { also: ["member-added-optional"], notShown: "the results have other shapes in code" },
  ),
  ...both("header-added", "header-removed", [{}, { operations: [{ name: "Ask", header: true }] }]),
  ...both("fault-added", "fault-removed", [{}, { operations: [{ name: "Ask", fault: "Broken" }] }], {
    notShown: "random handlers throw nothing; faults have a test of their own",
  }),
  pair(
    "fault-element-changed",
    { operations: [{ name: "Ask", fault: "Broken" }] },
    { operations: [{ name: "Ask", fault: "Stuck" }] },
    {
      notShown: "random handlers throw nothing; faults have a test of their own",
    },
  ),
  pair("addressing-changed", { addressing: "required" }, { addressing: "required", addressingPrefix: "urn:other/" }),
  ...both("addressing-became-required", "addressing-became-optional", [
    { addressing: "optional" },
    { addressing: "required" },
  ]),
  pair("documentation-changed", { documentation: "Asks." }, { documentation: "Asks a question." }),
  {
    rule: "ambient-added",
    old: sources({}, {}),
    new: sources({}, { ambient: ["q"] }),
    notShown: notCalled,
  },
  {
    rule: "conventions-changed",
    old: sources({}, {}),
    new: sources({}, { conventions: "asmx" }),
    notShown: "only errors differ",
  },
  {
    rule: "type-in-code-changed",
    old: sources({ operations: [{ name: "Ask", members: '<element name="q" type="dateTime"/>' }] }, {}),
    new: sources(
      { operations: [{ name: "Ask", members: '<element name="q" type="dateTime"/>' }] },
      { typeMap: { dateTime: "Date" } },
    ),
    notShown: notCalled,
  },
  {
    rule: "name-in-code-changed",
    old: sources({}, {}),
    new: sources({}, { names: { Ask: "inquire" } }),
    notShown: notCalled,
  },
  {
    rule: "interface-added",
    old: sources({}, {}),
    new: { ...serviceOf(), "bothends.json": config({ api: { wsdl: ["s.wsdl"] }, more: { wsdl: ["s.wsdl"] } }) },
    notShown: "an interface has its own servers",
  },
  {
    rule: "service-added",
    title: "with a facade instead of one class",
    old: sources({}, {}),
    new: {
      ...serviceOf(),
      "more.wsdl": serviceOf({ service: "More", namespace: "urn:more", operations: [{ name: "Buy" }] })["s.wsdl"] ?? "",
      "bothends.json": config({ api: { wsdl: ["s.wsdl", "more.wsdl"] } }),
    },
    also: ["name-in-code-changed"],
    notShown: "the operations of the other service are the same",
  },
];
