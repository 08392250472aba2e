import { isDeepStrictEqual } from "node:util";
import { createDynamicContract, type DynamicEndpoint, type DynamicRestInterface } from "@bothends/dynamic";
import { findMember, getTextOfPattern, isObject, makeJson, Random } from "@bothends/dynamic/random";
import type { Contract, Endpoint } from "@bothends/generator";
import { EncodeError, type JsonObject, type JsonValue, type Method, RestError } from "@bothends/runtime";
import { fetchTransport, RestClient } from "@bothends/runtime/client";
import { compileRoutePattern } from "@bothends/runtime/route-syntax";
import { restRoutes } from "@bothends/runtime/server";
import { webHandler } from "@bothends/runtime/server/web";
import type { JobProblem, JobResult } from "./job.js";

const attempts = 40;

/** Calls every endpoint of each index in memory, with each of its methods and random arguments. */
export async function judgeCalls(contract: Contract): Promise<JobResult["calls"]> {
  const results: JobResult["calls"][] = [];
  for (const restInterface of createDynamicContract(contract).interfaces) {
    if (restInterface.kind === "rest") {
      results.push(await callAll(restInterface));
    }
  }
  return {
    endpoints: results.reduce((sum, result) => sum + result.endpoints, 0),
    called: results.reduce((sum, result) => sum + result.called, 0),
    problems: results.flatMap((result) => result.problems),
  };
}

/** An endpoint, and the definitions of its arguments in the index. */
interface DefinedEndpoint extends DynamicEndpoint {
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

async function callAll(restInterface: DynamicRestInterface): Promise<JobResult["calls"]> {
  const caller = new Caller(restInterface);
  const problems: JobProblem[] = [];
  let calledCount = 0;
  for (const dynamicEndpoint of restInterface.endpoints) {
    const endpoint = {
      ...dynamicEndpoint,
      definitions: listDefinitions(dynamicEndpoint.endpoint, restInterface.index),
    };
    const endpointProblems: JobProblem[] = [];
    for (const method of endpoint.descriptor.methods) {
      const problem = await caller.call(endpoint, method);
      if (problem !== undefined) {
        endpointProblems.push(problem);
      }
    }
    if (endpointProblems.length === 0) {
      calledCount += 1;
    }
    problems.push(...endpointProblems);
  }
  return { endpoints: restInterface.endpoints.length, called: calledCount, problems };
}

type Input = Readonly<Record<string, JsonValue>>;

/** A client and a server of one interface, which records the last call that it received. */
class Caller {
  readonly #client: RestClient;
  readonly #random = new Random(1);
  #received: { readonly name: string; readonly input: Input } | undefined;

  constructor({ descriptor, endpoints: allEndpoints, index }: DynamicRestInterface) {
    const handlers = createHandlerTree(allEndpoints, (name) => (input: Input): JsonValue => {
      this.#received = { name, input };
      return null;
    });
    const endpoints = allEndpoints.map((served) => served.descriptor);
    const routes = restRoutes({ interface: descriptor, endpoints, handlers, index }, { page: false });
    const transport = fetchTransport(webHandler([routes]));
    this.#client = new RestClient(descriptor, { siteUrl: "http://site.example", transport });
  }

  /** Repeats the call with different arguments until the handler is called. Refused arguments are not sent again. */
  async call(endpoint: DefinedEndpoint, method: Method): Promise<JobProblem | undefined> {
    const { name, route } = endpoint.descriptor;
    const place = `${method} ${name} (${route})`;
    const refusedNames = new Set<string>();
    const requiredNames = new Set<string>();
    let lastProblem: JobProblem | undefined;
    for (let count = 0; count < attempts; count += 1) {
      const input = makeInput(endpoint, {
        refused: refusedNames,
        required: requiredNames,
        random: this.#random,
        withoutOptional: count > attempts / 2,
      });
      this.#received = undefined;
      try {
        await this.#client.call(endpoint.descriptor, input, { method });
      } catch (error) {
        lastProblem = { kind: "call.failed", text: `${place}: ${String(error).slice(0, 1000)}` };
        // A server may also refuse an argument that was not sent, because the argument is required or its default is
        // invalid.
        for (const name of listRefusedArguments(error)) {
          (Object.hasOwn(input, name) ? refusedNames : requiredNames).add(name);
        }
        continue;
      }
      const receivedCall = this.#received as { readonly name: string; readonly input: Input } | undefined;
      if (receivedCall?.name !== name) {
        lastProblem = {
          kind: "call.elsewhere",
          text: `${place}: the call reached ${receivedCall?.name} instead, with ${JSON.stringify(input)}.`,
        };
        continue;
      }
      const changedArgument = Object.keys(input).find((key) => !isDeepStrictEqual(receivedCall.input[key], input[key]));
      if (changedArgument === undefined) {
        return undefined;
      }
      const text = `${place}: /${changedArgument} was sent as ${JSON.stringify(input[changedArgument])} and received as ${JSON.stringify(receivedCall.input[changedArgument])}.`;
      return { kind: "call.differs", text: text.slice(0, 1000) };
    }
    return lastProblem;
  }
}

/** Lists the arguments that an error names. */
function listRefusedArguments(error: unknown): readonly string[] {
  if (error instanceof EncodeError) {
    return [error.path.split("/")[1] ?? ""];
  }
  if (!(error instanceof RestError) || error.code !== "rest_invalid_param") {
    return [];
  }
  const { params } = error.data;
  return typeof params === "object" && params !== null ? Object.keys(params) : [];
}

interface InputRules {
  /** The names of arguments whose values were refused. The next call omits them if they are optional. */
  readonly refused: ReadonlySet<string>;
  /** The names of arguments that the server requires, but that are optional in the index. */
  readonly required: ReadonlySet<string>;
  readonly random: Random;
  /** Whether to omit all optional arguments. */
  readonly withoutOptional: boolean;
}

function makeInput(
  { endpoint, descriptor, definitions }: DefinedEndpoint,
  { refused, required, random, withoutOptional }: InputRules,
): Input {
  const variables = new Map(listVariables(endpoint.path).map((variable) => [variable.variable, variable]));
  const entries = Object.entries(descriptor.args).flatMap(([name, arg]): readonly (readonly [string, JsonValue])[] => {
    // WordPress reserves names with a leading underscore, which have a meaning for every endpoint.
    const isWanted = !withoutOptional && !refused.has(name) && !name.startsWith("_") && random.drawBoolean(60);
    if (arg.required !== true && !required.has(name) && !isWanted) {
      return [];
    }
    const definition = definitions.get(name) ?? {};
    const variable = variables.get(name);
    if (variable === undefined) {
      return [[name, makeJson(definition, random)]];
    }
    const value = makeVariable(variable, { ...parseJson(arg), ...definition }, random);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function parseJson({ type }: DynamicEndpoint["descriptor"]["args"][string]): Readonly<Record<string, JsonValue>> {
  return type === undefined ? {} : { type };
}

/** Creates a value that the definition and the route accept; undefined if none is found. */
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
    const value = count % 2 === 0 ? makeJson(definition, random) : getTextOfPattern(pattern, random);
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

function listVariables(path: Endpoint["path"]): readonly Variable[] {
  return path.flatMap((piece) => {
    if (typeof piece === "string" || "filler" in piece) {
      return [];
    }
    return "optional" in piece ? listVariables(piece.optional) : [piece];
  });
}

interface Variable {
  readonly variable: string;
  readonly pattern: string;
}

type Tree = { [name: string]: unknown };

function createHandlerTree(endpoints: readonly DynamicEndpoint[], handler: (name: string) => unknown): object {
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

/** Reads the definitions of arguments from the index, from the first endpoint of the route with the method. */
function listDefinitions({ route, methods }: Endpoint, index: JsonValue): ReadonlyMap<string, JsonObject> {
  const endpoints = findMember(findMember(findMember(index, "routes"), route), "endpoints");
  const definition = (Array.isArray(endpoints) ? endpoints : []).find((described) => {
    const words = findMember(described, "methods");
    return Array.isArray(words) ? words.includes(methods[0]) : findMember(words, methods[0]) !== undefined;
  });
  const args = findMember(definition, "args");
  if (typeof args !== "object" || args === null) {
    return new Map();
  }
  return new Map(Object.entries(args).map(([name, schema]) => [name, isObject(schema) ? schema : {}]));
}
