import type { JsonValue, Method } from "../../descriptor.js";
import type { RouteMatch } from "../../rest/route-table.js";
import type { ServerRequest } from "../types.js";
import type { Place } from "./place.js";
import { endpointFor, type RestServing, type ServedEndpoint, type ServedRoute } from "./serving.js";

export type Input = Readonly<Record<string, JsonValue>>;

/** A request that is being answered. What is found out about it is filled in on the way, and an error's answer uses it. */
export class Exchange {
  readonly request: ServerRequest;
  readonly place: Place;
  readonly serving: RestServing;
  query: ReadonlyMap<string, JsonValue> = new Map();
  input: Input = {};
  match: RouteMatch<ServedRoute> | undefined;
  /** The endpoint that is called, once it is known. */
  endpoint: ServedEndpoint | undefined;
  method: Method = "GET";
  body: Uint8Array = new Uint8Array();
  /** What the user's hook said of the call; undefined: it was not asked. */
  authorized: boolean | undefined;

  constructor(request: ServerRequest, place: Place, serving: RestServing) {
    this.request = request;
    this.place = place;
    this.serving = serving;
  }

  /** Finds the first route that the path leads to and that has the method; HEAD is GET without a body. */
  find(): boolean {
    const method = this.request.method === "HEAD" ? "GET" : this.request.method;
    for (const match of this.#matches()) {
      const endpoint = endpointFor(match.route, method);
      const known = endpoint?.descriptor.methods.find((one) => one === method);
      if (endpoint === undefined || known === undefined) continue;
      this.match = match;
      this.endpoint = endpoint;
      this.method = known;
      return true;
    }
    return false;
  }

  /** Finds the first route that the path leads to, whatever its methods. */
  findRoute(): ServedRoute | undefined {
    for (const match of this.#matches()) {
      this.match = match;
      return match.route;
    }
    return undefined;
  }

  /** The language of the argument, else that of the path. */
  get language(): string | undefined {
    const { argument, variable } = this.serving.service.interface.language ?? {};
    const given = argument === undefined ? undefined : this.input[argument];
    if (typeof given === "string") return given;
    if (variable === undefined) return undefined;
    return this.place.variables.get(variable) ?? this.serving.base.values.get(variable)?.[0];
  }

  #matches(): Iterable<RouteMatch<ServedRoute>> {
    return this.place.path === undefined ? [] : this.serving.routes.matches(this.place.path);
  }
}
