import type { Pair, Vehicle, VehicleData } from "@bothends/server/vehicle";
import type { VehicleRow } from "../registry.js";

/** Converts a row to a record: the vehicle's data, and the same data as JSON. Empty columns are absent. */
export function vehicleRecord(row: VehicleRow): Vehicle {
  return withJson({
    ...text("ABICode", row.abiCode),
    Description: row.description,
    ...text("RegistrationYear", row.registrationYear),
    ...text("ManufactureYearFrom", row.manufacturedFrom),
    ...text("ManufactureYearTo", row.manufacturedTo),
    CarMake: pairOf(row.make),
    CarModel: row.model,
    ...pairMember("BodyStyle", row.bodyStyle),
    ...pairMember("EngineSize", row.engineSize),
    ...pairMember("NumberOfDoors", row.doors),
    ...pairMember("Transmission", row.transmission),
    ...pairMember("FuelType", row.fuel),
    MakeDescription: row.make,
    ModelDescription: row.model,
    ...pairMember("Immobiliser", row.immobiliser),
    ...pairMember("NumberOfSeats", row.seats),
    ...text("IndicativeValue", row.value),
    ...pairMember("DriverSide", row.driverSide),
  });
}

/** Converts a row to a record with only the data that identifies the vehicle. */
export function minimalRecord(row: VehicleRow): Vehicle {
  return withJson({
    Description: row.description,
    ...text("RegistrationYear", row.registrationYear),
    CarMake: pairOf(row.make),
    CarModel: row.model,
  });
}

function withJson(vehicleData: VehicleData): Vehicle {
  return { vehicleJson: JSON.stringify(vehicleData), vehicleData };
}

type StoredValue = string | number | null;

function text<Name extends string>(name: Name, value: StoredValue): Partial<Record<Name, string>> {
  return value === null ? {} : ({ [name]: String(value) } as Record<Name, string>);
}

function pairMember<Name extends string>(name: Name, value: StoredValue): Partial<Record<Name, Pair>> {
  return value === null ? {} : ({ [name]: pairOf(String(value)) } as Record<Name, Pair>);
}

function pairOf(value: string): Pair {
  return { CurrentValue: null, CurrentTextValue: value };
}
