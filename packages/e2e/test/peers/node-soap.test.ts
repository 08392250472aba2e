import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { VehicleClient } from "@bothends/client/vehicle";
import type { RunningServer } from "@bothends/runtime/server/node";
import * as soap from "soap";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveSample } from "../../src/sample/serve.js";
import { root } from "../house/sources.js";

let server: RunningServer;
beforeAll(async () => {
  server = await serveSample(0);
});
afterAll(async () => {
  await server.close();
});

const inputs: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string | number>>>>>> = {
  reg: {
    CheckPakistan: { RegistrationNumber: "A", state: "b", district: "c", username: "u" },
    CheckCzechRepublic: { RegistrationNumber: "A", username: "u" },
    CheckUSA: { RegistrationNumber: "A", State: "NY", username: "u" },
    CheckIreland: { RegistrationNumber: "A", username: "u" },
    CheckFrance: { RegistrationNumber: "A", username: "u" },
    CheckMexico: { RegistrationNumber: "A", username: "u" },
    CheckRussia: { RegistrationNumber: "A", username: "u" },
    CheckMalta: { RegistrationNumber: "A", username: "u" },
    CheckPeru: { RegistrationNumber: "A", username: "u" },
    CheckGermany: { KBANumber: "A", username: "u" },
    CheckAustria: { NatCode: 7, username: "u" },
  },
  bespokeapi: {
    CheckUSARestrictedAccount: { RegistrationNumber: "A", State: "NY", username: "u" },
    CheckUSAMinimal: { regNumber: "A", state: "NY", username: "u" },
    CheckUSADynamic: { regNumber: "A", state: "NY", username: "u" },
    CheckItalyMotorbike: { regNumber: "A", username: "u" },
    CheckInsuranceStatusItalyWithVehicleType: { regNumber: "A", vehicleType: "b", username: "u" },
    CheckInsuranceStatusPoland: { regNumber: "A", username: "u" },
    CheckIrishTaxi: { regNumber: "A" },
  },
};

const cases = Object.keys(inputs).flatMap((file) => [[file, "1.1", false] as const, [file, "1.2", true] as const]);

test.each(cases)(
  "node-soap calls every operation of %s over SOAP %s, from the served WSDL",
  async (file, _, forceSoap12Headers) => {
    const client = await soap.createClientAsync(`${server.url}/api/${file}.asmx?wsdl`, { forceSoap12Headers });
    for (const [operation, input] of Object.entries(inputs[file] ?? {})) {
      const call: (input: unknown) => Promise<readonly [Record<string, unknown>]> = client[`${operation}Async`];
      const [answer] = await call(input);
      expect(Object.keys(answer), operation).toEqual([`${operation}Result`]);
    }
  },
);

test.each(["reg", "bespokeapi"])("node-soap reads schemas/vehicle/%s.wsdl", async (file) => {
  const client = await soap.createClientAsync(join(root, `schemas/vehicle/${file}.wsdl`));
  const described = JSON.stringify(client.describe());
  for (const operation of Object.keys(inputs[file] ?? {})) expect(described).toContain(`"${operation}"`);
});

test.each(["soap11", "soap12"] as const)("the generated client calls a node-soap server over %s", async (protocol) => {
  const http = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  try {
    const answer = {
      CheckUSAResult: {
        vehicleJson: "{}",
        vehicleData: { Description: "Łada <&>", CarMake: { CurrentTextValue: "FORD" } },
      },
    };
    const operations = { CheckUSA: () => answer, CheckMalta: () => ({}) };
    const path = join(root, "schemas/vehicle/reg.wsdl");
    await new Promise<void>((ready) => {
      soap.listen(http, {
        path: "/api/reg.asmx",
        services: { Reg: { RegSoap: operations, RegSoap12: operations } },
        xml: readFileSync(path, "utf8"),
        uri: path,
        forceSoap12Headers: protocol === "soap12",
        callback: () => ready(),
      });
    });
    const { port } = http.address() as AddressInfo;
    const { reg } = new VehicleClient({ baseUrl: `http://127.0.0.1:${port}`, username: "u", protocol });
    const found = await reg.checkUSA({ RegistrationNumber: "A", State: "NY" });
    expect(found?.vehicleData?.Description).toBe("Łada <&>");
    expect(found?.vehicleData?.CarMake).toEqual({ CurrentValue: null, CurrentTextValue: "FORD" });
  } finally {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});
