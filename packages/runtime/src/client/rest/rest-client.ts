import { channels, suggestOption } from "#transport";
import type {
  AnyEndpointDescriptor,
  EndpointDescriptor,
  JsonValue,
  RestEndpointList,
  RestInterfaceDescriptor,
} from "../../descriptor.js";
import type { AnswerCheck } from "../../rest/check-answers.js";
import { isWithinLimits, possiblyForbiddenPattern } from "../../rest/json-limits.js";
import { redactAddress } from "../address.js";
import { checkOptions } from "../check-options.js";
import type { CallDescription } from "../errors/failures.js";
import { createCallFailure, exchange, ignoreLateError, loadObserver, throwConfigError } from "../exchange/exchange.js";
import { copyInput, createLoaderPerClient } from "../exchange/lazy-code.js";
import type { ClientAnswer, ClientRequest } from "../hooks.js";
import {
  type ClientLimits,
  checkFormat,
  type OutcomeOf,
  type RestCallOptions,
  type RestClientOptions,
  restCallOptions,
  restClientOptions,
} from "../options.js";
import { convertOutcome } from "../results.js";
import { createCallSettings, createSettings, isObserved, type Settings } from "../settings.js";
import type { RestStreamCall } from "../transport.js";
import type { AnswerIn, ContextOr, Selected } from "./answer.js";
import type { InputOf } from "./arguments.js";
import type { RestCallAnswer } from "./rest-endpoint.js";
import {
  createRestHeaders,
  type InterfaceTarget,
  listBaseVariables,
  type RequestParts,
  RestAddress,
  type RestHeaders,
  writeUsualRequest,
} from "./usual-request.js";

const loadUnusualMessages = /* @__PURE__ */ createLoaderPerClient(() => import("./answer.js"));

/** The client of one REST interface; generated classes use it. */
export class RestClient {
  /** The option `safeOperations`: the names of operations that may be sent again although their method is POST. */
  readonly safeOperations: readonly string[] | undefined;
  readonly #settings: Settings;
  readonly #address: RestAddress;
  readonly #validate: AnswerCheck | undefined;
  readonly #headers: RestHeaders;

  constructor(descriptor: RestInterfaceDescriptor, options: RestClientOptions) {
    checkFormat(descriptor);
    checkOptions(options, [...restClientOptions, ...listBaseVariables(descriptor)]);
    this.safeOperations = options.safeOperations;
    this.#settings = createSettings(options, () => loadUnusualMessages(this));
    this.#address = new RestAddress(descriptor, options);
    this.#validate = options.validate;
    this.#headers = createRestHeaders(this.#address.site.authorization);
  }

  /** Calls one endpoint; resolves to the body of the answer. */
  call<
    Input,
    Answer,
    Contexts,
    Initial extends string,
    const Options extends RestCallOptions,
    const Force extends boolean | undefined = false,
    const Context = Initial,
  >(
    endpoint: EndpointDescriptor<Input, Answer, Contexts, Initial>,
    input: InputOf<NoInfer<Input>, Force, Context>,
    options?: Options,
  ): Promise<
    OutcomeOf<Selected<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>, Options["result"]>
  > {
    const answer = this.#call<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>({
      endpoint,
      input,
      options,
    });
    return convertOutcome(
      answer.then(({ body }) => body),
      options,
    );
  }

  /** Calls one endpoint; resolves to the complete answer, with headers such as `X-WP-Total`. */
  callWithAnswer<
    Input,
    Answer,
    Contexts,
    Initial extends string,
    const Options extends RestCallOptions,
    const Force extends boolean | undefined = false,
    const Context = Initial,
  >(
    endpoint: EndpointDescriptor<Input, Answer, Contexts, Initial>,
    input: InputOf<NoInfer<Input>, Force, Context>,
    options?: Options,
  ): Promise<
    OutcomeOf<
      RestCallAnswer<Selected<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>>,
      Options["result"]
    >
  > {
    return convertOutcome(
      this.#call<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>({ endpoint, input, options }),
      options,
    );
  }

  async #call<Answer, Options extends RestCallOptions>(
    call: RestCallInit<Options>,
    clientSettings = this.#settings,
  ): Promise<RestCallAnswer<Selected<Answer, Options>>> {
    const { endpoint, input, options } = call;
    const method = options?.method ?? endpoint.methods[0];
    // Before the request is written, only the address up to the first variable of the route is known.
    const describeStartOfCall = (): CallDescription => ({
      operation: endpoint.name,
      method,
      address: redactAddress(this.#address.url(endpoint.route.replace(/\(.*/, ""), "")),
    });
    if (isObserved(clientSettings)) {
      const source = { ...describeStartOfCall(), protocol: "rest", route: endpoint.route };
      const callToObserve = { settings: clientSettings, requestId: options?.requestId, ...source, channels };
      const observer = await loadObserver(this, callToObserve);
      if (observer !== undefined) {
        return observer.observeCall(callToObserve, (recordedSettings) =>
          this.#call<Answer, Options>(call, recordedSettings),
        );
      }
    }
    const settings = createCallSettings(clientSettings, options, restCallOptions);
    let context: CallDescription | undefined;
    try {
      const parts = { ...options, input: input ?? {}, method };
      const target = { address: this.#address, headers: this.#headers };
      let request: ClientRequest;
      try {
        request = writeUsualRequest(endpoint, parts, target);
      } catch {
        // The request is unusual or invalid: `request.ts` writes it again and reports any error. In tests,
        // `testing/quick-codec-errors.ts` reports all other errors of `writeUsualRequest`.
        request = await this.#writeUnusualRequest(endpoint, parts, target);
      }
      context = { operation: endpoint.name, method, address: redactAddress(request.url) };
      const answeredCall = { endpoint, settings, context, options };
      const streamSettings = options?.stream?.rest(
        { context, read: this.#createItemReader({ ...answeredCall, options: { ...options, onAnswer: undefined } }) },
        settings,
      );
      const answer = await exchange(request, streamSettings ?? settings, context);
      return await this.#readAnswer<Answer, Options>(answer, answeredCall);
    } catch (error) {
      throw await createCallFailure(error, context ?? describeStartOfCall(), settings);
    }
  }

  async #writeUnusualRequest(
    endpoint: AnyEndpointDescriptor,
    parts: RequestParts,
    target: InterfaceTarget,
  ): Promise<ClientRequest> {
    const { input, extra, fields, embed } = parts;
    const snapshot = copyInput({ input, extra, fields, embed });
    const { writeRequest } = await loadUnusualMessages(this);
    return writeRequest(endpoint, { ...parts, ...snapshot }, target);
  }

  /**
   * Returns a function that reads each item as an answer. It creates no further objects for each item, which saves 80
   * MB for 1 GB of items.
   */
  #createItemReader(parts: AnsweredCall<RestCallOptions>): RestStreamCall["read"] {
    return (answer) => this.#readAnswer(answer, parts);
  }

  async #readAnswer<Answer, Options extends RestCallOptions>(
    answer: ClientAnswer,
    { endpoint, settings, context, options }: AnsweredCall<Options>,
  ): Promise<RestCallAnswer<Selected<Answer, Options>>> {
    const call = { limits: settings.limits, context, answerRequired: endpoint.answerRequired };
    let body: unknown = readUsualAnswer(answer, call);
    if (body === undefined) {
      const { readRestAnswer } = await this.#loadReader(answer);
      body = readRestAnswer(answer, call);
    }
    const { status, headers } = answer;
    ignoreLateError(options?.onAnswer?.({ ...context, status, headers }));
    const isPartial = options?.fields !== undefined || Object.hasOwn(options?.extra ?? {}, "_fields");
    const problem = this.#validate?.({ operation: endpoint.name, body, partial: isPartial });
    if (problem !== undefined) {
      const { createInvalidAnswer } = await this.#loadReader(answer);
      throw createInvalidAnswer(problem, answer, call);
    }
    // Without the option `validate`, the answer is assumed to match its schema.
    return { status, headers, body: body as Selected<Answer, Options> };
  }

  /** Loads the code for an unusual answer. If that fails, the error has the status of the answer. */
  #loadReader({ status }: ClientAnswer): ReturnType<typeof loadUnusualMessages> {
    return loadUnusualMessages(this).catch((error) => {
      throw Object.assign(error, { status });
    });
  }

  /** Closes the idle connections that only this client uses. */
  close(): void {
    this.#settings.transport.close?.();
  }
}

interface RestCallInit<Options> {
  readonly endpoint: AnyEndpointDescriptor;
  readonly input: unknown;
  readonly options: Options | undefined;
}

/** The call to which an answer belongs. */
interface AnsweredCall<Options> {
  readonly endpoint: AnyEndpointDescriptor;
  readonly settings: Settings;
  readonly context: CallDescription;
  readonly options: Options | undefined;
}

const utf8JsonPattern = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads an answer of the most frequent kind: a 2xx status, and valid JSON in UTF-8 that is within the limits and
 * reports no error. Returns null if there is no body and the answer may be null, and undefined for all other answers,
 * for which `answer.ts` is loaded.
 */
export function readUsualAnswer(
  { status, headers, body }: ClientAnswer,
  { limits, answerRequired }: { readonly limits: ClientLimits; readonly answerRequired?: true | undefined },
): JsonValue | undefined {
  if (status < 200 || status > 299) {
    return undefined;
  }
  if (body.length === 0) {
    return answerRequired ? undefined : null;
  }
  if (!utf8JsonPattern.test(headers.get("content-type") ?? "")) {
    return undefined;
  }
  try {
    // The decoder keeps a byte-order mark. The text is then invalid JSON, and the answer is left to `answer.ts`.
    const text = utf8.decode(body);
    if (!isWithinLimits(text, limits) || possiblyForbiddenPattern.test(text)) {
      return undefined;
    }
    const value: JsonValue = JSON.parse(text);
    const mayBeError = typeof value === "object" && value !== null && "code" in value && "message" in value;
    return mayBeError ? undefined : value;
  } catch (error) {
    // The bytes are not UTF-8, or the text is not JSON. The names are compared, because in Jest, `TextDecoder` throws
    // errors of another realm.
    if (/^(?:Type|Syntax)Error$/.test(Object(error).name)) {
      return undefined;
    }
    throw error;
  }
}

/** Functions that call the endpoints, in objects nested by the parts of the endpoints' names: `core.posts.list`. */
export function restCalls(client: RestClient, endpoints: RestEndpointList): Calls {
  const calls: Calls = {};
  const flatEndpoints = endpoints.flat();
  for (const endpoint of flatEndpoints) {
    const words = endpoint.name.split(".");
    const functionName = words.pop() ?? "";
    const group = words.reduce(getGroup, calls);
    group[functionName] = (input: object, options?: RestCallOptions) => client.call(endpoint, input, options);
  }
  checkNames(client, flatEndpoints, Object.keys(calls));
  return calls;
}

type Calls = Record<string, unknown>;

/**
 * Refuses unknown names in the option `safeOperations`. A client of one group also accepts names that belong to other
 * groups, because clients of several groups may share their options, and one client does not know the endpoints of the
 * others.
 */
function checkNames(
  { safeOperations }: RestClient,
  endpoints: readonly AnyEndpointDescriptor[],
  groups: readonly string[],
): void {
  const names = endpoints.map(({ name }) => name);
  for (const name of safeOperations ?? []) {
    if (!names.includes(name) && (groups.length > 1 || name.startsWith(`${groups[0]}.`))) {
      throwConfigError(`The option "safeOperations" contains the unknown name "${name}".${suggestOption(name, names)}`);
    }
  }
}

function getGroup(calls: Calls, word: string): Calls {
  calls[word] ??= {};
  return calls[word] as Calls;
}
