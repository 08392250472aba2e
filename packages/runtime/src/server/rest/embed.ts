import type { JsonObject, JsonValue } from "../../descriptor.js";
import { decodeFormText } from "../../rest/php-form.js";
import { isObject, listOf } from "../../rest/php-values.js";
import { type RestAnswer, restAnswer } from "../../rest/rest-answer.js";
import { callHandler } from "../call-handler.js";
import { LimitError } from "../limits.js";
import type { ServerRequest } from "../types.js";
import { placeOf } from "./address.js";
import { Exchange } from "./call.js";

/** What a request within answers: a body, an error's too. */
export type AnswerWithin = (exchange: Exchange) => Promise<RestAnswer>;

/**
 * Adds what `_embed` asks for: the answers behind those links of an item that are `embeddable` and lead to routes of
 * this interface. They are asked for as the request's sender, with `context=embed`, each address once.
 */
export async function withEmbedded(answer: RestAnswer, exchange: Exchange, ask: AnswerWithin): Promise<RestAnswer> {
  const relations = relationsOf(exchange);
  const { body } = answer;
  if (relations === undefined || answer.status >= 400 || body instanceof Uint8Array) return answer;
  const { limits } = exchange.serving;
  const embedded = await callHandler(({ signal }) => new Embedding(exchange, { relations, ask, signal }).list(body), {
    timeout: limits.handlerTimeout,
    request: exchange.request,
  });
  return restAnswer({ ...answer, body: embedded });
}

/** The relations to embed, or all of them; undefined: nothing is to be embedded. */
function relationsOf({ query, request }: Exchange): readonly string[] | "all" | undefined {
  const given = query.get("_embed");
  if (given === undefined || request.method === "HEAD" || request.method === "OPTIONS") return undefined;
  const names = given === "true" || given === "1" || given === "0" ? [] : (listOf(given) ?? []);
  return names.length === 0 ? "all" : names.map(String);
}

interface Asking {
  readonly relations: readonly string[] | "all";
  readonly ask: AnswerWithin;
  readonly signal: AbortSignal;
}

/** The embedding into one answer. */
class Embedding {
  readonly #exchange: Exchange;
  readonly #asking: Asking;
  readonly #known = new Map<string, JsonValue>();

  constructor(exchange: Exchange, asking: Asking) {
    this.#exchange = exchange;
    this.#asking = asking;
  }

  /** Embeds into an item, or into each of a list. */
  async list(body: JsonValue): Promise<JsonValue> {
    if (!Array.isArray(body)) return this.#item(body);
    const items: JsonValue[] = [];
    for (const item of body) items.push(await this.#item(item));
    return items;
  }

  async #item(item: JsonValue): Promise<JsonValue> {
    if (!isObject(item) || !isObject(item["_links"])) return item;
    const embedded: [string, JsonValue][] = [];
    for (const [relation, links] of Object.entries(item["_links"])) {
      if (this.#asking.relations !== "all" && !this.#asking.relations.includes(relation)) continue;
      if (!Array.isArray(links)) continue;
      const answers: JsonValue[] = [];
      for (const link of links) answers.push(await this.#link(link));
      // Links keep their places; a relation of which nothing was found is left out.
      if (answers.some((one) => !isEmpty(one))) embedded.push([relation, answers]);
    }
    return embedded.length === 0 ? item : { ...item, _embedded: Object.fromEntries(embedded) };
  }

  async #link(link: JsonValue): Promise<JsonValue> {
    const href = isObject(link) && isTrue(link["embeddable"]) ? link["href"] : undefined;
    if (typeof href !== "string" || this.#asking.signal.aborted) return [];
    const known = this.#known.get(href);
    if (known !== undefined) return known;
    const { embeds } = this.#exchange.serving.limits;
    if (this.#known.size >= embeds) throw new LimitError("embeds", embeds);
    const answer = await this.#answer(href);
    this.#known.set(href, answer);
    return answer;
  }

  async #answer(href: string): Promise<JsonValue> {
    const { request, serving, siteUrl } = this.#exchange;
    if (!href.startsWith(`${siteUrl}/`)) return [];
    const [target = ""] = href.slice(siteUrl.length).split("#", 1);
    const inner: ServerRequest = {
      ...request,
      method: "GET",
      target,
      headers: request.headers.filter(([name]) => !/^content-/i.test(name)),
      body: new Uint8Array(),
      signal: this.#asking.signal,
    };
    const place = placeOf(inner, serving);
    if (place === undefined || target.length > serving.limits.urlBytes) return [];
    const { body } = await this.#asking.ask(
      new Exchange(inner, { ...place, query: withContext(place.query) }, serving),
    );
    return body instanceof Uint8Array ? [] : body;
  }
}

/** A link that names no context gets that of embedding. */
function withContext(query: string): string {
  const given = query.split("&").findLast((pair) => decodeFormText(pair).startsWith("context="));
  if (given !== undefined && decodeFormText(given) !== "context=") return query;
  return `${query}${query === "" ? "" : "&"}context=embed`;
}

function isTrue(value: JsonObject[string]): boolean {
  return value === true || value === 1 || value === "1" || value === "true";
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}
