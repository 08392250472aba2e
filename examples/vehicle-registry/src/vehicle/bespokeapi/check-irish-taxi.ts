import type { VehicleHandlers } from "@bothends/server/vehicle";
import { eq } from "drizzle-orm";
import { normalizeNumber, recordLookup } from "../../registry.js";
import { database } from "../../store.js";
import { taxiLicences } from "../../tables.js";

export const checkIrishTaxi: VehicleHandlers["bespokeapi"]["checkIrishTaxi"] = async ({ regNumber }) => {
  const isLicence = eq(taxiLicences.number, normalizeNumber(regNumber));
  const [row] = await database.select().from(taxiLicences).where(isLicence);
  if (row === undefined) {
    return null;
  }
  await recordLookup("CheckIrishTaxi", regNumber);
  return {
    LicenceNumber: row.licenceNumber,
    Expiry: row.expiry.toISOString().slice(0, 10),
    LicenceHolder: row.licenceHolder,
  };
};
