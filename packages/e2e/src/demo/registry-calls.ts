import { VehicleClient } from "@bothends/client/vehicle";
import { protocols } from "../sample/lookups.js";
import type { Call } from "./call.js";

/** A lookup of a sample record in the vehicle registry, and the expected answer. */
export interface RegistryLookup {
  readonly service: "reg" | "bespokeapi";
  readonly operation: string;
  /** Every argument of the request, by its name and in the order of the WSDL. */
  readonly input: Readonly<Record<string, string | number>>;
  readonly answer: object;
}

/** Lists the calls of every operation of both services over every protocol. */
export function listRegistryCalls(baseUrl: string): readonly Call[] {
  const client = new VehicleClient({ baseUrl });
  return listRegistryLookups().flatMap(({ service, operation, input, answer }) =>
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

/** Lists a lookup for every operation. The sample record contains the registration number in a different spelling. */
export function listRegistryLookups(): readonly RegistryLookup[] {
  const rightHandDrive = { ...fordFocus, DriverSide: createPair("RHS") };
  const minimalVehicle = {
    Description: fordFocus.Description,
    RegistrationYear: "2013",
    CarMake: createPair("FORD"),
    CarModel: "FOCUS",
  };
  const registration = (RegistrationNumber: string) => ({ RegistrationNumber, username: "demo" });
  const usa = { regNumber: "ABC1234", state: "NY", username: "demo" };
  const pakistan = { RegistrationNumber: "LEA 1234", state: "Punjab", district: "Lahore", username: "demo" };
  const restricted = { RegistrationNumber: "ABC1234", State: "NY", username: "restricted" };
  const italy = { regNumber: "AB123CD", vehicleType: "car", username: "demo" };
  return [
    createRegLookup("CheckPakistan", pakistan, createVehicle(rightHandDrive)),
    createRegLookup("CheckCzechRepublic", registration("5A1 2345"), createVehicle(fordFocus)),
    createRegLookup(
      "CheckUSA",
      { RegistrationNumber: "abc-1234", State: "ny", username: "demo" },
      createVehicle(fordFocus),
    ),
    createRegLookup("CheckIreland", registration("131-D-1234"), createVehicle(rightHandDrive)),
    createRegLookup("CheckFrance", registration("AB-123-CD"), createVehicle(fordFocus)),
    createRegLookup("CheckMexico", registration("ABC-123-A"), createVehicle(fordFocus)),
    createRegLookup("CheckRussia", registration("A123BC77"), createVehicle(fordFocus)),
    createRegLookup("CheckMalta", registration("ABC 123"), createVehicle(rightHandDrive)),
    createRegLookup("CheckPeru", registration("ABC-123"), createVehicle(fordFocus)),
    createRegLookup("CheckGermany", { KBANumber: "8566AAA", username: "demo" }, createVehicle(fordFocus)),
    createRegLookup("CheckAustria", { NatCode: 123456, username: "demo" }, createVehicle(fordFocus)),
    createBespokeapiLookup("CheckUSARestrictedAccount", restricted, createVehicle(fordFocus)),
    createBespokeapiLookup("CheckUSAMinimal", usa, createVehicle(minimalVehicle)),
    createBespokeapiLookup("CheckUSADynamic", usa, createVehicle(fordFocus)),
    createBespokeapiLookup("CheckItalyMotorbike", { regNumber: "AB12345", username: "demo" }, createVehicle(vespa)),
    createBespokeapiLookup("CheckInsuranceStatusItalyWithVehicleType", italy, insurance),
    createBespokeapiLookup("CheckInsuranceStatusPoland", { regNumber: "WA 12345", username: "demo" }, policy),
    createBespokeapiLookup("CheckIrishTaxi", { regNumber: "05 D 1" }, taxi),
  ];
}

function createRegLookup(operation: string, input: RegistryLookup["input"], answer: object): RegistryLookup {
  return { service: "reg", operation, input, answer };
}

function createBespokeapiLookup(operation: string, input: RegistryLookup["input"], answer: object): RegistryLookup {
  return { service: "bespokeapi", operation, input, answer };
}

/** Creates a record that contains its data twice: as members, and as a JSON text. */
function createVehicle(vehicleData: object): object {
  return { vehicleJson: JSON.stringify(vehicleData), vehicleData };
}

function createPair(text: string): object {
  return { CurrentValue: null, CurrentTextValue: text };
}

const fordFocus = {
  ABICode: "32130768",
  Description: "FORD FOCUS ZETEC 1.6",
  RegistrationYear: "2013",
  ManufactureYearFrom: "2011",
  ManufactureYearTo: "2014",
  CarMake: createPair("FORD"),
  CarModel: "FOCUS",
  BodyStyle: createPair("Hatchback"),
  EngineSize: createPair("1596"),
  NumberOfDoors: createPair("5"),
  Transmission: createPair("Manual"),
  FuelType: createPair("Petrol"),
  MakeDescription: "FORD",
  ModelDescription: "FOCUS",
  Immobiliser: createPair("Thatcham 2"),
  NumberOfSeats: createPair("5"),
  IndicativeValue: "4250",
  DriverSide: createPair("LHS"),
} as const;

const vespa = {
  Description: "PIAGGIO VESPA GTS 300",
  RegistrationYear: "2019",
  CarMake: createPair("PIAGGIO"),
  CarModel: "VESPA",
  EngineSize: createPair("278"),
  FuelType: createPair("Petrol"),
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
