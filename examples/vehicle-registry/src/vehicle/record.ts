import type { Pair, Vehicle, VehicleData } from "@bothends/server/vehicle";
import type { VehicleRow } from "../registry.js";

/** Converts a row to a record: the vehicle's data, and the same data as JSON. Empty columns are absent. */
export function createVehicleRecord(row: VehicleRow): Vehicle {
  return withJson({
    ...createTextMember("ABICode", row.abiCode),
    Description: row.description,
    ...createTextMember("RegistrationYear", row.registrationYear),
    ...createTextMember("ManufactureYearFrom", row.manufacturedFrom),
    ...createTextMember("ManufactureYearTo", row.manufacturedTo),
    CarMake: createPair(row.make),
    CarModel: row.model,
    ...createPairMember("BodyStyle", row.bodyStyle),
    ...createPairMember("EngineSize", row.engineSize),
    ...createPairMember("NumberOfDoors", row.doors),
    ...createPairMember("Transmission", row.transmission),
    ...createPairMember("FuelType", row.fuel),
    MakeDescription: row.make,
    ModelDescription: row.model,
    ...createPairMember("Immobiliser", row.immobiliser),
    ...createPairMember("NumberOfSeats", row.seats),
    ...createTextMember("IndicativeValue", row.value),
    ...createPairMember("DriverSide", row.driverSide),
  });
}

/** Converts a row to a record with only the data that identifies the vehicle. */
export function createMinimalRecord(row: VehicleRow): Vehicle {
  return withJson({
    Description: row.description,
    ...createTextMember("RegistrationYear", row.registrationYear),
    CarMake: createPair(row.make),
    CarModel: row.model,
  });
}

function withJson(vehicleData: VehicleData): Vehicle {
  return { vehicleJson: JSON.stringify(vehicleData), vehicleData };
}

type StoredValue = string | number | null;

function createTextMember<Name extends string>(name: Name, value: StoredValue): Partial<Record<Name, string>> {
  return value === null ? {} : ({ [name]: String(value) } as Record<Name, string>);
}

function createPairMember<Name extends string>(name: Name, value: StoredValue): Partial<Record<Name, Pair>> {
  return value === null ? {} : ({ [name]: createPair(String(value)) } as Record<Name, Pair>);
}

function createPair(value: string): Pair {
  return { CurrentValue: null, CurrentTextValue: value };
}
