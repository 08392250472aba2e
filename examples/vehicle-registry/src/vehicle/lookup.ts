import type { Vehicle } from "@bothends/server/vehicle";
import { findVehicle, type Lookup, lookUp, type VehicleKey, type VehicleRow } from "../registry.js";
import { createVehicleRecord } from "./record.js";

type VehicleLookup = Omit<Lookup, "number"> & VehicleKey;

/** Looks up a vehicle for an account. Returns null if there is none. */
export async function lookUpVehicle(
  lookup: VehicleLookup,
  recordOf: (row: VehicleRow) => Vehicle = createVehicleRecord,
): Promise<Vehicle | null> {
  const row = await lookUp(lookup, (transaction) => findVehicle(transaction, lookup));
  return row === undefined ? null : recordOf(row);
}
