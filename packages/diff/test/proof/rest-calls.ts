import type { DynamicEndpoint, DynamicRestInterface } from "@bothends/dynamic";
import { findMember, getTextOfPattern, isObject, makeJson, Random } from "@bothends/dynamic/random";
import type { Contract, PathPiece } from "@bothends/generator";
import { type JsonObject, type JsonValue, type Method, RestError } from "@bothends/runtime";
import { RestClient } from "@bothends/runtime/client";
import { restRoutes } from "@bothends/runtime/server";
import { dynamicContractOf } from "./contracts.js";
import { memoryTransport } from "./memory-transport.js";
import { type Observed, observe, shown, type WireNames } from "./observed.js";

type Input = Readonly<Record<string, JsonValue>>;

interface HandledCall {
  readonly method: string;
  readonly route: string;
}

/** A server in memory that remembers the last call. */
export class MemoryServer {
  readonly transport;
  received: { readonly method: string; readonly input: Input } | undefined;
  /** The route that answered the last call. */
  route: string | undefined;

  constructor({ descriptor, endpoints, index }: DynamicRestInterface, answer: () => JsonValue = () => null) {
    const handlers = nested(endpoints, (input: Input, { method, route }: HandledCall) => {
      this.received = { method, input };
      this.route = route;
      return answer();
    });
    const service = { interface: descriptor, endpoints: endpoints.map((each) => each.descriptor), handlers, index };
    this.transport = memoryTransport([restRoutes(service, { page: false })]);
  }

  forgetCall(): void {
    this.received = undefined;
    this.route = undefined;
  }
}

type Tree = { [name: string]: unknown };

function nested(endpoints: readonly DynamicEndpoint[], handler: unknown): object {
  const root: Tree = {};
  for (const each of endpoints) {
    const { operation } = each.endpoint;
    let group = root;
    for (const word of operation.slice(0, -1)) {
      group = group[word] = (group[word] ?? {}) as Tree;
    }
    group[operation.at(-1) ?? ""] = handler;
  }
  return root;
}

export function restOf(contract: Contract): DynamicRestInterface {
  const found = dynamicContractOf(contract).interfaces.find(({ kind }) => kind === "rest");
  if (found?.kind !== "rest") {
    throw new Error("There is no REST interface.");
  }
  return found;
}

/** The outcomes of calls of one endpoint with one method. */
export interface RestOutcome {
  readonly operation: string;
  readonly observed: Observed;
  /** Whether every call with an argument fails. Calls without arguments may succeed. */
  readonly doArgumentsFail: boolean;
}

/** Calls the endpoints of a client's contract, all or those of some routes, on the server of another contract. */
export async function callRest(
  client: Contract,
  server: Contract,
  {
    routes,
    samples = 16,
    names,
  }: {
    readonly routes?: ReadonlySet<string>;
    readonly samples?: number;
    /** The names of the arguments on both sides, if they differ. */
    readonly names?: { readonly client: WireNames; readonly server: WireNames } | undefined;
  } = {},
): Promise<readonly RestOutcome[]> {
  const rest = restOf(client);
  const [theirs, same] = [new MemoryServer(restOf(server)), new MemoryServer(rest)];
  const outcomes: RestOutcome[] = [];
  for (const endpoint of rest.endpoints.filter(({ endpoint: { route } }) => routes?.has(route) ?? true)) {
    for (const method of endpoint.descriptor.methods) {
      const succeeded: Input[] = [];
      const observed = await observe(samples, (seed) =>
        compareCall(rest, { endpoint, method, seed, names, succeeded }, [theirs, same]),
      );
      const doArgumentsFail = observed.errors > 0 && succeeded.every((input) => Object.keys(input).length === 0);
      outcomes.push({ operation: endpoint.endpoint.operation.join("."), observed, doArgumentsFail });
    }
  }
  return outcomes;
}

interface RestCall {
  readonly endpoint: DynamicEndpoint;
  readonly method: Method;
  readonly seed: number;
  /** Receives the inputs of calls that do not fail. */
  readonly succeeded: Input[];
  readonly names?: { readonly client: WireNames; readonly server: WireNames } | undefined;
}

async function compareCall(
  rest: DynamicRestInterface,
  { endpoint, method, seed, names, succeeded }: RestCall,
  [theirs, same]: readonly [MemoryServer, MemoryServer],
): Promise<"same" | "lost"> {
  const made = makeInput(rest, endpoint, new Random(seed));
  const send = async (server: MemoryServer, input: Input) => {
    server.forgetCall();
    const api = new RestClient(rest.descriptor, { siteUrl: "http://site.example", transport: server.transport });
    await api.call(endpoint.descriptor, input, { method });
    return shown(server.received, server === same ? names?.client : names?.server);
  };
  // Arguments whose random values the server refuses are not sent.
  const first = await send(same, made).then(
    (text) => ({ text, refused: [] as readonly string[] }),
    (error: unknown) => ({ text: undefined, refused: refusedArguments(error) }),
  );
  const input = Object.fromEntries(Object.entries(made).filter(([name]) => !first.refused.includes(name)));
  const sendRest = () =>
    send(same, input).catch((error: unknown) => {
      throw new Error(
        `${endpoint.endpoint.route} fails between equal sides: ${String(error)} ${JSON.stringify(input)}`,
      );
    });
  const wanted = first.text ?? (await sendRest());
  const read = await send(theirs, input);
  succeeded.push(input);
  return read === wanted ? "same" : "lost";
}

function refusedArguments(error: unknown): readonly string[] {
  const params: unknown = error instanceof RestError ? error.data["params"] : undefined;
  return typeof params === "object" && params !== null ? Object.keys(params) : [];
}

/** Draws the arguments of a call of an endpoint. */
export function makeInput(
  { index }: DynamicRestInterface,
  { endpoint, descriptor }: DynamicEndpoint,
  random: Random,
): Input {
  const endpoints = findMember(findMember(findMember(index, "routes"), endpoint.route), "endpoints");
  const found = (Array.isArray(endpoints) ? endpoints : []).find((each: JsonValue) => {
    const methods = findMember(each, "methods");
    return Array.isArray(methods) && methods.includes(endpoint.methods[0]);
  });
  const patterns = patternsOf(endpoint.path);
  const entries = Object.entries(descriptor.args).flatMap(([name, arg]): readonly (readonly [string, JsonValue])[] => {
    const definition = findMember(findMember(found, "args"), name);
    const pattern = patterns.get(name);
    if (pattern !== undefined) {
      if (arg.required !== true && random.drawBoolean(30)) {
        return [];
      }
      const text = getTextOfPattern(pattern, random).replace(/^0+(?=.)/, "1");
      return [[name, arg.type === "integer" ? Number(text) : text]];
    }
    const isSent = arg.required === true || random.drawBoolean(70);
    return isSent ? [[name, makeJson(isObject(definition) ? definition : ({} satisfies JsonObject), random)]] : [];
  });
  return Object.fromEntries(entries);
}

function patternsOf(path: readonly PathPiece[]): ReadonlyMap<string, string> {
  return new Map(
    path.flatMap((piece): readonly (readonly [string, string])[] => {
      if (typeof piece === "string" || "filler" in piece) {
        return [];
      }
      return "optional" in piece ? [...patternsOf(piece.optional)] : [[piece.variable, piece.pattern]];
    }),
  );
}
