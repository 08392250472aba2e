import type { JsonValue } from "../model/rest.js";
import { type Index, type JsonNode, type JsonObjectNode, jsonValue } from "../read/discovery/index.js";

/** What every site says of itself: a server fills it in when it answers. */
const siteFacts = new Set(["name", "description", "url", "home", "gmt_offset", "timezone_string"]);

/**
 * The index as a server serves it, without the site's own facts. Addresses of routes are left blank, in the shape the
 * index has them (`""`, or `[{ "href": "" }]`), so that a server can fill them in.
 */
export function lowerDocument(index: Index, keeps: (route: string) => boolean): JsonValue {
  if (index.routesOnly) {
    const namespaces = index.namespaces.map((namespace) => namespace.path);
    return { namespaces, authentication: [], routes: routes(index.document, keeps) };
  }
  const members: [string, JsonValue][] = [];
  for (const { name, value } of index.document.members.values()) {
    if (siteFacts.has(name)) continue;
    if (name === "routes" && value.kind === "object") members.push([name, routes(value, keeps)]);
    else if (name === "_links" && value.kind === "object") members.push(...foreignLinks(value, index));
    else members.push([name, jsonValue(value)]);
  }
  return Object.fromEntries(members);
}

function routes(node: JsonObjectNode, keeps: (route: string) => boolean): JsonValue {
  const kept = [...node.members.values()].filter((member) => keeps(member.name));
  return Object.fromEntries(kept.map(({ name, value }) => [name, route(value)]));
}

function route(node: JsonNode): JsonValue {
  if (node.kind !== "object") return jsonValue(node);
  const members: [string, JsonValue][] = [];
  for (const { name, value } of node.members.values()) {
    if (name === "schema" && value.kind === "object") members.push([name, withoutLinks(value)]);
    else if (name !== "_links") members.push([name, jsonValue(value)]);
    else if (value.kind === "object") {
      const self = value.members.get("self")?.value;
      if (self !== undefined) members.push([name, { self: self.kind === "scalar" ? "" : [{ href: "" }] }]);
    }
  }
  return Object.fromEntries(members);
}

/** The links of a schema lead to the site that the index is from. */
function withoutLinks(schema: JsonObjectNode): JsonValue {
  const kept = [...schema.members.values()].filter(({ name }) => name !== "links");
  return Object.fromEntries(kept.map(({ name, value }) => [name, jsonValue(value)]));
}

/** Links of the whole index, without those that lead back to the site. */
function foreignLinks(links: JsonObjectNode, index: Index): readonly [string, JsonValue][] {
  const own = ["url", "home"].flatMap((name) => {
    const node = index.document.members.get(name)?.value;
    return node?.kind === "scalar" && typeof node.value === "string" && node.value !== "" ? [node.value] : [];
  });
  const foreign = [...links.members.values()].filter(({ value }) => {
    const text = JSON.stringify(jsonValue(value));
    return !own.some((address) => text.includes(JSON.stringify(address).slice(1, -1)));
  });
  if (foreign.length === 0) return [];
  return [["_links", Object.fromEntries(foreign.map(({ name, value }) => [name, jsonValue(value)]))]];
}
