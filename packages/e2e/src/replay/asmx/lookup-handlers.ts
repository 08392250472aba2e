import { SoapFault } from "@bothends/runtime";
import type { Insurance, Lookup, Policy, Taxi, VehicleData } from "./lookup-records.js";

/** The handlers of the recorded service: each answer is determined by the operation and its first parameter. */
export const lookupHandlers = {
  reg: {
    checkPakistan: vehicle("CheckPakistan", ["RegistrationNumber", "state", "district", "username"]),
    checkCzechRepublic: vehicle("CheckCzechRepublic", ["RegistrationNumber", "username"]),
    checkUSA: vehicle("CheckUSA", ["RegistrationNumber", "State", "username"]),
    checkIreland: vehicle("CheckIreland", ["RegistrationNumber", "username"]),
    checkFrance: vehicle("CheckFrance", ["RegistrationNumber", "username"]),
    checkMexico: vehicle("CheckMexico", ["RegistrationNumber", "username"]),
    checkRussia: vehicle("CheckRussia", ["RegistrationNumber", "username"]),
    checkMalta: vehicle("CheckMalta", ["RegistrationNumber", "username"]),
    checkPeru: vehicle("CheckPeru", ["RegistrationNumber", "username"]),
    checkGermany: vehicle("CheckGermany", ["KBANumber", "username"]),
    checkAustria: vehicle("CheckAustria", ["NatCode", "username"]),
  },
  bespokeapi: {
    checkUSARestrictedAccount: vehicle("CheckUSARestrictedAccount", ["RegistrationNumber", "State", "username"]),
    checkUSAMinimal: vehicle("CheckUSAMinimal", ["regNumber", "state", "username"]),
    checkUSADynamic: vehicle("CheckUSADynamic", ["regNumber", "state", "username"]),
    checkItalyMotorbike: vehicle("CheckItalyMotorbike", ["regNumber", "username"]),
    checkInsuranceStatusItalyWithVehicleType: insurance,
    checkInsuranceStatusPoland: policy,
    checkIrishTaxi: taxi,
  },
};

function vehicle(operation: string, parameters: readonly string[]): (input: object) => Lookup | null {
  return (input) => {
    const key = getKey(input, parameters[0]);
    if (key === "NULL") {
      return null;
    }
    if (key === "EMPTY") {
      return {};
    }
    if (key === "EMPTYDATA") {
      return { vehicleJson: "", vehicleData: {} };
    }
    throwRequestedError(key);
    return {
      vehicleJson: createVehicleJson(operation, parameters, input),
      vehicleData: createVehicleData(`${operation} ${key}`),
    };
  };
}

function createVehicleData(description: string): VehicleData {
  return {
    Description: description,
    RegistrationYear: "2013",
    CarMake: { CurrentValue: null, CurrentTextValue: "FORD" },
    CarModel: "FOCUS",
    BodyStyle: { CurrentValue: "H", CurrentTextValue: "Hatchback" },
    EngineSize: { CurrentValue: "1596", CurrentTextValue: null },
    NumberOfDoors: { CurrentValue: null, CurrentTextValue: null },
    Transmission: { CurrentValue: "", CurrentTextValue: "" },
    FuelType: { CurrentValue: "P", CurrentTextValue: "Petrol & <b>LPG</b> €" },
    MakeDescription: "FORD",
    ModelDescription: "",
  };
}

function createVehicleJson(operation: string, parameters: readonly string[], input: object): string {
  const members = parameters.map((name) => {
    const value: unknown = Reflect.get(input, name);
    return `"${name}":${value === undefined || value === null ? "null" : quoteJson(String(value))}`;
  });
  return `{"op":"${operation}",${members.join(",")}}`;
}

function quoteJson(text: string): string {
  const escapedText = text.replace(/["\\]/g, "\\$&");
  return `"${escapedText.replace(/[\0-\x1f]/g, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

function insurance(input: object): Insurance | null {
  const key = getKey(input, "regNumber");
  if (key === "NULL") {
    return null;
  }
  if (key === "EMPTY") {
    return { Expiry: "0001-01-01T00:00:00", IsInsured: false };
  }
  throwRequestedError(key);
  const zones: Readonly<Record<string, string>> = { UTC: "Z", LOCAL: "+00:00", FRACTION: ".1234567" };
  return {
    Make: "FIAT",
    Model: `PANDA ${key}`,
    Company: `Assicurazioni ${getKey(input, "vehicleType")}`,
    Expiry: `2026-03-31T00:00:00${zones[key] ?? ""}`,
    IsInsured: true,
  };
}

function policy(input: object): Policy | null {
  const key = getKey(input, "regNumber");
  if (key === "NULL") {
    return null;
  }
  if (key === "EMPTY") {
    return {};
  }
  throwRequestedError(key);
  return { PolicyNumber: "PL-1", Vehicle: `Łada ${key}`, Company: "PZU", Address: "" };
}

function taxi(input: object): Taxi | null {
  const key = getKey(input, "regNumber");
  if (key === "NULL") {
    return null;
  }
  if (key === "EMPTY") {
    return {};
  }
  throwRequestedError(key);
  return { LicenceNumber: key, Expiry: "31/03/2026" };
}

function getKey(input: object, name = ""): string {
  return String(Reflect.get(input, name) ?? "");
}

function throwRequestedError(key: string): void {
  switch (key) {
    case "THROW":
      throw new Error("boom <&> é");
    case "NESTED":
      throw new Error("outer", { cause: new Error("inner") });
    case "SOAPCLIENT":
      throw new SoapFault({ code: "Client", reason: "bad number", actor: "urn:actor" });
    case "SOAPDETAIL":
      throw new SoapFault({
        code: "Server",
        reason: "detailed",
        actor: "urn:actor",
        detail: [{ name: "{urn:vehicle:fault}code", content: ["42"] }],
      });
  }
}
