/** Type tests: how the arguments and options of a call narrow its answer. */
import { type CallResult, type RestCallOptions, results } from "../../src/client/index.js";
import {
  type BatchAnswer,
  type BatchOperation,
  type BatchRequest,
  batch,
  batched,
} from "../../src/client/rest/batch.js";
import { type ListContexts, paginate, type RestClient, type Selected } from "../../src/client/rest/index.js";
import type {
  BothendsError,
  EmbeddedResource,
  EndpointDescriptor,
  JsonValue,
  LinksTo,
  RestEndpoint,
} from "../../src/index.js";

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
  const post = await posts.get({ id: 1 }, { fields: ["id", "slug"] });
  expectSame<typeof post, { readonly id: number; readonly slug?: string | undefined }>(true);
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
  // The names are unknown to the compiler, so any member may be absent.
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

type Embedded = { readonly id: number; readonly title: { readonly rendered: string } };
type Article = Embedded & { readonly date: string | null };
type ArticleForEdit = Article & { readonly key: string; readonly title: { readonly raw: string } };
type DeletedArticle = Omit<ArticleForEdit, "date">;
interface ArticleContexts {
  readonly view: Article;
  readonly edit: ArticleForEdit;
  readonly embed: Embedded;
}
type ContextInput = { readonly id: number; context?: "view" | "edit" | "embed" | undefined };
type ForceInput = { readonly id: number; force?: boolean | undefined };
type Gone = ArticleForEdit | { readonly deleted: boolean; readonly previous: DeletedArticle };
interface Articles {
  readonly list: RestEndpoint<
    Omit<ContextInput, "id"> & { page?: number },
    readonly Article[],
    ListContexts<ArticleContexts>
  >;
  readonly get: RestEndpoint<ContextInput, Article, ArticleContexts>;
  readonly draft: RestEndpoint<ContextInput, ArticleForEdit, ArticleContexts, "edit">;
  readonly create: RestEndpoint<{ title: string }, ArticleForEdit>;
  readonly delete: RestEndpoint<ForceInput, Gone>;
}

export async function context(
  articles: Articles,
  some: "view" | "edit",
  perhaps: "edit" | undefined,
  options: RestCallOptions,
): Promise<void> {
  const viewed = await articles.get({ id: 1 });
  expectSame<typeof viewed, Article>(true);
  // @ts-expect-error only in the context edit
  void viewed.title.raw;
  const edited = await articles.get({ id: 1, context: "edit" });
  expectSame<typeof edited, ArticleForEdit>(true);
  const embedded = await articles.get({ id: 1, context: "embed" });
  expectSame<typeof embedded, Embedded>(true);
  const either = await articles.get({ id: 1, context: some });
  expectSame<typeof either, Article | ArticleForEdit>(true);
  const draft = await articles.draft({ id: 1 });
  expectSame<typeof draft, ArticleForEdit>(true);
  const undecided = await articles.get({ id: 1, context: perhaps });
  expectSame<typeof undecided, Article | ArticleForEdit>(true);
  const unset = await articles.get({ id: 1, context: undefined });
  expectSame<typeof unset, Article>(true);
  const unsetDraft = await articles.draft({ id: 1, context: undefined });
  expectSame<typeof unsetDraft, ArticleForEdit>(true);
  const [first] = await articles.list({ context: "edit" }, { fields: ["key", "title.raw"] });
  void [first?.key satisfies string | undefined, first?.title.raw satisfies string | undefined];
  const created = await articles.create({ title: "A" }, options);
  expectSame<typeof created, ArticleForEdit>(true);
  const gone = await articles.delete({ id: 1, force: true });
  expectSame<typeof gone.previous, DeletedArticle>(true);
  const trashed = await articles.delete({ id: 1 });
  expectSame<typeof trashed, ArticleForEdit>(true);
  for await (const item of paginate(articles.list, { context: "edit" })) {
    expectSame<typeof item, ArticleForEdit>(true);
  }
  for await (const item of paginate(articles.list, {})) {
    expectSame<typeof item, Article>(true);
  }
  for await (const item of paginate(articles.list, { context: perhaps })) {
    expectSame<typeof item, Article | ArticleForEdit>(true);
  }
  // @ts-expect-error no such context
  void articles.get({ id: 1, context: "all" });
}

declare const getArticle: EndpointDescriptor<ContextInput, Article, ArticleContexts>;
declare const createArticle: EndpointDescriptor<{ title: string }, ArticleForEdit>;
declare const deleteArticle: EndpointDescriptor<ForceInput, Gone>;

/** `RestClient.call`, `results` and `batched` narrow as the methods of generated classes do. */
export async function elsewhere(articles: Articles, perhaps: "edit" | undefined): Promise<void> {
  const undecided = await client.call(getArticle, { id: 1, context: perhaps });
  expectSame<typeof undecided, Article | ArticleForEdit>(true);
  const result = await results({ articles }).articles.get({ id: 1, context: perhaps });
  expectSame<typeof result, CallResult<Article | ArticleForEdit>>(true);
  const edited = await client.call(getArticle, { id: 1, context: "edit" });
  expectSame<typeof edited, ArticleForEdit>(true);
  const viewed = await client.call(getArticle, { id: 1 });
  expectSame<typeof viewed, Article>(true);
  const { body } = await client.callWithAnswer(getArticle, { id: 1, context: "embed" }, { fields: ["id"] });
  expectSame<typeof body, Pick<Embedded, "id">>(true);
  // @ts-expect-error no such context
  void client.call(getArticle, { id: 1, context: "all" });
  // @ts-expect-error this endpoint has no argument context
  void client.call(createArticle, { title: "A", context: "edit" });

  const got = await results({ articles }).articles.get({ id: 1, context: "edit" });
  expectSame<typeof got, CallResult<ArticleForEdit>>(true);
  const listed = await results(articles).list({}, { fields: ["id"] });
  expectSame<typeof listed, CallResult<readonly Pick<Article, "id">[]>>(true);
  const removed = await results(articles).delete({ id: 1, force: true });
  void (removed.data?.previous satisfies DeletedArticle | undefined);
  const embedding = await results(articles).get({ id: 1 }, { embed: true });
  void embedding.data?._embedded;
  const called = await results(client).call(getArticle, { id: 1, context: "edit" });
  expectSame<typeof called, CallResult<ArticleForEdit>>(true);
  const whole = await results(client).callWithAnswer(getArticle, { id: 1 });
  void (whole.data?.body satisfies Article | undefined);

  const answers = await batch(runBatch, [
    batched(createArticle, { title: "A" }, { fields: ["key"] }),
    batched(deleteArticle, { id: 1, force: true }),
    batched(deleteArticle, { id: 1 }),
  ]);
  expectSame<(typeof answers)[0], BatchAnswer<Pick<ArticleForEdit, "key">>>(true);
  expectSame<(typeof answers)[1], BatchAnswer<Extract<Gone, { readonly deleted: boolean }>>>(true);
  expectSame<(typeof answers)[2], BatchAnswer<ArticleForEdit>>(true);
  // @ts-expect-error WordPress embeds nothing in the answers of a batch
  batched(createArticle, { title: "A" }, { embed: true });
  // @ts-expect-error this endpoint has no argument force
  batched(createArticle, { title: "A", force: true });
}

export async function force(posts: Posts, isForced: boolean, perhaps: true | undefined): Promise<void> {
  const undecided = await posts.delete({ id: 1, force: perhaps });
  expectSame<typeof undecided, Post | Deleted>(true);
  const request = batched(remove, { id: 1, force: perhaps });
  expectSame<typeof request, BatchRequest<Post | Deleted>>(true);
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
  const single = await posts.get({ id: 1 }, { embed: ["author"], fields: ["id"] });
  void [single.id satisfies number, single._embedded];
  const plain = await posts.get({ id: 1 }, { embed: false });
  // @ts-expect-error not requested
  void plain._embedded;
}

type Author = { readonly name: string; readonly _links: Links };
type Links = { readonly [name: string]: readonly { readonly href: string }[] } & LinksTo<AuthorOnly>;
type AuthorOnly = {
  readonly author?: readonly EmbeddedResource<Author>[] | undefined;
  readonly [relation: string]: readonly JsonValue[] | undefined;
};
interface Linked {
  readonly get: RestEndpoint<{ id: number }, { readonly id: number; readonly _links: Links }>;
}

export async function embedByLinks(linked: Linked): Promise<void> {
  const item = await linked.get({ id: 1 }, { embed: true });
  void (item._embedded?.author?.[0]?.name satisfies string | undefined);
  void (item._embedded?.author?.[0]?.code satisfies string | undefined);
  void (item._embedded?.["up"]?.[0] satisfies JsonValue | undefined);
  const part = await linked.get({ id: 1 }, { embed: ["author"], fields: ["id"] });
  void (part._embedded?.author?.[0]?.name satisfies string | undefined);
}

declare const client: RestClient;
declare const runBatch: BatchOperation;
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
  const outcome = await posts.get({ id: 1 }, { result: true });
  expectSame<typeof outcome, CallResult<Post>>(true);
  if (outcome.error === undefined) {
    void (outcome.data.id satisfies number);
  } else {
    void (outcome.error satisfies BothendsError);
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
