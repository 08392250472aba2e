/** Type tests: how the arguments and options of a call narrow its answer. */
import type { CallResult, RestCallOptions } from "../../src/client/index.js";
import { paginate, type RestClient, type Selected } from "../../src/client/rest/index.js";
import type { BothendsError, EndpointDescriptor, JsonValue, RestEndpoint } from "../../src/index.js";

interface Post {
  readonly id: number;
  readonly slug?: string | undefined;
  readonly title: { readonly raw?: string | undefined; readonly rendered: string };
  readonly tags?: readonly { readonly id: number; readonly name: string }[] | null | undefined;
}
type Deleted = { readonly deleted: boolean; readonly previous: Post };
interface Posts {
  readonly list: RestEndpoint<{ page?: number | undefined }, readonly Post[]>;
  readonly get: RestEndpoint<{ id: number }, Post>;
  readonly delete: RestEndpoint<{ id: number; force?: boolean | undefined }, Post | Deleted>;
  readonly erase: RestEndpoint<{ id: number; force: boolean }, Deleted>;
  readonly open: RestEndpoint<{ id: number }, { readonly id: number; readonly [name: string]: JsonValue | undefined }>;
  readonly any: RestEndpoint<{ id: number }>;
}
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expectSame<A, B>(same: Same<A, B>): void {
  void same;
}

export async function fields(posts: Posts, options: RestCallOptions, names: readonly string[]): Promise<void> {
  const one = await posts.get({ id: 1 }, { fields: ["id", "slug"] });
  expectSame<typeof one, { readonly id: number; readonly slug?: string | undefined }>(true);
  const nested = await posts.get({ id: 1 }, { fields: ["title.rendered", "tags.name"] });
  void (nested.title.rendered satisfies string);
  void (nested.tags?.[0]?.name satisfies string | undefined);
  // @ts-expect-error not requested
  void nested.title.raw;
  // @ts-expect-error not requested
  void nested.id;
  const [first] = await posts.list({}, { fields: ["id"] });
  void (first?.id satisfies number | undefined);
  // @ts-expect-error not requested
  void first?.title;
  // The names are not known: any member may be missing.
  const unknown = await posts.get({ id: 1 }, { fields: names });
  void (unknown.title?.rendered satisfies string | undefined);
  // @ts-expect-error may be missing
  void unknown.title.rendered;
  const open = await posts.open({ id: 1 }, { fields: ["id", "more"] });
  void (open.id satisfies number);
  void (open.more satisfies JsonValue | undefined);
  expectSame<Selected<Post, RestCallOptions>, Post>(true);
  void ((await posts.get({ id: 1 }, options)) satisfies Post);
  void ((await posts.any({ id: 1 }, { fields: ["id"] })) satisfies JsonValue);
  for await (const { id, title } of paginate(posts.list, {}, { fields: ["id", "title"] })) {
    void [id satisfies number, title.rendered satisfies string];
  }
}

interface Article {
  readonly id: number;
  readonly date?: string | null | undefined;
  readonly key?: string | undefined;
  readonly title: { readonly raw?: string | undefined; readonly rendered: string };
  readonly more?: string | undefined;
  readonly [name: string]: JsonValue | undefined;
}
interface ArticleContexts {
  readonly view: "key" | "title.raw";
  readonly edit: never;
  readonly embed: "date" | "key" | "title.raw";
}
type ContextInput = { readonly id: number; context?: "view" | "edit" | "embed" | undefined };
interface Articles {
  readonly list: RestEndpoint<Omit<ContextInput, "id"> & { page?: number }, readonly Article[], ArticleContexts>;
  readonly get: RestEndpoint<ContextInput, Article, ArticleContexts>;
  readonly byName: RestEndpoint<ContextInput, { readonly [name: string]: Article | undefined }, ArticleContexts>;
  readonly create: RestEndpoint<{ title: string }, Article, ArticleContexts, "edit">;
  readonly delete: RestEndpoint<
    { id: number; force?: boolean | undefined },
    Article | { readonly deleted: boolean; readonly previous: Article },
    ArticleContexts,
    "edit"
  >;
}

export async function context(articles: Articles, some: "view" | "edit", options: RestCallOptions): Promise<void> {
  const viewed = await articles.get({ id: 1 });
  void [viewed.date satisfies string | null, viewed.title.rendered satisfies string, viewed.id satisfies number];
  void (viewed.more satisfies string | undefined);
  // @ts-expect-error only in the context edit
  void viewed.title.raw;
  void (viewed satisfies Article);
  const edited = await articles.get({ id: 1, context: "edit" });
  void [edited.key satisfies string, edited.title.raw satisfies string];
  const embedded = await articles.get({ id: 1, context: "embed" });
  void (embedded.date satisfies JsonValue | undefined);
  // @ts-expect-error the context embed leaves it out
  void (embedded.date satisfies string | null);
  const either = await articles.get({ id: 1, context: some });
  void (either.date satisfies string | null);
  const [first] = await articles.list({ context: "edit" }, { fields: ["key", "title.raw"] });
  void [first?.key satisfies string | undefined, first?.title.raw satisfies string | undefined];
  const named = await articles.byName({ id: 1, context: "edit" });
  void (named["a"]?.key satisfies string | undefined);
  const created = await articles.create({ title: "A" }, options);
  void [created.key satisfies string, created.title.raw satisfies string];
  const gone = await articles.delete({ id: 1, force: true });
  void (gone.previous.title.raw satisfies string);
  for await (const item of paginate(articles.list, { context: "edit" })) {
    void (item.title.raw satisfies string);
  }
  for await (const item of paginate(articles.list, {})) {
    void (item.date satisfies string | null);
    // @ts-expect-error only in the context edit
    void item.title.raw;
  }
  // @ts-expect-error no such context
  void articles.get({ id: 1, context: "all" });
}

export async function force(posts: Posts, isForced: boolean): Promise<void> {
  const trashed = await posts.delete({ id: 1 });
  expectSame<typeof trashed, Post>(true);
  const kept = await posts.delete({ id: 1, force: false });
  expectSame<typeof kept, Post>(true);
  const gone = await posts.delete({ id: 1, force: true });
  expectSame<typeof gone, Deleted>(true);
  const either = await posts.delete({ id: 1, force: isForced });
  expectSame<typeof either, Post | Deleted>(true);
  const erased = await posts.erase({ id: 1, force: true });
  expectSame<typeof erased, Deleted>(true);
  const previous = await posts.delete({ id: 1, force: true }, { fields: ["previous.id"] });
  void (previous.previous.id satisfies number);
  // @ts-expect-error this endpoint has no argument force
  void posts.get({ id: 1, force: true });
  // @ts-expect-error force is a boolean
  void posts.delete({ id: 1, force: "yes" });
}

export async function embed(posts: Posts): Promise<void> {
  const [post] = await posts.list({}, { embed: true });
  void (post?.title satisfies Post["title"] | undefined);
  void (post?._embedded?.["author"]?.[0] satisfies JsonValue | undefined);
  const one = await posts.get({ id: 1 }, { embed: ["author"], fields: ["id"] });
  void [one.id satisfies number, one._embedded];
  const plain = await posts.get({ id: 1 }, { embed: false });
  // @ts-expect-error not requested
  void plain._embedded;
}

declare const client: RestClient;
declare const remove: EndpointDescriptor<{ id: number; force?: boolean | undefined }, Post | Deleted>;
declare const read: EndpointDescriptor<{ id: number }, Post>;

/** `RestClient.call` is narrowed as the methods of generated classes are. */
export async function forceByDescriptor(isForced: boolean): Promise<void> {
  const trashed = await client.call(remove, { id: 1 });
  expectSame<typeof trashed, Post>(true);
  const deleted = await client.call(remove, { id: 1, force: true });
  expectSame<typeof deleted, Deleted>(true);
  const either = await client.call(remove, { id: 1, force: isForced });
  expectSame<typeof either, Post | Deleted>(true);
  const { body } = await client.callWithAnswer(remove, { id: 1, force: true });
  expectSame<typeof body, Deleted>(true);
  // @ts-expect-error not an argument of this endpoint
  void client.call(read, { id: 1, force: true });
  // @ts-expect-error nor is this
  void client.call(read, { id: 1, fource: true });
  const picked = await client.call(read, { id: 1 }, { fields: ["id"] });
  expectSame<typeof picked, { readonly id: number }>(true);
}

/** With `result: true`, a call resolves to data or an error. */
export async function result(posts: Posts, options: RestCallOptions): Promise<void> {
  const one = await posts.get({ id: 1 }, { result: true });
  expectSame<typeof one, CallResult<Post>>(true);
  if (one.error === undefined) {
    void (one.data.id satisfies number);
  } else {
    void (one.error satisfies BothendsError);
  }
  const picked = await posts.get({ id: 1 }, { result: true, fields: ["id"] });
  expectSame<typeof picked, CallResult<{ readonly id: number }>>(true);
  const deleted = await client.call(remove, { id: 1, force: true }, { result: true });
  expectSame<typeof deleted, CallResult<Deleted>>(true);
  const plain = await posts.get({ id: 1 }, { result: false });
  expectSame<typeof plain, Post>(true);
  void ((await posts.get({ id: 1 }, options)) satisfies Post);
  // @ts-expect-error the pages of paginate are not results
  paginate(posts.list, {}, { result: true });
}
