import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTree, type XmlElement } from "@bothends/xml";
import { expect, test } from "vitest";
import { root } from "../house/sources.js";

const read = (name: string) => readTree(readFileSync(join(root, "schemas/vehicle", name), "utf8"));
const files = { reg: read("reg.wsdl"), bespokeapi: read("bespokeapi.wsdl"), records: read("records.xsd") };

function all(element: XmlElement, local: string): XmlElement[] {
  return element.children.flatMap((child) =>
    child.kind === "element" ? [...(child.localName === local ? [child] : []), ...all(child, local)] : [],
  );
}
function value(element: XmlElement | undefined, name: string): string | undefined {
  return element?.attributes.find((attribute) => attribute.localName === name)?.value;
}
const named = (element: XmlElement, local: string, name: string) =>
  all(element, local).find((candidate) => value(candidate, "name") === name);

type Row = readonly [file: "reg" | "bespokeapi", operation: string, parameters: string, record: string];
const operations: readonly Row[] = [
  ["reg", "CheckPakistan", "RegistrationNumber state district username", "Vehicle"],
  ["reg", "CheckCzechRepublic", "RegistrationNumber username", "Vehicle"],
  ["reg", "CheckUSA", "RegistrationNumber State username", "Vehicle"],
  ["reg", "CheckIreland", "RegistrationNumber username", "Vehicle"],
  ["reg", "CheckFrance", "RegistrationNumber username", "Vehicle"],
  ["reg", "CheckMexico", "RegistrationNumber username", "Vehicle"],
  ["reg", "CheckRussia", "RegistrationNumber username", "Vehicle"],
  ["reg", "CheckMalta", "RegistrationNumber username", "Vehicle"],
  ["reg", "CheckPeru", "RegistrationNumber username", "Vehicle"],
  ["reg", "CheckGermany", "KBANumber username", "Vehicle"],
  ["reg", "CheckAustria", "NatCode username", "Vehicle"],
  ["bespokeapi", "CheckUSARestrictedAccount", "RegistrationNumber State username", "Vehicle"],
  ["bespokeapi", "CheckUSAMinimal", "regNumber state username", "Vehicle"],
  ["bespokeapi", "CheckUSADynamic", "regNumber state username", "Vehicle"],
  ["bespokeapi", "CheckItalyMotorbike", "regNumber username", "Vehicle"],
  ["bespokeapi", "CheckInsuranceStatusItalyWithVehicleType", "regNumber vehicleType username", "InsuranceDetails"],
  ["bespokeapi", "CheckInsuranceStatusPoland", "regNumber username", "InsurancePolicy"],
  ["bespokeapi", "CheckIrishTaxi", "regNumber", "IrishTaxi"],
];

test.each(operations)("%s: %s takes %s and answers %s, over four protocols", (file, operation, parameters, record) => {
  const wsdl = files[file];
  const element = named(wsdl, "element", operation);
  const children = element === undefined ? [] : all(element, "element");
  expect(children.map((child) => value(child, "name")).join(" ")).toBe(parameters);
  for (const child of children) {
    expect(value(child, "minOccurs")).toBe("1");
    expect(value(child, "type")).toBe(value(child, "name") === "NatCode" ? "s:int" : "s:string");
  }
  const result = named(wsdl, "element", `${operation}Result`);
  expect([value(result, "minOccurs"), value(result, "type")]).toEqual(["0", `tns:${record}`]);
  for (const verb of ["Get", "Post"]) {
    const parts = all(named(wsdl, "message", `${operation}Http${verb}In`) ?? wsdl, "part");
    expect(parts.map((part) => `${value(part, "name")} ${value(part, "type")}`)).toEqual(
      parameters.split(" ").map((name) => `${name} s:string`),
    );
    const out = all(named(wsdl, "message", `${operation}Http${verb}Out`) ?? wsdl, "part");
    expect(out.map((part) => `${value(part, "name")} ${value(part, "element")}`)).toEqual([`Body tns:${record}`]);
  }
  const namespace = value(wsdl, "targetNamespace") ?? "";
  const actions = all(wsdl, "operation").flatMap((element) => value(element, "soapAction") ?? []);
  const action = `${namespace}${namespace.endsWith("/") ? "" : "/"}${operation}`;
  expect(actions.filter((found) => found === action)).toHaveLength(2);
  expect(all(wsdl, "operation").filter((element) => value(element, "location") === `/${operation}`)).toHaveLength(2);
});

test.each([
  ["reg", 11, "Reg", "http://vehicle.example/reg"],
  ["bespokeapi", 7, "BespokeApi", "http://vehicle.example/bespoke/"],
] as const)("%s has %d operations, three port types, four bindings and ports", (file, count, service, namespace) => {
  const wsdl = files[file];
  const names = (local: string) => all(wsdl, local).map((element) => value(element, "name"));
  expect(value(wsdl, "targetNamespace")).toBe(namespace);
  expect(names("portType")).toEqual([`${service}Soap`, `${service}HttpGet`, `${service}HttpPost`]);
  const four = [`${service}Soap`, `${service}Soap12`, `${service}HttpGet`, `${service}HttpPost`];
  expect(names("binding").filter((name) => name !== undefined)).toEqual(four);
  expect(names("port")).toEqual(four);
  expect(names("service")).toEqual([service]);
  expect(all(wsdl, "portType").map((portType) => all(portType, "operation").length)).toEqual([count, count, count]);
  expect(all(wsdl, "schema").map((schema) => value(schema, "elementFormDefault"))).toEqual(["qualified"]);
  expect(all(wsdl, "include").map((include) => value(include, "schemaLocation"))).toEqual(["records.xsd"]);
});

test("the records have no namespace, and their members are optional", () => {
  expect(value(files.records, "targetNamespace")).toBeUndefined();
  const types = all(files.records, "complexType");
  expect(types.map((type) => value(type, "name"))).toEqual([
    ...["Vehicle", "VehicleData", "Pair", "InsuranceDetails", "InsurancePolicy", "IrishTaxi"],
  ]);
  for (const type of types) {
    for (const member of all(type, "element")) {
      const pair = value(type, "name") === "Pair";
      expect([value(member, "minOccurs"), value(member, "nillable")]).toEqual(pair ? ["1", "true"] : ["0", undefined]);
    }
  }
});

const members: readonly (readonly [record: string, members: string])[] = [
  ["Vehicle", "vehicleJson:s:string vehicleData:VehicleData"],
  [
    "VehicleData",
    "ABICode Description RegistrationYear ManufactureYearFrom ManufactureYearTo CarMake:Pair CarModel BodyStyle:Pair EngineSize:Pair NumberOfDoors:Pair Transmission:Pair FuelType:Pair MakeDescription ModelDescription Immobiliser:Pair NumberOfSeats:Pair IndicativeValue DriverSide:Pair",
  ],
  ["Pair", "CurrentValue CurrentTextValue"],
  ["InsuranceDetails", "Make Model Company Expiry:s:dateTime IsInsured:s:boolean Region"],
  ["InsurancePolicy", "PolicyNumber Vehicle Company Address IsBlacklisted"],
  ["IrishTaxi", "LicenceNumber Expiry LicenceHolder"],
];

test.each(members)("%s has its members in the order of the specification", (record, expected) => {
  const type = named(files.records, "complexType", record);
  const found = type === undefined ? [] : all(type, "element");
  expect(found.map((element) => `${value(element, "name")}:${value(element, "type")}`)).toEqual(
    expected.split(" ").map((member) => (member.includes(":") ? member : `${member}:s:string`)),
  );
});
