import { VehicleClient } from "@bothends/client/vehicle";
import { protocols } from "../sample/lookups.js";
import type { Call } from "./call.js";

/** A lookup of a sample of the vehicle registry, and its record. */
export interface RegistryLookup {
  readonly service: "reg" | "bespokeapi";
  readonly operation: string;
  /** Every argument of the request, by its name and in the order of the WSDL. */
  readonly input: Readonly<Record<string, string | number>>;
  readonly answer: object;
}

/** Every operation of both services over every protocol. */
export function registryCalls(baseUrl: string): readonly Call[] {
  const client = new VehicleClient({ baseUrl });
  return registryLookups().flatMap(({ service, operation, input, answer }) =>
    protocols.map((protocol) => ({
      operation,
      protocol,
      run: () => {
        const member = operation.charAt(0).toLowerCase() + operation.slice(1);
        return Promise.resolve(
          Reflect.apply(Reflect.get(client[service], member), client[service], [input, { protocol }]),
        );
      },
      expected: { equal: answer },
    })),
  );
}

/** Every operation, with the number of its sample in a different spelling. */
export function registryLookups(): readonly RegistryLookup[] {
  const onTheRight = { ...focus, DriverSide: pair("RHS") };
  const minimal = {
    Description: focus.Description,
    RegistrationYear: "2013",
    CarMake: pair("FORD"),
    CarModel: "FOCUS",
  };
  const number = (RegistrationNumber: string) => ({ RegistrationNumber, username: "demo" });
  const usa = { regNumber: "ABC1234", state: "NY", username: "demo" };
  const pakistan = { RegistrationNumber: "LEA 1234", state: "Punjab", district: "Lahore", username: "demo" };
  const restricted = { RegistrationNumber: "ABC1234", State: "NY", username: "restricted" };
  const italy = { regNumber: "AB123CD", vehicleType: "car", username: "demo" };
  return [
    registered("CheckPakistan", pakistan, vehicle(onTheRight)),
    registered("CheckCzechRepublic", number("5A1 2345"), vehicle(focus)),
    registered("CheckUSA", { RegistrationNumber: "abc-1234", State: "ny", username: "demo" }, vehicle(focus)),
    registered("CheckIreland", number("131-D-1234"), vehicle(onTheRight)),
    registered("CheckFrance", number("AB-123-CD"), vehicle(focus)),
    registered("CheckMexico", number("ABC-123-A"), vehicle(focus)),
    registered("CheckRussia", number("A123BC77"), vehicle(focus)),
    registered("CheckMalta", number("ABC 123"), vehicle(onTheRight)),
    registered("CheckPeru", number("ABC-123"), vehicle(focus)),
    registered("CheckGermany", { KBANumber: "8566AAA", username: "demo" }, vehicle(focus)),
    registered("CheckAustria", { NatCode: 123456, username: "demo" }, vehicle(focus)),
    bespoke("CheckUSARestrictedAccount", restricted, vehicle(focus)),
    bespoke("CheckUSAMinimal", usa, vehicle(minimal)),
    bespoke("CheckUSADynamic", usa, vehicle(focus)),
    bespoke("CheckItalyMotorbike", { regNumber: "AB12345", username: "demo" }, vehicle(vespa)),
    bespoke("CheckInsuranceStatusItalyWithVehicleType", italy, insurance),
    bespoke("CheckInsuranceStatusPoland", { regNumber: "WA 12345", username: "demo" }, policy),
    bespoke("CheckIrishTaxi", { regNumber: "05 D 1" }, taxi),
  ];
}

function registered(operation: string, input: RegistryLookup["input"], answer: object): RegistryLookup {
  return { service: "reg", operation, input, answer };
}

function bespoke(operation: string, input: RegistryLookup["input"], answer: object): RegistryLookup {
  return { service: "bespokeapi", operation, input, answer };
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
