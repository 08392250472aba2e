import { channels } from "#transport";
import type { Tolerance } from "../../answer-errors.js";
import type { CodecOptions } from "../../codec/options.js";
import type { ToleratedDifference } from "../../codec/tolerant-reader.js";
import type {
  AnyOperationDescriptor,
  ImportedFeature,
  InterfaceSettings,
  OperationDescriptor,
  Protocol,
  ServiceDescriptor,
} from "../../descriptor.js";
import { BothendsError, ConfigError } from "../../errors.js";
import {
  Codecs,
  type OperationAnswer,
  type OperationCoding,
  type PreparedOperation,
  type ProtocolBinding,
} from "../../protocol/client.js";
import { type OperationNames, unchangedOperationNames, type WireNameOptions } from "../../wire-names.js";
import { type Address, createAddress, isHttpAddress, omitSlash, readAddress, redactAddress } from "../address.js";
import { createCallFailure, exchange, ignoreLateError, loadObserver } from "../exchange.js";
import type { CallDescription } from "../failures.js";
import type { ClientAnswer, ClientRequest } from "../hooks.js";
import {
  type CallOptions,
  checkFormat,
  checkOptions,
  type OutcomeOf,
  type ResultOption,
  type SoapClientOptions,
  type Supplied,
  soapCallOptions,
  soapClientOptions,
} from "../options.js";
import { convertOutcome } from "../results.js";
import { createCallSettings, createSettings, isObserved, mergeHeaders, type Settings } from "../settings.js";

/** The parameter of `connect`: the protocols and options for calls. */
export interface ConnectionInit<Options extends SoapClientOptions = SoapClientOptions> {
  /** The supported protocols, in order of preference if neither the options nor the WSDL choose one. */
  readonly protocols: readonly ProtocolBinding[];
  readonly options: Options;
  /** The generated settings of the interface, such as `vehicleSettings`. Default: no ambient arguments, no renaming. */
  readonly settings?: InterfaceSettings | undefined;
}

/**
 * Prepares calls with the same options, for the parameter `connection` of `call`. Only the first call opens a socket. A
 * bundle contains only the protocols passed here.
 */
export function connect<Options extends SoapClientOptions>(init: ConnectionInit<Options>): Connection<Options> {
  return new Connection(init);
}

/** Calls one operation. With the option `result: true`, resolves to `{ data }` or `{ error }`. */
export function call<Input, Output, Options extends SoapClientOptions, Result extends boolean = false>(
  connection: Connection<Options>,
  operation: OperationDescriptor<Input, Output>,
  input: NoInfer<Input> | Supplied<NoInfer<Input>, Options>,
  options?: CallOptions<object, never> & ResultOption<Result>,
): Promise<OutcomeOf<Output, Result>> {
  const value = callOperation(connection, operation, { input, options });
  // The descriptor guarantees that the operation's value has this type.
  return convertOutcome(value as Promise<Output>, options);
}

/** One call: the input and options that its caller passed. */
interface CallInit {
  readonly input: unknown;
  readonly options: CallOptions<object, never> | undefined;
}

/** Calls one operation. The types of its input and output need not be known at compile time. */
export async function callOperation(
  connection: Connection,
  operation: AnyOperationDescriptor,
  { input, options }: CallInit,
): Promise<unknown> {
  if (options !== undefined) {
    checkOptions(options, soapCallOptions);
  }
  const { tolerate = connection.interfaceSettings.tolerate } = connection.options;
  if (tolerate !== undefined) {
    await connection.loadTolerance(tolerate);
  }
  const prepared = connection.preparedCall(operation, options?.protocol);
  const call: OperationCall = { connection, operation, prepared, input, options };
  const settings = createCallSettings(connection.settings, options);
  if (!isObserved(settings)) {
    return sendCall(call, settings);
  }
  const { context, protocol } = prepared;
  const callToObserve = { settings, ...context, protocol, channels };
  const observer = await loadObserver(connection, callToObserve);
  return observer === undefined
    ? sendCall(call, settings)
    : observer.observeCall(callToObserve, (recordedSettings) => sendCall(call, recordedSettings));
}

/** A call, and its operation prepared for the protocol of the call. */
interface OperationCall extends CallInit {
  readonly connection: Connection;
  readonly operation: AnyOperationDescriptor;
  readonly prepared: PreparedCall;
}

/** Writes the request, sends it, and reads the answer. */
async function sendCall(call: OperationCall, settings: Settings): Promise<unknown> {
  const { context } = call.prepared;
  try {
    const request = await writeRequest(call, settings);
    const stream = call.options?.stream;
    const answer = await exchange(request, stream?.soap(call, settings) ?? settings, context);
    const { value, soapHeaders } = await readAnswer(call, answer, settings);
    reportAnswer(call, answer, soapHeaders);
    stream?.checkRemainder(value, answer);
    return value;
  } catch (error) {
    throw await createCallFailure(error, context, settings);
  }
}

async function writeRequest(
  { connection, operation, prepared, input, options }: OperationCall,
  { hooks }: Settings,
): Promise<ClientRequest> {
  const { steps, address, addAmbient } = prepared;
  const completeInput = addAmbient === undefined ? input : addAmbient(input, connection.options);
  const { method, url, headers, body } = await steps.write(completeInput, {
    address,
    soapHeaders: options?.soapHeaders,
    extraSoapHeaders: options?.extraSoapHeaders,
    hasAddressing: hooks.some(({ addresses }) => addresses),
  });
  const { authorization } = address;
  return {
    operation: operation.name,
    method,
    url,
    headers: authorization === undefined ? headers : mergeHeaders(headers, { Authorization: authorization }),
    body,
  };
}

async function readAnswer(call: OperationCall, answer: ClientAnswer, { limits }: Settings): Promise<OperationAnswer> {
  const { steps, context } = call.prepared;
  try {
    return await steps.read(answer, { limits, context });
  } catch (error) {
    // Faults have header blocks, too. Does not use `instanceof SoapFault`, because that class is loaded only when the first
    // fault occurs.
    if (error instanceof BothendsError && "soapHeaders" in error) {
      reportAnswer(call, answer, Object(error.soapHeaders));
    }
    throw error;
  }
}

/** Passes status, headers and header blocks of a result or a fault to the option `onAnswer`. */
function reportAnswer(
  { options, prepared }: OperationCall,
  { status, headers }: ClientAnswer,
  soapHeaders: object,
): void {
  // The descriptor guarantees that the header blocks have these types.
  ignoreLateError(options?.onAnswer?.({ ...prepared.context, status, headers, soapHeaders: soapHeaders as never }));
}

const loadUnusualMessages = () => import("../../protocol/client-unusual-messages.js");

/** An operation prepared for one protocol. */
interface PreparedCall {
  readonly protocol: Protocol;
  /** Writes requests and reads answers in this protocol. */
  readonly steps: PreparedOperation;
  readonly names: OperationNames;
  readonly address: Address;
  /** Adds the ambient arguments of the interface; undefined if there are none. */
  readonly addAmbient: AddAmbient | undefined;
  readonly context: CallDescription;
}

/** The options, settings, names and prepared operations that all calls of a client share. Sockets belong to its transport. */
export class Connection<Options extends SoapClientOptions = SoapClientOptions> {
  readonly options: Options;
  readonly interfaceSettings: InterfaceSettings;
  readonly settings: Settings;
  readonly #protocols: readonly ProtocolBinding[];
  readonly #names: InterfaceNames | undefined;
  #codecOptions: CodecOptions;
  #codecs: Codecs;
  #loadingTolerance: Promise<void> | undefined;
  readonly #preparedCalls = new Map<AnyOperationDescriptor, Map<Protocol | undefined, PreparedCall>>();

  constructor({ protocols, options, settings: interfaceSettings = {} }: ConnectionInit<Options>) {
    checkOptions(options, [...soapClientOptions, ...(interfaceSettings.ambient ?? [])]);
    this.options = options;
    this.interfaceSettings = interfaceSettings;
    this.settings = createSettings(options, loadUnusualMessages);
    this.#protocols = protocols;
    this.#names = options.wireNames && prepareNames(interfaceSettings, options.wireNames);
    const { illegalCharacters, unknown, validate } = options;
    const { identity, wildcards: declaredElements } = validate ?? {};
    const namespaces = this.#names?.namespaces;
    this.#codecOptions = {
      namespaces,
      illegalCharacters,
      unknown,
      repeated: "error",
      loss: "error",
      identity,
      declared: declaredElements,
    };
    this.#codecs = new Codecs(this.#codecOptions);
    if (options.protocol !== undefined) {
      this.#getProtocol(options.protocol);
    }
  }

  /** Loads the code for the option `tolerate`, before the first operation is prepared. */
  loadTolerance(names: readonly Tolerance[]): Promise<void> {
    this.#loadingTolerance ??= loadUnusualMessages().then(({ tolerantReader }) => {
      const report = (difference: ToleratedDifference) => this.options.onTolerated?.(difference);
      this.#codecOptions = { ...this.#codecOptions, tolerant: tolerantReader(names, report) };
      this.#codecs = new Codecs(this.#codecOptions);
    });
    return this.#loadingTolerance;
  }

  /**
   * Returns the operation prepared for a protocol: the protocol of the call, else that of the client's options, else
   * the first one in the WSDL.
   */
  preparedCall(operation: AnyOperationDescriptor, protocol: Protocol | undefined): PreparedCall {
    let callsByProtocol = this.#preparedCalls.get(operation);
    if (callsByProtocol === undefined) {
      callsByProtocol = new Map();
      this.#preparedCalls.set(operation, callsByProtocol);
    }
    let preparedCall = callsByProtocol.get(protocol);
    if (preparedCall === undefined) {
      preparedCall = this.#prepare(
        operation,
        protocol ?? this.options.protocol ?? this.#findDefaultProtocol(operation),
      );
      callsByProtocol.set(protocol, preparedCall);
    }
    return preparedCall;
  }

  #prepare(operation: AnyOperationDescriptor, protocol: Protocol): PreparedCall {
    const { name, service } = operation;
    checkFormat(service);
    const coding = this.#createCoding(operation);
    const steps = this.#getProtocol(protocol).choose(operation, coding);
    if (steps === undefined) {
      throw new ConfigError(
        `The operation ${name} has no binding for the protocol ${protocol}. It has only ${Object.keys(operation.bindings).join(", ")}.`,
      );
    }
    const address = findServiceAddress(service, protocol, this.options);
    const addAmbient = getSettingsFeature(this.interfaceSettings)?.prepareInput(operation, this.interfaceSettings);
    return {
      protocol,
      steps,
      names: coding.names,
      address,
      addAmbient,
      context: { operation: name, method: steps.method, address: redactAddress(address.url) },
    };
  }

  #createCoding(operation: AnyOperationDescriptor): OperationCoding {
    const names = this.#names?.ofOperation(operation) ?? unchangedOperationNames;
    if (names.elements.size === 0) {
      return { names, codecs: this.#codecs };
    }
    return { names, codecs: new Codecs({ ...this.#codecOptions, elements: names.elements }) };
  }

  #getProtocol(name: Protocol): ProtocolBinding {
    const binding = this.#protocols.find((protocol) => protocol.name === name);
    if (binding !== undefined) {
      return binding;
    }
    const names = this.#protocols.map((protocol) => protocol.name).join(", ");
    throw new ConfigError(`The client does not support the protocol "${String(name)}". It supports ${names}.`);
  }

  /**
   * Returns the protocol of the port in the option `port`. Without the option, returns the protocol of the first WSDL port that has
   * the operation; if there is none, the first protocol of the client that has the operation.
   */
  #findDefaultProtocol({ service, bindings, name }: AnyOperationDescriptor): Protocol {
    const port = findChosenPort(service, this.options);
    if (port !== undefined && bindings[port.protocol] !== undefined) {
      return port.protocol;
    }
    const supportedProtocols = this.#protocols
      .map((protocol) => protocol.name)
      .filter((protocol) => bindings[protocol] !== undefined);
    const isSupported = (name: string): name is Protocol => supportedProtocols.some((protocol) => protocol === name);
    const chosenProtocol = Object.keys(service.ports).find(isSupported) ?? supportedProtocols[0];
    if (chosenProtocol !== undefined) {
      return chosenProtocol;
    }
    throw new ConfigError(
      `The operation ${name} has no binding for a protocol of the client. Add one of ${Object.keys(bindings).join(", ")} to "protocols".`,
    );
  }
}

/** The names on the wire that replace the placeholder names of an interface. */
interface InterfaceNames {
  /** The namespaces on the wire, by the placeholder namespace in the schema. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** Returns the names of one operation on the wire. */
  ofOperation(operation: AnyOperationDescriptor): OperationNames;
}

/** Applies the settings of an interface to its calls. The only implementation is `xs.settings`. */
export interface SettingsFeature extends ImportedFeature<"settings"> {
  /** Returns the names on the wire. Throws `ConfigError` if the options rename a name that is not configurable. */
  names(settings: InterfaceSettings, options: WireNameOptions): InterfaceNames;
  /** Returns a function that adds the operation's ambient arguments to an input. */
  prepareInput(operation: AnyOperationDescriptor, settings: InterfaceSettings): AddAmbient;
}

/** Adds the ambient arguments from the client's options to an input. */
type AddAmbient = (input: unknown, options: object) => unknown;

/** Returns the feature that applies the settings; undefined if the settings do not need it. */
function getSettingsFeature({ by }: InterfaceSettings): SettingsFeature | undefined {
  return by !== undefined && isSettingsFeature(by) ? by : undefined;
}

function isSettingsFeature(feature: ImportedFeature<"settings">): feature is SettingsFeature {
  return "names" in feature;
}

function prepareNames(settings: InterfaceSettings, options: WireNameOptions): InterfaceNames {
  const names = getSettingsFeature(settings)?.names(settings, options);
  if (names !== undefined) {
    return names;
  }
  throw new ConfigError('The option "wireNames" needs the settings of the interface in "settings".');
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
      `The schema has no address of the service ${service.name}. Set the option "baseUrl" or "address".`,
    );
  }
  const baseAddress = readAddress(baseUrl, 'option "baseUrl"');
  // If the schema has no http address, the option `baseUrl` is the complete address.
  if (schemaAddress === undefined || !isHttpAddress(schemaAddress)) {
    return baseAddress;
  }
  const { path, query } = readAddress(schemaAddress, `address of the service ${service.name}`);
  return createAddress({ ...baseAddress, path: omitSlash(baseAddress.path) + path, query });
}

/** Returns the value of an option that can have a value per service. Refuses services that the interface does not have. */
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
