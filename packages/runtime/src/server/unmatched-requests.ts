import { findHeader } from "../http/headers.js";
import { createShortPage, omitBody, type ServerAnswer } from "../http/server-answer.js";
import type { ParsedRequest } from "../http/server-request.js";
import { reportInvalidRequest } from "../observe/incidents.js";
import { RepeatedProblem, RepeatedReports } from "../observe/repeated-incidents.js";
import type { ServedEntry } from "../pages/index.js";
import { needlessEscape, needlessEscapes } from "../rest/route-paths.js";
import { findFirstMovedPath, isAtOrBelow, type Routes } from "./routes.js";

/**
 * Reports requests that match no route, probably because a proxy has changed their path. They are reported once a
 * minute for each path of the routes.
 */
export class ShiftedPaths {
  readonly #paths: readonly string[];
  readonly #routes: readonly Routes[];
  readonly #reports = new RepeatedReports();

  constructor(routes: readonly Routes[]) {
    this.#paths = [...new Set(routes.flatMap(({ paths = [] }) => paths))].filter((path) => path !== "/");
    this.#routes = routes;
  }

  /**
   * Reports a request whose path contains a path of the routes or its last segment, such as `reg.asmx`, or is the end
   * of one. In a framework, a path that does not contain a whole path may belong to a different route, so with
   * `mayBeOthers`, such a request is reported only if its body is XML.
   */
  report(request: ParsedRequest, { mayBeOthers = false }: { readonly mayBeOthers?: boolean } = {}): undefined {
    if (request.path === "/") {
      return undefined;
    }
    if (needlessEscape.test(request.path)) {
      return this.#reportEscapes(request);
    }
    const movedPath = mayBeOthers ? undefined : findFirstMovedPath(this.#routes, request.path);
    if (movedPath !== undefined) {
      this.#reportPath(movedPath, request);
      return undefined;
    }
    const isXml = /^(?:text\/xml|application\/soap\+xml)/i.test(request.parsedHeaders.contentType ?? "");
    const requestPath = `${request.path.toLowerCase()}/`;
    const servedPath = this.#paths.find((path) => {
      const lowerCasePath = `${path.toLowerCase()}/`;
      const [file] = /\/[^/]+\.[^/]+\/$/.exec(lowerCasePath) ?? [];
      return (
        requestPath.includes(lowerCasePath) ||
        ((lowerCasePath.endsWith(requestPath) || (file !== undefined && requestPath.includes(file))) &&
          (isXml || !mayBeOthers))
      );
    });
    if (servedPath !== undefined) {
      this.#reportPath(servedPath, request);
    }
    return undefined;
  }

  /** Reports a path that would be one of the routes if escapes of characters that need none were decoded. */
  #reportEscapes(request: ParsedRequest): undefined {
    const path = decodeAll(request.path);
    const servedPath =
      this.#paths.find((candidate) => isAtOrBelow(path, candidate)) ?? findFirstMovedPath(this.#routes, path);
    if (servedPath !== undefined) {
      const reason = `No route has this path, because it contains ${needlessEscapes}. Without them, it would be a path of the routes for ${servedPath}. This is reported once a minute for each path of the routes.`;
      reportInvalidRequest(undefined, { reason, repeated: new RepeatedProblem(this.#reports, servedPath) }, request);
    }
    return undefined;
  }

  #reportPath(servedPath: string, request: ParsedRequest): void {
    const reason = `No route has this path, but routes have ${servedPath}: a proxy may have added, removed or replaced the start of the path, or changed its letter case. Correct the proxy or the path at which a framework mounts the routes, or set the option "path" of SOAP routes or "base" of REST routes. This is reported once a minute for each path of the routes.`;
    const repeated = new RepeatedProblem(this.#reports, servedPath);
    reportInvalidRequest(undefined, { reason, repeated }, request);
  }
}

function decodeAll(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the answer to a request that no route matches: a page, whose code is loaded on first use, or plain text. */
export function createNotFoundAnswer(
  request: ParsedRequest,
  servedEntries: readonly ServedEntry[],
): ServerAnswer | Promise<ServerAnswer> {
  const { method, path, headers } = request;
  const isPage = path === "/" || (findHeader(headers, "accept") ?? "").includes("text/html");
  return isPage && servedEntries.length > 0 && (method === "GET" || method === "HEAD")
    ? createSitePage(request, servedEntries)
    : createShortPage(404, "Not found.");
}

async function createSitePage({ path, method }: ParsedRequest, entries: readonly ServedEntry[]): Promise<ServerAnswer> {
  const pages = await import("../pages/index.js");
  const answer = await pages.renderSitePage({ path, entries });
  return method === "HEAD" ? omitBody(answer) : answer;
}
