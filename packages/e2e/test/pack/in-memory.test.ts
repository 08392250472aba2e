import { ContentClient } from "@bothends/client/content";
import { SoapFault, VehicleClient } from "@bothends/client/vehicle";
import { checkUSA } from "@bothends/client/vehicle/operations";
import { call, connect } from "@bothends/runtime/call";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";
import { soap12 } from "@bothends/runtime/soap12";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { expect, test } from "vitest";
import { createContentSample } from "../../src/sample/content.js";
import { protocols } from "../../src/sample/lookups.js";
import { vehicleSample } from "../../src/sample/vehicle.js";

// No server listens at this address.
const origin = "http://in-memory.example";
const transport = fetchTransport(webHandler([vehicleRoutes(vehicleSample), contentRoutes(createContentSample())]));
const vehicle = new VehicleClient({ baseUrl: origin, transport, username: "demo" });

test.each(protocols)("a client calls handlers over %s without a socket", async (protocol) => {
  const found = await vehicle.reg.checkUSA({ RegistrationNumber: "ABC123", State: "NY" }, { protocol });
  expect(found?.vehicleData?.Description).toEqual(expect.any(String));
});

test("a client receives the fault that the handler throws", async () => {
  const failing = vehicleRoutes({
    ...vehicleSample,
    reg: {
      ...vehicleSample.reg,
      checkUSA: () => {
        throw new SoapFault({ code: "Client", reason: "Which state?" });
      },
    },
  });
  const client = new VehicleClient({
    baseUrl: origin,
    transport: fetchTransport(webHandler([failing])),
    username: "u",
  });
  const input = { RegistrationNumber: "A", State: "" };
  await expect(client.reg.checkUSA(input)).rejects.toMatchObject({ name: "SoapFault", reason: "Which state?" });
});

test("a REST client calls handlers without a socket, with a body and without", async () => {
  const content = new ContentClient({ siteUrl: origin, transport });
  const made = await content.core.blocks.create({ title: { raw: "In memory" }, status: "draft" });
  expect(made).toMatchObject({ status: "draft" });
  await expect(content.core.blocks.get({ id: 999_999 })).rejects.toMatchObject({ status: 404 });
});

test("one operation is called over one protocol without a client class", async () => {
  const connection = connect({ protocols: [soap12], options: { baseUrl: origin, transport } });
  const input = { RegistrationNumber: "ABC123", State: "NY", username: "demo" };
  expect((await call(connection, checkUSA, input))?.vehicleData).toBeDefined();
  await expect(call(connection, checkUSA, input, { protocol: "soap11" })).rejects.toThrow(
    'does not support protocol "soap11". Did you mean "soap12"?',
  );
});
