import type { JsonValue } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import { parseAddressOfTarget, RoutedRequest, routedRequest, type ServerAnswer } from "../../http/server-messages.js";
import type { IndexLinks, ServedEntry } from "../../pages/index.js";
import { fillBase } from "../../rest/base-path.js";
import type { RestConventions } from "../../rest/wordpress-conventions.js";
import { checkServerOptions, type MissingOption, type Routes } from "../routes.js";
import { answerRequest } from "./call.js";
import { interfacePaths, isPlainPath, type RouteTarget, readTarget, receiveCall } from "./request.js";
import { prepareInterface, type ServedInterface } from "./served-interface.js";
import type { RestServerOptions, RestService } from "./service.js";

/** Serves the endpoints of a discovery index with handlers. The routes also answer OPTIONS, HEAD and requests for the index. */
export function restRoutes<Principal = unknown>(
  service: RestService,
  options: RestServerOptions<Principal> & MissingOption<"error"> = {},
): Routes {
  if (service.interface.descriptorFormat !== 2) {
    throw new ConfigError(
      "The generated code is for a different version of @bothends/runtime. Generate the code again.",
    );
  }
  checkServerOptions(options);
  const servedInterface = prepareInterface(service, options);
  return {
    name: service.interface.name,
    paths: interfacePaths(servedInterface),
    mayAnswer(target) {
      const query = target.includes("?") ? target.slice(target.indexOf("?") + 1) : "";
      return readTarget({ path: parseAddressOfTarget(target), query }, servedInterface) !== undefined;
    },
    served: servedEntries(servedInterface),
    guarded: [{ operations: service.endpoints.flat().map(({ name }) => name), use: servedInterface.middleware }],
    answer(received) {
      const request = routedRequest(received);
      const known = servedInterface.knownRequests.find(request.method, request.target);
      if (known !== undefined) {
        return answerRequest(receiveCall(request, known.target, servedInterface, known));
      }
      const target = readTarget(request, servedInterface);
      if (target === undefined) {
        return undefined;
      }
      return isPageRequest(request, target, servedInterface)
        ? answerPage(request, target, servedInterface)
        : answerRequest(receiveCall(request, target, servedInterface));
    },
  };
}

/**
 * Returns the entry of the index in the list of services; none if the page of the index is turned off, or if the base path has a
 * variable that may have any value.
 */
function servedEntries({ service, options, base, pagePath }: ServedInterface): readonly ServedEntry[] {
  const path = fillBase(base, new Map());
  return pagePath === undefined || path.includes("//") || path.endsWith("/")
    ? []
    : [{ name: options.name ?? service.interface.name, kind: "rest", page: path + pagePath, document: `${path}/` }];
}

function isPageRequest({ method }: RoutedRequest, { path }: RouteTarget, { pagePath }: ServedInterface): boolean {
  return pagePath !== undefined && path === pagePath && (method === "GET" || method === "HEAD");
}

/**
 * Answers with the HTML page of the index, whose code is loaded on first use. The page shows the answer of the index route to the
 * same request, so a client that may not read the index gets the error of that route.
 */
async function answerPage(
  request: RoutedRequest,
  target: RouteTarget,
  servedInterface: ServedInterface,
): Promise<ServerAnswer> {
  const indexRequest = new RoutedRequest({
    method: "GET",
    target: request.target,
    headers: request.headers,
    body: new Uint8Array(),
    signal: request.signal,
    secure: request.secure,
    remoteAddress: request.remoteAddress,
  });
  const indexTarget = { ...target, path: "/", query: "", isRewritten: true };
  const index = await answerRequest(receiveCall(indexRequest, indexTarget, servedInterface));
  const answer = index.status === 200 && typeof index.body === "string" ? await pageAnswer(index.body) : index;
  return request.method === "HEAD" ? { ...answer, body: undefined } : answer;

  async function pageAnswer(text: string): Promise<ServerAnswer> {
    const document: JsonValue = JSON.parse(text);
    const pages = await import("../../pages/index.js");
    const route = new URLSearchParams(target.query).get("route") ?? undefined;
    return pages.indexPage({ document, route, links: pageLinks(request, target, servedInterface.conventions) });
  }
}

function pageLinks(
  request: RoutedRequest,
  { path = "", variables }: RouteTarget,
  conventions: RestConventions,
): IndexLinks {
  const [requestPath = ""] = request.target.split("?", 1);
  if (!isPlainPath(requestPath, conventions)) {
    const levelCount = path.split("/").length - 2 + (requestPath.endsWith("/") ? 1 : 0);
    const routePage = (key: string) => `?route=${encodeURIComponent(key)}`;
    return { overview: "?", routePage, prefix: levelCount === 0 ? "./" : "../".repeat(levelCount), joiner: "?" };
  }
  const values = [...variables].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`);
  const start = `?${values.join("")}${encodeURIComponent(conventions.parameters.route)}=`;
  const routePage = (key: string) => `${start}${path}&route=${encodeURIComponent(key)}`;
  return { overview: start + path, routePage, prefix: `${start}/`, joiner: "&" };
}
