import type { CodecOptions } from "../../codec/options.js";
import type { AnyOperationDescriptor, OperationDescriptor, Protocol, ServiceFacts } from "../../descriptor.js";
import { ConfigError, SoapFault } from "../../errors.js";
import { applyWireNames, type OperationNames, type WireNames, wireNames } from "../../wire-names.js";
import { type Address, shownAddress } from "../address.js";
import { checkFormat } from "../check-format.js";
import { checkOptions, optionNames } from "../check-options.js";
import { exchange } from "../exchange.js";
import { type CallPlace, placed } from "../failures.js";
import { mergeHeaders } from "../headers.js";
import type { ClientAnswer } from "../hooks.js";
import type { CallOptions, SoapClientOptions, Supplied } from "../options.js";
import { callSettings, clientSettings, type Settings } from "../settings.js";
import { ambientInput } from "./ambient.js";
import { Codecs } from "./codecs.js";
import type { OperationAnswer, OperationCoding, PreparedOperation, ProtocolBinding, ReadFacts } from "./protocol.js";
import { serviceAddress } from "./service-address.js";

/** What a connection is made of: the protocols it can speak, and the user's options. */
export interface ConnectionInit<Options extends SoapClientOptions = SoapClientOptions> {
  /** In the order of preference, where neither the options nor the WSDL choose. */
  readonly protocols: readonly ProtocolBinding[];
  readonly options: Options;
  /** What bothends.json says of the interface, `vehicleFacts`: without it, there are no ambient arguments and no other names. */
  readonly facts?: ServiceFacts | undefined;
}

/** An operation made ready for one protocol. */
interface Ready {
  readonly prepared: PreparedOperation;
  readonly address: Address;
  readonly place: CallPlace;
}

/** Holds what all calls of one client share: settings, names, and operations that have been made ready. */
export class Connection<Options extends SoapClientOptions = SoapClientOptions> {
  readonly options: Options;
  readonly facts: ServiceFacts;
  readonly settings: Settings;
  readonly #protocols: readonly ProtocolBinding[];
  readonly #names: WireNames;
  readonly #codecOptions: CodecOptions;
  readonly #codecs: Codecs;
  readonly #ready = new Map<AnyOperationDescriptor, Map<Protocol | undefined, Ready>>();

  constructor({ protocols, options, facts = {} }: ConnectionInit<Options>) {
    checkOptions(options, [...optionNames.soapClient, ...(facts.ambient ?? [])]);
    this.options = options;
    this.facts = facts;
    this.settings = clientSettings(options);
    this.#protocols = protocols;
    this.#names = wireNames(facts, options.wireNames);
    const { illegalCharacters, unknown } = options;
    this.#codecOptions = { namespaces: this.#names.namespaces, illegalCharacters, unknown, repeated: "error" };
    this.#codecs = new Codecs(this.#codecOptions);
    if (options.protocol !== undefined) this.#protocol(options.protocol);
  }

  /** The operation over the protocol a call wants, the client's options want, or the WSDL has first. */
  ready(operation: AnyOperationDescriptor, wanted: Protocol | undefined): Ready {
    let known = this.#ready.get(operation);
    if (known === undefined) {
      known = new Map();
      this.#ready.set(operation, known);
    }
    let ready = known.get(wanted);
    if (ready === undefined) {
      ready = this.#prepare(operation, wanted ?? this.options.protocol ?? this.#defaultProtocol(operation));
      known.set(wanted, ready);
    }
    return ready;
  }

  #prepare(operation: AnyOperationDescriptor, protocol: Protocol): Ready {
    const { name, service } = operation;
    checkFormat(service);
    const prepared = this.#protocol(protocol).prepare(operation, this.#coding(operation));
    if (prepared === undefined) throw new ConfigError(`The operation ${name} is not bound to ${protocol}.`);
    const address = serviceAddress(service, protocol, this.options);
    return { prepared, address, place: { operation: name, address: shownAddress(address.origin + address.path) } };
  }

  #coding(operation: AnyOperationDescriptor): OperationCoding {
    const names: OperationNames = applyWireNames(operation, this.#names);
    if (names.elements.size === 0) return { names, codecs: this.#codecs };
    return { names, codecs: new Codecs({ ...this.#codecOptions, elements: names.elements }) };
  }

  #protocol(name: Protocol): ProtocolBinding {
    const found = this.#protocols.find((protocol) => protocol.name === name);
    if (found !== undefined) return found;
    const known = this.#protocols.map((protocol) => protocol.name).join(", ");
    throw new ConfigError(`The client does not speak the protocol "${String(name)}", but ${known}.`);
  }

  /** The first port of the WSDL that has the operation, else the first protocol that does. */
  #defaultProtocol({ service, bindings, name }: AnyOperationDescriptor): Protocol {
    const spoken = this.#protocols
      .map((protocol) => protocol.name)
      .filter((protocol) => bindings[protocol] !== undefined);
    const ports = Object.keys(service.ports);
    const first = spoken
      .filter((protocol) => ports.includes(protocol))
      .sort((a, b) => ports.indexOf(a) - ports.indexOf(b));
    const found = first[0] ?? spoken[0];
    if (found !== undefined) return found;
    throw new ConfigError(`The operation ${name} is bound to no protocol that the client speaks.`);
  }
}

/** Opens a connection for `call`: only the protocols that are given are shipped. */
export function connect<Options extends SoapClientOptions>(init: ConnectionInit<Options>): Connection<Options> {
  return new Connection(init);
}

/** Calls one operation. */
export async function call<Input, Output, Options extends SoapClientOptions>(
  connection: Connection<Options>,
  operation: OperationDescriptor<Input, Output>,
  input: NoInfer<Input> | Supplied<NoInfer<Input>, Options>,
  options?: CallOptions<object, never>,
): Promise<Output> {
  const value = await callOperation(connection, operation, { input, options });
  // The descriptor ties the operation's value to its type.
  return value as Output;
}

/** Calls one operation, whatever its types. */
export async function callOperation(
  connection: Connection,
  operation: AnyOperationDescriptor,
  given: { readonly input: unknown; readonly options: CallOptions<object, never> | undefined },
): Promise<unknown> {
  const { options } = given;
  if (options !== undefined) checkOptions(options, optionNames.soapCall);
  const { prepared, address, place } = connection.ready(operation, options?.protocol);
  const settings = callSettings(connection.settings, options);
  try {
    const { soapHeaders, extraSoapHeaders } = options ?? {};
    const input = ambientInput(operation, given.input, connection);
    const { method, url, headers, body } = await prepared.ask(input, {
      address,
      soapHeaders,
      extraSoapHeaders,
      addressed: settings.hooks.some(({ addresses }) => addresses),
    });
    const { authorization } = address;
    const request = {
      operation: operation.name,
      method,
      url,
      headers: authorization === undefined ? headers : mergeHeaders(headers, { Authorization: authorization }),
      body,
    };
    const answer = await exchange(request, settings, place);
    const told = (received: object): void =>
      // The descriptor ties the operation's header blocks to their types.
      options?.onAnswer?.({ status: answer.status, headers: answer.headers, soapHeaders: received as never });
    const { value, soapHeaders: received } = await readAnswer(prepared, answer, {
      limits: settings.limits,
      place,
      told,
    });
    told(received);
    return value;
  } catch (error) {
    throw placed(error, place);
  }
}

/** A fault comes with header blocks as a result does. */
async function readAnswer(
  prepared: PreparedOperation,
  answer: ClientAnswer,
  { told, ...facts }: ReadFacts & { readonly told: (soapHeaders: object) => void },
): Promise<OperationAnswer> {
  try {
    return await prepared.read(answer, facts);
  } catch (error) {
    if (error instanceof SoapFault) told(error.soapHeaders);
    throw error;
  }
}
