import * as xs from "@bothends/datatypes/xs";
import { expect, test } from "vitest";
import { widenAnswers } from "../../src/lower/wsdl/widened-answers.js";
import type { Interface, Operation, SoapInterfaceConfig, TypeDefinition } from "../../src/model/index.js";
import { exampleTexts, type Plan, planFiles, type SoapPlan } from "../../src/plan/index.js";
import { listNamespaceWords } from "../../src/plan/typescript-names.js";
import { type Diagnostic, Diagnostics } from "../../src/source/diagnostics.js";
import { contentInterface, vehicleInterface } from "../emit/contracts.js";
import {
  anonymous,
  builtin,
  configOf,
  contractOf,
  element,
  endpoint,
  enumeration,
  named,
  ns,
  other,
  recordType,
  restInterface,
  restriction,
  service,
  soapInterface,
  soapOf,
  span,
  wrapped,
} from "../emit/fixtures.js";

function planned(
  contractInterface: Interface,
  init: Partial<SoapInterfaceConfig> = {},
): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics = new Diagnostics();
  return { plan: planFiles(contractOf(contractInterface), configOf(init), diagnostics), diagnostics: diagnostics.all };
}

function soapPlan(contractInterface: Interface, init: Partial<SoapInterfaceConfig> = {}): SoapPlan {
  const [first] = planned(contractInterface, init).plan.interfaces;
  if (first?.kind !== "soap") {
    throw new Error("not a SOAP plan");
  }
  return first;
}

function typeNames(plan: SoapPlan): readonly string[] {
  return [...plan.types.values()].map((each) => each.name);
}

const override = (name: string) => ({ span: span("bothends.json"), keySpan: span("bothends.json"), name });

test.each([
  { given: "CheckUSA", want: "checkUSA" },
  { given: "ACMEFoo", want: "acmeFoo" },
  { given: "GetURL", want: "getURL" },
  { given: "URL", want: "url" },
  { given: "USA2Check", want: "usa2Check" },
  { given: "get_foo-bar.baz", want: "getFooBarBaz" },
  { given: "ping", want: "ping" },
  { given: "delete", want: "delete" },
  { given: "constructor", want: "constructorOperation" },
  { given: "then", want: "thenOperation" },
  { given: "toString", want: "toStringOperation" },
  { given: "__proto__", want: "proto" },
  { given: "-", want: "unnamed" },
  { given: "Größe", want: "größe" },
  { given: "2nd", want: "_2nd" },
])("the operation $given is the method $want", ({ given, want }) => {
  const types: [] = [];
  const operation = wrapped(given, { input: [], result: undefined, types });
  const plan = soapPlan(soapInterface([service("reg", [operation])], types));
  expect(plan.services[0]?.operations[0]?.method).toBe(want);
});

test.each([
  { given: "Vehicle", want: "Vehicle" },
  { given: "vehicle-type", want: "VehicleType" },
  { given: "ArrayOf_xsd_string", want: "ArrayOfXsdString" },
  { given: "string", want: "StringType" },
  { given: "any", want: "Any" },
  { given: "Promise", want: "PromiseType" },
  { given: "Date", want: "DateType" },
  { given: "Error", want: "ErrorType" },
  { given: "Record", want: "RecordType" },
  { given: "default", want: "Default" },
  { given: "await", want: "Await" },
  { given: "enum", want: "Enum" },
  { given: "SoapFault", want: "SoapFaultType" },
  { given: "RegClient", want: "RegClientType" },
  { given: "VehicleClientOptions", want: "VehicleClientOptionsType" },
  { given: "Options", want: "OptionsType" },
])("the type $given is called $want", ({ given, want }) => {
  expect(typeNames(soapPlan(soapOf([recordType(given, [])])))[0]).toBe(want);
});

test("names that are equal after conversion get numbers in source order, with a warning", () => {
  const soap = soapOf([recordType("a-b", []), recordType("a_b", []), recordType("AB", [])]);
  expect(typeNames(soapPlan(soap)).slice(0, 3)).toEqual(["AB", "AB2", "AB3"]);
  expect(planned(soap).diagnostics.map((each) => each.code)).toEqual(["NAM001", "NAM001"]);
});

test("an anonymous type does not take the name of a named type", () => {
  const soap = soapOf([{ ...anonymous("Order", []), id: `{${ns}}Order@element` }, recordType("Order", [])]);
  expect(typeNames(soapPlan(soap)).slice(0, 2)).toEqual(["Order2", "Order"]);
});

test("the anonymous type of a message whose name is taken gets a word for the message", () => {
  const types: TypeDefinition[] = ["Order", "OrderResponse"].map((name) => ({
    ...recordType(name, []),
    id: `{${ns}}${name}@type`,
  }));
  const operation = wrapped("Order", { input: [], result: undefined, types });
  const plan = soapPlan(soapInterface([service("reg", [operation])], types));
  expect([...plan.types.values()].map(({ name }) => name)).toEqual([
    "Order",
    "OrderResponse",
    "OrderInput",
    "OrderResponseOutput",
  ]);
});

test("the second of two types with the same name gets the last word of its namespace", () => {
  const elsewhere = { namespace: other, span: span("other.xsd") };
  const soap = soapOf([recordType("Vehicle", []), recordType("Vehicle", [], elsewhere)]);
  expect(typeNames(soapPlan(soap)).slice(0, 2)).toEqual(["Vehicle", "VehicleTwo"]);
});

test("a declaration in two namespaces becomes one type with two descriptors", () => {
  const plan = soapPlan(vehicleInterface());
  expect(plan.types.get(`{${ns}}Vehicle`)).toMatchObject({
    name: "Vehicle",
    descriptor: "vehicleDescriptor",
    isDeclared: true,
  });
  expect(plan.types.get(`{${other}}Vehicle`)).toMatchObject({
    name: "Vehicle",
    descriptor: "vehicleBespokeDescriptor",
    isDeclared: false,
    file: "bespokeapi",
  });
});

test("a declaration in two namespaces whose references differ becomes two types", () => {
  const place = { span: span("records.xsd", 1, 2) };
  const soap = soapOf([
    recordType("Box", [element("what", named(`{${ns}}Thing`))], place),
    recordType("Box", [element("what", named(`{${other}}Thing`))], { ...place, namespace: other }),
    recordType("Thing", [element("a", builtin("string"))]),
    recordType("Thing", [element("b", builtin("int"))], { namespace: other }),
  ]);
  expect(typeNames(soapPlan(soap)).slice(0, 4)).toEqual(["Box", "BoxTwo", "Thing", "ThingTwo"]);
});

test("a declaration that is widened in only one of its namespaces becomes two types", () => {
  const place = { span: span("records.xsd", 1, 2) };
  const sky: TypeDefinition = { ...enumeration("Sky", ["blue"]), ...place };
  const openSky: TypeDefinition = { ...sky, id: `{${other}}Sky`, name: { namespace: other, local: "Sky" }, open: true };
  const day = element("on", builtin("date"));
  const soap = soapOf([
    sky,
    openSky,
    recordType("Day", [day], place),
    recordType("Day", [{ ...day, tolerateNull: true }], { ...place, namespace: other }),
  ]);
  expect(typeNames(soapPlan(soap)).slice(0, 4)).toEqual(["Sky", "SkyTwo", "Day", "DayTwo"]);
});

test("the descriptor of a type that several services use is in the shared file", () => {
  const types = [recordType("Both", []), recordType("One", [])];
  const ask = (name: string, ids: readonly string[]) =>
    wrapped(name, { input: ids.map((id) => element(id, named(`{${ns}}${id}`))), result: undefined, types });
  const services = [service("a", [ask("AskA", ["Both", "One"])]), service("b", [ask("AskB", ["Both"])])];
  const plan = soapPlan(soapInterface(services, types));
  expect(plan.types.get(`{${ns}}Both`)?.file).toBeUndefined();
  expect(plan.types.get(`{${ns}}One`)?.file).toBe("a");
});

test.each([
  { files: ["reg"], want: ["reg"] },
  { files: ["RegService"], want: ["reg-service"] },
  { files: ["CON"], want: ["con-name"] },
  { files: ["nul"], want: ["nul-name"] },
  { files: [".git"], want: ["git"] },
  { files: ["a.", "a "], want: ["a", "a2"] },
  { files: ["node_modules"], want: ["node-modules"] },
  { files: ["index"], want: ["index-name"] },
  { files: ["shared"], want: ["shared-name"] },
  { files: ["State", "state"], want: ["state", "state2"] },
  { files: ["../../etc"], want: ["etc"] },
  { files: ["名"], want: ["u540d"] },
  { files: ["größe é"], want: ["grosse-e"] },
  { files: ["ÆrøskøbingŁódź"], want: ["aeroskobing-lodz"] },
  { files: [""], want: ["unnamed"] },
  { files: ["x".repeat(300)], want: ["x".repeat(60)] },
])("the services of $files are in the files $want", ({ files, want }) => {
  const plan = soapPlan(
    soapInterface(
      files.map((file) => service(file, [])),
      [],
    ),
  );
  expect(plan.services.map((each) => each.file)).toEqual(want);
});

test("the first service of a WSDL is named after the file, and the others keep their names", () => {
  const services = [
    service("api", [], { name: "Orders" }),
    service("api", [], { name: "OrdersAdmin" }),
    service("stock", [], { name: "Stores" }),
  ];
  const plan = soapPlan(soapInterface(services, []));
  expect(plan.services.map((each) => each.client)).toEqual(["ApiClient", "OrdersAdminClient", "StockClient"]);
});

test.each([
  { file: "größe é", want: { client: "GrößeÉClient", member: "größeÉ" } },
  { file: "gro\u0308\u00dfe", want: { client: "GrößeClient", member: "größe" } },
  { file: "Заказ-позиций", want: { client: "ЗаказПозицийClient", member: "заказПозиций" } },
  { file: "注文", want: { client: "注文Client", member: "注文" } },
  { file: "😀", want: { client: "UnnamedClient", member: "unnamed" } },
])("the names of a service in the file $file keep its letters", ({ file, want }) => {
  expect(soapPlan(soapInterface([service(file, [])], [])).services).toMatchObject([want]);
});

test.each([
  { place: "of the same WSDL", added: service("ec2", [], { name: "Images" }) },
  { place: "of the same WSDL, called as the file", added: service("ec2", [], { name: "Ec2" }) },
  { place: "of the same WSDL, called as another WSDL", added: service("ec2", [], { name: "s3" }) },
  { place: "of another WSDL", added: service("images", [], { name: "Images" }) },
])("adding a service $place does not change the names of the others", ({ added }) => {
  const services = [service("ec2", [], { name: "AmazonEC2" }), service("s3", [], { name: "AmazonS3" })];
  const [first, ...others] = services;
  // Only the constant with the shared parts of documents may change: the package does not export it.
  const named = (list: typeof services) =>
    soapPlan(soapInterface(list, [])).services.map((each) => ({ ...each, definitions: undefined }));
  const before = named(services);
  const after = named([first, added, ...others].filter((each) => each !== undefined));
  expect(after.filter((each) => each.service !== added)).toEqual(before);
  const alone = soapPlan(soapInterface(services.slice(0, 1), []));
  expect(alone.services).toEqual(before.slice(0, 1));
  expect(alone).toMatchObject({ client: "Ec2Client", handlers: "Ec2Handlers", routes: "ec2Routes" });
});

test("the class of a single service is the class of its interface, and keeps its name beside a second service", () => {
  const single = soapPlan(soapInterface([service("vehicle", [])], []));
  expect(single).toMatchObject({ hasFacade: false, client: "VehicleClient", clientOptions: "VehicleClientOptions" });
  expect(single).toMatchObject({ handlers: "VehicleHandlers", routes: "vehicleRoutes" });
  const two = soapPlan(soapInterface([service("vehicle", []), service("reg", [])], []));
  const definitions = { constant: "vehicleDefinitions", file: "vehicle" };
  expect(two.services[0]).toEqual(
    single.services[0] && { ...single.services[0], service: two.services[0]?.service, definitions },
  );
  expect(two).toMatchObject({
    hasFacade: true,
    client: "VehicleServicesClient",
    clientOptions: "VehicleClientOptions",
  });
  const other = soapPlan(soapInterface([service("reg", [])], []));
  expect(other).toMatchObject({ hasFacade: false, client: "RegClient", clientOptions: "VehicleClientOptions" });
});

test("the class of a fault whose type has its name ends in Error", () => {
  const types: TypeDefinition[] = [recordType("LoginFault", [element("code", builtin("int"))])];
  const fault = {
    ...element("fault", named(`{${ns}}LoginFault`)),
    name: "LoginFault",
    element: { namespace: ns, local: "LoginFault" },
  };
  const services = [
    service("Reg", [{ ...wrapped("Login", { input: [], result: undefined, types }), faults: [fault] }]),
  ];
  expect(soapPlan(soapInterface(services, types)).faults.map(({ name }) => name)).toEqual(["LoginFaultError"]);
});

test("adding a service does not rename the class of a fault", () => {
  const types: TypeDefinition[] = [];
  const ask = (name: string, local: string) => ({
    ...wrapped(name, { input: [], result: undefined, types }),
    faults: [{ ...element(local, builtin("string")), name: "Refused", element: { namespace: ns, local } }],
  });
  const services = [
    service("ec2", [ask("Run", "Problem")]),
    service("ec2", [ask("Copy", "CopyProblem")], { name: "Images" }),
  ];
  const faultNames = (count: number) =>
    soapPlan(soapInterface(services.slice(0, count), types)).faults.map((fault) => fault.name);
  expect(faultNames(1)).toEqual(["Refused"]);
  expect(faultNames(2)).toEqual(["Refused", "CopyProblem"]);
});

test("operations with the same name get distinct methods, with a warning unless they are overloads", () => {
  const types: [] = [];
  const ask = (name: string) => wrapped(name, { input: [], result: undefined, types });
  const soap = soapInterface([service("reg", [ask("Ask"), ask("ask"), { ...ask("Ask"), overload: 2 }])], []);
  expect(soapPlan({ ...soap, types }).services[0]?.operations.map((each) => each.method)).toEqual([
    "ask",
    "ask2",
    "ask22",
  ]);
  expect(planned({ ...soap, types }).diagnostics.filter((each) => each.code === "NAM002")).toHaveLength(1);
});

test("if two services have the same operation, the later constant contains the name of its service", () => {
  const types: [] = [];
  const services = ["a", "b"].map((file) => service(file, [wrapped("Ping", { input: [], result: undefined, types })]));
  const plan = soapPlan(soapInterface(services, []) && { ...soapInterface(services, types) });
  expect(plan.services.map((each) => each.operations[0]?.constant)).toEqual(["ping", "bPing"]);
});

test("names in the configuration have precedence over others", () => {
  const names = new Map([
    [`{${ns}}Vehicle`, override("Car")],
    ["CheckUSA", override("lookup")],
  ]);
  const plan = soapPlan(vehicleInterface(), { names });
  expect(plan.types.get(`{${ns}}Vehicle`)?.name).toBe("Car");
  expect(plan.services[0]?.operations[0]).toMatchObject({ method: "lookup", constant: "lookup" });
});

test("a type of answers is named after the type that it widens", () => {
  const sky = enumeration("Sky", ["blue"]);
  const day = recordType("Day", [element("sky", named(sky.id))]);
  const rainyDay = { ...recordType("RainyDay", [...day.fields]), base: day.id };
  const anyDay: TypeDefinition = {
    ...day,
    kind: "polymorphic",
    id: `${day.id}*`,
    name: undefined,
    declared: day.id,
    blocked: [],
    alternatives: [day, rainyDay].map(({ id, words }) => ({ tag: words.join(), type: id })),
  };
  const types: TypeDefinition[] = [
    sky,
    { ...sky, id: `{${other}}Sky`, span: span("test.xsd", 1) },
    day,
    rainyDay,
    anyDay,
  ];
  const days = element("day", named(anyDay.id));
  const input = [days, element("sky", named(`{${other}}Sky`))];
  const operations = [
    wrapped("Put", { input, result: days, types }),
    wrapped("Get", { input: [], result: element("sky", named(`{${other}}Sky`)), types }),
  ];
  const soap = widenAnswers(soapInterface([service("reg", operations)], types, { tolerate: ["enumeration"] }));
  const answers = (plan: SoapPlan) => typeNames(plan).filter((name) => name.endsWith("Answer"));
  expect(answers(soapPlan(soap))).toEqual(["SkyAnswer", "SkyTwoAnswer", "DayAnswer", "RainyDayAnswer", "AnyDayAnswer"]);
  const configured = new Map([
    [sky.id, override("Heaven")],
    [day.id, override("Crate")],
  ]);
  expect(answers(soapPlan(soap, { names: configured }))).toEqual([
    "HeavenAnswer",
    "SkyAnswer",
    "CrateAnswer",
    "RainyDayAnswer",
    "AnyCrateAnswer",
  ]);
});

test("typeMap applies to the type of answers too", () => {
  const sky = enumeration("Sky", ["blue"]);
  const types: TypeDefinition[] = [sky];
  const operation = wrapped("Put", {
    input: [element("sky", named(sky.id))],
    result: element("sky", named(sky.id)),
    types,
  });
  const soap = widenAnswers(soapInterface([service("reg", [operation])], types, { tolerate: ["enumeration"] }));
  const place = { span: span("bothends.json"), keySpan: span("bothends.json") };
  const type = { module: { file: "sky.js" }, type: "Sky", read: "readSky", write: "writeSky" };
  const plan = soapPlan(soap, { typeMap: new Map([[sky.id, { ...place, type }]]) });
  const mapped = [...plan.types.values()].filter(({ mapping }) => mapping !== undefined);
  expect(mapped.map(({ name, mapping }) => [name, mapping?.read])).toEqual([
    ["Sky", "readSky"],
    ["SkyAnswer", "readSky"],
  ]);
});

test.each([
  { name: "not an identifier", names: { CheckUSA: "a-b" }, want: ["NAM003"] },
  { name: "reserved", names: { [`{${ns}}Vehicle`]: "Promise" }, want: ["NAM003"] },
  { name: "of nothing", names: { CheckUKS: "x" }, want: ["NAM004"] },
])("a name of the configuration that is $name is reported", ({ names, want }) => {
  const map = new Map(Object.entries(names).map(([key, name]) => [key, override(name)] as const));
  expect(planned(vehicleInterface(), { names: map }).diagnostics.map((each) => each.code)).toEqual(want);
});

test.each([
  { typeMap: { dateTime: "Date" }, want: [] },
  { typeMap: { long: "bigint", dateTime: "string" }, want: [] },
  { typeMap: { dateTime: "any; evil()" }, want: ["NAM005"] },
  { typeMap: { string: "Date" }, want: ["NAM005"] },
  { typeMap: { __proto__x: "number" }, want: ["NAM005"] },
])("typeMap $typeMap is answered with $want", ({ typeMap, want }) => {
  const soap = soapOf([recordType("A", [])]);
  const { diagnostics } = planned(soap, {
    typeMap: new Map(
      Object.entries(typeMap).map(([name, type]) => [
        name,
        { type, span: span("bothends.json"), keySpan: span("bothends.json") },
      ]),
    ),
  });
  expect(diagnostics.map((each) => each.code)).toEqual(want);
});

const moneyType = { module: { file: "money.js" }, type: "Money", read: "readMoney", write: "writeMoney" };
const typeMapHelp = "A named type can be mapped to a type from a module";

test.each([
  { type: "Price", word: "number", want: [] },
  { type: "Price", word: "string", want: [] },
  { type: "Price", word: "Date", want: ["This type can be mapped to number."] },
  { type: "Color", word: "number", want: [expect.stringContaining(typeMapHelp)] },
  { type: "Prize", word: "number", want: [`Did you mean "{${ns}}Price"?`] },
  { type: "Missing", word: "number", want: ["Write a simple type of the schema as {namespace}local."] },
])("typeMap can make $type a $word, or the message says what it can be", ({ type, word, want }) => {
  const amount = restriction("Amount", builtin("decimal"));
  const price = restriction("Price", named(amount.id));
  const soap = soapOf([amount, price, enumeration("Color", ["red"])]);
  const entry = { type: word, span: span("bothends.json"), keySpan: span("bothends.json") };
  const { diagnostics } = planned(soap, { typeMap: new Map([[`{${ns}}${type}`, entry]]) });
  expect(diagnostics.map(({ help }) => help)).toEqual(want);
});

test.each([
  { here: "number", there: "string", want: ["NAM005"] },
  { here: "number", there: moneyType, want: ["NAM005"] },
  { here: moneyType, there: { ...moneyType, type: "Cents" }, want: ["NAM005"] },
  { here: "number", there: "number", want: [] },
  { here: moneyType, there: moneyType, want: [] },
])("typeMap with $here and $there for one declaration in two namespaces gives $want", ({ here, there, want }) => {
  const price = restriction("Price", builtin("decimal"));
  const soap = soapOf([price, { ...price, id: `{${other}}Price`, name: { namespace: other, local: "Price" } }]);
  const place = { span: span("bothends.json"), keySpan: span("bothends.json") };
  const typeMap = new Map([
    [`{${ns}}Price`, { ...place, type: here }],
    [`{${other}}Price`, { ...place, type: there }],
  ]);
  expect(planned(soap, { typeMap }).diagnostics.map(({ code }) => code)).toEqual(want);
});

test("an alias gets another name if a type of the schema has its name", () => {
  const plan = soapPlan(soapOf([recordType("DateTime", [])]));
  expect(plan.builtins.get("dateTime")?.alias).toBe("DateTimeText");
});

test("REST operations are grouped by their first word, in files named after the namespace", () => {
  const [plan] = planned(contentInterface()).plan.interfaces;
  expect(plan?.kind === "rest" && plan.groups.map(({ member, file, client }) => ({ member, file, client }))).toEqual([
    { member: undefined, file: "root", client: "ContentRootClient" },
    { member: "core", file: "core-v2", client: "CoreV2Client" },
    { member: "oembed", file: "oembed-1-0", client: "Oembed10Client" },
  ]);
});

test("in a script without capitals, the names of a constant and its type still differ", () => {
  const [plan] = planned(restInterface([endpoint("名.前"), endpoint("core.list")])).plan.interfaces;
  const endpoints = plan?.kind === "rest" ? plan.groups.flatMap((group) => group.endpoints) : [];
  expect(endpoints.map(({ input, constant }) => [input, constant])).toEqual([
    ["名前", "名前Endpoint"],
    ["CoreList", "coreList"],
  ]);
});

test("an operation that is also a group causes an internal error", () => {
  const rest = restInterface([endpoint("core.blocks"), endpoint("core.blocks.list")]);
  expect(() => planned(rest)).toThrow("core.blocks is also a group");
});

test.each([
  { given: "urn:messages_2023_2.platform.webservices.netsuite.com", want: ["Messages", "Messages20232"] },
  { given: "urn:core_2023_2.platform.webservices.netsuite.com", want: ["Core", "Core20232"] },
  { given: "http://vehicle.example/bespoke/", want: ["Bespoke"] },
  { given: "http://a.example/2006/05/common/v2", want: ["Common", "CommonV2"] },
  { given: "http://schemas.a.example/services/2006/messages", want: ["Messages"] },
  { given: "http://www.vehicle.example/", want: ["Vehicle"] },
  { given: "http://a.example/air_v33_0", want: ["Air", "AirV330"] },
  { given: "http://a.example/Stock.asmx", want: ["Stock"] },
  { given: "http://www.vehicle.example/ver10/events/wsdl", want: ["Events", "EventsWsdl"] },
  { given: "http://www.vehicle.example/ver20/ptz/wsdl", want: ["Ptz", "PtzWsdl"] },
  { given: "http://www.vehicle.example/ver10/schema", want: ["Vehicle", "VehicleVer10Schema"] },
  { given: "http://vehicle.example/xsd", want: ["Vehicle", "VehicleXsd"] },
  { given: "urn:schema", want: ["Schema"] },
  { given: "urn:b", want: ["B"] },
  { given: "", want: [] },
])("the words of the namespace '$given' are $want", ({ given, want }) => {
  expect(listNamespaceWords(given)).toEqual(want);
});

test("a type keeps its name when it gets a second use", () => {
  const types: TypeDefinition[] = [recordType("CarRequest", [])];
  const car = wrapped("FindCar", { input: [], result: undefined, types: [] });
  const request = named(`{${ns}}CarRequest`);
  const operation = (name: string) => {
    const body = { ...car.input.body, element: { namespace: ns, local: name }, type: request };
    return { ...car, name, uniqueName: name, output: undefined, input: { ...car.input, body } };
  };
  const names = (operations: readonly Operation[]) =>
    typeNames(soapPlan(soapInterface([service("cars", operations)], types)));
  expect(names([operation("Find")])).toEqual(["CarRequest"]);
  expect(names([operation("Find"), operation("Seek")])).toEqual(["CarRequest"]);
});

test("the examples of built-in types are valid", () => {
  const types: Readonly<Record<string, unknown>> = xs;
  for (const [name, text] of exampleTexts) {
    const type = types[name] as { readonly write: (value: unknown) => unknown } | undefined;
    // The text of a QName depends on the prefixes of the document.
    expect(name === "QName" ? text : type?.write(text), name).toBe(text);
  }
});
