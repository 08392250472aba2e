import { escapeText } from "@bothends/xml";
import { expect, test } from "vitest";
import { soapRoutes } from "../../src/server/index.js";
import { find, namespace, requestOf, service } from "../server/fixture.js";
import { dangersOf, hostileTexts, markupOf, textOf } from "./page-text.js";

function pagesOf(text: string, path?: string) {
  const escaped = escapeText(text);
  const http = '<http:operation location="/Find"/><w:input><http:urlEncoded/></w:input>';
  const wsdl = [
    '<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema"',
    ` xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:http="http://schemas.xmlsoap.org/wsdl/http/" xmlns:t="${namespace}" targetNamespace="${namespace}">`,
    `<w:types><s:schema targetNamespace="${namespace}"><s:element name="Find" type="t:Find"/><s:complexType name="Find"><s:sequence><s:element name="Key" type="s:string">`,
    `<s:annotation><s:documentation>key: ${escaped}</s:documentation></s:annotation>`,
    '</s:element></s:sequence></s:complexType></s:schema></w:types><w:message name="In"><w:part name="p" element="t:Find"/></w:message>',
    `<w:portType name="P"><w:operation name="Find"><w:documentation>operation: ${escaped}</w:documentation><w:input message="t:In"/></w:operation></w:portType>`,
    '<w:binding name="B" type="t:P"><soap:binding/><w:operation name="Find"><w:input><soap:body use="literal"/></w:input></w:operation></w:binding>',
    `<w:binding name="G" type="t:P"><http:binding verb="GET"/><w:operation name="Find">${http}</w:operation></w:binding>`,
    `<w:service name="Things"><w:documentation>service: ${escaped}</w:documentation><w:port name="p" binding="t:B"/><w:port name="q" binding="t:G"/></w:service></w:definitions>`,
  ];
  const routes = soapRoutes({ service, operations: { find }, handlers: { find: () => null }, wsdl }, { path });
  return async (target: string) => {
    const answer = await routes.answer(requestOf({ method: "GET", target }));
    if (answer === undefined) {
      throw new Error("The routes leave this request to others.");
    }
    return answer;
  };
}

test.each(["A plain text.", ...hostileTexts])("documentation is shown as text: %s", async (text) => {
  const get = pagesOf(text);
  const list = await get("/api/things.asmx");
  expect(textOf(markupOf(list))).toContain(`service: ${text}`);
  expect(textOf(markupOf(list))).toContain(`operation: ${text}`);
  const operation = await get("/api/things.asmx?op=Find");
  expect(textOf(markupOf(operation))).toContain(`operation: ${text}`);
  expect(textOf(markupOf(operation))).toContain(`key: ${text}`);
  expect([...dangersOf(list), ...dangersOf(operation)]).toEqual([]);
});

test.each([
  { path: "/", want: "./Find" },
  { path: "/a/b/", want: "./Find" },
  { path: "/a/b", want: "./b/Find" },
])("a form at $path calls $want without a script", async ({ path, want }) => {
  const answer = await pagesOf("x", path)(`${path}?op=Find`);
  expect(markupOf(answer)).toContain(`method="get" action="${want}"`);
});
