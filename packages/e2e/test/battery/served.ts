import type { ListenOptions } from "@bothends/runtime/server/node";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { createContentSample } from "../../src/sample/content.js";
import { vehicleSample } from "../../src/sample/vehicle.js";
import { type AdapterServer, adapters } from "./adapters.js";

/** A call of a handler: its path in the handlers object, and its input. */
export type Dispatched = readonly [name: string, input: unknown];

/** Both generated servers on one port, with a list of the handlers' calls. */
export interface Served {
  readonly server: AdapterServer;
  readonly calls: Dispatched[];
  /** The kinds of the reported incidents. */
  readonly incidents: string[];
}

export async function serveBattery(options: ListenOptions = {}, adapter = "Node"): Promise<Served> {
  const calls: Dispatched[] = [];
  const incidents: string[] = [];
  const onError = ({ kind }: { readonly kind: string }) => void incidents.push(kind);
  const routes = [
    vehicleRoutes(watched(vehicleSample, calls), { onError }),
    contentRoutes(watched(createContentSample(), calls), { name: "Battery", onError }),
  ];
  const start = adapters[adapter];
  if (start === undefined) {
    throw new Error(`There is no adapter "${adapter}".`);
  }
  const server = await start(routes, { onError, ...options });
  return { server, calls, incidents };
}

/** Wraps handlers so that each call is added to `calls`. */
export function watched<Handlers extends object>(handlers: Handlers, calls: Dispatched[], place = ""): Handlers {
  return new Proxy(handlers, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const name = `${place}${String(key)}`;
      if (typeof value === "object" && value !== null) {
        return watched(value, calls, `${name}.`);
      }
      if (typeof value !== "function") {
        return value;
      }
      return (input: unknown, context: unknown) => {
        calls.push([name, input]);
        return Reflect.apply(value, target, [input, context]);
      };
    },
  });
}
