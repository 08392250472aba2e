import type { VehicleHandlers } from "@bothends/server/vehicle";
import { and, eq } from "drizzle-orm";
import { lookUp, normalizeNumber } from "../../registry.js";
import { insuredVehicles } from "../../tables.js";

export const checkInsuranceStatusItalyWithVehicleType: VehicleHandlers["bespokeapi"]["checkInsuranceStatusItalyWithVehicleType"] =
  async ({ regNumber, vehicleType, username }) => {
    const lookup = { operation: "CheckInsuranceStatusItalyWithVehicleType", number: regNumber, username };
    const row = await lookUp(lookup, async (transaction) => {
      const isVehicle = and(
        eq(insuredVehicles.number, normalizeNumber(regNumber)),
        eq(insuredVehicles.vehicleType, vehicleType.trim().toLowerCase()),
      );
      const [found] = await transaction.select().from(insuredVehicles).where(isVehicle);
      return found;
    });
    return row === undefined
      ? null
      : {
          Make: row.make,
          Model: row.model,
          Company: row.company ?? undefined,
          Expiry: row.expiry?.toISOString(),
          IsInsured: row.isInsured,
          Region: row.region,
        };
  };
