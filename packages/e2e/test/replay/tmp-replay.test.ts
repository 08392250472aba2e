import { soapRoutes } from "@bothends/runtime/server";
import * as xs from "@bothends/runtime/xs";
import { expect, test } from "vitest";
import { lookupHandlers, readCases, readDeviations, replay, reportLines } from "../../src/replay/asmx/index.js";

const S = xs.string;
function svc(name: string, key: "reg" | "bespokeapi", ns: string, ops: Record<string, [string[], string]>) {
  const opt = (type: unknown) => ({ type, min: 0 });
  const pair = {
    kind: "record",
    name: `{${ns}}Pair`,
    namespace: ns,
    fields: { CurrentValue: { type: S, nillable: true }, CurrentTextValue: { type: S, nillable: true } },
  };
  const P = () => pair;
  const data = {
    kind: "record",
    name: `{${ns}}VehicleData`,
    namespace: ns,
    fields: Object.fromEntries(
      "ABICode Description RegistrationYear ManufactureYearFrom ManufactureYearTo *CarMake CarModel *BodyStyle *EngineSize *NumberOfDoors *Transmission *FuelType MakeDescription ModelDescription *Immobiliser *NumberOfSeats IndicativeValue *DriverSide"
        .split(" ")
        .map((f) => (f[0] === "*" ? [f.slice(1), opt(P)] : [f, opt(S)])),
    ),
  };
  const recs: Record<string, unknown> = {
    Vehicle: {
      kind: "record",
      name: `{${ns}}Vehicle`,
      namespace: ns,
      fields: { vehicleJson: opt(S), vehicleData: opt(() => data) },
    },
    InsuranceDetails: {
      kind: "record",
      name: `{${ns}}InsuranceDetails`,
      namespace: ns,
      fields: {
        Make: opt(S),
        Model: opt(S),
        Company: opt(S),
        Expiry: opt(xs.dateTime),
        IsInsured: opt(xs.boolean),
        Region: opt(S),
      },
    },
    InsurancePolicy: {
      kind: "record",
      name: `{${ns}}InsurancePolicy`,
      namespace: ns,
      fields: { PolicyNumber: opt(S), Vehicle: opt(S), Company: opt(S), Address: opt(S), IsBlacklisted: opt(S) },
    },
    IrishTaxi: {
      kind: "record",
      name: `{${ns}}IrishTaxi`,
      namespace: ns,
      fields: { LicenceNumber: opt(S), Expiry: opt(S), LicenceHolder: opt(S) },
    },
  };
  const address = `http://x.example/api/${key}.asmx`;
  const service = {
    descriptorFormat: 1,
    name,
    namespace: ns,
    ports: {
      soap11: { name: `${name}Soap`, address },
      soap12: { name: `${name}Soap12`, address },
      httpGet: { name: `${name}HttpGet`, address },
      httpPost: { name: `${name}HttpPost`, address },
    },
  } as const;
  const operations = Object.fromEntries(
    Object.entries(ops).map(([op, [params, rec]]) => {
      const t = (p: string) => ({ type: p === "NatCode" ? xs.int : S });
      const action = ns.endsWith("/") ? ns + op : `${ns}/${op}`;
      const inRec = {
        kind: "record",
        name: `{${ns}}${op}`,
        namespace: ns,
        fields: Object.fromEntries(params.map((p) => [p, t(p)])),
      };
      const outRec = {
        kind: "record",
        name: `{${ns}}${op}Response`,
        namespace: ns,
        fields: { [`${op}Result`]: opt(() => recs[rec]) },
      };
      return [
        "check" + op.slice(5),
        {
          kind: "operation",
          service,
          name: op,
          input: { body: { element: `{${ns}}${op}`, type: () => inRec } },
          output: { body: { element: `{${ns}}${op}Response`, type: () => outRec }, result: `${op}Result` },
          http: {
            parameters: Object.fromEntries(params.map((p) => [p, t(p)])),
            answer: { kind: "xml", element: `{${ns}}${rec}`, type: () => recs[rec], nillable: true },
          },
          bindings: {
            soap11: { action },
            soap12: { action },
            httpGet: { location: `/${op}` },
            httpPost: { location: `/${op}` },
          },
        },
      ];
    }),
  );
  return soapRoutes(
    { service, operations: operations as never, handlers: lookupHandlers[key], facts: { ambient: ["username"] } },
    { onError: () => {}, illegalCharacters: "replace" },
  );
}
const V = "Vehicle";
test("replay", async () => {
  const reg = svc("Reg", "reg", "http://vehicle.example/reg", {
    CheckPakistan: [["RegistrationNumber", "state", "district", "username"], V],
    ...Object.fromEntries(
      "CheckCzechRepublic CheckIreland CheckFrance CheckMexico CheckRussia CheckMalta CheckPeru"
        .split(" ")
        .map((o) => [o, [["RegistrationNumber", "username"], V]]),
    ),
    CheckUSA: [["RegistrationNumber", "State", "username"], V],
    CheckGermany: [["KBANumber", "username"], V],
    CheckAustria: [["NatCode", "username"], V],
  } as never);
  const b = svc("BespokeApi", "bespokeapi", "http://vehicle.example/bespoke/", {
    CheckUSARestrictedAccount: [["RegistrationNumber", "State", "username"], V],
    CheckUSAMinimal: [["regNumber", "state", "username"], V],
    CheckUSADynamic: [["regNumber", "state", "username"], V],
    CheckItalyMotorbike: [["regNumber", "username"], V],
    CheckInsuranceStatusItalyWithVehicleType: [["regNumber", "vehicleType", "username"], "InsuranceDetails"],
    CheckInsuranceStatusPoland: [["regNumber", "username"], "InsurancePolicy"],
    CheckIrishTaxi: [["regNumber"], "IrishTaxi"],
  });
  const report = await replay([reg, b], {
    cases: readCases("/work/shared/ground-truth/asmx/cases"),
    deviations: readDeviations(new URL("../../src/replay/asmx/deviations.json", import.meta.url)),
  });
  console.log(reportLines(report).join("\n"));
}, 60000);
