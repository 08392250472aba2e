/** Type tests: which lists of an answer can be read as streams, and what their items are. */

import type { CallOptions, RestCallOptions } from "../../src/client/index.js";
import { streamOf } from "../../src/client/streams/stream-of.js";
import type { JsonValue } from "../../src/index.js";

interface Row {
  readonly name: string;
}
interface Table {
  readonly total: number;
  readonly rows?: { readonly row?: readonly (Row | null)[] | undefined } | undefined;
  readonly parent?: Table | undefined;
}

export async function uses(
  table: (options?: CallOptions) => Promise<Table | null>,
  list: (options?: RestCallOptions) => Promise<readonly Row[]>,
  json: (options?: RestCallOptions) => Promise<JsonValue>,
): Promise<void> {
  for await (const row of streamOf((options) => table(options), { items: "rows.row" })) {
    void (row satisfies Row | null);
    // @ts-expect-error the item may be null
    void row.name;
  }
  for await (const row of streamOf((options) => list(options))) {
    void (row.name satisfies string);
  }
  for await (const item of streamOf((options) => json(options), { items: "a.b" })) {
    void (item satisfies JsonValue);
  }
  void streamOf((options) => table(options), { items: "parent.rows.row", idleTimeout: 1000 });
  // @ts-expect-error not a list
  void streamOf((options) => table(options), { items: "total" });
  // @ts-expect-error no such member
  void streamOf((options) => table(options), { items: "rows.line" });
  // @ts-expect-error the answer is not a list
  void streamOf((options) => table(options), { items: "" });
}
