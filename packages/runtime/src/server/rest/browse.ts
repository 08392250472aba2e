import type { JsonValue } from "../../descriptor.js";
import { ConfigError } from "../../errors.js";
import type { BrowseLinks } from "../../pages/published-index.js";
import type { RouteTable } from "../../rest/route-table.js";
import type { ServerAnswer, ServerRequest } from "../types.js";
import type { Place } from "./address.js";
import type { RestServerOptions } from "./service.js";
import type { ServedRoute } from "./serving.js";

const usualPath = "/_browse";

/** Where the page for people is, below the base; undefined: nowhere. Routes of the index come first. */
export function browsePath(page: RestServerOptions["page"], routes: RouteTable<ServedRoute>): string | undefined {
  if (page === false || routes.find("/", "GET") === undefined) return undefined;
  const path = typeof page === "string" ? page : usualPath;
  if (!/^(?:\/[\w.~-]+)+$/.test(path))
    throw new ConfigError(`The page cannot be at "${path}": name a path, "/_browse".`);
  if (routes.find(path) === undefined) return path;
  if (typeof page === "string")
    throw new ConfigError(`The page cannot be at "${path}": a route of the index is there.`);
  return undefined;
}

/** Whether a request asks for the page. */
export function isBrowsing({ method }: ServerRequest, { path }: Place, browse: string | undefined): boolean {
  return browse !== undefined && path === browse && (method === "GET" || method === "HEAD");
}

/**
 * Answers with the page, which is loaded when it is first asked for. It shows what the index route answers to the same
 * request: who may not read the index gets that route's refusal.
 */
export async function browse(request: ServerRequest, place: Place, index: ServerAnswer): Promise<ServerAnswer> {
  const isHead = request.method === "HEAD";
  if (index.status !== 200 || typeof index.body !== "string") return isHead ? { ...index, body: undefined } : index;
  const document: JsonValue = JSON.parse(index.body);
  const { restPageAnswer } = await import("../../pages/index-page.js");
  const route = new URLSearchParams(place.query).get("route") ?? undefined;
  const answer = await restPageAnswer(document, { route, links: linksOf(request, place) });
  return isHead ? { ...answer, body: undefined } : answer;
}

function linksOf({ target }: ServerRequest, { path = "", variables }: Place): BrowseLinks {
  const [own = ""] = target.split("?", 1);
  if (!/^\/(?:index\.php)?$/.test(own)) {
    const up = path.split("/").length - 2 + (own.endsWith("/") ? 1 : 0);
    const routePage = (key: string) => `?route=${encodeURIComponent(key)}`;
    return { overview: "?", routePage, prefix: up === 0 ? "./" : "../".repeat(up), joiner: "?" };
  }
  const values = [...variables].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`);
  const at = `?${values.join("")}rest_route=`;
  const routePage = (key: string) => `${at}${path}&route=${encodeURIComponent(key)}`;
  return { overview: at + path, routePage, prefix: `${at}/`, joiner: "&" };
}
