import type { InsuranceDetails, InsurancePolicy, IrishTaxi, Vehicle, VehicleHandlers } from "@bothends/server/vehicle";

/** Returns a sample vehicle in which some fields have a value, some are empty, and some pairs lack a child. */
export function sampleVehicle(operation: string, key: string): Vehicle {
  return {
    vehicleJson: JSON.stringify({ operation, key }),
    vehicleData: {
      Description: `${operation} ${key}`,
      RegistrationYear: "2013",
      CarMake: { CurrentValue: null, CurrentTextValue: "FORD" },
      CarModel: "FOCUS",
      BodyStyle: { CurrentValue: "H", CurrentTextValue: "Hatchback" },
      EngineSize: { CurrentValue: "1596", CurrentTextValue: null },
      FuelType: { CurrentValue: "P", CurrentTextValue: "Petrol & <LPG> €" },
      MakeDescription: "FORD",
      ModelDescription: "",
    },
  };
}

export function sampleInsurance(vehicleType: string): InsuranceDetails {
  return {
    Make: "FIAT",
    Model: "PANDA",
    Company: `Assicurazioni ${vehicleType}`,
    Expiry: "2026-03-31T00:00:00",
    IsInsured: true,
  };
}

export const samplePolicy: InsurancePolicy = { PolicyNumber: "PL-1", Vehicle: "Łada", Company: "PZU", Address: "" };

export function sampleTaxi(license: string): IrishTaxi {
  return { LicenceNumber: license, Expiry: "31/03/2026", LicenceHolder: "Áine" };
}

/** Handlers of both services with sample data; the key `NONE` has no result. */
export const vehicleSample: VehicleHandlers = {
  reg: {
    checkPakistan: (input) => find("CheckPakistan", input.RegistrationNumber),
    checkCzechRepublic: (input) => find("CheckCzechRepublic", input.RegistrationNumber),
    checkUSA: (input) => find("CheckUSA", input.RegistrationNumber),
    checkIreland: (input) => find("CheckIreland", input.RegistrationNumber),
    checkFrance: (input) => find("CheckFrance", input.RegistrationNumber),
    checkMexico: (input) => find("CheckMexico", input.RegistrationNumber),
    checkRussia: (input) => find("CheckRussia", input.RegistrationNumber),
    checkMalta: (input) => find("CheckMalta", input.RegistrationNumber),
    checkPeru: (input) => find("CheckPeru", input.RegistrationNumber),
    checkGermany: (input) => find("CheckGermany", input.KBANumber),
    checkAustria: (input) => find("CheckAustria", String(input.NatCode)),
  },
  bespokeapi: {
    checkUSARestrictedAccount: (input) => find("CheckUSARestrictedAccount", input.RegistrationNumber),
    checkUSAMinimal: (input) => find("CheckUSAMinimal", input.regNumber),
    checkUSADynamic: (input) => find("CheckUSADynamic", input.regNumber),
    checkItalyMotorbike: (input) => find("CheckItalyMotorbike", input.regNumber),
    checkInsuranceStatusItalyWithVehicleType: (input) => sampleInsurance(input.vehicleType),
    checkInsuranceStatusPoland: () => samplePolicy,
    checkIrishTaxi: (input) => sampleTaxi(input.regNumber),
  },
};

function find(operation: string, key: string): Vehicle | null {
  return key === "NONE" ? null : sampleVehicle(operation, key);
}
