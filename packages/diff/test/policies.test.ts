import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { serviceOf } from "./pairs/service.js";
import { sideOf } from "./proof/contracts.js";

const plain = serviceOf()["s.wsdl"] ?? "";
const names =
  'xmlns:wsp="http://schemas.xmlsoap.org/ws/2004/09/policy" xmlns:sp="http://docs.oasis-open.org/ws-sx/ws-securitypolicy/200702" xmlns:wsu="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"';
const policy = (id: string, content: string) =>
  `<wsp:Policy ${names} wsu:Id="${id}"><wsp:ExactlyOne><wsp:All>${content}</wsp:All></wsp:ExactlyOne></wsp:Policy>`;
const binding = '<binding name="soap11" type="t:P">';
const operation = '<soap:operation soapAction="urn:action/Ask"/>';

const cases = [
  {
    where: "in a binding",
    text: plain.replace(binding, binding + policy("a", "<sp:TransportBinding/>")),
    want: "TransportBinding",
  },
  {
    where: "referred to by a port",
    text: plain
      .replace('binding="t:soap11">', `binding="t:soap11"><wsp:PolicyReference ${names} URI="#a"/>`)
      .replace("</definitions>", `${policy("a", "<sp:HttpsToken/>")}${policy("b", "<sp:Unused/>")}</definitions>`),
    want: "HttpsToken",
  },
  {
    where: "named by an attribute",
    text: plain
      .replace(binding, `<binding name="soap11" type="t:P" ${names} wsp:PolicyURIs="#a">`)
      .replace("</definitions>", `${policy("a", "<sp:HttpsToken/>")}</definitions>`),
    want: "HttpsToken",
  },
  {
    where: "that refer to each other, of an operation",
    text: plain
      .replace(operation, `<wsp:PolicyReference ${names} URI="#a"/>${operation}`)
      .replace(
        "</definitions>",
        `${policy("a", '<sp:A/><wsp:PolicyReference URI="#b"/>')}${policy("b", '<wsp:PolicyReference URI="#a"/><sp:Token sp:IncludeToken="always"/>')}</definitions>`,
      ),
    want: "A, Token [IncludeToken=always]",
  },
  {
    where: "of an operation of a port type",
    text: plain
      .replace('<portType name="P"><operation name="Ask">', `$&<wsp:PolicyReference ${names} URI="#a"/>`)
      .replace("</definitions>", `${policy("a", "<sp:HttpsToken/>")}</definitions>`),
    want: "HttpsToken",
  },
];

test.each(cases)("policies $where are compared", ({ text, want }) => {
  const [before, after] = [sideOf({ "s.wsdl": plain }), sideOf({ "s.wsdl": text })];
  expect(text).not.toBe(plain);
  expect(diffContracts(before, after).changes).toMatchObject([{ rule: "policy-added", subject: "S", after: want }]);
  expect(diffContracts(after, before).changes).toMatchObject([{ rule: "policy-removed", before: want }]);
});

const token = (content: string) => `<sp:SupportingTokens><wsp:Policy>${content}</wsp:Policy></sp:SupportingTokens>`;
const either = (...choices: readonly string[]) =>
  `<wsp:ExactlyOne>${choices.map((each) => `<wsp:All>${each}</wsp:All>`).join("")}</wsp:ExactlyOne>`;

const pairs = [
  {
    what: "a choice of two assertions instead of both",
    old: "<sp:A/><sp:B/>",
    new: either("<sp:A/>", "<sp:B/>"),
    want: { rule: "policy-changed", before: "A, B", after: "one of (A | B)" },
  },
  {
    what: "a further alternative",
    old: either("<sp:A/>", "<sp:B/>"),
    new: either("<sp:A/>", "<sp:B/>", "<sp:C/><sp:D/>"),
    want: { rule: "policy-changed", before: "one of (A | B)", after: "one of (A | B | C, D)" },
  },
  {
    what: "an assertion that became optional",
    old: "<sp:A/>",
    new: '<sp:A wsp:Optional="true"/>',
    want: { rule: "policy-changed", before: "A", after: "one of (A | nothing)" },
  },
  {
    what: "another token inside an assertion",
    old: token("<sp:UsernameToken/>"),
    new: token("<sp:X509Token/>"),
    want: {
      rule: "policy-changed",
      before: "SupportingTokens/UsernameToken",
      after: "SupportingTokens/X509Token",
    },
  },
  {
    what: "a token that moved out of an assertion",
    old: token("<sp:UsernameToken/>"),
    new: `${token("")}<sp:UsernameToken/>`,
    want: {
      rule: "policy-changed",
      before: "SupportingTokens/UsernameToken",
      after: "SupportingTokens, UsernameToken",
    },
  },
  {
    what: "a further part that must be signed",
    old: "<sp:SignedParts><sp:Body/></sp:SignedParts>",
    new: '<sp:SignedParts><sp:Body/><sp:Header Name="To" Namespace="urn:a"/></sp:SignedParts>',
    want: { rule: "policy-added", after: "SignedParts/Header [Name=To, Namespace=urn:a]" },
  },
];

const withPolicy = (content: string) => sideOf({ "s.wsdl": plain.replace(binding, binding + policy("a", content)) });

test.each(pairs)("$what is reported", ({ old, new: now, want }) => {
  expect(diffContracts(withPolicy(old), withPolicy(now)).changes).toMatchObject([want]);
});

test.each([
  { what: "alternatives in another order", old: either("<sp:A/>", "<sp:B/>"), new: either("<sp:B/>", "<sp:A/>") },
  { what: "assertions in another order", old: "<sp:A/><sp:B/>", new: "<sp:B/><sp:A/>" },
  { what: "a single alternative", old: "<sp:A/>", new: either("<sp:A/>") },
  { what: "the normal form of an optional assertion", old: '<sp:A wsp:Optional="true"/>', new: either("<sp:A/>", "") },
])("$what changes nothing", ({ old, new: now }) => {
  expect(diffContracts(withPolicy(old), withPolicy(now)).changes).toEqual([]);
});
