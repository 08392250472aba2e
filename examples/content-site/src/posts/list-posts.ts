import { type CoreProjectList, RestError, type RestResult, restAnswer } from "@bothends/server/content";
import {
  and,
  asc,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  lt,
  not,
  notInArray,
  type SQL,
  sql,
} from "drizzle-orm";
import { database } from "../store.js";
import { posts, postTerms } from "../tables.js";
import type { Post, PostType } from "./post.js";

/** The arguments of listings. Listings of blocks have only some of them. */
export type Listing = CoreProjectList;
export type Language = Post["language"];

/** One page of posts, with the total counts of items and pages. */
export interface Page {
  readonly posts: readonly Post[];
  readonly total: number;
  readonly totalPages: number;
}

/** Returns the matching posts of a type and a language, in order. Throws WordPress's error for a page after the last. */
export async function listPosts(type: PostType, language: Language, listing: Listing): Promise<Page> {
  const [postsOfPage, total] = await Promise.all([
    createPageQuery(type, language, listing),
    countQuery(type, language, listing),
  ]);
  const { page = 1, per_page: perPage = 10 } = listing;
  const totalPages = Math.ceil(total / perPage);
  if (page > totalPages && total > 0) {
    throw new RestError({
      code: "rest_post_invalid_page_number",
      message: "The page number requested is larger than the number of pages available.",
      status: 400,
    });
  }
  return { posts: postsOfPage, total, totalPages };
}

/**
 * Returns the query for one page of posts. The query finds the ids with an index first, because reading all rows of earlier pages
 * would take far longer.
 */
export function createPageQuery(type: PostType, language: Language, listing: Listing) {
  const { page = 1, per_page: perPage = 10, offset = (page - 1) * perPage } = listing;
  const order = createOrder(listing);
  const ids = database
    .select({ id: posts.id })
    .from(posts)
    .where(matchesOf(type, language, listing))
    .orderBy(...order)
    .limit(perPage)
    .offset(offset)
    .as("page");
  const { searched: _words, titleStart: _title, ...columns } = getTableColumns(posts);
  return database
    .select(columns)
    .from(ids)
    .innerJoin(posts, eq(posts.id, ids.id))
    .orderBy(...order);
}

/** Returns the query for the number of posts on all pages. */
export function countQuery(type: PostType, language: Language, listing: Listing) {
  return database.$count(posts, matchesOf(type, language, listing));
}

function matchesOf(type: PostType, language: Language, listing: Listing): SQL | undefined {
  return and(eq(posts.type, type), eq(posts.language, language), ...createConditions(listing));
}

/** Answers with a page and with the headers by which WordPress clients find the next page. */
export function createPageAnswer<Item>(
  { total, totalPages }: Page,
  body: readonly Item[],
): RestResult<readonly Item[]> {
  return restAnswer({
    status: 200,
    headers: { "X-WP-Total": String(total), "X-WP-TotalPages": String(totalPages) },
    body,
  });
}

function createConditions(listing: Listing): readonly (SQL | undefined)[] {
  const { after, before, include, exclude, slug, search, author, author_exclude } = listing;
  return [
    createStatusCondition(listing.status),
    after === undefined ? undefined : gt(posts.date, new Date(after)),
    before === undefined ? undefined : lt(posts.date, new Date(before)),
    include?.length ? inArray(posts.id, [...include]) : undefined,
    exclude?.length ? notInArray(posts.id, [...exclude]) : undefined,
    slug?.length ? inArray(posts.slug, [...slug]) : undefined,
    author?.length ? inArray(posts.author, [...author]) : undefined,
    author_exclude?.length ? notInArray(posts.author, [...author_exclude]) : undefined,
    search === undefined || search.trim() === "" ? undefined : sql`${posts.searched} @@ ${createSearchQuery(search)}`,
    createTermCondition(listing.project_category, listing.project_tag),
    ...[listing.project_category_exclude, listing.project_tag_exclude].map((ids) => {
      const condition = hasTerm(ids);
      return condition === undefined ? undefined : not(condition);
    }),
  ];
}

function createStatusCondition(statuses: Listing["status"] = ["publish"]): SQL | undefined {
  if (statuses.includes("any")) {
    return notInArray(posts.status, ["trash", "auto-draft"]);
  }
  return inArray(posts.status, statuses as Post["status"][]);
}

function createTermCondition(categories: Listing["project_category"], tags: Listing["project_tag"]): SQL | undefined {
  return and(hasTerm(categories), hasTerm(tags));
}

function hasTerm(ids: unknown): SQL | undefined {
  const list = Array.isArray(ids) ? ids.filter((id): id is number => typeof id === "number") : [];
  if (list.length === 0) {
    return undefined;
  }
  const postIds = database
    .select({ id: postTerms.termId })
    .from(postTerms)
    .where(and(eq(postTerms.postId, posts.id), inArray(postTerms.termId, list)));
  return exists(postIds);
}

/**
 * Returns the full-text query for texts that contain all words of a search. A word also matches longer words that begin with
 * it.
 */
function createSearchQuery(search: string): SQL {
  const words = search.match(/[\p{L}\p{N}]+/gu) ?? [];
  return sql`to_tsquery('simple', ${words.map((word) => `${word}:*`).join(" & ")})`;
}

const sortColumns = {
  author: posts.author,
  date: posts.date,
  id: posts.id,
  modified: posts.modified,
  parent: posts.parent,
  slug: posts.slug,
  title: posts.titleStart,
} as const;

function createOrder({ orderby = "date", order = "desc", include, slug, search }: Listing): readonly SQL[] {
  const direction = order === "asc" ? asc : desc;
  if (orderby === "include" && include?.length) {
    return [sql`array_position(array[${sql.join([...include], sql`, `)}]::bigint[], ${posts.id})`];
  }
  if (orderby === "include_slugs" && slug?.length) {
    return [sql`array_position(array[${sql.join([...slug], sql`, `)}]::text[], ${posts.slug})`];
  }
  if (orderby === "relevance" && search !== undefined) {
    return [direction(sql`ts_rank(${posts.searched}, ${createSearchQuery(search)})`), direction(posts.id)];
  }
  const column = sortColumns[orderby as keyof typeof sortColumns] ?? posts.date;
  return column === posts.id ? [direction(posts.id)] : [direction(column), direction(posts.id)];
}

/** Returns the language of a request. Default: the site's first language. */
export function getLanguage({ language }: { readonly language: string | undefined }): Language {
  return language === "pt-pt" ? "pt-pt" : "en";
}
