import type { JsonValue, Method } from "@bothends/runtime";
import { type RestContext, type Routes, restAnswer, restRoutes } from "@bothends/runtime/server";
import type { RecordedIndex } from "./recorded-case.js";

/** The status of a probe's handlers: the request has passed everything that an index can know. */
export const reached = 299;

const siteFacts = ["name", "description", "url", "home", "gmt_offset", "timezone_string"];

/** A server built from an index alone, whose handlers say that they were reached. Index routes answer as they do. */
export function probeRoutes(index: RecordedIndex, base = "/wp-json"): Routes {
  const endpoints: Record<string, object> = {};
  const handlers: Record<string, object> = {};
  const rest = { descriptorFormat: 1, name: "recorded", base, baseValues: { lang: ["en", "pt-pt"] } } as const;
  for (const [route, entry] of Object.entries(index.routes)) {
    for (const [position, { methods }] of entry.endpoints.entries()) {
      const [first, ...others] = methods;
      if (first === undefined) continue;
      const name = `${first} ${route}#${position}`;
      const all: readonly [Method, ...Method[]] = [first, ...others];
      endpoints[name] = { kind: "endpoint", interface: rest, name, route, path: pathOf(route), methods: all, args: {} };
      if (!isIndexRoute(route)) handlers[name] = probe;
    }
  }
  const { name, description, url } = index;
  return restRoutes({ interface: rest, endpoints, handlers, index: withoutFacts(index) }, { name, description, url });
}

function probe(input: JsonValue, { operation }: RestContext) {
  return restAnswer({ status: reached, body: { operation, input } });
}

/** `/`, or a namespace: a name and a version, nothing behind. */
function isIndexRoute(route: string): boolean {
  return /^\/(?:[^/]+\/v?[\d.]+)?$/.test(route) && route !== "/batch/v1";
}

function pathOf(route: string) {
  const pieces: (string | { variable: string; pattern: string })[] = [];
  let at = 0;
  for (let open = route.indexOf("(?P<"); open >= 0; open = route.indexOf("(?P<", at)) {
    const name = route.slice(open + 4, route.indexOf(">", open));
    const end = closing(route, open);
    if (open > at) pieces.push(route.slice(at, open));
    pieces.push({ variable: name, pattern: route.slice(open + name.length + 5, end) });
    at = end + 1;
  }
  if (at < route.length) pieces.push(route.slice(at));
  return pieces;
}

/** The parenthesis that closes the one at `open`; classes are stepped over. */
function closing(route: string, open: number): number {
  let depth = 0;
  for (let at = open; at < route.length; at += 1) {
    const char = route.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") while (route.charAt(at) !== "]") at += route.charAt(at) === "\\" ? 2 : 1;
    else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return route.length;
}

/** The index as generated code keeps it: without the site's facts, addresses blank. */
function withoutFacts(index: RecordedIndex): JsonValue {
  const text = JSON.stringify(index, (name, value: unknown) =>
    name === "self" && Array.isArray(value) ? [{ href: "" }] : value,
  );
  const document = JSON.parse(text) as Record<string, JsonValue>;
  return Object.fromEntries(Object.entries(document).filter(([name]) => !siteFacts.includes(name)));
}
