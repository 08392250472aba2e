import type { VehicleHandlers } from "@bothends/server/vehicle";
import { checkInsuranceStatusItalyWithVehicleType } from "./bespokeapi/check-insurance-status-italy-with-vehicle-type.js";
import { checkInsuranceStatusPoland } from "./bespokeapi/check-insurance-status-poland.js";
import { checkIrishTaxi } from "./bespokeapi/check-irish-taxi.js";
import { checkItalyMotorbike } from "./bespokeapi/check-italy-motorbike.js";
import { checkUSADynamic } from "./bespokeapi/check-usa-dynamic.js";
import { checkUSAMinimal } from "./bespokeapi/check-usa-minimal.js";
import { checkUSARestrictedAccount } from "./bespokeapi/check-usa-restricted-account.js";
import { checkAustria } from "./reg/check-austria.js";
import { checkCzechRepublic } from "./reg/check-czech-republic.js";
import { checkFrance } from "./reg/check-france.js";
import { checkGermany } from "./reg/check-germany.js";
import { checkIreland } from "./reg/check-ireland.js";
import { checkMalta } from "./reg/check-malta.js";
import { checkMexico } from "./reg/check-mexico.js";
import { checkPakistan } from "./reg/check-pakistan.js";
import { checkPeru } from "./reg/check-peru.js";
import { checkRussia } from "./reg/check-russia.js";
import { checkUSA } from "./reg/check-usa.js";

/** The handlers of all operations. TypeScript reports missing handlers. */
export const vehicleHandlers: VehicleHandlers = {
  reg: {
    checkPakistan,
    checkCzechRepublic,
    checkUSA,
    checkIreland,
    checkFrance,
    checkMexico,
    checkRussia,
    checkMalta,
    checkPeru,
    checkGermany,
    checkAustria,
  },
  bespokeapi: {
    checkUSARestrictedAccount,
    checkUSAMinimal,
    checkUSADynamic,
    checkItalyMotorbike,
    checkInsuranceStatusItalyWithVehicleType,
    checkInsuranceStatusPoland,
    checkIrishTaxi,
  },
};
