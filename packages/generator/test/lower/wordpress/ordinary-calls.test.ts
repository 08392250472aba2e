import { expect, test } from "vitest";
import { describe } from "../../../src/describe/describe.js";
import { emitFiles } from "../../../src/emit/emit.js";
import { planFiles } from "../../../src/plan/index.js";
import { Diagnostics } from "../../../src/source/diagnostics.js";
import { configOf, contractOf } from "../../emit/fixtures.js";
import { complaints } from "../../emit/type-check.js";
import { lowered } from "../lower-index.js";
import { answerCheck, plainIndex, type RecordedAnswer, recordedAnswers } from "./recorded-answers.js";

/** A call, the members of its answer that a program uses, and the recorded request that corresponds to it. */
interface OrdinaryCall {
  readonly call: string;
  /** Uses members of `answer`, without `?.` where the context guarantees them. */
  readonly uses: readonly string[];
  readonly recorded: readonly [method: string, route: string, context: string];
}

const item = "(?P<id>[\\d]+)";
const calls: readonly OrdinaryCall[] = [
  {
    call: "posts.list({ per_page: 5, status: 'publish' })",
    uses: ["answer[0]?.title.rendered.length", "answer[0]?.content.rendered.length", "answer[0]?.date_gmt"],
    recorded: ["GET", "/wp/v2/posts", "view"],
  },
  {
    call: "posts.get({ id: 1 })",
    uses: ["answer.excerpt.rendered.length", "answer.categories.length", "answer.author.toFixed()"],
    recorded: ["GET", `/wp/v2/posts/${item}`, "view"],
  },
  {
    call: "posts.get({ id: 1, context: 'edit' })",
    uses: ["answer.title.raw.length", "answer.content.raw.length", "answer.password.length"],
    recorded: ["GET", `/wp/v2/posts/${item}`, "edit"],
  },
  {
    call: "posts.get({ id: 1, context: 'embed' })",
    uses: ["answer.title.rendered.length", "answer.link.length"],
    recorded: ["GET", `/wp/v2/posts/${item}`, "embed"],
  },
  {
    call: "posts.create({ title: 'A', status: 'draft', categories: 1 })",
    uses: ["answer.id.toFixed()", "answer.title.raw.length", "answer.generated_slug.length"],
    recorded: ["POST", "/wp/v2/posts", "edit"],
  },
  {
    call: "posts.update({ id: 1, title: 'B' })",
    uses: ["answer.content.raw.length", "answer.modified.length"],
    recorded: ["POST", `/wp/v2/posts/${item}`, "edit"],
  },
  {
    call: "posts.delete({ id: 1 })",
    uses: ["answer.status.length", "answer.title.raw.length"],
    recorded: ["DELETE", `/wp/v2/posts/${item}`, "trash"],
  },
  {
    call: "posts.delete({ id: 1, force: true })",
    uses: ["answer.previous.title.raw.length", "answer.deleted.valueOf()"],
    recorded: ["DELETE", `/wp/v2/posts/${item}`, "deleted"],
  },
  {
    call: "pages.list({})",
    uses: ["answer[0]?.content.rendered.length", "answer[0]?.parent.toFixed()", "answer[0]?.menu_order.toFixed()"],
    recorded: ["GET", "/wp/v2/pages", "view"],
  },
  {
    call: "pages.create({ title: { raw: 'A' } })",
    uses: ["answer.title.raw.length", "answer.template.length"],
    recorded: ["POST", "/wp/v2/pages", "edit"],
  },
  {
    call: "media.list({ media_type: 'image' })",
    uses: ["answer[0]?.source_url.length", "answer[0]?.alt_text.length", "answer[0]?.mime_type.length"],
    recorded: ["GET", "/wp/v2/media", "view"],
  },
  {
    call: "media.get({ id: 1 })",
    uses: ["answer.caption.rendered.length", "answer.description.rendered.length", "(answer.post ?? 0).toFixed()"],
    recorded: ["GET", `/wp/v2/media/${item}`, "view"],
  },
  {
    call: "media.update({ id: 1, alt_text: 'A' })",
    uses: ["answer.caption.raw.length", "answer.missing_image_sizes.length"],
    recorded: ["POST", `/wp/v2/media/${item}`, "edit"],
  },
  {
    call: "categories.list({ hide_empty: true })",
    uses: ["answer[0]?.count.toFixed()", "answer[0]?.parent.toFixed()", "answer[0]?.description.length"],
    recorded: ["GET", "/wp/v2/categories", "view"],
  },
  {
    call: "categories.create({ name: 'A' })",
    uses: ["answer.slug.length", "answer.count.toFixed()"],
    recorded: ["POST", "/wp/v2/categories", "edit"],
  },
  {
    call: "tags.get({ id: 1 })",
    uses: ["answer.name.length", "answer.description.length"],
    recorded: ["GET", `/wp/v2/tags/${item}`, "view"],
  },
  {
    call: "users.list({})",
    uses: ["answer[0]?.name.length", "answer[0]?.slug.length", "answer[0]?.link.length"],
    recorded: ["GET", "/wp/v2/users", "view"],
  },
  {
    call: "users.me.get({ context: 'edit' })",
    uses: ["answer.email.length", "answer.roles.length", "answer.username.length"],
    recorded: ["GET", "/wp/v2/users/me", "edit"],
  },
  {
    call: "comments.list({ post: 1 })",
    uses: ["answer[0]?.content.rendered.length", "answer[0]?.status.length", "answer[0]?.post.toFixed()"],
    recorded: ["GET", "/wp/v2/comments", "view"],
  },
  {
    call: "comments.create({ post: 1, content: 'A' })",
    uses: ["answer.content.raw.length", "answer.author_email.length"],
    recorded: ["POST", "/wp/v2/comments", "edit"],
  },
  {
    call: "settings.get()",
    uses: ["answer.title.length", "answer.posts_per_page.toFixed()", "answer.timezone.length"],
    recorded: ["GET", "/wp/v2/settings", "view"],
  },
  {
    call: "settings.update({ title: 'A' })",
    uses: ["answer.email.length", "answer.date_format.length"],
    recorded: ["POST", "/wp/v2/settings", "edit"],
  },
  {
    call: "types.list({})",
    uses: ["answer['post']?.rest_base.length", "answer['post']?.taxonomies.length"],
    recorded: ["GET", "/wp/v2/types", "view"],
  },
  {
    call: "posts.revisions.list({ parent: 1 })",
    uses: ["answer[0]?.title.rendered.length", "answer[0]?.modified_gmt.length"],
    recorded: ["GET", "/wp/v2/posts/(?P<parent>[\\d]+)/revisions", "view"],
  },
  {
    call: "blocks.get({ id: 1 })",
    uses: ["answer.title.raw.length", "answer.content.raw.length"],
    recorded: ["GET", `/wp/v2/blocks/${item}`, "view"],
  },
  {
    call: "search.list({ search: 'A' })",
    uses: ["answer[0]?.title.length", "answer[0]?.url.length", "answer[0]?.type.length"],
    recorded: ["GET", "/wp/v2/search", "view"],
  },
];

const { interface: rest } = lowered(plainIndex);
if (rest === undefined) {
  throw new Error("The index cannot be read.");
}
const site = rest;

function emittedSite(): ReadonlyMap<string, string> {
  const contract = contractOf(site);
  const plan = planFiles(contract, configOf(), new Diagnostics());
  const inputs = { plan, descriptors: describe(contract), publishedWsdls: new Map() };
  return new Map(
    emitFiles(inputs).flatMap((file) => (file.path.includes("/server/") ? [] : [[file.path, file.print()]])),
  );
}

function program(statements: readonly string[]): string {
  const lines = ['import { ContentClient } from "./packages/client/src/content/index.js";'];
  lines.push('const { wp } = new ContentClient({ siteUrl: "https://site.example" });', ...statements);
  return `${lines.join("\n")}\n`;
}

test("26 ordinary calls compile, without `?.` where the context guarantees a member", () => {
  const statements = calls.map(({ call, uses }, index) => {
    const lines = uses.map((use) => `  void (${use});`).join("\n");
    return `export async function call${index}(): Promise<void> {\n  const answer = await wp.${call};\n${lines}\n}`;
  });
  const links = `export async function links(): Promise<string | undefined> {
  const posts = await wp.posts.list();
  return posts[0]?._links["self"]?.[0]?.href;
}`;
  expect(complaints(new Map([...emittedSite(), ["calls.ts", program([...statements, links])]]))).toEqual([]);
});

test("embedded resources and the values of maps have types", () => {
  const statements = [
    `export async function embedded(): Promise<void> {
  const [post] = await wp.posts.list({}, { embed: true, fields: ["id"] });
  const resources = post?._embedded;
  void (resources?.author?.[0]?.name satisfies string | undefined);
  void (resources?.author?.[0]?.code satisfies string | undefined);
  void (resources?.["wp:featuredmedia"]?.[0]?.media_details?.sizes?.["medium"]?.source_url satisfies string | undefined);
  void (resources?.["wp:term"]?.[0]?.[0]?.taxonomy satisfies string | undefined);
  void (resources?.replies?.[0]?.[0]?.author_name satisfies string | undefined);
  void resources?.["up"]?.[0];
}`,
    "export async function map(): Promise<void> { for (const type of Object.values(await wp.types.list())) void type.slug; }",
  ];
  expect(complaints(new Map([...emittedSite(), ["calls.ts", program(statements)]]))).toEqual([]);
});

test("members that a context leaves out do not compile", () => {
  const wrong = [
    "export async function raw(): Promise<void> { void (await wp.posts.get({ id: 1 })).title.raw; }",
    "export async function password(): Promise<void> { void (await wp.posts.list({}))[0]?.password; }",
    "export async function date(): Promise<void> { void (await wp.posts.get({ id: 1, context: 'embed' })).modified; }",
    "export async function links(): Promise<void> { void (await wp.posts.delete({ id: 1, force: true })).previous._links; }",
  ];
  const found = complaints(new Map([...emittedSite(), ["calls.ts", program(wrong)]]));
  expect(found.map((line) => /Property '(\w+)' does not exist/.exec(line)?.[1])).toEqual([
    "raw",
    "password",
    "modified",
    "_links",
  ]);
});

/** Deletions were recorded without a context: the object in the trash, or the deleted object in `previous`. */
function isOf({ method, route, context, answer }: RecordedAnswer, { recorded }: OrdinaryCall): boolean {
  const deletion = typeof answer === "object" && answer !== null && "previous" in answer ? "deleted" : "trash";
  const [wantedMethod, wantedRoute, wantedContext] = recorded;
  const isContext = method === "DELETE" ? deletion === wantedContext : context === wantedContext;
  return method === wantedMethod && route === wantedRoute && isContext;
}

test.each(calls)("a site's answer to $call contains the members that programs use", (ordinary) => {
  const answers = recordedAnswers.filter((recorded) => isOf(recorded, ordinary));
  expect(answers.length).toBeGreaterThan(0);
  for (const recorded of answers) {
    expect(answerCheck(site)(recorded)).toBeUndefined();
    for (const use of ordinary.uses) {
      const value: unknown = new Function("answer", `return ${use.replace("[0]?.", "[0].").replace("]?.", "].")}`)(
        recorded.answer,
      );
      expect([use, value]).not.toContain(undefined);
    }
  }
});
