import type { AnyOperationDescriptor, Protocol, ServiceDescriptor } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { type Address, createAddress, omitSlash, parseUrl } from "../address.js";
import type { SoapClientOptions } from "../options.js";
import { readAddress } from "../read-address.js";

// This module is loaded for calls whose target `findUsualTarget` does not find: for ports, for services with separate
// addresses, and for mistakes.

/** A call whose operation is not prepared yet. */
export interface UnpreparedCall {
  readonly operation: AnyOperationDescriptor;
  readonly protocolOfCall: Protocol | undefined;
  /** The protocol in the options of the call or the client. */
  readonly chosenProtocol: Protocol | undefined;
  /** The protocol of a call without options: the first one in the WSDL, else the client's first protocol. */
  readonly defaultProtocol: Protocol | undefined;
  readonly options: SoapClientOptions;
}

/** The protocol of a call, and its address. */
export interface CallTarget {
  readonly protocol: Protocol;
  readonly address: Address;
}

/** Returns the protocol and the address of a call. Throws `ConfigError` for mistakes in the options. */
export function findTarget(call: UnpreparedCall): CallTarget {
  const protocol = findProtocol(call);
  return { protocol, address: findServiceAddress(call.operation.service, protocol, call.options) };
}

/**
 * Returns the protocol in the options, else the protocol of the port in the option `port`, else the default protocol.
 */
function findProtocol({ operation, chosenProtocol, defaultProtocol, options }: UnpreparedCall): Protocol {
  const { name, service, bindings } = operation;
  const names = Object.keys(bindings).join(", ");
  if (chosenProtocol !== undefined) {
    if (bindings[chosenProtocol] !== undefined) {
      return chosenProtocol;
    }
    throw new ConfigError(
      `The operation ${name} has no binding for the protocol ${chosenProtocol}. It has only ${names}.`,
    );
  }
  const port = findChosenPort(service, options);
  if (port !== undefined && bindings[port.protocol] !== undefined) {
    return port.protocol;
  }
  if (defaultProtocol !== undefined) {
    return defaultProtocol;
  }
  throw new ConfigError(
    `The operation ${name} has no binding for a protocol of the client. Add one of ${names} to "protocols".`,
  );
}

/**
 * Returns the address of a service for one protocol: the option `address`, or the address in the schema. The option
 * `baseUrl` replaces scheme and host of the address in the schema.
 */
function findServiceAddress(service: ServiceDescriptor, protocol: Protocol, options: SoapClientOptions): Address {
  const { address, baseUrl, transport } = options;
  const allowedSchemes = transport === undefined ? "http" : "any";
  const addressOption = getServiceOption(address, service);
  if (addressOption !== undefined) {
    return readAddress(addressOption, 'option "address"', allowedSchemes);
  }
  const port = findChosenPort(service, options);
  const portAddress = port?.protocol === protocol ? port.address : undefined;
  const schemaAddress = portAddress ?? service.ports[protocol]?.address ?? findAnyAddress(service);
  if (baseUrl === undefined) {
    if (schemaAddress !== undefined) {
      return readAddress(schemaAddress, `address of the service ${service.name}`, allowedSchemes);
    }
    throw new ConfigError(
      `The schema has no address for the service ${service.name}. Set the option "baseUrl" or "address".`,
    );
  }
  const baseAddress = readAddress(baseUrl, 'option "baseUrl"');
  // If the schema has no http address, the option `baseUrl` is the complete address.
  if (schemaAddress === undefined || parseUrl(schemaAddress, "http") === undefined) {
    return baseAddress;
  }
  const { path, query } = readAddress(schemaAddress, `address of the service ${service.name}`);
  return createAddress({ ...baseAddress, path: omitSlash(baseAddress.path) + path, query });
}

/**
 * Returns the value of an option that can have a value per service. Refuses services that the interface does not have.
 */
function getServiceOption(
  value: string | Readonly<Record<string, string | undefined>> | undefined,
  { name, services }: ServiceDescriptor,
): string | undefined {
  if (typeof value !== "object") {
    return value;
  }
  for (const key of Object.keys(value)) {
    if (services?.includes(key) === false) {
      throw new ConfigError(`There is no service "${key}". The services are ${services.join(", ")}.`);
    }
  }
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

interface ChosenPort {
  readonly protocol: Protocol;
  readonly address?: string;
}

/** Returns the port that the option `port` names; undefined without the option. */
function findChosenPort(service: ServiceDescriptor, options: SoapClientOptions): ChosenPort | undefined {
  const portName = getServiceOption(options.port, service);
  if (portName === undefined) {
    return undefined;
  }
  const ports = new Map<string, ChosenPort>(Object.entries(service.otherPorts ?? {}));
  for (const [protocol, port] of Object.entries(service.ports)) {
    // `Object.entries` loses the type of the keys.
    ports.set(port.name, { ...port, protocol: protocol as Protocol });
  }
  const port = ports.get(portName);
  if (port === undefined) {
    throw new ConfigError(
      `The service ${service.name} has no port "${portName}". It has ${[...ports.keys()].join(", ")}.`,
    );
  }
  return port;
}

function findAnyAddress({ ports }: ServiceDescriptor): string | undefined {
  return Object.values(ports).find((port) => port?.address !== undefined)?.address;
}
