import type { JsonValue, PathPiece } from "../../descriptor.js";
import { isObject } from "../../rest/php-values.js";
import { variablesOf } from "../../rest/route-paths.js";
import type { HeaderLine } from "../types.js";
import type { Exchange } from "./exchange.js";

/**
 * `X-WP-Total`, `X-WP-TotalPages`, and links to the previous and the next page. A link repeats the request's arguments,
 * with lists one item a pair: links that together are longer than an address may be are left out.
 */
export function pageHeaders(total: number, exchange: Exchange): readonly HeaderLine[] {
  const { baseUrl, match, query, input, serving } = exchange;
  const perPage = typeof input["per_page"] === "number" && input["per_page"] > 0 ? input["per_page"] : 10;
  const page = typeof input["page"] === "number" ? input["page"] : 1;
  const pages = Math.ceil(total / perPage);
  const links: string[] = [];
  const linkTo = (to: number, relation: string) =>
    links.push(`<${baseUrl}${encodeURI(pathOf(match))}?${queryText(query, input, to)}>; rel="${relation}"`);
  if (page > 1) linkTo(Math.min(page - 1, Math.max(pages, 1)), "prev");
  if (pages > page) linkTo(page + 1, "next");
  const headers: HeaderLine[] = [
    ["X-WP-Total", String(total)],
    ["X-WP-TotalPages", String(pages)],
  ];
  const link = links.join(", ");
  return link === "" || link.length > serving.limits.urlBytes ? headers : [...headers, ["Link", link]];
}

/** The path of a route as the route spells it, whatever letters the request has. */
function pathOf(match: Exchange["match"]): string {
  return match === undefined ? "" : written(match.route.path, match.variables);
}

function written(path: readonly PathPiece[], variables: ReadonlyMap<string, string>): string {
  return path
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if ("variable" in piece) return variables.get(piece.variable) ?? "";
      return isWritten(piece.optional, variables) ? written(piece.optional, variables) : "";
    })
    .join("");
}

function isWritten(path: readonly PathPiece[], variables: ReadonlyMap<string, string>): boolean {
  return variablesOf(path).some(({ variable }) => (variables.get(variable) ?? "") !== "");
}

/** The query with another page, in its order; lists are written with their indexes. */
function queryText(query: ReadonlyMap<string, JsonValue>, input: Exchange["input"], page: number): string {
  const pairs: string[] = [];
  for (const [name, value] of new Map([...query, ["page", page] as const])) {
    const known = name !== "page" && Object.hasOwn(input, name) ? input[name] : undefined;
    add(pairs, name, Array.isArray(known) ? known : value);
  }
  return pairs.join("&");
}

function add(pairs: string[], name: string, value: JsonValue): void {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) add(pairs, `${name}[${index}]`, item);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) add(pairs, `${name}[${key}]`, item ?? null);
  else if (value === "") pairs.push(encoded(name));
  else pairs.push(`${encoded(name)}=${encoded(String(value))}`);
}

/** As PHP's `urlencode`: a space is `+`, and only letters, digits and `-_.` are themselves. */
function encoded(text: string): string {
  return encodeURIComponent(text)
    .replace(/%20/g, "+")
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
