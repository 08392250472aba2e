import type { JsonValue } from "../../descriptor.js";
import { ConfigError, EncodeError } from "../../errors.js";
import type { AnswerCheck } from "../../rest/check-answers.js";
import { RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { DisconnectError, isCompressed, readBody } from "../body.js";
import { callHandler } from "../call-handler.js";
import { headerValue } from "../headers.js";
import type { Routes, ServerAnswer, ServerRequest } from "../types.js";
import { type Place, placeOf } from "./address.js";
import { refuseScript, respond, shaped } from "./answer.js";
import { readInput } from "./arguments.js";
import { browse, isBrowsing } from "./browse.js";
import { CallContext, Exchange } from "./call.js";
import { withEmbedded } from "./embed.js";
import { compressedBody, errorAnswer, noRoute } from "./errors.js";
import { allowedMethods, authorize, refuseForgery } from "./permission.js";
import { readBodySources, readQuery } from "./request.js";
import type { RestServerOptions, RestService } from "./service.js";
import { type RestServing, restServing, type ServedEndpoint } from "./serving.js";

/** The routes of one discovery index: its endpoints by the handlers, the index itself, OPTIONS and HEAD. */
export function restRoutes(service: RestService, options: RestServerOptions = {}): Routes {
  if (service.interface.descriptorFormat !== 1) {
    throw new ConfigError("The generated code is for another version of the runtime: generate it again.");
  }
  const serving = restServing(service, options);
  return {
    name: service.interface.name,
    answer(request) {
      const place = placeOf(request, serving);
      if (place === undefined) return undefined;
      if (isBrowsing(request, place, serving.browse)) return answerPage(request, place, serving);
      return answer(new Exchange(request, place, serving));
    },
  };
}

async function answerPage(request: ServerRequest, place: Place, serving: RestServing): Promise<ServerAnswer> {
  // What a request makes when it is asked for is no member of a copy.
  const { signal } = request;
  const indexRequest = { ...request, method: "GET", body: new Uint8Array(), signal };
  const index = await answer(new Exchange(indexRequest, { ...place, path: "/", query: "" }, serving));
  return browse(request, place, index);
}

async function answer(exchange: Exchange): Promise<ServerAnswer> {
  try {
    return await finish(await withEmbedded(shaped(await run(exchange), exchange), exchange, answerWithin), exchange);
  } catch (error) {
    // A client that went away gets no answer, and is no incident.
    const gone = error instanceof DisconnectError;
    const refusal = refusalOf(gone ? noRoute : error, exchange);
    const refused = await finish(refusal, exchange);
    // What is left of a body that is too large is not read.
    return gone || refusal.status === 413 ? { ...refused, close: true } : refused;
  }
}

/** What is embedded is answered, or refused, like a request of its own; nothing is embedded in it. */
async function answerWithin(exchange: Exchange): Promise<RestAnswer> {
  try {
    return shaped(refuseQuery(exchange) ?? (await dispatch(exchange)), exchange);
  } catch (error) {
    return refusalOf(error, exchange);
  }
}

function refusalOf(error: unknown, { serving, endpoint, match }: Exchange): RestAnswer {
  const called = { operation: endpoint?.descriptor.name, route: match?.route.key };
  return errorAnswer(error, called, serving.options.onError);
}

function finish(result: RestAnswer, exchange: Exchange): ServerAnswer | Promise<ServerAnswer> {
  const { match, serving } = exchange;
  if (match === undefined) return respond(result, exchange, []);
  if (serving.options.authorize === undefined) return respond(result, exchange, match.route.methods);
  return allowedMethods(exchange).then((methods) => respond(result, exchange, methods));
}

/** WordPress's order: the query, the nonce, then all that depends on the route. */
async function run(exchange: Exchange): Promise<RestAnswer> {
  const refused = refuseQuery(exchange);
  if (refused !== undefined) return refused;
  await refuseForgery(exchange);
  return dispatch(exchange);
}

function refuseQuery(exchange: Exchange): RestAnswer | undefined {
  exchange.query = readQuery(exchange.place.query, exchange.serving.limits);
  return refuseScript(exchange);
}

/** WordPress's order: the route and its method, the body, the arguments, the permission, the handler. */
async function dispatch(exchange: Exchange): Promise<RestAnswer> {
  const { request, serving } = exchange;
  const { limits } = serving;
  if (request.method === "OPTIONS") return describe(exchange);
  const endpoint = exchange.find();
  if (endpoint === undefined) throw noRoute;
  if (isCompressed(request)) throw compressedBody();
  if (!isEmpty(request.body)) exchange.body = await readBody(request, limits.bodyBytes);
  const contentType = headerValue(request.headers, "content-type");
  const { json, form, files } = readBodySources(exchange.body, { contentType, method: request.method, limits });
  exchange.files = files;
  const path = exchange.match?.variables ?? new Map();
  exchange.input = readInput(endpoint, { path, json, form, query: exchange.query }, limits);
  if (serving.options.authorize !== undefined) await authorize(exchange, endpoint);
  return call(exchange, endpoint);
}

function isEmpty(body: ServerRequest["body"]): boolean {
  return body instanceof Uint8Array && body.length === 0;
}

/** OPTIONS: the route's entry in the index; an empty list where there is no route. */
function describe(exchange: Exchange): RestAnswer {
  const route = exchange.findRoute();
  if (route === undefined) return restAnswer({ body: [] });
  return restAnswer({ body: exchange.serving.index.entry(route.key, exchange.baseUrl) });
}

async function call(exchange: Exchange, { descriptor, handler }: ServedEndpoint): Promise<RestAnswer> {
  const { request, serving, input, method } = exchange;
  const result: unknown = await callHandler(
    (signal) => handler(input, new CallContext(exchange, { operation: descriptor.name, method }, signal)),
    { timeout: serving.limits.handlerTimeout, request },
  );
  // Whether it is a JSON value shows when it is written.
  const given: RestAnswer = result instanceof RestAnswer ? result : restAnswer({ body: (result ?? null) as JsonValue });
  if (serving.options.validate !== undefined) validate(given, descriptor.name, serving.options.validate);
  return given;
}

/** What a handler answers before `_fields` leaves members of it out. */
function validate({ status, body }: RestAnswer, operation: string, check: AnswerCheck): void {
  if (status >= 300 || body instanceof Uint8Array) return;
  const problem = check({ operation, body, partial: false });
  if (problem !== undefined) throw new EncodeError(problem.message, { path: problem.path, operation });
}
