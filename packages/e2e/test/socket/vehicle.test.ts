import { DecodeError, HttpStatusError, SoapFault, VehicleClient } from "@bothends/client/vehicle";
import type { ClientAnswer, ClientRequest } from "@bothends/runtime/client";
import type { ServerIncident } from "@bothends/runtime/server";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { type VehicleHandlers, vehicleRoutes } from "@bothends/server/vehicle";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runCalls } from "../../src/demo/call.js";
import { type Protocol, protocols } from "../../src/sample/lookups.js";
import { sampleVehicle, vehicleSample } from "../../src/sample/vehicle.js";
import { listVehicleCalls } from "../../src/sample/vehicle-calls.js";

let server: RunningServer;

/** The sample's handlers, which fail for some keys. */
const handlers: VehicleHandlers = {
  reg: withFailures(vehicleSample.reg),
  bespokeapi: withFailures(vehicleSample.bespokeapi),
};

function withFailures<Handlers extends object>(handlers: Handlers): Handlers {
  return new Proxy(handlers, {
    get(target, key) {
      const handler: unknown = Reflect.get(target, key);
      return typeof handler === "function"
        ? (input: Record<string, unknown>, context: unknown) => failing(input) ?? handler(input, context)
        : handler;
    },
  });
}

function failing(input: Record<string, unknown>): undefined {
  const key = String(Object.values(input)[0]);
  if (key === "-404" || key === "FAULT") {
    throw new SoapFault({ code: "Client", reason: "No such vehicle.", actor: "urn:actor" });
  }
  if (key === "-500" || key === "THROW") {
    throw new Error("secret");
  }
  return undefined;
}

beforeAll(async () => {
  server = await listen([vehicleRoutes(handlers)], { port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await server.close();
});

test("every operation answers over every protocol", async () => {
  const rows = await runCalls(listVehicleCalls(server.url));
  expect(rows).toHaveLength(72);
  expect(rows.filter((row) => row.problem !== undefined)).toEqual([]);
});

test("a method of a generated class resolves to a result if its options ask for it", async () => {
  const { reg } = new VehicleClient({ baseUrl: server.url, username: "demo" });
  const { data, error } = await reg.checkMalta({ RegistrationNumber: "ABC123" }, { result: true });
  expect(error).toBeUndefined();
  expect(data?.vehicleData?.Description).toBe("CheckMalta ABC123");
  const refused = await reg.checkMalta({ RegistrationNumber: "FAULT" }, { result: true, protocol: "soap12" });
  expect(refused.error).toBeInstanceOf(SoapFault);
  await expect(reg.checkMalta({ RegistrationNumber: "FAULT" }, { result: false })).rejects.toBeInstanceOf(SoapFault);
});

/** Calls every operation with a key. */
function callAll(key: string, numeric: number) {
  const { reg, bespokeapi } = new VehicleClient({ baseUrl: server.url, username: "demo" });
  const RegistrationNumber = key;
  const regNumber = key;
  return [
    ["CheckPakistan", (protocol) => reg.checkPakistan({ RegistrationNumber, state: "a", district: "b" }, { protocol })],
    ["CheckCzechRepublic", (protocol) => reg.checkCzechRepublic({ RegistrationNumber }, { protocol })],
    ["CheckUSA", (protocol) => reg.checkUSA({ RegistrationNumber, State: "NY" }, { protocol })],
    ["CheckIreland", (protocol) => reg.checkIreland({ RegistrationNumber }, { protocol })],
    ["CheckFrance", (protocol) => reg.checkFrance({ RegistrationNumber }, { protocol })],
    ["CheckMexico", (protocol) => reg.checkMexico({ RegistrationNumber }, { protocol })],
    ["CheckRussia", (protocol) => reg.checkRussia({ RegistrationNumber }, { protocol })],
    ["CheckMalta", (protocol) => reg.checkMalta({ RegistrationNumber }, { protocol })],
    ["CheckPeru", (protocol) => reg.checkPeru({ RegistrationNumber }, { protocol })],
    ["CheckGermany", (protocol) => reg.checkGermany({ KBANumber: key }, { protocol })],
    ["CheckAustria", (protocol) => reg.checkAustria({ NatCode: numeric }, { protocol })],
    [
      "CheckUSARestrictedAccount",
      (protocol) => bespokeapi.checkUSARestrictedAccount({ RegistrationNumber, State: "NY" }, { protocol }),
    ],
    ["CheckUSAMinimal", (protocol) => bespokeapi.checkUSAMinimal({ regNumber, state: "NY" }, { protocol })],
    ["CheckUSADynamic", (protocol) => bespokeapi.checkUSADynamic({ regNumber, state: "NY" }, { protocol })],
    ["CheckItalyMotorbike", (protocol) => bespokeapi.checkItalyMotorbike({ regNumber }, { protocol })],
    [
      "CheckInsuranceStatusItalyWithVehicleType",
      (protocol) => bespokeapi.checkInsuranceStatusItalyWithVehicleType({ regNumber, vehicleType: "A" }, { protocol }),
    ],
    ["CheckInsuranceStatusPoland", (protocol) => bespokeapi.checkInsuranceStatusPoland({ regNumber }, { protocol })],
    ["CheckIrishTaxi", (protocol) => bespokeapi.checkIrishTaxi({ regNumber }, { protocol })],
  ] as const satisfies readonly (readonly [string, (protocol: Protocol) => Promise<unknown>])[];
}

describe.each(protocols)("over %s", (protocol) => {
  test("a fault that a handler throws arrives for every operation", async () => {
    for (const [operation, call] of callAll("FAULT", -404)) {
      const error = await call(protocol).catch((reason: unknown) => reason);
      if (protocol.startsWith("soap")) {
        expect(error, operation).toBeInstanceOf(SoapFault);
        expect(error).toMatchObject({ code: "Client", reason: "No such vehicle.", actor: "urn:actor", operation });
      } else {
        expect(error, operation).toBeInstanceOf(HttpStatusError);
        expect(error).toMatchObject({ status: 500, body: "No such vehicle.\n", operation });
      }
    }
  });

  test("the message of another exception is not sent", async () => {
    for (const [operation, call] of callAll("THROW", -500)) {
      const error: unknown = await call(protocol).catch((reason: unknown) => reason);
      expect(error, operation).toBeInstanceOf(protocol.startsWith("soap") ? SoapFault : HttpStatusError);
      expect(JSON.stringify(error) + String(error)).not.toContain("secret");
    }
  });

  test("a vehicle that is not found is null", async () => {
    const { reg } = new VehicleClient({ baseUrl: server.url, username: "demo", protocol });
    expect(await reg.checkUSA({ RegistrationNumber: "NONE", State: "NY" })).toBeNull();
  });

  test("nil, empty and absent are distinguished", async () => {
    const { reg } = new VehicleClient({ baseUrl: server.url, username: "demo", protocol });
    const found = await reg.checkUSA({ RegistrationNumber: "A", State: "NY" });
    expect(found).toEqual(sampleVehicle("CheckUSA", "A"));
    expect(found?.vehicleData?.EngineSize).toEqual({ CurrentValue: "1596", CurrentTextValue: null });
    expect(found?.vehicleData?.ModelDescription).toBe("");
    expect(found?.vehicleData !== undefined && "ABICode" in found.vehicleData).toBe(false);
  });

  test("every kind of text is sent and received unchanged", async () => {
    const { reg } = new VehicleClient({ baseUrl: server.url, username: "demo", protocol });
    const key = `<a> & "b" 'c' ]]> é Ł 東京 😀 %41 + ; = #?/\\ \t.`;
    expect((await reg.checkUSA({ RegistrationNumber: key, State: "" }))?.vehicleData?.Description).toBe(
      `CheckUSA ${key}`,
    );
  });
});

test.each([
  { reg: "urn:real/reg", bespoke: "urn:real/bespoke/" },
  { reg: "urn:real/reg/", bespoke: "urn:real/bespoke" },
])("both ends accept $reg and $bespoke as options for the names on the wire", async (namespaces) => {
  const wireNames = { namespaces, operations: { CheckUSARestrictedAccount: "CheckUSAForAcme" } };
  const real = await listen([vehicleRoutes(vehicleSample, { wireNames })], { port: 0, host: "127.0.0.1" });
  try {
    const { reg, bespokeapi } = new VehicleClient({ baseUrl: real.url, username: "demo", wireNames });
    for (const protocol of protocols) {
      const found = await bespokeapi.checkUSARestrictedAccount({ RegistrationNumber: "A", State: "NY" }, { protocol });
      expect(found, protocol).toEqual(sampleVehicle("CheckUSARestrictedAccount", "A"));
      expect(await reg.checkMalta({ RegistrationNumber: "A" }, { protocol })).toEqual(sampleVehicle("CheckMalta", "A"));
    }
    const wsdl = await (await fetch(`${real.url}/api/bespokeapi.asmx?wsdl`)).text();
    expect(wsdl).toContain(`targetNamespace="${namespaces.bespoke}"`);
    expect(wsdl).toContain('soapAction="urn:real/bespoke/CheckUSAForAcme"');
    expect(wsdl).not.toContain("RestrictedAccount");
    const regWsdl = await (await fetch(`${real.url}/api/reg.asmx?wsdl`)).text();
    expect(regWsdl).toContain('soapAction="urn:real/reg/CheckMalta"');
    const standIn = new VehicleClient({ baseUrl: real.url, username: "demo" });
    await expect(standIn.reg.checkMalta({ RegistrationNumber: "A" })).rejects.toBeInstanceOf(SoapFault);
  } finally {
    await real.close();
  }
});

describe.each(["soap11", "soap12"] as const)("an href that a literal type does not declare, over %s", (protocol) => {
  const input = { RegistrationNumber: "A", State: "NY" };
  const text = (body: string | Uint8Array) => (typeof body === "string" ? body : new TextDecoder().decode(body));

  test("is refused by the client with a reason, whatever it refers to", async () => {
    const after = ({ body, ...answer }: ClientAnswer): ClientAnswer => {
      const referring = text(body).replace(
        /<vehicleJson>.*<\/vehicleJson>/s,
        '<vehicleJson href="#id1"/><other id="id1">{}</other>',
      );
      return { ...answer, body: new TextEncoder().encode(referring) };
    };
    const client = new VehicleClient({ baseUrl: server.url, username: "demo", protocol, hooks: { after } });
    const error = await client.reg.checkUSA(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({
      path: "/Envelope/Body/CheckUSAResponse/CheckUSAResult/vehicleJson",
      reason: 'The value must not be a reference (href="#id1") in a literal message.',
    });
  });

  test("is refused by the server: the client receives a Client fault, and the operator the reason", async () => {
    const incidents: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void incidents.push(incident);
    const reporting = await listen([vehicleRoutes(handlers)], { port: 0, host: "127.0.0.1", onError });
    onTestFinished(async () => void (await reporting.close()));
    const before = ({ body, ...request }: ClientRequest): ClientRequest => ({
      ...request,
      body: text(body ?? "").replace(/<State>.*<\/State>/, '<State href="#id1"/>'),
    });
    const client = new VehicleClient({ baseUrl: reporting.url, username: "demo", protocol, hooks: { before } });
    const error = await client.reg.checkUSA(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SoapFault);
    expect(error).toMatchObject({ code: "Client", reason: "Server was unable to read request." });
    const message = 'The value must not be a reference (href="#id1") in a literal message.';
    expect(incidents).toMatchObject([{ kind: "request", operation: "CheckUSA", path: "/CheckUSA/State", message }]);
  });
});
