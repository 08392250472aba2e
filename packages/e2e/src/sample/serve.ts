import { checkAnswers } from "@bothends/runtime/server";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { contentAnswers, contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { contentSample } from "./content.js";
import { vehicleSample } from "./vehicle.js";

/** Both interfaces with sample data on one port of the loopback address. */
export function serveSample(port: number): Promise<RunningServer> {
  const site = {
    name: "Sample site",
    description: "Content with two languages",
    gmt_offset: "0",
    timezone_string: "",
    validate: checkAnswers(contentAnswers),
  };
  return listen([vehicleRoutes(vehicleSample), contentRoutes(contentSample(), site)], { port, host: "127.0.0.1" });
}
