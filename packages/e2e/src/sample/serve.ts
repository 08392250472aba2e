import { contentAnswers } from "@bothends/contract/content/operations";
import { checkAnswers } from "@bothends/runtime/server";
import { listen, type RunningServer } from "@bothends/runtime/server/node";
import { type ContentHandlers, contentRoutes } from "@bothends/server/content";
import { type VehicleHandlers, vehicleRoutes } from "@bothends/server/vehicle";
import { createContentSample } from "./content.js";
import { type ContentCall, createExactContent, createExactVehicle } from "./exact.js";
import { vehicleSample } from "./vehicle.js";

/** Serves both interfaces with sample data on a port of the loopback address. */
export function serveSample(port: number): Promise<RunningServer> {
  return serve(port, vehicleSample, createContentSample());
}

/** Serves both interfaces with sample data, but answers only the expected calls with exactly the expected arguments. */
export function serveExactly(port: number, expected: readonly ContentCall[]): Promise<RunningServer> {
  return serve(port, createExactVehicle(), createExactContent(createContentSample(), expected));
}

function serve(port: number, vehicle: VehicleHandlers, content: ContentHandlers): Promise<RunningServer> {
  const site = {
    name: "Sample site",
    description: "Content with two languages",
    gmt_offset: "0",
    timezone_string: "",
    validate: checkAnswers(contentAnswers),
  };
  return listen([vehicleRoutes(vehicle), contentRoutes(content, site)], { port, host: "127.0.0.1" });
}
