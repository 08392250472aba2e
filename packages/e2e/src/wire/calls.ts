import type { VehicleClient } from "@bothends/client/vehicle";

/** One call of every operation, with an input that needs escaping somewhere. */
export function wireCalls({
  reg,
  bespokeapi,
}: VehicleClient): readonly (readonly [operation: string, run: () => Promise<unknown>])[] {
  const username = "demo & co";
  const RegistrationNumber = "AB<1>&é";
  const regNumber = RegistrationNumber;
  return [
    ["CheckPakistan", () => reg.checkPakistan({ RegistrationNumber, state: "Punjab", district: "Lahore", username })],
    ["CheckCzechRepublic", () => reg.checkCzechRepublic({ RegistrationNumber, username })],
    ["CheckUSA", () => reg.checkUSA({ RegistrationNumber, State: "NY", username })],
    ["CheckIreland", () => reg.checkIreland({ RegistrationNumber, username })],
    ["CheckFrance", () => reg.checkFrance({ RegistrationNumber, username })],
    ["CheckMexico", () => reg.checkMexico({ RegistrationNumber, username })],
    ["CheckRussia", () => reg.checkRussia({ RegistrationNumber, username })],
    ["CheckMalta", () => reg.checkMalta({ RegistrationNumber, username })],
    ["CheckPeru", () => reg.checkPeru({ RegistrationNumber, username })],
    ["CheckGermany", () => reg.checkGermany({ KBANumber: "0603/BFK", username })],
    ["CheckAustria", () => reg.checkAustria({ NatCode: 123456, username })],
    [
      "CheckUSARestrictedAccount",
      () => bespokeapi.checkUSARestrictedAccount({ RegistrationNumber, State: "NY", username }),
    ],
    ["CheckUSAMinimal", () => bespokeapi.checkUSAMinimal({ regNumber, state: "NY", username })],
    ["CheckUSADynamic", () => bespokeapi.checkUSADynamic({ regNumber, state: "NY", username })],
    ["CheckItalyMotorbike", () => bespokeapi.checkItalyMotorbike({ regNumber, username })],
    [
      "CheckInsuranceStatusItalyWithVehicleType",
      () => bespokeapi.checkInsuranceStatusItalyWithVehicleType({ regNumber, vehicleType: "A", username }),
    ],
    ["CheckInsuranceStatusPoland", () => bespokeapi.checkInsuranceStatusPoland({ regNumber, username })],
    ["CheckIrishTaxi", () => bespokeapi.checkIrishTaxi({ regNumber })],
  ];
}
