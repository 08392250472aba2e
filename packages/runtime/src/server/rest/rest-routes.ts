import type { EndpointTypes, IndexTypes, JsonValue } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { RoutedRequest, routedRequest, type ServerAnswer } from "../../http/server-messages.js";
import type { IndexLinks, ServedEntry } from "../../pages/index.js";
import type { RestResult } from "../../rest/rest-answer.js";
import { fillBase } from "../../rest/route-paths.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import type { Answer, MissingOption, Routes } from "../routes.js";
import { answerRequest } from "./answer-call.js";
import type { RequestTarget } from "./call.js";
import { interfacePaths, isPlainPath, readTarget, receiveCall } from "./request.js";
import type { RestContext, RestServerOptions, RestService } from "./service.js";
import { type RestServing, restServing } from "./serving.js";

/** Serves the endpoints of a discovery index with handlers. The routes also answer OPTIONS, HEAD and requests for the index. */
export function restRoutes<Principal = unknown>(
  service: RestService,
  options: RestServerOptions<Principal> & MissingOption<"error"> = {},
): Routes {
  if (service.interface.descriptorFormat !== 2) {
    throw new ConfigError("The generated code is for another version of the runtime. Generate it again.");
  }
  const serving = restServing(service, options);
  return {
    name: service.interface.name,
    paths: interfacePaths(serving),
    served: servedEntries(serving),
    answer(received) {
      const request = routedRequest(received);
      const target = readTarget(request, serving);
      if (target === undefined) {
        return undefined;
      }
      return isPageRequest(request, target, serving)
        ? answerPage(request, target, serving)
        : answerRequest(receiveCall(request, target, serving));
    },
  };
}

/**
 * The entry of the index in the list of services. There is none if its page is turned off, or if the base path has variables with
 * arbitrary values.
 */
function servedEntries({ service, options, base, pagePath }: RestServing): readonly ServedEntry[] {
  const path = fillBase(base, new Map());
  return pagePath === undefined || path.includes("//") || path.endsWith("/")
    ? []
    : [{ name: options.name ?? service.interface.name, kind: "rest", page: path + pagePath, document: `${path}/` }];
}

function isPageRequest({ method }: RoutedRequest, { path }: RequestTarget, { pagePath }: RestServing): boolean {
  return pagePath !== undefined && path === pagePath && (method === "GET" || method === "HEAD");
}

/**
 * Answers with the HTML page of the index, whose code is loaded on first use. The page shows the answer of the index route to the
 * same request, so a client that may not read the index gets the error of that route.
 */
async function answerPage(request: RoutedRequest, target: RequestTarget, serving: RestServing): Promise<ServerAnswer> {
  const indexRequest = new RoutedRequest({
    method: "GET",
    target: request.target,
    headers: request.headers,
    body: new Uint8Array(),
    signal: request.signal,
    secure: request.secure,
    remoteAddress: request.remoteAddress,
  });
  const index = await answerRequest(receiveCall(indexRequest, { ...target, path: "/", query: "" }, serving));
  const answer = index.status === 200 && typeof index.body === "string" ? await pageAnswer(index.body) : index;
  return request.method === "HEAD" ? { ...answer, body: undefined } : answer;

  async function pageAnswer(text: string): Promise<ServerAnswer> {
    const document: JsonValue = JSON.parse(text);
    const pages = await import("../../pages/index.js");
    const route = new URLSearchParams(target.query).get("route") ?? undefined;
    return pages.indexPage({ document, route, links: pageLinks(request, target, serving.conventions) });
  }
}

function pageLinks(
  request: RoutedRequest,
  { path = "", variables }: RequestTarget,
  conventions: RestConventions,
): IndexLinks {
  const [requestPath = ""] = request.target.split("?", 1);
  if (!isPlainPath(requestPath, conventions)) {
    const levels = path.split("/").length - 2 + (requestPath.endsWith("/") ? 1 : 0);
    const routePage = (key: string) => `?route=${encodeURIComponent(key)}`;
    return { overview: "?", routePage, prefix: levels === 0 ? "./" : "../".repeat(levels), joiner: "?" };
  }
  const values = [...variables].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`);
  const start = `?${values.join("")}${encodeURIComponent(conventions.parameters.route)}=`;
  const routePage = (key: string) => `${start}${path}&route=${encodeURIComponent(key)}`;
  return { overview: start + path, routePage, prefix: `${start}/`, joiner: "&" };
}

/** The handlers of a tree of endpoints: a function for each endpoint, and an object of handlers for each group. */
export type RestHandlers<Tree, Principal = unknown> = { readonly [Name in keyof Tree]: Handler<Tree[Name], Principal> };

/** The handlers of a namespace. That of its index is optional: without it, the server answers from the index document. */
export type NamespaceHandlers<Tree extends { readonly index: unknown }, Principal = unknown> = HandlersFor<
  Tree,
  Exclude<keyof Tree, "index">,
  Principal
> &
  Partial<HandlersFor<Tree, "index", Principal>>;

type HandlersFor<Tree, Names extends keyof Tree, Principal> = {
  readonly [Name in Names]: Handler<Tree[Name], Principal>;
};

/** The handler of an endpoint, which is a function in the tree, or the handlers of a group, which is an object. */
type Handler<Node, Principal> = Node extends (...parameters: never) => unknown
  ? Node extends { readonly endpoint?: EndpointTypes<infer Input, infer Body> }
    ? EndpointHandler<Input, Body, Principal>
    : never
  : Node extends { readonly index: { readonly endpoint?: IndexTypes<unknown, unknown> } }
    ? NamespaceHandlers<Node, Principal>
    : RestHandlers<Node, Principal>;

/** The type of a handler. It is written as a method so that a handler may declare the type of its principal. */
type EndpointHandler<Input, Body, Principal> = {
  handler(input: Input, context: RestContext<Principal>): Answer<RestResult<Body>>;
}["handler"];
