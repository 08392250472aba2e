import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as contentModule from "@bothends/contract/content/operations";
import * as vehicleModule from "@bothends/contract/vehicle/operations";
import { type Contract, Diagnostics, generate, readConfig, readConfigFromFlags } from "@bothends/generator";
import { createSourceReader, readFolder } from "@bothends/generator/disk";
import { SoapFault } from "@bothends/runtime";
import { fetchTransport, RestClient, ServiceClient } from "@bothends/runtime/client";
import { restRoutes, soapRoutes } from "@bothends/runtime/server";
import { webHandler } from "@bothends/runtime/server/web";
import { expect, test } from "vitest";
import {
  createDynamicContract,
  type DynamicEndpoint,
  type DynamicOperation,
  type DynamicSoapInterface,
} from "../src/index.js";

const root = join(import.meta.dirname, "..", "..", "..");
const templates = readFolder(join(root, "templates"));

/** The contract of this repository's `bothends.json`. */
function ownContract(): Contract {
  const diagnostics = new Diagnostics();
  const text = readFileSync(join(root, "bothends.json"), "utf8");
  const config = readConfig({ path: "bothends.json", text }, diagnostics, { runtime: "^0.1.0" });
  if (config === undefined) {
    throw new Error("bothends.json is refused.");
  }
  return generate({ readFile: createSourceReader({ root }), templates, config }).contract;
}

function contractOf(wsdl: string): Contract {
  const flags = { wsdl: ["a.wsdl"], index: undefined, name: undefined, lenient: false };
  const config = readConfigFromFlags(flags, new Diagnostics(), { runtime: "^0.1.0" });
  if (config === undefined) {
    throw new Error("The configuration is refused.");
  }
  const bytes = new TextEncoder().encode(wsdl);
  return generate({ readFile: () => ({ kind: "file", bytes }), templates, config }).contract;
}

/**
 * Expects two descriptors, and all descriptors to which they refer, to be alike. Functions without parameters are
 * references. Pairs that were compared before are skipped, because types may refer to themselves.
 */
function expectAlike(left: unknown, right: unknown, place: string, compared = new Set<unknown>()): void {
  if (isFaultClass(left) && isFaultClass(right)) {
    return;
  }
  if (typeof left === "function" && typeof right === "function" && left.length === 0 && right.length === 0) {
    expectAlike(left(), right(), `${place}()`, compared);
    return;
  }
  if (typeof left !== "object" || left === null || typeof right !== "object" || right === null) {
    expect([place, left]).toEqual([place, right]);
    return;
  }
  if (compared.has(right)) {
    return;
  }
  compared.add(right);
  expect([place, Object.keys(left).sort()]).toEqual([place, Object.keys(right).sort()]);
  for (const [key, member] of Object.entries(left)) {
    expectAlike(member, Reflect.get(right, key), `${place}/${key}`, compared);
  }
}

function isFaultClass(value: unknown): boolean {
  return typeof value === "function" && value.prototype instanceof SoapFault;
}

test("the descriptors are those that the generated packages export", () => {
  const { interfaces } = createDynamicContract(ownContract());
  const exported = new Map<string, unknown>();
  for (const module of [vehicleModule, contentModule]) {
    for (const value of Object.values(module)) {
      if (typeof value === "object" && value !== null && "kind" in value && "name" in value) {
        exported.set(`${value.kind} ${value.name}`, value);
      }
    }
  }
  const made = interfaces.flatMap((each): readonly (DynamicOperation | DynamicEndpoint)[] =>
    each.kind === "soap" ? each.services.flatMap(({ operations }) => operations) : each.endpoints,
  );
  expect(made).toHaveLength(18 + 71);
  for (const { descriptor } of made) {
    const key = `${descriptor.kind} ${descriptor.name}`;
    expectAlike(descriptor, exported.get(key), key);
  }
});

const wsdl = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:t="urn:t" targetNamespace="urn:t">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t" elementFormDefault="qualified">
    <simpleType name="Colour"><restriction base="string"><enumeration value="red"/><enumeration value="blue"/></restriction></simpleType>
    <complexType name="Node"><sequence>
      <element name="Colour" type="t:Colour"/><element name="Child" type="t:Node" minOccurs="0" maxOccurs="unbounded"/>
    </sequence></complexType>
    <element name="Turn"><complexType><sequence><element name="Tree" type="t:Node"/></sequence></complexType></element>
    <element name="TurnResponse"><complexType><sequence><element name="Count" type="int"/></sequence></complexType></element>
    <element name="Stuck"><complexType><sequence><element name="Why" type="string"/></sequence></complexType></element>
  </schema></types>
  <message name="In"><part name="parameters" element="t:Turn"/></message>
  <message name="Out"><part name="parameters" element="t:TurnResponse"/></message>
  <message name="StuckMessage"><part name="fault" element="t:Stuck"/></message>
  <portType name="P"><operation name="Turn">
    <input message="t:In"/><output message="t:Out"/><fault name="Stuck" message="t:StuckMessage"/>
  </operation></portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Turn"><soap:operation soapAction="urn:t/Turn"/>
      <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output>
      <fault name="Stuck"><soap:fault name="Stuck" use="literal"/></fault>
    </operation>
  </binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="http://t.example/turn"/></port></service>
</definitions>`;

function soapInterface(): DynamicSoapInterface {
  const [soap] = createDynamicContract(contractOf(wsdl)).interfaces;
  if (soap?.kind !== "soap") {
    throw new Error("There is no SOAP interface.");
  }
  return soap;
}

/** A client of the first operation, with its handler in the same process. */
function connected(soap: DynamicSoapInterface, turn: (input: unknown) => unknown) {
  const [service] = soap.services;
  const [operation] = service?.operations ?? [];
  if (service === undefined || operation === undefined) {
    throw new Error("There is no operation.");
  }
  const routes = soapRoutes({
    service: service.descriptor,
    operations: { turn: operation.descriptor },
    handlers: { turn },
    settings: soap.settings,
  });
  const transport = fetchTransport(webHandler([routes]));
  const client = new ServiceClient(service.descriptor, { transport }, soap.settings);
  return (input: Readonly<Record<string, unknown>>) => client.call(operation.descriptor, input);
}

test("an operation is called and answered using only its descriptors", async () => {
  const inputs: unknown[] = [];
  const call = connected(soapInterface(), (input) => {
    inputs.push(input);
    return 2;
  });
  const input = { Tree: { Colour: "red", Child: [{ Colour: "blue" }] } };
  expect(await call(input)).toBe(2);
  expect(inputs).toEqual([input]);
  await expect(call({ Tree: { Colour: "green" } })).rejects.toThrow("Colour");
});

test("a declared fault is an error of the class that the descriptor gives", async () => {
  const soap = soapInterface();
  const [fault] = soap.services[0]?.operations[0]?.descriptor.faults ?? [];
  const Stuck = fault?.error();
  expect(Stuck).toBe(fault?.error());
  const call = connected(soap, () => {
    throw new SoapFault({
      code: "Server",
      reason: "stuck",
      detail: [{ name: "{urn:t}Stuck", content: [{ name: "{urn:t}Why", content: ["tired"] }] }],
    });
  });
  const error: unknown = await call({ Tree: { Colour: "red", Child: [] } }).catch((reason: unknown) => reason);
  expect(Stuck !== undefined && error instanceof Stuck).toBe(true);
  expect(error).toMatchObject({ detail: { Why: "tired" } });
});

test("an endpoint is called and answered using only its descriptors", async () => {
  const rest = createDynamicContract(ownContract()).interfaces.find(({ kind }) => kind === "rest");
  const endpoint =
    rest?.kind === "rest"
      ? rest.endpoints.find(({ descriptor }) => descriptor.name === "seo.fileSize.list")
      : undefined;
  if (rest?.kind !== "rest" || endpoint === undefined) {
    throw new Error("There is no such endpoint.");
  }
  const routes = restRoutes({
    interface: rest.descriptor,
    endpoints: [endpoint.descriptor],
    handlers: { seo: { fileSize: { list: ({ url }: { readonly url: string }) => ({ url, size: 1 }) } } },
    index: rest.index,
  });
  const transport = fetchTransport(webHandler([routes]));
  const client = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport });
  expect(await client.call(endpoint.descriptor, { url: "a?b&c" })).toEqual({ url: "a?b&c", size: 1 });
});
