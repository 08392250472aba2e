import { SoapFault, VehicleClient } from "@bothends/client/vehicle";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { type Protocol, protocols } from "../sample/lookups.js";
import { vehicleSample } from "../sample/vehicle.js";

/**
 * Records the messages of every operation: the decoded answer, and for each protocol the request, the answer and a
 * fault.
 */
export async function recordWire(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const throwFault = () => {
    throw new SoapFault({ code: "Client", reason: "No such vehicle.", actor: "urn:example:lookup" });
  };
  for (const protocol of protocols) {
    await record(vehicleRoutes(vehicleSample), protocol, (operation, { request, answer, value }) => {
      files.set(`${operation}/value.json`, `${JSON.stringify(value, null, 2)}\n`);
      files.set(`${operation}/${protocol}.request.txt`, request);
      files.set(`${operation}/${protocol}.answer.txt`, answer);
    });
    await record(vehicleRoutes(vehicleSample, { authorize: throwFault }), protocol, (operation, { answer }) => {
      files.set(`${operation}/${protocol}.fault.txt`, answer);
    });
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Exchange {
  readonly request: string;
  readonly answer: string;
  readonly value: unknown;
}

async function record(
  routes: ReturnType<typeof vehicleRoutes>,
  protocol: Protocol,
  save: (operation: string, exchange: Exchange) => void,
): Promise<void> {
  let request = "";
  let answer = "";
  const client = new VehicleClient({
    baseUrl: "http://vehicle.example",
    protocol,
    transport: fetchTransport(webHandler([routes])),
    hooks: {
      before: ({ method, url, headers, body }) => {
        request = formatMessage(
          `${method} ${new URL(url).pathname}${new URL(url).search}`,
          Object.entries(headers),
          getText(body),
        );
      },
      after: ({ status, headers, body }) => {
        answer = formatMessage(String(status), [...headers], getText(body));
      },
    },
  });
  for (const [operation, run] of listWireCalls(client)) {
    const value = await run().catch(() => undefined);
    save(operation, { request, answer, value });
  }
}

/** Formats a message: start line, sorted headers, an empty line, body. */
function formatMessage(start: string, headers: readonly (readonly [string, string])[], body: string): string {
  const lines = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`).sort();
  return `${[start, ...lines].join("\n")}\n\n${body}`;
}

function getText(body: string | Uint8Array | undefined): string {
  return typeof body === "string" || body === undefined ? (body ?? "") : new TextDecoder().decode(body);
}

/** Lists one call of every operation, with characters that must be escaped. */
export function listWireCalls({
  reg,
  bespokeapi,
}: VehicleClient): readonly (readonly [operation: string, run: () => Promise<unknown>])[] {
  const username = "demo & co";
  const RegistrationNumber = "AB<1>&é";
  const regNumber = RegistrationNumber;
  return [
    ["CheckPakistan", () => reg.checkPakistan({ RegistrationNumber, state: "Punjab", district: "Lahore", username })],
    ["CheckCzechRepublic", () => reg.checkCzechRepublic({ RegistrationNumber, username })],
    ["CheckUSA", () => reg.checkUSA({ RegistrationNumber, State: "NY", username })],
    ["CheckIreland", () => reg.checkIreland({ RegistrationNumber, username })],
    ["CheckFrance", () => reg.checkFrance({ RegistrationNumber, username })],
    ["CheckMexico", () => reg.checkMexico({ RegistrationNumber, username })],
    ["CheckRussia", () => reg.checkRussia({ RegistrationNumber, username })],
    ["CheckMalta", () => reg.checkMalta({ RegistrationNumber, username })],
    ["CheckPeru", () => reg.checkPeru({ RegistrationNumber, username })],
    ["CheckGermany", () => reg.checkGermany({ KBANumber: "0603/BFK", username })],
    ["CheckAustria", () => reg.checkAustria({ NatCode: 123456, username })],
    [
      "CheckUSARestrictedAccount",
      () => bespokeapi.checkUSARestrictedAccount({ RegistrationNumber, State: "NY", username }),
    ],
    ["CheckUSAMinimal", () => bespokeapi.checkUSAMinimal({ regNumber, state: "NY", username })],
    ["CheckUSADynamic", () => bespokeapi.checkUSADynamic({ regNumber, state: "NY", username })],
    ["CheckItalyMotorbike", () => bespokeapi.checkItalyMotorbike({ regNumber, username })],
    [
      "CheckInsuranceStatusItalyWithVehicleType",
      () => bespokeapi.checkInsuranceStatusItalyWithVehicleType({ regNumber, vehicleType: "A", username }),
    ],
    ["CheckInsuranceStatusPoland", () => bespokeapi.checkInsuranceStatusPoland({ regNumber, username })],
    ["CheckIrishTaxi", () => bespokeapi.checkIrishTaxi({ regNumber })],
  ];
}
