import type { JsonValue } from "../../descriptor.js";
import { isBytes } from "../../http/bytes.js";
import { decodeFormText } from "../../rest/php-form.js";
import { isJsonObject, toList } from "../../rest/php-json.js";
import { RestAnswer } from "../../rest/rest-answer.js";
import { LimitError } from "../../server-limits.js";
import { callHandler } from "../calls/call-handler.js";
import { readMembers } from "./answer.js";
import { isTrueInPhp } from "./arguments.js";
import { type ReceivedCall, readTarget, receiveCall } from "./request.js";

/** Answers a request for the address of a link. If the request fails, the answer describes the error. */
export type AnswerEmbedded = (call: ReceivedCall) => Promise<RestAnswer>;

/**
 * Embeds the resources that the parameter `_embed` requests. These are the answers for the links of an item that are
 * `embeddable` and lead to routes of this interface. Each address is requested only once, with `context=embed` and the
 * headers of the original request.
 */
export function withEmbedded(
  answer: RestAnswer,
  call: ReceivedCall,
  answerEmbedded: AnswerEmbedded,
): RestAnswer | Promise<RestAnswer> {
  const relations = findRelations(call);
  const { body } = answer;
  if (relations === undefined || answer.status >= 400 || isBytes(body)) {
    return answer;
  }
  return embed(call, { answer, body, relations, answerEmbedded });
}

interface Embeddable {
  readonly answer: RestAnswer;
  readonly body: JsonValue;
  readonly relations: readonly string[] | "all";
  readonly answerEmbedded: AnswerEmbedded;
}

async function embed(call: ReceivedCall, { answer, body, ...options }: Embeddable): Promise<RestAnswer> {
  const limits = { timeout: call.servedInterface.limits.handlerTimeout, request: call.request };
  const embedded = await callHandler(
    ({ signal }) => new Embedding(call, { ...options, signal }).embedAll(body),
    limits,
  );
  return new RestAnswer({ ...answer, body: embedded });
}

/** Returns the link relations to embed; undefined if the request does not ask to embed any. */
function findRelations({ query, request, servedInterface }: ReceivedCall): readonly string[] | "all" | undefined {
  const value = query.get(servedInterface.conventions.parameters.embed);
  if (value === undefined || request.method === "HEAD" || request.method === "OPTIONS") {
    return undefined;
  }
  const names = value === "true" || value === "1" || value === "0" ? [] : (toList(value) ?? []);
  return names.length === 0 ? "all" : names.map(String);
}

interface EmbedOptions {
  readonly relations: readonly string[] | "all";
  readonly answerEmbedded: AnswerEmbedded;
  readonly signal: AbortSignal;
}

/** Embeds the requested resources into one answer. */
class Embedding {
  readonly #call: ReceivedCall;
  readonly #options: EmbedOptions;
  /** The answers for links that have already been followed, by address. */
  readonly #answers = new Map<string, JsonValue>();

  constructor(call: ReceivedCall, options: EmbedOptions) {
    this.#call = call;
    this.#options = options;
  }

  /** Embeds resources into an object, or into each object of a list. */
  async embedAll(body: JsonValue): Promise<JsonValue> {
    if (!Array.isArray(body)) {
      return this.#embed(body);
    }
    const items: JsonValue[] = [];
    for (const item of body) {
      items.push(await this.#embed(item));
    }
    return items;
  }

  async #embed(item: JsonValue): Promise<JsonValue> {
    const linkLists = readMembers(this.#call, () => listLinks(item));
    const embedded: [string, JsonValue][] = [];
    for (const [relation, links] of linkLists) {
      const isRequested = this.#options.relations === "all" || this.#options.relations.includes(relation);
      if (!isRequested || !Array.isArray(links)) {
        continue;
      }
      const answers: JsonValue[] = [];
      for (const link of links) {
        answers.push(await this.#answerLink(link));
      }
      // `answers` has the same order as the links. A relation with only empty answers is left out.
      if (answers.some((answer) => !isEmpty(answer))) {
        embedded.push([relation, answers]);
      }
    }
    if (embedded.length === 0 || !isJsonObject(item)) {
      return item;
    }
    return readMembers(this.#call, () => ({ ...item, _embedded: Object.fromEntries(embedded) }));
  }

  async #answerLink(link: JsonValue): Promise<JsonValue> {
    const href = isJsonObject(link) && isTrueInPhp(link["embeddable"]) ? link["href"] : undefined;
    if (typeof href !== "string" || this.#options.signal.aborted) {
      return [];
    }
    const earlierAnswer = this.#answers.get(href);
    if (earlierAnswer !== undefined) {
      return earlierAnswer;
    }
    const { embeds } = this.#call.servedInterface.limits;
    if (this.#answers.size >= embeds) {
      throw new LimitError("embeds", embeds);
    }
    const answer = await this.#answerAddress(href);
    this.#answers.set(href, answer);
    return answer;
  }

  async #answerAddress(href: string): Promise<JsonValue> {
    const { request, servedInterface, site, authentication } = this.#call;
    const { siteUrl } = site;
    if (!href.startsWith(`${siteUrl}/`)) {
      return [];
    }
    const [address = ""] = href.slice(siteUrl.length).split("#", 1);
    const linkRequest = request.createInnerRequest({ target: address, signal: this.#options.signal });
    const target = readTarget(linkRequest, servedInterface);
    if (target === undefined || address.length > servedInterface.limits.urlBytes) {
      return [];
    }
    const embeddedTarget = { ...target, query: withContext(target.query), isRewritten: true };
    const call = receiveCall(linkRequest, embeddedTarget, servedInterface, { authentication });
    const { body } = await this.#options.answerEmbedded(call);
    return isBytes(body) ? [] : body;
  }
}

/** Returns the values in the member `_links` of an object, by relation. */
function listLinks(item: JsonValue): readonly (readonly [relation: string, links: JsonValue | undefined])[] {
  return isJsonObject(item) && isJsonObject(item["_links"]) ? Object.entries(item["_links"]) : [];
}

/** Adds `context=embed` to a query without a context. */
function withContext(query: string): string {
  const pair = query.split("&").findLast((text) => decodeFormText(text).startsWith("context="));
  if (pair !== undefined && decodeFormText(pair) !== "context=") {
    return query;
  }
  return `${query}${query === "" ? "" : "&"}context=embed`;
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}
