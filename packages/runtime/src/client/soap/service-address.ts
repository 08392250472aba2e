import type { Protocol, ServiceDescriptor } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { type Address, isHttpAddress, readAddress } from "../address.js";
import type { SoapClientOptions } from "../options.js";

/** Where one service answers one protocol: the user's address, or the schema's, moved to the user's base. */
export function serviceAddress(service: ServiceDescriptor, protocol: Protocol, options: SoapClientOptions): Address {
  const { address, baseUrl, transport } = options;
  const known = transport === undefined ? "http" : "any";
  const own = typeof address === "object" ? ownAddress(address, service.name) : address;
  if (own !== undefined) return readAddress(own, "option address", known);
  const described = service.ports[protocol]?.address ?? anyAddress(service);
  if (baseUrl === undefined) {
    if (described !== undefined) return readAddress(described, `address of the service ${service.name}`, known);
    throw new ConfigError(
      `The schema names no address of the service ${service.name}: set the option baseUrl or address.`,
    );
  }
  const base = readAddress(baseUrl, "option baseUrl");
  // Beside an address for another transport, and one that is none, the base is the whole address.
  if (described === undefined || !isHttpAddress(described)) return base;
  const { path, query } = readAddress(described, `address of the service ${service.name}`);
  return { ...base, path: base.path + path, query };
}

function ownAddress(addresses: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(addresses, name) ? addresses[name] : undefined;
}

function anyAddress({ ports }: ServiceDescriptor): string | undefined {
  return Object.values(ports).find((port) => port?.address !== undefined)?.address;
}
