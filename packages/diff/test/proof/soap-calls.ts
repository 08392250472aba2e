import type { DynamicSoapInterface } from "@bothends/dynamic";
import { makeConstrained, makeValue, Random } from "@bothends/dynamic/random";
import type { Body, Contract } from "@bothends/generator";
import { ServiceClient } from "@bothends/runtime/client";
import { soapRoutes } from "@bothends/runtime/server";
import { dynamicContractOf } from "./contracts.js";
import { memoryTransport } from "./memory-transport.js";
import { type Observed, observe, shown, type WireNames } from "./observed.js";

type DynamicOperation = DynamicSoapInterface["services"][number]["operations"][number];
type Protocol = "soap11" | "soap12" | "httpGet" | "httpPost";

/** The operations of the SOAP interfaces of a contract, each with what a call needs. */
interface Callable {
  readonly soap: DynamicSoapInterface;
  readonly service: DynamicSoapInterface["services"][number];
  readonly operation: DynamicOperation;
}

function callables(contract: Contract): readonly Callable[] {
  return dynamicContractOf(contract).interfaces.flatMap((soap) =>
    soap.kind === "soap"
      ? soap.services.flatMap((service) => service.operations.map((operation) => ({ soap, service, operation })))
      : [],
  );
}

/** The last call that a server received. */
interface Received {
  readonly operation: string;
  readonly input: unknown;
  readonly headers: unknown;
  readonly output: unknown;
}

/** A server in memory that answers random values. */
class RandomServer {
  readonly transport;
  received: Received | undefined;
  #random = new Random(1);
  #output: unknown;

  constructor(contract: Contract) {
    const all = callables(contract);
    const services = new Set(all.map(({ service }) => service));
    const routes = [...services].map((service) => {
      const soap = all.find((each) => each.service === service)?.soap;
      if (soap === undefined) {
        throw new Error("The service has no operations.");
      }
      const named = service.operations.map(
        (each) => [`${each.operation.uniqueName}${each.operation.overload}`, each] as const,
      );
      return soapRoutes({
        service: service.descriptor,
        operations: Object.fromEntries(named.map(([name, { descriptor }]) => [name, descriptor])),
        handlers: Object.fromEntries(
          named.map(([name, each]) => [
            name,
            (input: unknown, context: { readonly soapHeaders?: unknown }) => {
              const output = this.#output ?? makeOutput({ soap, service, operation: each }, this.#random);
              this.received = { operation: each.operation.uniqueName, input, headers: context.soapHeaders, output };
              return output;
            },
          ]),
        ),
        settings: soap.settings,
      });
    });
    // The services of a `wsdl:service` with different operations at its ports have one path. The first one answers.
    const paths = routes.map(({ claims = [] }) => claims.map(({ path }) => path).join());
    this.transport = memoryTransport(routes.filter((_, index) => paths.indexOf(paths[index] ?? "") === index));
  }

  /** Sets the seed of the next answer, or its value. */
  prepare(seed: number, output: unknown): void {
    this.#random = scattered(seed);
    this.#output = output;
    this.received = undefined;
  }
}

function makeOutput({ soap, operation }: Callable, random: Random): unknown {
  const { output } = operation.operation;
  if (output === undefined || output.result.kind === "empty") {
    return undefined;
  }
  const value = makeBody(soap, output.body, random);
  const { result } = output;
  // A handler returns null if the result is absent.
  return result.kind === "member" && isObject(value) ? (value[result.key] ?? null) : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function makeBody(soap: DynamicSoapInterface, body: Body, random: Random): unknown {
  const type = body.kind === "parts" ? ({ kind: "named", id: body.record } as const) : body.type;
  const made = makeConstrained(soap.type(type), body.kind === "parts" ? {} : body, random);
  if (made === undefined) {
    throw new Error(`No value was found for a body of ${soap.interface.name}.`);
  }
  return made.value;
}

function send(callable: Callable, server: RandomServer, call: SoapCall): Promise<unknown> {
  const { soap, service, operation } = callable;
  const client = new ServiceClient(
    service.descriptor,
    { transport: server.transport, protocol: call.protocol },
    soap.settings,
  );
  const soapHeaders = headersOf(callable);
  return client.call(operation.descriptor, call.input, isObject(soapHeaders) ? { soapHeaders } : {});
}

const knownHeaders = new WeakMap<Callable, { readonly value: unknown }>();

/** The headers of all calls of an operation. */
function headersOf(callable: Callable): unknown {
  const known = knownHeaders.get(callable) ?? { value: makeHeaders(callable) };
  knownHeaders.set(callable, known);
  return known.value;
}

function makeHeaders({ soap, operation }: Callable): unknown {
  const { headers } = operation.operation.input;
  const type = headers && soap.type({ kind: "named", id: headers });
  const made = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => type && makeValue(type, new Random(seed))?.value);
  return made.find((each) => isObject(each) && Object.keys(each).length > 0);
}

/** Creates random numbers that differ between neighboring seeds. */
function scattered(seed: number): Random {
  return new Random(Math.imul(seed, 0x9e3779b1));
}

interface SoapCall {
  readonly protocol: Protocol;
  readonly input: Record<string, unknown>;
}

interface CallInit {
  readonly operation: string;
  readonly protocol?: Protocol | undefined;
  /** The number of calls with random values. */
  readonly samples?: number;
  /** Further inputs of the client, and answers of the server. */
  readonly inputs?: readonly Record<string, unknown>[];
  readonly outputs?: readonly unknown[];
  readonly names?: { readonly client: WireNames; readonly server: WireNames } | undefined;
  /** Whether a call may fail between equal ends. Then only the answer of a call between different ends is compared. */
  readonly failsBetweenEqualEnds?: boolean | undefined;
}

/**
 * Calls an operation of one contract with random values on a server of another. What each side reads is compared with
 * what a peer of the writer's contract reads.
 */
export async function callSoap(
  client: Contract,
  server: Contract,
  { operation, protocol, samples = 14, inputs = [], outputs = [], names, failsBetweenEqualEnds }: CallInit,
): Promise<Observed> {
  const callable = callables(client).find((each) => each.operation.operation.uniqueName === operation);
  if (callable === undefined) {
    throw new Error(`There is no operation ${operation}.`);
  }
  const [theirs, same] = [new RandomServer(server), new RandomServer(client)];
  const serverCallables = callables(server);
  return observe(samples + Math.max(inputs.length, outputs.length), async (seed) => {
    const [first = "soap11"] = Object.keys(callable.operation.operation.bindings) as Protocol[];
    const input =
      inputs[seed - samples - 1] ?? makeBody(callable.soap, callable.operation.operation.input.body, scattered(seed));
    const attached = callable.operation.operation.input.attachments.map(({ key }) => [key, Uint8Array.of(seed)]);
    const whole = { ...(input ?? {}), ...Object.fromEntries(attached) } as Record<string, unknown>;
    const call = { protocol: protocol ?? first, input: attached.length === 0 ? asInput(input) : whole };
    theirs.prepare(seed, outputs[seed - samples - 1]);
    same.prepare(seed, undefined);
    await send(callable, same, call).catch((error: unknown) => {
      if (same.received === undefined && failsBetweenEqualEnds !== true) {
        throw new Error(`${operation} fails between equal sides: ${String(error)} ${shown(call.input)}`);
      }
    });
    const wanted = same.received;
    const result = await send(callable, theirs, call);
    const received = theirs.received;
    if (received === undefined) {
      throw new Error("The call was answered, but no handler was called.");
    }
    // The value that a client of the server's own contract reads from the same answer.
    const peer = serverCallables.find((each) => each.operation.operation.uniqueName === received.operation);
    const expected = peer === undefined ? undefined : await answerOf(peer, theirs, { seed, output: received.output });
    return (wanted === undefined ||
      shown([received.input, received.headers], names?.server) ===
        shown([wanted.input, wanted.headers], names?.client)) &&
      (expected === undefined ||
        shown(membersOf(callable, result), names?.client) === shown(membersOf(peer, expected.value), names?.server))
      ? "same"
      : "lost";
  });
}

/**
 * The members of an answer, even if the generated function returns its only member. This function returns null if the
 * member is absent.
 */
function membersOf(callable: Callable | undefined, value: unknown): unknown {
  const result = callable?.operation.operation.output?.result;
  return result?.kind !== "member" ? value : value === null ? {} : { [result.key]: value };
}

function asInput(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}

async function answerOf(
  peer: Callable,
  server: RandomServer,
  { seed, output }: { readonly seed: number; readonly output: unknown },
): Promise<{ readonly value: unknown } | undefined> {
  const [protocol = "soap11"] = Object.keys(peer.operation.operation.bindings) as Protocol[];
  const input = makeBody(peer.soap, peer.operation.operation.input.body, scattered(seed));
  server.prepare(seed, output);
  const value = await send(peer, server, { protocol, input: asInput(input) });
  return shown(server.received?.output) === shown(output) ? { value } : undefined;
}
