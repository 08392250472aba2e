import { vehicleRoutes } from "@bothends/server/vehicle";
import { answerOutages } from "./answer-outages.js";
import { vehicleHandlers } from "./vehicle/handlers.js";

/** All routes of this server. */
export const routes = [vehicleRoutes(vehicleHandlers, { use: answerOutages })];
