import type { VehicleHandlers } from "@bothends/server/vehicle";
import { eq } from "drizzle-orm";
import { lookUp, normalizeNumber } from "../../registry.js";
import { insurancePolicies } from "../../tables.js";

export const checkInsuranceStatusPoland: VehicleHandlers["bespokeapi"]["checkInsuranceStatusPoland"] = async ({
  regNumber,
  username,
}) => {
  const lookup = { operation: "CheckInsuranceStatusPoland", number: regNumber, username };
  const row = await lookUp(lookup, async (transaction) => {
    const isPolicy = eq(insurancePolicies.number, normalizeNumber(regNumber));
    const [found] = await transaction.select().from(insurancePolicies).where(isPolicy);
    return found;
  });
  return row === undefined
    ? null
    : {
        PolicyNumber: row.policyNumber,
        Vehicle: row.vehicle,
        Company: row.company,
        Address: row.address,
        IsBlacklisted: String(row.isBlacklisted),
      };
};
