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
];

test.each(cases)("policies $where are compared", ({ text, want }) => {
  const [before, after] = [sideOf({ "s.wsdl": plain }), sideOf({ "s.wsdl": text })];
  expect(text).not.toBe(plain);
  expect(diffContracts(before, after).changes).toMatchObject([{ rule: "policy-added", subject: "S", after: want }]);
  expect(diffContracts(after, before).changes).toMatchObject([{ rule: "policy-removed", before: want }]);
});
