import type {
  AnyEndpointDescriptor,
  EndpointDescriptor,
  JsonValue,
  Method,
  RestInterfaceDescriptor,
} from "../../descriptor.js";
import { ConfigError, DecodeError, EncodeError } from "../../errors.js";
import type { AnswerCheck } from "../../rest/check-answers.js";
import { redactAddress } from "../address.js";
import { exchange } from "../exchange.js";
import { contentFailure, withCall } from "../failures.js";
import type { ClientRequest } from "../hooks.js";
import { checkFormat, checkOptions, optionNames, type RestCallOptions, type RestClientOptions } from "../options.js";

import { callSettings, clientSettings, type Settings } from "../settings.js";
import { baseVariables, endpointPath, RestAddress } from "./address.js";
import { readRestAnswer, type Selected } from "./answer.js";
import { checkedArguments, extraArguments } from "./arguments.js";
import { selectionParameters, uploadHeaders, writeQuery } from "./request.js";

/** An answer in full. */
export interface RestCallAnswer<Body = JsonValue> {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Null where the answer has no body. */
  readonly body: Body;
}

/** What a request is made of. */
interface Given extends RestCallOptions {
  readonly input: unknown;
  readonly method: Method;
}

/** The client of one REST interface: what generated classes are made of. */
export class RestClient {
  readonly #settings: Settings;
  readonly #address: RestAddress;
  readonly #validate: AnswerCheck | undefined;
  readonly #headers: { readonly bare: Headers; readonly withBody: Headers };

  constructor(descriptor: RestInterfaceDescriptor, options: RestClientOptions) {
    checkFormat(descriptor);
    checkOptions(options, [...optionNames.restClient, ...baseVariables(descriptor)]);
    this.#settings = clientSettings(options);
    this.#address = new RestAddress(descriptor, options);
    this.#validate = options.validate;
    this.#headers = restHeaders(this.#address.site.authorization);
  }

  /** Calls one endpoint; resolves to the body of the answer. */
  async call<Input, Answer, Options extends RestCallOptions>(
    endpoint: EndpointDescriptor<Input, Answer>,
    input: Input,
    options?: Options,
  ): Promise<Selected<Answer, Options>> {
    const { body } = await this.callWithAnswer<Input, Answer, Options>(endpoint, input, options);
    return body;
  }

  /** Calls one endpoint; resolves to the whole answer: `X-WP-Total`, for one, stands in its headers. */
  async callWithAnswer<Input, Answer, Options extends RestCallOptions>(
    endpoint: EndpointDescriptor<Input, Answer>,
    input: Input,
    options?: Options,
  ): Promise<RestCallAnswer<Selected<Answer, Options>>> {
    checkOptions(options ?? {}, optionNames.restCall);
    const settings = callSettings(this.#settings, options);
    const request = this.#request(endpoint, input, options ?? {});
    const place = { operation: request.operation, address: redactAddress(request.url) };
    const answer = await exchange(request, settings, place);
    const call = { limits: settings.limits, place };
    const body: unknown = readRestAnswer(answer, call);
    const { status, headers } = answer;
    options?.onAnswer?.({ status, headers });
    const partial = options?.fields !== undefined || Object.hasOwn(options?.extra ?? {}, "_fields");
    const problem = this.#validate?.({ operation: endpoint.name, body, partial });
    if (problem !== undefined) throw contentFailure(new DecodeError(problem.message, problem), answer, call);
    // What a server answers is trusted to be what the schema says, unless a check is asked for.
    return { status, headers, body: body as Selected<Answer, Options> };
  }

  /** Closes idle connections that belong to this client alone. */
  close(): void {
    this.#settings.transport.close?.();
  }

  #request(endpoint: AnyEndpointDescriptor, input: unknown, options: RestCallOptions): ClientRequest {
    const method = methodOf(endpoint, options.method);
    try {
      return this.#encoded(endpoint, { ...options, input: input ?? {}, method });
    } catch (error) {
      throw withCall(error, {
        operation: endpoint.name,
        address: redactAddress(this.#address.url(endpoint.route, "")),
      });
    }
  }

  #encoded(endpoint: AnyEndpointDescriptor, { input, method, extra, upload, ...selection }: Given): ClientRequest {
    if (typeof input !== "object" || input === null) throw new EncodeError("The input is an object.", { path: "/" });
    const values = new Map(checkedArguments(input, endpoint.args));
    const route = endpointPath(this.#address.path(endpoint.path), values);
    for (const [name, value] of extraArguments(extra ?? {})) {
      if (values.has(name)) throw new EncodeError(`/${name}: The input has this argument, too.`, { path: `/${name}` });
      values.set(name, value);
    }
    const bodiless = method === "GET" || method === "DELETE";
    if (bodiless && upload !== undefined) throw new ConfigError(`A ${method} request carries no upload.`);
    const inQuery = bodiless || upload !== undefined;
    const request = {
      operation: endpoint.name,
      method,
      url: this.#address.url(route, writeQuery([...(inQuery ? values : []), ...selectionParameters(selection)])),
    };
    if (upload !== undefined)
      return { ...request, headers: { ...this.#headers.bare, ...uploadHeaders(upload) }, body: upload.content };
    if (inQuery || values.size === 0) return { ...request, headers: this.#headers.bare, body: undefined };
    return { ...request, headers: this.#headers.withBody, body: JSON.stringify(Object.fromEntries(values)) };
  }
}

type Headers = Readonly<Record<string, string>>;

function restHeaders(authorization: string | undefined): { readonly bare: Headers; readonly withBody: Headers } {
  const bare = {
    Accept: "application/json",
    "Accept-Encoding": "identity",
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  };
  return { bare: Object.freeze(bare), withBody: Object.freeze({ ...bare, "Content-Type": "application/json" }) };
}

function methodOf(endpoint: AnyEndpointDescriptor, wanted: Method | undefined): Method {
  if (wanted === undefined) return endpoint.methods[0];
  if (endpoint.methods.includes(wanted)) return wanted;
  throw new ConfigError(`${endpoint.name} has the methods ${endpoint.methods.join(", ")}, not "${String(wanted)}".`);
}
