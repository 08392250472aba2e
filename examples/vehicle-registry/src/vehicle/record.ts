import type { Pair, Vehicle, VehicleData } from "@bothends/server/vehicle";
import type { VehicleRow } from "../registry.js";

/** The record of a vehicle: its data, and the same data as text. Fields unknown to the registry are absent. */
export function vehicleRecord(row: VehicleRow): Vehicle {
  return withJson({
    ...text("ABICode", row.abiCode),
    Description: row.description,
    ...text("RegistrationYear", row.registrationYear),
    ...text("ManufactureYearFrom", row.manufacturedFrom),
    ...text("ManufactureYearTo", row.manufacturedTo),
    CarMake: pairOf(row.make),
    CarModel: row.model,
    ...pair("BodyStyle", row.bodyStyle),
    ...pair("EngineSize", row.engineSize),
    ...pair("NumberOfDoors", row.doors),
    ...pair("Transmission", row.transmission),
    ...pair("FuelType", row.fuel),
    MakeDescription: row.make,
    ModelDescription: row.model,
    ...pair("Immobiliser", row.immobiliser),
    ...pair("NumberOfSeats", row.seats),
    ...text("IndicativeValue", row.value),
    ...pair("DriverSide", row.driverSide),
  });
}

/** A record with only the data that identifies the vehicle. */
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

type Stored = string | number | null;

function text<Name extends string>(name: Name, value: Stored): Partial<Record<Name, string>> {
  return value === null ? {} : ({ [name]: String(value) } as Record<Name, string>);
}

function pair<Name extends string>(name: Name, value: Stored): Partial<Record<Name, Pair>> {
  return value === null ? {} : ({ [name]: pairOf(String(value)) } as Record<Name, Pair>);
}

function pairOf(value: string): Pair {
  return { CurrentValue: null, CurrentTextValue: value };
}
