import type { JsonValue } from "../../descriptor.js";
import { ConfigError, DecodeError, ProtocolError, RestError } from "../../errors.js";
import type { RestCallOptions } from "../options.js";
import type { Selected } from "./answer.js";

/** An operation that lists a collection page by page. */
export type ListOperation<Input, Answer> = (input: Input, options?: RestCallOptions) => Promise<Answer>;

/** What a list has for items: those of its own type, or whatever JSON it is. */
export type ItemOf<Answer> = JsonValue extends Answer
  ? JsonValue
  : Answer extends readonly (infer Item)[]
    ? Item
    : never;

/** The input of an operation that lists page by page. */
export interface Paged {
  readonly page?: number | undefined;
}

/** The input of a list; never for what is none. */
type InputOf<List> = List extends (input: infer Input, ...others: never) => Promise<unknown>
  ? Input extends Paged | undefined
    ? NonNullable<Input>
    : never
  : never;

/** The items of a list, where options choose what they have. */
type Chosen<List, Options> = List extends (...given: never) => Promise<infer Answer>
  ? Selected<ItemOf<Answer>, Options>
  : never;

/** Options of each call, and a bound for all of them together. */
export interface PageOptions extends RestCallOptions {
  /** How many pages to ask for at most: a server that announces more is an error then. Default 1,000; `Infinity` for no bound. */
  readonly maxPages?: number | undefined;
}

/** One page of a collection. */
export interface Page<Item> {
  /** From 1 on. */
  readonly number: number;
  readonly items: readonly Item[];
  /** How many items and pages there are (`X-WP-Total`, `X-WP-TotalPages`); undefined where the answer does not say. */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

/**
 * The items of a collection, its pages asked for as they are needed:
 * `for await (const block of paginate(content.core.blocks.list, { per_page: 50 })) …`. It ends where the newest
 * `X-WP-TotalPages` says, where WordPress has no further page, and after ten empty pages in a row.
 */
export function paginate<List extends object, Options extends PageOptions>(
  list: List,
  input: InputOf<List>,
  options?: Options,
): AsyncGenerator<Chosen<List, Options>, void, undefined>;
// A list whose answers depend on its options is generic, and would not tell its input if it had to fit a signature.
export async function* paginate(
  list: ListOperation<Paged, unknown>,
  input: Paged,
  options?: PageOptions,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { items } of readPages(list, input, options)) yield* items;
}

/** The pages of a collection, from the input's `page` on. A list that does not say how many pages it has is one page. */
export function pages<List extends object, Options extends PageOptions>(
  list: List,
  input: InputOf<List>,
  options?: Options,
): AsyncGenerator<Page<Chosen<List, Options>>, void, undefined>;
export function pages(
  list: ListOperation<Paged, unknown>,
  input: Paged,
  options?: PageOptions,
): AsyncGenerator<Page<unknown>, void, undefined> {
  return readPages(list, input, options);
}

const defaultMaxPages = 1_000;
/** WordPress leaves out items that the caller may not read, so that a page before the last one can be empty. */
const maxEmptyPages = 10;

async function* readPages(
  list: ListOperation<Paged, unknown>,
  input: Paged,
  { maxPages = defaultMaxPages, ...options }: PageOptions = {},
): AsyncGenerator<Page<unknown>, void, undefined> {
  checkMaxPages(maxPages);
  if ("offset" in input && input.offset !== undefined) {
    throw new ConfigError("Leave out the argument offset: WordPress ignores page where it is given. Begin with page.");
  }
  const first = input.page ?? 1;
  let emptyPages = 0;
  for (let number = first; number - first < maxPages; number += 1) {
    const page = await readPage(list, { input, number, first }, options);
    if (page === undefined) return;
    yield page;
    if (page.totalPages === undefined || number >= page.totalPages) return;
    emptyPages = page.items.length === 0 ? emptyPages + 1 : 0;
    if (emptyPages === maxEmptyPages) return;
  }
  const message = `The server announces more pages than the option maxPages = ${maxPages} allows: raise it, or ask for longer pages with per_page.`;
  throw new ProtocolError(message, { status: 200 });
}

function checkMaxPages(maxPages: number): void {
  if (maxPages === Number.POSITIVE_INFINITY || (Number.isInteger(maxPages) && maxPages > 0)) return;
  throw new ConfigError("The option maxPages must be a whole number from 1 on, or Infinity.");
}

interface Place {
  readonly input: Paged;
  readonly number: number;
  readonly first: number;
}

/** Returns undefined for a page that no longer exists: the collection has shrunk meanwhile. */
async function readPage(
  list: ListOperation<Paged, unknown>,
  { input, number, first }: Place,
  options: RestCallOptions,
): Promise<Page<unknown> | undefined> {
  let total: number | undefined;
  let totalPages: number | undefined;
  const answered: RestCallOptions = {
    ...options,
    onAnswer(answer) {
      total = countOf(answer.headers.get("x-wp-total"));
      totalPages = countOf(answer.headers.get("x-wp-totalpages"));
      options.onAnswer?.(answer);
    },
  };
  try {
    const items = await list(number === first ? input : { ...input, page: number }, answered);
    if (!isList(items)) throw new DecodeError("The answer is no list.", { path: "/" });
    return { number, items, total, totalPages };
  } catch (error) {
    if (number > first && error instanceof RestError && error.code.endsWith("_invalid_page_number")) return undefined;
    throw error;
  }
}

function countOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function isList(answer: unknown): answer is readonly unknown[] {
  return Array.isArray(answer);
}
