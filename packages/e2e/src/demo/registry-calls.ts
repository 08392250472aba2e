import { VehicleClient } from "@bothends/client/vehicle";
import type { Call } from "./call.js";

const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;
type Options = { readonly protocol: (typeof protocols)[number] };

/** Every operation of both services over every protocol, with the number of its sample in the registry, and its record. */
export function registryCalls(baseUrl: string): readonly Call[] {
  const { reg, bespokeapi } = new VehicleClient({ baseUrl, username: "demo" });
  const usa = { RegistrationNumber: "ABC1234", State: "NY" };
  const lookups: readonly (readonly [string, (options: Options) => Promise<unknown>, object])[] = [
    [
      "CheckPakistan",
      (options) => reg.checkPakistan({ RegistrationNumber: "LEA 1234", state: "Punjab", district: "Lahore" }, options),
      vehicle({ ...focus, DriverSide: pair("RHS") }),
    ],
    [
      "CheckCzechRepublic",
      (options) => reg.checkCzechRepublic({ RegistrationNumber: "5A1 2345" }, options),
      vehicle(focus),
    ],
    ["CheckUSA", (options) => reg.checkUSA({ RegistrationNumber: "abc-1234", State: "ny" }, options), vehicle(focus)],
    [
      "CheckIreland",
      (options) => reg.checkIreland({ RegistrationNumber: "131-D-1234" }, options),
      vehicle({ ...focus, DriverSide: pair("RHS") }),
    ],
    ["CheckFrance", (options) => reg.checkFrance({ RegistrationNumber: "AB-123-CD" }, options), vehicle(focus)],
    ["CheckMexico", (options) => reg.checkMexico({ RegistrationNumber: "ABC-123-A" }, options), vehicle(focus)],
    ["CheckRussia", (options) => reg.checkRussia({ RegistrationNumber: "A123BC77" }, options), vehicle(focus)],
    [
      "CheckMalta",
      (options) => reg.checkMalta({ RegistrationNumber: "ABC 123" }, options),
      vehicle({ ...focus, DriverSide: pair("RHS") }),
    ],
    ["CheckPeru", (options) => reg.checkPeru({ RegistrationNumber: "ABC-123" }, options), vehicle(focus)],
    ["CheckGermany", (options) => reg.checkGermany({ KBANumber: "8566AAA" }, options), vehicle(focus)],
    ["CheckAustria", (options) => reg.checkAustria({ NatCode: 123456 }, options), vehicle(focus)],
    [
      "CheckUSARestrictedAccount",
      (options) => bespokeapi.checkUSARestrictedAccount({ ...usa, username: "restricted" }, options),
      vehicle(focus),
    ],
    [
      "CheckUSAMinimal",
      (options) => bespokeapi.checkUSAMinimal({ regNumber: "ABC1234", state: "NY" }, options),
      vehicle({ Description: focus.Description, RegistrationYear: "2013", CarMake: pair("FORD"), CarModel: "FOCUS" }),
    ],
    [
      "CheckUSADynamic",
      (options) => bespokeapi.checkUSADynamic({ regNumber: "ABC1234", state: "NY" }, options),
      vehicle(focus),
    ],
    [
      "CheckItalyMotorbike",
      (options) => bespokeapi.checkItalyMotorbike({ regNumber: "AB12345" }, options),
      vehicle(vespa),
    ],
    [
      "CheckInsuranceStatusItalyWithVehicleType",
      (options) =>
        bespokeapi.checkInsuranceStatusItalyWithVehicleType({ regNumber: "AB123CD", vehicleType: "car" }, options),
      insurance,
    ],
    [
      "CheckInsuranceStatusPoland",
      (options) => bespokeapi.checkInsuranceStatusPoland({ regNumber: "WA 12345" }, options),
      policy,
    ],
    ["CheckIrishTaxi", (options) => bespokeapi.checkIrishTaxi({ regNumber: "05 D 1" }, options), taxi],
  ];
  return lookups.flatMap(([operation, run, equal]) =>
    protocols.map((protocol) => ({ operation, protocol, run: () => run({ protocol }), expected: { equal } })),
  );
}

/** A record has its data twice: as members, and as text. */
function vehicle(vehicleData: object): object {
  return { vehicleJson: JSON.stringify(vehicleData), vehicleData };
}

function pair(text: string): object {
  return { CurrentValue: null, CurrentTextValue: text };
}

const focus = {
  ABICode: "32130768",
  Description: "FORD FOCUS ZETEC 1.6",
  RegistrationYear: "2013",
  ManufactureYearFrom: "2011",
  ManufactureYearTo: "2014",
  CarMake: pair("FORD"),
  CarModel: "FOCUS",
  BodyStyle: pair("Hatchback"),
  EngineSize: pair("1596"),
  NumberOfDoors: pair("5"),
  Transmission: pair("Manual"),
  FuelType: pair("Petrol"),
  MakeDescription: "FORD",
  ModelDescription: "FOCUS",
  Immobiliser: pair("Thatcham 2"),
  NumberOfSeats: pair("5"),
  IndicativeValue: "4250",
  DriverSide: pair("LHS"),
} as const;

const vespa = {
  Description: "PIAGGIO VESPA GTS 300",
  RegistrationYear: "2019",
  CarMake: pair("PIAGGIO"),
  CarModel: "VESPA",
  EngineSize: pair("278"),
  FuelType: pair("Petrol"),
  MakeDescription: "PIAGGIO",
  ModelDescription: "VESPA",
};

const insurance = {
  Make: "FIAT",
  Model: "PANDA",
  Company: "Assicurazioni Generali",
  Expiry: "2027-03-31T00:00:00.000Z",
  IsInsured: true,
  Region: "Lazio",
};

const policy = {
  PolicyNumber: "PL-2026-0001",
  Vehicle: "FSO POLONEZ",
  Company: "PZU",
  Address: "al. Jana Pawła II 24, Warszawa",
  IsBlacklisted: "false",
};

const taxi = { LicenceNumber: "N12345", Expiry: "2027-05-01", LicenceHolder: "Áine Ní Bhriain" };
