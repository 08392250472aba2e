/** Type tests: which operations can be paged through, and what their items are. */
import { pages, paginate, type RestCallOptions, type RestClient, type Selected } from "../../src/client/index.js";
import { type EndpointDescriptor, isRestError, type JsonValue } from "../../src/index.js";

interface List {
  page?: number | undefined;
  status?: "draft" | "publish" | undefined;
}
type Operation<Input, Answer> = (input?: Input, options?: RestCallOptions) => Promise<Answer>;

export async function uses(
  things: Operation<List, JsonValue>,
  children: (input: List & { parent: number }, options?: RestCallOptions) => Promise<JsonValue>,
  typed: Operation<List, readonly { readonly id: number }[]>,
  single: Operation<{ search?: string | undefined }, JsonValue>,
): Promise<void> {
  for await (const thing of paginate(things, { status: "draft" })) {
    const json: JsonValue = thing;
    void json;
    // @ts-expect-error JSON may be anything
    void thing.id;
  }
  for await (const child of paginate(children, { parent: 7 }, { embed: true })) {
    void child;
  }
  for await (const { id } of paginate(typed, {})) {
    void (id satisfies number);
  }
  for await (const { items, total } of pages(typed, { page: 2 })) {
    void [items[0]?.id, total?.toFixed()];
  }
  // @ts-expect-error an argument of another operation
  void paginate(things, { stats: "draft" });
  // @ts-expect-error an enumeration
  void paginate(things, { status: "gone" });
  // @ts-expect-error the parent is required
  void paginate(children, {});
  // @ts-expect-error no pages
  void paginate(single, {});
}

export function codes(error: unknown): string {
  if (isRestError(error, "rest_post_invalid_id", "rest_forbidden")) {
    const code: "rest_post_invalid_id" | "rest_forbidden" = error.code;
    return `${code} ${error.status}`;
  }
  // @ts-expect-error nothing is known of it
  return error.code;
}

interface Thing {
  readonly id: number;
  readonly title: { readonly rendered: string; readonly raw?: string | undefined };
  readonly related: readonly Thing[];
}
type Chosen = <Options extends RestCallOptions>(
  input?: List,
  options?: Options,
) => Promise<Selected<readonly Thing[], Options>>;

export async function chooses(things: Chosen, json: EndpointDescriptor<List>, client: RestClient): Promise<void> {
  const [whole] = await things();
  void (whole?.title.rendered satisfies string | undefined);
  const [part] = await things({}, { fields: ["id"], timeout: 5 });
  void (part?.related?.[0]?.title?.rendered satisfies string | undefined);
  // @ts-expect-error the title may be left out
  void part?.title.rendered;
  for await (const { id } of paginate(things, {})) {
    void (id satisfies number);
  }
  for await (const { id } of paginate(things, { status: "draft" }, { embed: true })) {
    void (id satisfies number);
  }
  for await (const chosen of paginate(things, {}, { fields: ["title"] })) {
    void (chosen.title.rendered satisfies string | undefined);
    // @ts-expect-error not requested
    void chosen.id;
  }
  for await (const { items } of pages(things, { page: 2 }, { fields: ["id"] })) {
    void (items[0]?.id satisfies number | undefined);
  }
  // @ts-expect-error an argument of another operation
  void paginate(things, { stats: "draft" });
  // @ts-expect-error no operation
  void paginate({}, {});
  void ((await client.call(json, {}, { fields: ["id"] })) satisfies JsonValue);
}
