import { vehicleRoutes } from "@bothends/server/vehicle";
import { vehicleHandlers } from "./vehicle/handlers.js";

/** All routes of this server. */
export const routes = [vehicleRoutes(vehicleHandlers)];
