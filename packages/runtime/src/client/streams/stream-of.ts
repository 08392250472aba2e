/** Reads the items of large answers one after the other, while the answer arrives. */

import type { JsonValue } from "../../descriptor.js";
import { BothendsError, ConfigError } from "../../errors.js";
import { notNegativeType, type OptionType, stringType } from "../../option-types.js";
import { checkHelperOptions } from "../check-options.js";
import type { SharedOptions } from "../options.js";
import { ItemStream } from "./item-stream.js";

/** Options for reading the items of a long answer one by one. */
export interface StreamOptions<Path extends string = string> {
  /**
   * The names of the answer's members that lead to the list, joined with dots, such as `Records.Record`. Not needed if
   * the answer is the list.
   */
  readonly items?: Path | undefined;
  /** The maximum number of milliseconds between two parts of the answer. Default 30,000; `Infinity` for no limit. */
  readonly idleTimeout?: number | undefined;
}

/** The options that `streamOf` passes to its callback. The callback must pass them on to the call. */
export type StreamCallOptions = Required<Pick<SharedOptions, "stream" | "timeout">>;

/** The paths of the lists in an answer, each with at most six members; any string if the answer has no type. */
export type ItemsPath<Answer, Depth extends readonly unknown[] = []> = JsonValue extends Answer
  ? string
  : Depth["length"] extends 6
    ? never
    : NonNullable<Answer> extends readonly unknown[]
      ? ""
      : NonNullable<Answer> extends object
        ? MemberPaths<NonNullable<Answer>, readonly [...Depth, unknown]>
        : never;

type MemberPaths<Answer, Depth extends readonly unknown[]> = {
  [Name in keyof Answer & string]-?: Joined<Name, ItemsPath<Answer[Name], Depth>>;
}[keyof Answer & string];

type Joined<Name extends string, Rest extends string> = Rest extends "" ? Name : `${Name}.${Rest}`;

/** The type of the items in the list at a path. */
export type ItemAt<Answer, Path extends string> = JsonValue extends Answer
  ? Answer
  : NonNullable<Answer> extends readonly (infer Item)[]
    ? Item
    : Path extends keyof NonNullable<Answer>
      ? ItemAt<NonNullable<Answer>[Path], "">
      : Path extends `${infer Name}.${infer Rest}`
        ? Name extends keyof NonNullable<Answer>
          ? ItemAt<NonNullable<Answer>[Name], Rest>
          : never
        : never;

const waitType: OptionType = { ...notNegativeType, description: "0 or more milliseconds" };

/**
 * Returns the items of a list in an answer, each decoded and validated as it arrives:
 *
 * ```ts
 * const records = streamOf((options) => client.find(input, options), { items: "Records.Record" });
 * for await (const record of records) …
 * ```
 *
 * Over SOAP, the items are repeated elements in the answer's body. Over HTTP GET and POST, they are repeated elements
 * in the answer's document. Over REST, they are the items of a JSON array. The answer is read as fast as the loop
 * consumes items, and `break` aborts the request. Limits such as `bodyBytes` and `nodes` apply to each item, and to the
 * answer without its items. `idleTimeout` replaces `timeout`. The answer without the items is validated at its end, so
 * an error after the last item means that the answer was incomplete. Rejects with the errors of the call. The path of
 * an item's error contains the item's index.
 */
export function streamOf<Answer, const Path extends ItemsPath<Answer> = ItemsPath<Answer> & "">(
  call: (options: StreamCallOptions) => Promise<Answer>,
  options?: StreamOptions<Path>,
): AsyncGenerator<ItemAt<Answer, Path>, void, undefined>;
export function streamOf(
  call: (options: StreamCallOptions) => Promise<unknown>,
  options: StreamOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  if (typeof call !== "function") {
    throw new ConfigError(
      "The first argument of streamOf must be a function that makes the call: streamOf((options) => client.find(input, options)).",
    );
  }
  checkHelperOptions("streamOf", options, { items: stringType, idleTimeout: waitType });
  const { items: path = "", idleTimeout = 30_000 } = options;
  const stream = new ItemStream({ items: path, idleTimeout });
  const items = readItems(call, stream);
  // By itself, the generator's `return` method would wait for the next item, so it is replaced by a function that first
  // closes the stream.
  const { return: returnEarly, throw: throwEarly } = items;
  return Object.assign(items, {
    return() {
      stream.close();
      return returnEarly.call(items, undefined);
    },
    throw(error: unknown) {
      stream.close();
      return throwEarly.call(items, error);
    },
  });
}

async function* readItems(
  call: (options: StreamCallOptions) => Promise<unknown>,
  stream: ItemStream,
): AsyncGenerator<unknown, void, undefined> {
  let failure: { readonly error: unknown } | undefined;
  const callEnd = Promise.resolve()
    .then(() => call({ stream, timeout: Number.POSITIVE_INFINITY }))
    .then(throwErrorOfResult)
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => stream.end());
  try {
    for (let next = await stream.next(); next !== undefined; next = await stream.next()) {
      yield next.item;
    }
  } finally {
    await callEnd;
  }
  if (stream.isClosed) {
    return;
  }
  if (failure !== undefined) {
    throw failure.error;
  }
  if (!stream.isUsed) {
    throw new ConfigError(
      "The function that streamOf calls must pass its options to the call: streamOf((options) => client.find(input, options)).",
    );
  }
}

/** Throws the error of a call that has the option `result`. The promise of such a call does not reject. */
function throwErrorOfResult(answer: unknown): void {
  if (typeof answer === "object" && answer !== null && "error" in answer && answer.error instanceof BothendsError) {
    throw answer.error;
  }
}
