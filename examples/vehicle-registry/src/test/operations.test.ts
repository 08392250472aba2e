import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { VehicleClient } from "@bothends/client/vehicle";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";
import { eq } from "drizzle-orm";
import { accounts, lookups } from "../tables.js";

process.env["DATABASE_FOLDER"] ??= "memory://";
const { close, database } = await import("../store.js");
const { routes } = await import("../routes.js");
const { insertSamples } = await import("../samples.js");

before(() => insertSamples(database));
after(close);

const transport = fetchTransport(webHandler(routes));
const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;
const clientOver = (protocol: (typeof protocols)[number]) =>
  new VehicleClient({ baseUrl: "http://vehicles.example", username: "demo", protocol, transport });

/** For each operation, a call with the registration number of a sample record. */
const sampleCalls: Readonly<Record<string, (client: ReturnType<typeof clientOver>) => Promise<unknown>>> = {
  CheckPakistan: ({ reg }) =>
    reg.checkPakistan({ RegistrationNumber: "LEA 1234", state: "Punjab", district: "Lahore" }),
  CheckCzechRepublic: ({ reg }) => reg.checkCzechRepublic({ RegistrationNumber: "5A1 2345" }),
  CheckUSA: ({ reg }) => reg.checkUSA({ RegistrationNumber: "abc-1234", State: "ny" }),
  CheckIreland: ({ reg }) => reg.checkIreland({ RegistrationNumber: "131-D-1234" }),
  CheckFrance: ({ reg }) => reg.checkFrance({ RegistrationNumber: "AB-123-CD" }),
  CheckMexico: ({ reg }) => reg.checkMexico({ RegistrationNumber: "ABC-123-A" }),
  CheckRussia: ({ reg }) => reg.checkRussia({ RegistrationNumber: "A123BC77" }),
  CheckMalta: ({ reg }) => reg.checkMalta({ RegistrationNumber: "ABC 123" }),
  CheckPeru: ({ reg }) => reg.checkPeru({ RegistrationNumber: "ABC-123" }),
  CheckGermany: ({ reg }) => reg.checkGermany({ KBANumber: "8566AAA" }),
  CheckAustria: ({ reg }) => reg.checkAustria({ NatCode: 123456 }),
  CheckUSARestrictedAccount: ({ bespokeapi }) =>
    bespokeapi.checkUSARestrictedAccount({ RegistrationNumber: "ABC1234", State: "NY", username: "restricted" }),
  CheckUSAMinimal: ({ bespokeapi }) => bespokeapi.checkUSAMinimal({ regNumber: "ABC1234", state: "NY" }),
  CheckUSADynamic: ({ bespokeapi }) => bespokeapi.checkUSADynamic({ regNumber: "ABC1234", state: "NY" }),
  CheckItalyMotorbike: ({ bespokeapi }) => bespokeapi.checkItalyMotorbike({ regNumber: "AB12345" }),
  CheckInsuranceStatusItalyWithVehicleType: ({ bespokeapi }) =>
    bespokeapi.checkInsuranceStatusItalyWithVehicleType({ regNumber: "AB123CD", vehicleType: "car" }),
  CheckInsuranceStatusPoland: ({ bespokeapi }) => bespokeapi.checkInsuranceStatusPoland({ regNumber: "WA 12345" }),
  CheckIrishTaxi: ({ bespokeapi }) => bespokeapi.checkIrishTaxi({ regNumber: "05 D 1" }),
};

for (const protocol of protocols) {
  for (const [operation, call] of Object.entries(sampleCalls)) {
    test(`${operation} finds its sample over ${protocol}, and bills it once`, async () => {
      const before = await database.$count(lookups, eq(lookups.operation, operation));
      const answer = await call(clientOver(protocol));
      assert.ok(answer !== null && typeof answer === "object" && Object.keys(answer).length > 0);
      assert.equal(await database.$count(lookups, eq(lookups.operation, operation)), before + 1);
    });
  }
}

const client = clientOver("soap12");

test("a record has the fields of its row, and the same as text", async () => {
  const answer = await client.reg.checkUSA({ RegistrationNumber: "ABC1234", State: "NY" });
  assert.equal(answer?.vehicleData?.CarModel, "FOCUS");
  assert.deepEqual(answer?.vehicleData?.EngineSize, { CurrentValue: null, CurrentTextValue: "1596" });
  assert.equal(JSON.parse(answer?.vehicleJson ?? "{}").CarMake.CurrentTextValue, "FORD");
});

test("a number that is not registered has an empty answer, and is not billed", async () => {
  const before = await database.$count(lookups);
  assert.equal((await client.reg.checkFrance({ RegistrationNumber: "ZZ999ZZ" })) ?? null, null);
  assert.equal(await database.$count(lookups), before);
});

test("the same number in another state is another vehicle", async () => {
  assert.equal((await client.reg.checkUSA({ RegistrationNumber: "ABC1234", State: "TX" })) ?? null, null);
});

test("only the restricted account may call the restricted operation", async () => {
  const call = client.bespokeapi.checkUSARestrictedAccount({ RegistrationNumber: "ABC1234", State: "NY" });
  await assert.rejects(call, /The account "demo" may not call this operation\./);
});

test("an empty username is refused", async () => {
  const call = client.reg.checkPeru({ RegistrationNumber: "ABC123", username: "" });
  await assert.rejects(call, /The username must not be empty\./);
});

test("concurrent lookups use one credit each", async () => {
  const prepaid = `prepaid ${randomUUID()}`;
  await database.insert(accounts).values({ username: prepaid, credits: 3 });
  const call = () => client.reg.checkPeru({ RegistrationNumber: "ABC123", username: prepaid });
  const outcomes = await Promise.allSettled([call(), call(), call(), call(), call()]);
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 3);
  await assert.rejects(call(), /has no lookups left\./);
  assert.equal(await database.$count(lookups, eq(lookups.username, prepaid)), 3);
});
