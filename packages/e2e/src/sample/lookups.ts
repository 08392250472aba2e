import type { VehicleClient } from "@bothends/client/vehicle";
import { sampleInsurance, samplePolicy, sampleTaxi, sampleVehicle } from "./vehicle.js";

/** A client with the username in its options. */
export type NamedClient = VehicleClient<{ readonly username: string }>;
export const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;
export type Protocol = (typeof protocols)[number];
type Options = { readonly protocol: Protocol };

/** One call of an operation: its input, and the answer of the sample server. */
export interface Lookup {
  readonly service: "reg" | "bespokeapi";
  readonly operation: string;
  /** Every argument of the request, by its name in the WSDL. */
  readonly input: Readonly<Record<string, string | number>>;
  /** The result; null if the answer contains none. */
  readonly answer: object | null;
  /** Makes the call with the generated client. */
  call(client: NamedClient, options: Options): Promise<unknown>;
}

export const username = "demo";
/** A simple key, a key with escaped and multibyte characters, and a key without a result. */
const keys = ["ABC123", `ŁÓDŹ 日本 😀 <&>"'`, "NONE"] as const;

/** Lookups with each key, for every operation of both services. */
export const lookups: readonly Lookup[] = [
  ...createVehicleLookups("reg", "CheckPakistan", keys, {
    input: (key) => ({ RegistrationNumber: key, state: "پنجاب", district: "" }),
    call: ({ reg }, input, options) => reg.checkPakistan(input, options),
  }),
  ...createVehicleLookups("reg", "CheckCzechRepublic", keys, {
    input: (key) => ({ RegistrationNumber: key }),
    call: ({ reg }, input, options) => reg.checkCzechRepublic(input, options),
  }),
  ...createVehicleLookups("reg", "CheckUSA", keys, {
    input: (key) => ({ RegistrationNumber: key, State: "NY" }),
    call: ({ reg }, input, options) => reg.checkUSA(input, options),
  }),
  ...createVehicleLookups("reg", "CheckIreland", keys, {
    input: (key) => ({ RegistrationNumber: key }),
    call: ({ reg }, input, options) => reg.checkIreland(input, options),
  }),
  ...createVehicleLookups("reg", "CheckFrance", keys, {
    input: (key) => ({ RegistrationNumber: key }),
    call: ({ reg }, input, options) => reg.checkFrance(input, options),
  }),
  ...createVehicleLookups("reg", "CheckMexico", keys, {
    input: (key) => ({ RegistrationNumber: key }),
    call: ({ reg }, input, options) => reg.checkMexico(input, options),
  }),
  ...createVehicleLookups("reg", "CheckRussia", keys, {
    input: (key) => ({ RegistrationNumber: key }),
    call: ({ reg }, input, options) => reg.checkRussia(input, options),
  }),
  ...createVehicleLookups("reg", "CheckMalta", keys, {
    input: (key) => ({ RegistrationNumber: key }),
    call: ({ reg }, input, options) => reg.checkMalta(input, options),
  }),
  ...createVehicleLookups("reg", "CheckPeru", keys, {
    input: (key) => ({ RegistrationNumber: key }),
    call: ({ reg }, input, options) => reg.checkPeru(input, options),
  }),
  ...createVehicleLookups("reg", "CheckGermany", keys, {
    input: (key) => ({ KBANumber: key }),
    call: ({ reg }, input, options) => reg.checkGermany(input, options),
  }),
  ...createVehicleLookups("reg", "CheckAustria", [7, 2147483647, -2147483648], {
    input: (key) => ({ NatCode: key }),
    call: ({ reg }, input, options) => reg.checkAustria(input, options),
  }),
  ...createVehicleLookups("bespokeapi", "CheckUSARestrictedAccount", keys, {
    input: (key) => ({ RegistrationNumber: key, State: "NY" }),
    call: ({ bespokeapi }, input, options) => bespokeapi.checkUSARestrictedAccount(input, options),
  }),
  ...createVehicleLookups("bespokeapi", "CheckUSAMinimal", keys, {
    input: (key) => ({ regNumber: key, state: "NY" }),
    call: ({ bespokeapi }, input, options) => bespokeapi.checkUSAMinimal(input, options),
  }),
  ...createVehicleLookups("bespokeapi", "CheckUSADynamic", keys, {
    input: (key) => ({ regNumber: key, state: "NY" }),
    call: ({ bespokeapi }, input, options) => bespokeapi.checkUSADynamic(input, options),
  }),
  ...createVehicleLookups("bespokeapi", "CheckItalyMotorbike", keys, {
    input: (key) => ({ regNumber: key }),
    call: ({ bespokeapi }, input, options) => bespokeapi.checkItalyMotorbike(input, options),
  }),
  ...["A", "Ł&<>"].map((vehicleType) =>
    createLookup("bespokeapi", "CheckInsuranceStatusItalyWithVehicleType", sampleInsurance(vehicleType), {
      input: { regNumber: "AB", vehicleType },
      call: ({ bespokeapi }, input, options) => bespokeapi.checkInsuranceStatusItalyWithVehicleType(input, options),
    }),
  ),
  createLookup("bespokeapi", "CheckInsuranceStatusPoland", samplePolicy, {
    input: { regNumber: "PO 1ŻŹ" },
    call: ({ bespokeapi }, input, options) => bespokeapi.checkInsuranceStatusPoland(input, options),
  }),
  createTaxiLookup("05D1"),
  createTaxiLookup("Áine"),
];

interface LookupCall<Key, Input> {
  readonly input: Key;
  readonly call: (client: NamedClient, input: Input, options: Options) => Promise<unknown>;
}

function createVehicleLookups<Key extends string | number, Input extends Lookup["input"]>(
  service: Lookup["service"],
  operation: string,
  values: readonly Key[],
  { input, call }: LookupCall<(key: Key) => Input, Input>,
): readonly Lookup[] {
  return values.map((key) => {
    const answer = key === "NONE" ? null : sampleVehicle(operation, String(key));
    return createLookup(service, operation, answer, { input: input(key), call });
  });
}

function createLookup<Input extends Lookup["input"]>(
  service: Lookup["service"],
  operation: string,
  answer: object | null,
  { input, call }: LookupCall<Input, Input>,
): Lookup {
  return {
    service,
    operation,
    answer,
    input: { ...input, username },
    call: (client, options) => call(client, input, options),
  };
}

/** Returns a lookup for the only operation without a username. */
function createTaxiLookup(regNumber: string): Lookup {
  return {
    service: "bespokeapi",
    operation: "CheckIrishTaxi",
    input: { regNumber },
    answer: sampleTaxi(regNumber),
    call: ({ bespokeapi }, options) => bespokeapi.checkIrishTaxi({ regNumber }, options),
  };
}
