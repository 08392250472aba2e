import type { AnswerContexts, EndpointTypes, JsonValue } from "../../descriptor.js";
import { BothendsError, ConfigError } from "../../errors.js";
import { pagesHeader, totalHeader } from "../../rest/json-limits.js";
import { createCallFailure } from "../exchange/exchange.js";
import { awaitLoading } from "../exchange/lazy-code.js";
import type { AnswerHead, RestCallOptions } from "../options.js";
import type { ContextOr, InContext, Selected } from "./answer.js";
import type { Argument } from "./arguments.js";

/** An operation that lists a collection page by page. */
export type ListOperation<Input, Answer> = (input: Input, options?: RestCallOptions) => Promise<Answer>;

/** The type of a list's items; `JsonValue` if the list has no type. */
export type ItemOf<Answer> = JsonValue extends Answer
  ? JsonValue
  : Answer extends readonly (infer Item)[]
    ? Item
    : never;

/** The input of an operation that lists a collection page by page. */
export interface Paged {
  readonly page?: number | undefined;
}

/** The input of an operation that lists a collection; `never` for other operations. */
type ListInput<List> = List extends (input: infer Input extends Paged | undefined, ...others: never) => Promise<unknown>
  ? NonNullable<Input>
  : never;

/** The items of a list, with the members selected by the context and the options. */
type SelectedItem<List, Context, Options> = List extends {
  readonly endpoint?: EndpointTypes<unknown, infer Answer>;
  readonly contexts?: AnswerContexts<infer Contexts, string>;
}
  ? Selected<ItemOf<InContext<Answer, Contexts, Context>>, Options>
  : List extends (...parameters: never) => Promise<infer Answer>
    ? Selected<ItemOf<Answer>, Options>
    : never;

/** The context of a list's answers if the argument `context` is omitted. */
type InitialContext<List> = List extends { readonly contexts?: AnswerContexts<unknown, infer Context extends string> }
  ? Context
  : string;

/** Options for the calls that request pages, and the maximum number of pages. */
export interface PageOptions extends Omit<RestCallOptions, "result"> {
  /**
   * The maximum number of pages to request. The call fails if the server announces more. Default 1,000; `Infinity` for
   * no limit.
   */
  readonly maxPages?: number | undefined;
}

/** One page of a collection. */
export interface Page<Item> {
  /** The number of the page, counted from 1. */
  readonly number: number;
  readonly items: readonly Item[];
  /** The number of items in the collection (`X-WP-Total`); undefined if the answer does not report it. */
  readonly total: number | undefined;
  /** The number of pages (`X-WP-TotalPages`); undefined if the answer does not report it. */
  readonly totalPages: number | undefined;
}

/**
 * Returns the items of a collection; each page is requested when it is needed: `for await (const block of
 * paginate(content.core.blocks.list, { per_page: 50 })) …`. Stops after the last page according to the newest
 * `X-WP-TotalPages`, when WordPress reports that a page does not exist, or after ten empty pages in a row.
 */
export function paginate<
  List extends object,
  const Options extends PageOptions,
  const Context extends string | undefined = InitialContext<List>,
>(
  list: List,
  input: Argument<"context", Context> & ListInput<List>,
  options?: Options,
): AsyncGenerator<SelectedItem<List, ContextOr<InitialContext<List>, Context>, Options>, void, undefined>;
// If `list` had the type `ListOperation`, the compiler could not infer the input of a generic operation.
export async function* paginate(
  list: ListOperation<Paged, unknown>,
  input: Paged,
  options?: PageOptions,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { items } of readPages(list, input, options)) {
    yield* items;
  }
}

/** Returns the pages of a collection, starting at the input's `page`. A list without `X-WP-TotalPages` has one page. */
export function pages<
  List extends object,
  const Options extends PageOptions,
  const Context extends string | undefined = InitialContext<List>,
>(
  list: List,
  input: Argument<"context", Context> & ListInput<List>,
  options?: Options,
): AsyncGenerator<Page<SelectedItem<List, ContextOr<InitialContext<List>, Context>, Options>>, void, undefined>;
export function pages(
  list: ListOperation<Paged, unknown>,
  input: Paged,
  options?: PageOptions,
): AsyncGenerator<Page<unknown>, void, undefined> {
  return readPages(list, input, options);
}

const defaultMaxPages = 1_000;
/**
 * The number of empty pages in a row after which reading ends. Below this number, the next page is still requested.
 * WordPress leaves out items that the caller may not read, so a page between others can be empty.
 */
const maxEmptyPages = 10;

async function* readPages(
  list: ListOperation<Paged, unknown>,
  input: Paged,
  { maxPages = defaultMaxPages, ...options }: PageOptions = {},
): AsyncGenerator<Page<unknown>, void, undefined> {
  checkMaxPages(maxPages);
  if ("offset" in input && input.offset !== undefined) {
    throw new ConfigError(
      'Remove the argument "offset": with it, WordPress ignores "page". Set "page" to the first page instead.',
    );
  }
  const firstPage = input.page ?? 1;
  let lastPage: number | undefined;
  let emptyPages = 0;
  let lastAnswer: PageHead | undefined;
  const onAnswer: RestCallOptions["onAnswer"] = (answer) => {
    lastAnswer = answer;
    options.onAnswer?.(answer);
  };
  for (let number = firstPage; number - firstPage < maxPages; number += 1) {
    const page = await readPage(list, { input, number, firstPage }, { ...options, onAnswer });
    if (page === undefined) {
      return;
    }
    yield page;
    lastPage = page.totalPages ?? lastPage;
    if (lastPage === undefined || number >= lastPage) {
      return;
    }
    emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages === maxEmptyPages) {
      return;
    }
  }
  throw await createFailure(({ createPageLimitFailure }) => createPageLimitFailure(maxPages), lastAnswer);
}

/** The head of the answer with a page. A custom function may report only some of its members. */
type PageHead = Omit<AnswerHead, "soapHeaders"> & { readonly headers: { readonly [reporterKey]?: unknown } };

/** The key under which the headers of an observed call have a function that reports failures to its client. */
const reporterKey: unique symbol = /* @__PURE__ */ Symbol.for("bothends.failureReporter") as never;

/**
 * Returns the error for an answer in which a failure was found, with the call of the answer, and reports it to the
 * client's `onError`. If the code that creates the error cannot be loaded, returns an error that says so.
 */
async function createFailure(
  create: (code: typeof import("./answer.js")) => BothendsError,
  answer: PageHead | undefined,
): Promise<unknown> {
  const error = await awaitLoading(import("./answer.js")).then(create, (failed: BothendsError) => failed);
  const { operation, method, address, headers } = answer ?? {};
  const failure =
    operation === undefined || method === undefined || address === undefined
      ? error
      : await createCallFailure(error, { operation, method, address }, {});
  const report = headers?.[reporterKey];
  if (typeof report === "function") {
    report(failure);
  }
  return failure;
}

function checkMaxPages(maxPages: number): void {
  if (maxPages === Number.POSITIVE_INFINITY || (Number.isInteger(maxPages) && maxPages > 0)) {
    return;
  }
  throw new ConfigError('The option "maxPages" must be an integer of at least 1, or Infinity.');
}

interface PageRequest {
  readonly input: Paged;
  readonly number: number;
  readonly firstPage: number;
}

/** Requests one page. Returns undefined for a page that no longer exists because the collection has shrunk. */
async function readPage(
  list: ListOperation<Paged, unknown>,
  { input, number, firstPage }: PageRequest,
  options: RestCallOptions,
): Promise<Page<unknown> | undefined> {
  let total: number | undefined;
  let totalPages: number | undefined;
  let hasInvalidCount = false;
  let head: PageHead | undefined;
  const pageOptions: RestCallOptions = {
    ...options,
    onAnswer(answer) {
      head = answer;
      total = readCount(answer.headers.get(totalHeader.toLowerCase()));
      const pageCount = answer.headers.get(pagesHeader.toLowerCase());
      totalPages = readCount(pageCount);
      hasInvalidCount = pageCount !== undefined && totalPages === undefined;
      options.onAnswer?.(answer);
    },
  };
  try {
    const items = await list(number === firstPage ? input : { ...input, page: number }, pageOptions);
    if (!isListAnswer(items)) {
      throw await createFailure(({ createNotListFailure }) => createNotListFailure(), head);
    }
    if (hasInvalidCount) {
      throw await createFailure(({ createPageCountFailure }) => createPageCountFailure(), head);
    }
    return { number, items, total, totalPages };
  } catch (error) {
    if (number > firstPage && isInvalidPage(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Whether the server reported that the page does not exist. Does not use `instanceof RestError`, because that class is
 * loaded only when the first error occurs.
 */
function isInvalidPage(error: unknown): boolean {
  return error instanceof BothendsError && "code" in error && /_invalid_page_number$/.test(String(error.code));
}

function readCount(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function isListAnswer(answer: unknown): answer is readonly unknown[] {
  return Array.isArray(answer);
}
