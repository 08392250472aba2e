import { VehicleClient } from "@bothends/client/vehicle";
import { sampleInsurance, samplePolicy, sampleTaxi, sampleVehicle } from "../sample/vehicle.js";
import type { Call } from "./call.js";

const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;
type Protocol = (typeof protocols)[number];

/** Every operation of both services over every protocol, with the answer that the sample data gives. */
export function vehicleCalls(baseUrl: string): readonly Call[] {
  const { reg, bespokeapi } = new VehicleClient({ baseUrl, username: "demo" });
  const RegistrationNumber = "ABC123";
  const regNumber = "ABC123";
  const vehicle = (operation: string, key = "ABC123") => sampleVehicle(operation, key);
  return [
    each("CheckPakistan", vehicle("CheckPakistan"), (protocol) =>
      reg.checkPakistan({ RegistrationNumber, state: "Punjab", district: "Lahore" }, { protocol }),
    ),
    each("CheckCzechRepublic", vehicle("CheckCzechRepublic"), (protocol) =>
      reg.checkCzechRepublic({ RegistrationNumber }, { protocol }),
    ),
    each("CheckUSA", vehicle("CheckUSA"), (protocol) =>
      reg.checkUSA({ RegistrationNumber, State: "NY" }, { protocol }),
    ),
    each("CheckIreland", vehicle("CheckIreland"), (protocol) => reg.checkIreland({ RegistrationNumber }, { protocol })),
    each("CheckFrance", vehicle("CheckFrance"), (protocol) => reg.checkFrance({ RegistrationNumber }, { protocol })),
    each("CheckMexico", vehicle("CheckMexico"), (protocol) => reg.checkMexico({ RegistrationNumber }, { protocol })),
    each("CheckRussia", vehicle("CheckRussia"), (protocol) => reg.checkRussia({ RegistrationNumber }, { protocol })),
    each("CheckMalta", vehicle("CheckMalta"), (protocol) => reg.checkMalta({ RegistrationNumber }, { protocol })),
    each("CheckPeru", vehicle("CheckPeru"), (protocol) => reg.checkPeru({ RegistrationNumber }, { protocol })),
    each("CheckGermany", vehicle("CheckGermany", "0603/BFK"), (protocol) =>
      reg.checkGermany({ KBANumber: "0603/BFK" }, { protocol }),
    ),
    each("CheckAustria", vehicle("CheckAustria", "123456"), (protocol) =>
      reg.checkAustria({ NatCode: 123456 }, { protocol }),
    ),
    each("CheckUSARestrictedAccount", vehicle("CheckUSARestrictedAccount"), (protocol) =>
      bespokeapi.checkUSARestrictedAccount({ RegistrationNumber, State: "NY" }, { protocol }),
    ),
    each("CheckUSAMinimal", vehicle("CheckUSAMinimal"), (protocol) =>
      bespokeapi.checkUSAMinimal({ regNumber, state: "NY" }, { protocol }),
    ),
    each("CheckUSADynamic", vehicle("CheckUSADynamic"), (protocol) =>
      bespokeapi.checkUSADynamic({ regNumber, state: "NY" }, { protocol }),
    ),
    each("CheckItalyMotorbike", vehicle("CheckItalyMotorbike"), (protocol) =>
      bespokeapi.checkItalyMotorbike({ regNumber }, { protocol }),
    ),
    each("CheckInsuranceStatusItalyWithVehicleType", sampleInsurance("A"), (protocol) =>
      bespokeapi.checkInsuranceStatusItalyWithVehicleType({ regNumber, vehicleType: "A" }, { protocol }),
    ),
    each("CheckInsuranceStatusPoland", samplePolicy, (protocol) =>
      bespokeapi.checkInsuranceStatusPoland({ regNumber }, { protocol }),
    ),
    each("CheckIrishTaxi", sampleTaxi("05D1"), (protocol) =>
      bespokeapi.checkIrishTaxi({ regNumber: "05D1" }, { protocol }),
    ),
  ].flat();
}

function each(operation: string, expected: unknown, run: (protocol: Protocol) => Promise<unknown>): Call[] {
  return protocols.map((protocol) => ({
    operation,
    protocol,
    run: () => run(protocol),
    expected: { equal: expected },
  }));
}
