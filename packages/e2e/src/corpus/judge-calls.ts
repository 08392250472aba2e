import { isDeepStrictEqual } from "node:util";
import { type DynamicEndpoint, type DynamicRestInterface, dynamicContract } from "@bothends/dynamic";
import { isObject, makeJson, memberOf, Random, textOfPattern } from "@bothends/dynamic/random";
import type { Contract, Endpoint } from "@bothends/generator";
import { EncodeError, type JsonObject, type JsonValue, type Method, RestError } from "@bothends/runtime";
import { fetchTransport, RestClient } from "@bothends/runtime/client";
import { compileRoutePattern } from "@bothends/runtime/route-syntax";
import { restRoutes } from "@bothends/runtime/server";
import { webHandler } from "@bothends/runtime/server/web";
import type { JobProblem, JobResult } from "./job.js";

const attempts = 40;

/** Calls every endpoint of every index with each of its methods and random arguments, in memory. */
export async function judgeCalls(contract: Contract): Promise<JobResult["calls"]> {
  const results: JobResult["calls"][] = [];
  for (const rest of dynamicContract(contract).interfaces) {
    if (rest.kind === "rest") {
      results.push(await callAll(rest));
    }
  }
  return {
    endpoints: results.reduce((sum, each) => sum + each.endpoints, 0),
    called: results.reduce((sum, each) => sum + each.called, 0),
    problems: results.flatMap((each) => each.problems),
  };
}

/** An endpoint, and its arguments as the index defines them. */
interface DefinedEndpoint extends DynamicEndpoint {
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

async function callAll(rest: DynamicRestInterface): Promise<JobResult["calls"]> {
  const caller = new Caller(rest);
  const problems: JobProblem[] = [];
  let called = 0;
  for (const each of rest.endpoints) {
    const endpoint = { ...each, definitions: definitionsOf(each.endpoint, rest.index) };
    const found: JobProblem[] = [];
    for (const method of endpoint.descriptor.methods) {
      const problem = await caller.call(endpoint, method);
      if (problem !== undefined) {
        found.push(problem);
      }
    }
    if (found.length === 0) {
      called += 1;
    }
    problems.push(...found);
  }
  return { endpoints: rest.endpoints.length, called, problems };
}

type Input = Readonly<Record<string, JsonValue>>;

/** A client and a server of one interface. The server records the last call. */
class Caller {
  readonly #client: RestClient;
  readonly #random = new Random(1);
  #received: { readonly name: string; readonly input: Input } | undefined;

  constructor({ descriptor, endpoints: all, index }: DynamicRestInterface) {
    const handlers = nested(all, (name) => (input: Input): JsonValue => {
      this.#received = { name, input };
      return null;
    });
    const endpoints = all.map((each) => each.descriptor);
    const routes = restRoutes({ interface: descriptor, endpoints, handlers, index }, { page: false });
    const transport = fetchTransport(webHandler([routes]));
    this.#client = new RestClient(descriptor, { siteUrl: "http://site.example", transport });
  }

  /** Repeats the call until the endpoint is reached. Refused arguments are not sent again. */
  async call(endpoint: DefinedEndpoint, method: Method): Promise<JobProblem | undefined> {
    const { name, route } = endpoint.descriptor;
    const place = `${method} ${name} (${route})`;
    const refused = new Set<string>();
    const needed = new Set<string>();
    let last: JobProblem | undefined;
    for (let count = 0; count < attempts; count += 1) {
      const input = makeInput(endpoint, { refused, needed, random: this.#random, bare: count > attempts / 2 });
      this.#received = undefined;
      try {
        await this.#client.call(endpoint.descriptor, input, { method });
      } catch (error) {
        last = { kind: "call.failed", text: `${place}: ${String(error).slice(0, 1000)}` };
        // A default may be refused as well.
        for (const name of refusedArguments(error)) {
          (Object.hasOwn(input, name) ? refused : needed).add(name);
        }
        continue;
      }
      const received = this.#received as { readonly name: string; readonly input: Input } | undefined;
      if (received?.name !== name) {
        last = {
          kind: "call.elsewhere",
          text: `${place}: ${received?.name} was called with ${JSON.stringify(input)}.`,
        };
        continue;
      }
      const odd = Object.keys(input).find((key) => !isDeepStrictEqual(received.input[key], input[key]));
      if (odd === undefined) {
        return undefined;
      }
      const text = `${place}: /${odd} was ${JSON.stringify(input[odd])} and came as ${JSON.stringify(received.input[odd])}.`;
      return { kind: "call.differs", text: text.slice(0, 1000) };
    }
    return last;
  }
}

/** The arguments named in an error. */
function refusedArguments(error: unknown): readonly string[] {
  if (error instanceof EncodeError) {
    return [error.path.split("/")[1] ?? ""];
  }
  if (!(error instanceof RestError) || error.code !== "rest_invalid_param") {
    return [];
  }
  const { params } = error.data;
  return typeof params === "object" && params !== null ? Object.keys(params) : [];
}

interface Making {
  /** Refused arguments. Optional ones are left out. */
  readonly refused: ReadonlySet<string>;
  /** Arguments whose absence was refused. */
  readonly needed: ReadonlySet<string>;
  readonly random: Random;
  /** Whether to leave out all optional arguments. */
  readonly bare: boolean;
}

function makeInput(
  { endpoint, descriptor, definitions }: DefinedEndpoint,
  { refused, needed, random, bare }: Making,
): Input {
  const variables = new Map(variablesOf(endpoint.path).map((each) => [each.variable, each]));
  const entries = Object.entries(descriptor.args).flatMap(([name, arg]): readonly (readonly [string, JsonValue])[] => {
    // Names with an underscore are reserved by WordPress, and have a meaning for every endpoint.
    const isWanted = !bare && !refused.has(name) && !name.startsWith("_") && random.chance(60);
    if (arg.required !== true && !needed.has(name) && !isWanted) {
      return [];
    }
    const definition = definitions.get(name) ?? {};
    const variable = variables.get(name);
    if (variable === undefined) {
      return [[name, makeJson(definition, random)]];
    }
    const value = makeVariable(variable, { ...jsonOf(arg), ...definition }, random);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function jsonOf({ type }: DynamicEndpoint["descriptor"]["args"][string]): Readonly<Record<string, JsonValue>> {
  return type === undefined ? {} : { type };
}

/** A value that the definition and the route accept, if one is found. */
function makeVariable(
  { pattern }: Variable,
  definition: Readonly<Record<string, JsonValue | undefined>>,
  random: Random,
): JsonValue | undefined {
  const matcher = compileRoutePattern(pattern);
  const isUsable = (text: string) =>
    text !== "" && matcher.test(text) && !/^\/|\/\/|\/$|(^|\/)\.{1,2}(\/|$)/.test(text);
  const isNumber = definition["type"] === "integer" || definition["type"] === "number";
  for (let count = 0; count < 60; count += 1) {
    const value = count % 2 === 0 ? makeJson(definition, random) : textOfPattern(pattern, random);
    if (!isUsable(String(value))) {
      continue;
    }
    if (!isNumber) {
      return typeof value === "object" ? undefined : String(value);
    }
    if (String(Number(value)) === String(value)) {
      return Number(value);
    }
  }
  return undefined;
}

function variablesOf(path: Endpoint["path"]): readonly Variable[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) {
      return [];
    }
    return "optional" in piece ? variablesOf(piece.optional) : [piece];
  });
}

interface Variable {
  readonly variable: string;
  readonly pattern: string;
}

type Tree = { [name: string]: unknown };

function nested(endpoints: readonly DynamicEndpoint[], handler: (name: string) => unknown): object {
  const root: Tree = {};
  for (const { endpoint } of endpoints) {
    const { operation } = endpoint;
    let group = root;
    for (const word of operation.slice(0, -1)) {
      group = group[word] = (group[word] ?? {}) as Tree;
    }
    group[operation.at(-1) ?? ""] = handler(operation.join("."));
  }
  return root;
}

/** The index definitions of the arguments for the first endpoint of a route with this method. */
function definitionsOf({ route, methods }: Endpoint, index: JsonValue): ReadonlyMap<string, JsonObject> {
  const endpoints = memberOf(memberOf(memberOf(index, "routes"), route), "endpoints");
  const found = (Array.isArray(endpoints) ? endpoints : []).find((each) => {
    const words = memberOf(each, "methods");
    return Array.isArray(words) ? words.includes(methods[0]) : memberOf(words, methods[0]) !== undefined;
  });
  const args = memberOf(found, "args");
  if (typeof args !== "object" || args === null) {
    return new Map();
  }
  return new Map(Object.entries(args).map(([name, each]) => [name, isObject(each) ? each : {}]));
}
