import type { JsonValue } from "../../descriptor.js";
import { DecodeError, RestError } from "../../errors.js";
import type { RestCallOptions } from "../options.js";
import type { Selected } from "./selected.js";

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
 * `for await (const block of paginate(content.core.blocks.list, { per_page: 50 })) …`.
 */
export async function* paginate<Input extends Paged | undefined, Answer, Options extends RestCallOptions>(
  list: ListOperation<Input, Answer>,
  input: NoInfer<NonNullable<Input>>,
  options?: Options,
): AsyncGenerator<Selected<ItemOf<Answer>, Options>, void, undefined> {
  for await (const { items } of pages(list, input, options)) yield* items;
}

/** The pages of a collection, from the input's `page` on. A list that does not say how many pages it has is one page. */
export async function* pages<Input extends Paged | undefined, Answer, Options extends RestCallOptions>(
  list: ListOperation<Input, Answer>,
  input: NoInfer<NonNullable<Input>>,
  options?: Options,
): AsyncGenerator<Page<Selected<ItemOf<Answer>, Options>>, void, undefined> {
  const first = input.page ?? 1;
  for (let number = first; ; number += 1) {
    const page = await readPage<Input, Answer, Selected<ItemOf<Answer>, Options>>(
      list,
      { input, number, first },
      options,
    );
    if (page === undefined) return;
    yield page;
    if (page.totalPages === undefined || number >= page.totalPages) return;
  }
}

interface Place<Input> {
  readonly input: NonNullable<Input>;
  readonly number: number;
  readonly first: number;
}

/** Undefined: the page is no more, since the collection has shrunk meanwhile. */
async function readPage<Input extends Paged | undefined, Answer, Item>(
  list: ListOperation<Input, Answer>,
  { input, number, first }: Place<Input>,
  options: RestCallOptions | undefined,
): Promise<Page<Item> | undefined> {
  let total: number | undefined;
  let totalPages: number | undefined;
  const answered: RestCallOptions = {
    ...options,
    onAnswer(answer) {
      total = countOf(answer.headers.get("x-wp-total"));
      totalPages = countOf(answer.headers.get("x-wp-totalpages"));
      options?.onAnswer?.(answer);
    },
  };
  try {
    const items = await list(number === first ? input : { ...input, page: number }, answered);
    if (!isList<Item>(items)) throw new DecodeError("The answer is no list.", { path: "/" });
    return { number, items, total, totalPages };
  } catch (error) {
    if (number > first && error instanceof RestError && error.code.endsWith("_invalid_page_number")) return undefined;
    throw error;
  }
}

function countOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

function isList<Item>(answer: unknown): answer is readonly Item[] {
  return Array.isArray(answer);
}
