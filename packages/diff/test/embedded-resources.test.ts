import { expect, test } from "vitest";
import { type Change, diffContracts, type Level } from "../src/index.js";
import { type EndpointInit, indexOf } from "./pairs/index-document.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

// The option `embed` of clients adds linked resources to answers: the author and the terms of a post.

interface Member {
  readonly type: string;
  readonly context?: readonly string[];
}

interface Site {
  readonly collections: readonly string[];
  /** The contexts that the endpoint for users accepts. */
  readonly contexts: readonly string[];
  readonly user: Readonly<Record<string, Member>>;
}

const site: Site = {
  collections: ["posts", "users", "categories", "tags"],
  contexts: ["view", "edit"],
  user: {
    id: { type: "integer" },
    name: { type: "string", context: ["view", "embed"] },
    link: { type: "string", context: ["embed"] },
    email: { type: "string", context: ["edit"] },
  },
};

function sourcesOf({ collections, contexts, user }: Site): Sources {
  const read = (words: readonly string[]): EndpointInit => ({
    args: { context: { type: "string", enum: words, default: "view" } },
  });
  const routes = collections.map((name): readonly [string, EndpointInit] => [
    `/wp/v2/${name}/(?P<id>[\\d]+)`,
    read(name === "users" ? contexts : ["view", "embed", "edit"]),
  ]);
  const schema = { title: "user", type: "object", properties: user };
  return indexOf(Object.fromEntries(routes), { "/wp/v2/users/(?P<id>[\\d]+)": schema });
}

const withUser = (user: Site["user"]): Site => ({ ...site, user: { ...site.user, ...user } });
const { link, ...withoutLink } = site.user;

interface Case {
  readonly title: string;
  readonly after: Site;
  /** The worst consequence for callers of `posts.get`. */
  readonly want: Level;
  readonly rules: readonly string[];
}

const cases: readonly Case[] = [
  { title: "the same site", after: site, want: "none", rules: [] },
  {
    title: "a removed route of a relation",
    after: { ...site, collections: ["posts", "categories", "tags"] },
    want: "breaks",
    rules: ["type-widened _embedded.author"],
  },
  {
    title: "another type of a member that only embedded resources have",
    after: withUser({ link: { type: "integer", context: ["embed"] } }),
    want: "breaks",
    rules: ["type-changed user.link"],
  },
  {
    title: "a removed member that only embedded resources have",
    after: { ...site, user: withoutLink },
    want: "breaks",
    rules: ["member-removed-optional user.link"],
  },
  {
    title: "a member that embedded resources no longer have",
    after: withUser({ name: { type: "string", context: ["view"] } }),
    want: "breaks",
    rules: ["member-contexts-changed user.name"],
  },
  {
    title: "a member that embedded resources have now",
    after: withUser({ email: { type: "string", context: ["edit", "embed"] } }),
    want: "none",
    rules: [],
  },
  {
    title: "a member that only another context has",
    after: withUser({ email: { type: "integer", context: ["edit"] } }),
    want: "none",
    rules: [],
  },
  {
    title: "one object less in a relation",
    after: { ...site, collections: ["posts", "users", "categories"] },
    want: "some",
    rules: ["union-member-removed _embedded.wp:term[]"],
  },
];

const changesOfPosts = (before: Site, after: Site): readonly Change[] =>
  diffContracts(sideOf(sourcesOf(before)), sideOf(sourcesOf(after))).changes.filter(
    ({ operations, rule }) => operations.includes("wp.posts.get") && rule !== "name-in-code-changed",
  );

test.each(cases)("the changes of embedded resources after $title", ({ after, want, rules }) => {
  const changes = changesOfPosts(site, after);
  expect(changes.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual(rules);
  expect(changes.map(({ consequences: { callers } }) => callers)).toEqual(rules.map(() => want));
});

/** Programs of callers that read embedded resources. */
const programs = [
  'export const r: string | undefined = v["author"]?.[0]?.name;',
  'export const r: string | undefined = v["author"]?.[0]?.link;',
  'export const r: number | undefined = v["author"]?.[0]?.id;',
  'export const r = v["wp:term"]?.[0]?.[0]?.slug;',
];

test("programs that read embedded resources fail only after reported changes", () => {
  const versions = [site, ...cases.map(({ after }) => after)];
  const files = new Map(
    versions.flatMap((version, index) => [
      ...modulesIn(`${index}`, sourcesOf(version)),
      ...programs.map((program, at): [string, string] => [
        `${index}-${at}.ts`,
        `import type { Embedded } from "./${index}/client/src/api/index.js";\ndeclare const v: Embedded;\n${program}`,
      ]),
    ]),
  );
  const errors = compileErrors(files);
  expect(programs.map((_, at) => errors.get(`0-${at}.ts`))).toEqual(programs.map(() => undefined));
  const failing = cases.map(({ title, want }, index) => ({
    title,
    fails: programs.some((_, at) => errors.has(`${index + 1}-${at}.ts`)),
    isReported: want !== "none",
  }));
  expect(failing.filter(({ fails, isReported }) => fails && !isReported)).toEqual([]);
  expect(failing.filter(({ fails }) => fails).length).toBeGreaterThan(3);
}, 120_000);
