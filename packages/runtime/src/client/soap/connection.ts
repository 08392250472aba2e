import { channels, suggestOption } from "#transport";
import type { Tolerance } from "../../answer-errors.js";
import type { CodecOptions } from "../../codec/codec-options.js";
import type { ToleratedDifference } from "../../codec/tolerant-reader.js";
import type {
  AnyOperationDescriptor,
  ImportedFeature,
  InterfaceSettings,
  OperationDescriptor,
  Protocol,
} from "../../descriptor.js";
import { BothendsError, ConfigError } from "../../errors.js";
import {
  Codecs,
  type OperationAnswer,
  type OperationCoding,
  type PreparedOperation,
  type ProtocolBinding,
  type WriteInputs,
} from "../../protocol/client.js";
import type { OperationNames, WireNameOptions } from "../../wire-names.js";
import { type Address, createAddress, omitSlash, parseAddress, redactAddress } from "../address.js";
import { checkOptions } from "../check-options.js";
import type { CallDescription } from "../errors/failures.js";
import { createCallFailure, exchange, ignoreLateError, loadObserver } from "../exchange/exchange.js";
import { awaitLoading, copyInput } from "../exchange/lazy-code.js";
import type { ClientAnswer, ClientRequest } from "../hooks.js";
import {
  type CallOptions,
  checkFormat,
  type OutcomeOf,
  type ResultOption,
  type SoapClientOptions,
  type Supplied,
  soapCallOptions,
  soapClientOptions,
} from "../options.js";
import { convertOutcome } from "../results.js";
import { createCallSettings, createSettings, isObserved, mergeHeaders, type Settings } from "../settings.js";
import type { CallTarget, UnpreparedCall } from "./find-target.js";

/** The parameter of `connect`: the protocols and options for calls. */
export interface ConnectionInit<Options extends SoapClientOptions = SoapClientOptions> {
  /** The supported protocols, in order of preference if neither the options nor the WSDL choose one. */
  readonly protocols: readonly ProtocolBinding[];
  readonly options: Options;
  /** The generated settings of the interface, such as `vehicleSettings`. Default: no ambient arguments, no renaming. */
  readonly settings?: InterfaceSettings | undefined;
}

/**
 * Prepares calls that share options. Pass the result to `call` as the parameter `connection`. No socket is opened
 * before the first call. A bundle contains only the protocols passed here.
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
  let values = { input, soapHeaders: options?.soapHeaders, extraSoapHeaders: options?.extraSoapHeaders };
  let prepared = connection.prepareUsual(operation, options?.protocol);
  if (prepared === undefined) {
    // The values are copied, because the caller may change them before the code has been loaded.
    values = copyInput(values);
    prepared = await connection.prepareUnusual(operation, options?.protocol);
  }
  const call: OperationCall = { connection, operation, prepared, values, options };
  const { settings } = connection;
  if (!isObserved(settings)) {
    return sendCall(call, settings);
  }
  const { context, protocol } = prepared;
  const callToObserve = {
    settings,
    requestId: options?.requestId,
    ...context,
    service: operation.service.name,
    protocol,
    channels,
  };
  const observer = await loadObserver(connection, callToObserve);
  return observer === undefined
    ? sendCall(call, settings)
    : observer.observeCall(callToObserve, (recordedSettings) => sendCall(call, recordedSettings));
}

/** A call, and its operation prepared for the protocol of the call. */
interface OperationCall {
  readonly connection: Connection;
  readonly operation: AnyOperationDescriptor;
  readonly prepared: PreparedCall;
  readonly values: Pick<CallInit, "input"> & Pick<WriteInputs, "soapHeaders" | "extraSoapHeaders">;
  readonly options: CallInit["options"];
}

/** Checks the options of the call, writes the request, sends it, and reads the answer. */
async function sendCall(call: OperationCall, clientSettings: Settings): Promise<unknown> {
  const { context } = call.prepared;
  const settings = createCallSettings(clientSettings, call.options, soapCallOptions);
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
  { connection, operation, prepared, values }: OperationCall,
  { hooks }: Settings,
): Promise<ClientRequest> {
  const { steps, address, addAmbient } = prepared;
  const { input, soapHeaders, extraSoapHeaders } = values;
  const completeInput = addAmbient === undefined ? input : addAmbient(input, connection.options);
  const { method, url, headers, body } = await steps.write(completeInput, {
    address,
    soapHeaders,
    extraSoapHeaders,
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
    // A fault can have header blocks, too. `instanceof SoapFault` is not used, because that class is loaded only when
    // the first fault occurs.
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

/**
 * The options, settings, names and prepared operations that all calls of a client share. Sockets belong to the client's
 * transport.
 */
export class Connection<Options extends SoapClientOptions = SoapClientOptions> {
  readonly options: Options;
  readonly interfaceSettings: InterfaceSettings;
  readonly settings: Settings;
  readonly #protocols: readonly ProtocolBinding[];
  readonly #names: InterfaceNames | undefined;
  #codecOptions: CodecOptions;
  #codecs: Codecs;
  /** The option `tolerate`. */
  readonly #tolerance: readonly Tolerance[] | undefined;
  readonly #preparedCalls = new Map<AnyOperationDescriptor, Map<Protocol | undefined, PreparedCall>>();

  constructor({ protocols, options, settings: interfaceSettings = {} }: ConnectionInit<Options>) {
    checkOptions(options, [...soapClientOptions, ...(interfaceSettings.ambient ?? [])]);
    this.options = options;
    this.interfaceSettings = interfaceSettings;
    this.settings = createSettings(options, loadUnusualMessages);
    this.#protocols = protocols;
    this.#names = options.wireNames && prepareNames(interfaceSettings, options.wireNames);
    this.#codecOptions = {
      namespaces: this.#names?.namespaces,
      illegalCharacters: options.illegalCharacters,
      unknown: options.unknown,
      repeated: "error",
      loss: "error",
      identity: options.validate?.identity,
      declared: options.validate?.wildcards,
    };
    this.#codecs = new Codecs(this.#codecOptions);
    this.#tolerance = options.tolerate ?? interfaceSettings.tolerate;
    if (options.protocol !== undefined) {
      this.#getProtocol(options.protocol);
    }
  }

  /**
   * Returns the operation prepared for the call's protocol, else for the protocol in the client's options, else for the
   * first one in the WSDL. Returns undefined if code must be loaded first, which is the case for rare options and for
   * mistakes.
   */
  prepareUsual(operation: AnyOperationDescriptor, protocol: Protocol | undefined): PreparedCall | undefined {
    const preparedCall = this.#preparedCalls.get(operation)?.get(protocol);
    if (preparedCall !== undefined || (this.#tolerance !== undefined && this.#codecOptions.tolerant === undefined)) {
      return preparedCall;
    }
    const call = this.#describeCall(operation, protocol);
    const target = findUsualTarget(call);
    return target && this.#prepare(call, target);
  }

  /** Loads the code for rare options, and prepares an operation. Rejects for mistakes in the options. */
  async prepareUnusual(operation: AnyOperationDescriptor, protocol: Protocol | undefined): Promise<PreparedCall> {
    const { createTolerantReader, findTarget } = await awaitLoading(loadUnusualMessages());
    if (this.#tolerance !== undefined && this.#codecOptions.tolerant === undefined) {
      const report = (difference: ToleratedDifference) => this.options.onTolerated?.(difference);
      this.#codecOptions = { ...this.#codecOptions, tolerant: createTolerantReader(this.#tolerance, report) };
      this.#codecs = new Codecs(this.#codecOptions);
    }
    const call = this.#describeCall(operation, protocol);
    return this.#prepare(call, findTarget(call));
  }

  #describeCall(operation: AnyOperationDescriptor, protocolOfCall: Protocol | undefined): UnpreparedCall {
    const { options } = this;
    checkFormat(operation.service);
    const chosenProtocol = protocolOfCall ?? options.protocol;
    if (chosenProtocol !== undefined) {
      this.#getProtocol(chosenProtocol);
    }
    const defaultProtocol = this.#findDefaultProtocol(operation);
    return { operation, protocolOfCall, chosenProtocol, defaultProtocol, options };
  }

  #prepare({ operation, protocolOfCall }: UnpreparedCall, { protocol, address }: CallTarget): PreparedCall {
    const { steps, names } = this.prepareSteps(operation, protocol);
    const addAmbient = getSettingsFeature(this.interfaceSettings)?.prepareInput(operation, this.interfaceSettings);
    const context = { operation: operation.name, method: steps.method, address: redactAddress(address.url) };
    const preparedCall = { protocol, steps, names, address, addAmbient, context };
    const callsByProtocol = this.#preparedCalls.get(operation) ?? new Map<Protocol | undefined, PreparedCall>();
    this.#preparedCalls.set(operation, callsByProtocol.set(protocolOfCall, preparedCall));
    return preparedCall;
  }

  /** Prepares the steps of an operation in a protocol for which it has a binding. */
  prepareSteps(operation: AnyOperationDescriptor, protocol: Protocol): Pick<PreparedCall, "steps" | "names"> {
    const coding = this.#createCoding(operation);
    // The operation has a binding for the protocol, so its steps exist.
    const steps = this.#getProtocol(protocol).choose(operation, coding) as PreparedOperation;
    return { steps, names: coding.names };
  }

  #createCoding(operation: AnyOperationDescriptor): OperationCoding {
    const names = this.#names?.ofOperation(operation) ?? unchangedOperationNames;
    if (names.elements.size === 0) {
      return { names, codecs: this.#codecs };
    }
    return { names, codecs: new Codecs({ ...this.#codecOptions, elements: names.elements }) };
  }

  /**
   * Returns the first protocol in the WSDL that the client supports and for which the operation has a binding, else the
   * client's first protocol.
   */
  #findDefaultProtocol({ service, bindings }: AnyOperationDescriptor): Protocol | undefined {
    const protocols = this.#protocols.map(({ name }) => name).filter((name) => bindings[name] !== undefined);
    const isSupported = (name: string): name is Protocol => protocols.some((protocol) => protocol === name);
    return Object.keys(service.ports).find(isSupported) ?? protocols[0];
  }

  #getProtocol(name: Protocol): ProtocolBinding {
    const binding = this.#protocols.find((protocol) => protocol.name === name);
    if (binding !== undefined) {
      return binding;
    }
    const names = this.#protocols.map((protocol) => protocol.name);
    throw new ConfigError(`The client does not support protocol "${String(name)}".${suggestOption(name, names)}`);
  }
}

/** The names of an operation that is not renamed. */
const unchangedOperationNames: OperationNames = {
  elements: new Map(),
  element: (name) => name,
  action: (action) => action,
  location: (location) => location,
};

/** The names on the wire that replace the placeholder names of an interface. */
interface InterfaceNames {
  /** The namespaces on the wire, keyed by the placeholder namespaces in the schema. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** Returns the names on the wire for one operation. */
  ofOperation(operation: AnyOperationDescriptor): OperationNames;
}

/** Applies the settings of an interface to its calls. The only implementation is `xs.settings`. */
export interface SettingsFeature extends ImportedFeature<"settings"> {
  /** Returns the names on the wire. Throws `ConfigError` if the options rename a name that is not configurable. */
  prepareNames(settings: InterfaceSettings, options: WireNameOptions): InterfaceNames;
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
  return "prepareInput" in feature;
}

function prepareNames(settings: InterfaceSettings, options: WireNameOptions): InterfaceNames {
  const names = getSettingsFeature(settings)?.prepareNames(settings, options);
  if (names !== undefined) {
    return names;
  }
  throw new ConfigError('The option "wireNames" also needs "settings".');
}

/**
 * Returns the target of a call in the usual cases: the address is the option `address`, or an http address in the
 * schema, whose scheme and host the option `baseUrl` may replace. Returns undefined for other options and for mistakes;
 * `find-target.ts` is then loaded.
 */
function findUsualTarget({
  operation: { bindings, service },
  chosenProtocol,
  defaultProtocol,
  options: { address, baseUrl, port },
}: UnpreparedCall): CallTarget | undefined {
  const protocol = chosenProtocol ?? defaultProtocol;
  if (port !== undefined || typeof address === "object" || protocol === undefined || bindings[protocol] === undefined) {
    return undefined;
  }
  const target = parseAddress(address ?? service.ports[protocol]?.address);
  if (address !== undefined || baseUrl === undefined) {
    return target && { protocol, address: target };
  }
  const base = parseAddress(baseUrl);
  if (target === undefined || base === undefined) {
    return undefined;
  }
  const path = omitSlash(base.path) + target.path;
  return { protocol, address: createAddress({ ...base, path, query: target.query }) };
}
