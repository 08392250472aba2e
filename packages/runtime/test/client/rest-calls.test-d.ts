/** Type tests: calls and handlers of a tree of endpoints. */
import type { JsonValue, RestEndpoint, RestIndexEndpoint } from "../../src/index.js";
import type { NamespaceHandlers, RestContext, RestHandlers } from "../../src/server/index.js";

interface Thing {
  readonly id: number;
}
interface Tree {
  readonly index: RestIndexEndpoint<{ context?: unknown }>;
  readonly things: Things;
}
interface Things {
  readonly list: RestEndpoint<{ page?: number | undefined; toString?: string | undefined }, readonly Thing[]>;
  readonly get: RestEndpoint<{ id: number }, Thing>;
  /** A group may have a member that is called as one of an endpoint. */
  readonly endpoint: { readonly index: RestEndpoint<{ id: number }> };
}

export async function calls({ index, things }: Tree): Promise<void> {
  const list: readonly Thing[] = await things.list();
  const anything: JsonValue = await index({}, { fields: ["name"] });
  const { id } = await things.get({ id: 1 }, { timeout: 5 });
  void [list, anything, id satisfies number];
  // @ts-expect-error the id is required
  void things.get();
  // @ts-expect-error an argument of another endpoint
  void things.get({ id: 1, page: 1 });
  // @ts-expect-error an unknown option
  void things.list({}, { timeuot: 5 });
}

/** A plain object is a client for tests. */
export const fake: Tree = {
  index: async () => null as never,
  things: {
    list: async () => [] as never,
    get: async () => ({ id: 1 }) as never,
    endpoint: { index: async () => null as never },
  },
};

const things: RestHandlers<Things> = {
  list: ({ page }) => [{ id: page ?? 1 }],
  get: async ({ id }, context: RestContext<{ readonly name: string }>) => ({ id, by: context.principal.name }),
  endpoint: { index: ({ id }) => id },
};

export const handlers: NamespaceHandlers<Tree>[] = [{ things }, { index: () => null, things }];

// @ts-expect-error the index of a group that is no namespace is required
export const withoutIndex: RestHandlers<Things>["endpoint"] = {};
// @ts-expect-error the answer has another type
export const wrongAnswer: RestHandlers<Things>["get"] = () => ({ id: "1" });
