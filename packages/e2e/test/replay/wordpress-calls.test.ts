import { fileURLToPath } from "node:url";
import type { JsonValue } from "@bothends/runtime";
import { expect, test } from "vitest";
import { type Call, readExpectedCalls, readRecordedCases } from "../../src/replay/wordpress/index.js";

/**
 * Tests the table of calls, which was written from WordPress's documentation and not from the recording: the recorded
 * lists and items must follow from the inputs in the table.
 */
const folder = fileURLToPath(new URL("../../recorded/wordpress", import.meta.url));
const cases = readRecordedCases(folder);
const calls = readExpectedCalls(folder);

type Input = Call["input"];

interface Project {
  readonly id: number;
  readonly number: number;
  readonly date: string;
  readonly status: string;
  readonly author: number;
  readonly category: number;
  readonly tags: readonly number[];
}

/** The projects of the recorded site, before anything is written. */
const projects = Array.from({ length: 25 }, (_, index): Project => {
  const number = index + 1;
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    id: number + 3,
    number,
    date: `2024-${two(1 + (number % 12))}-${two(number)}T${two(number % 24)}:00:00`,
    status: ({ 22: "draft", 23: "private", 24: "pending" } as Record<number, string>)[number] ?? "publish",
    author: number % 3 === 0 ? 2 : 1,
    category: [2, 3, 4, 5][number % 4] ?? 0,
    tags: [6 + (number % 3), 6 + ((number + 1) % 3)],
  };
});

const numbers = (value: JsonValue | undefined): readonly number[] => (Array.isArray(value) ? value.map(Number) : []);
const texts = (value: JsonValue | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const time = (value: JsonValue) =>
  Date.parse(/[Z+]|-\d\d:\d\d$/.test(String(value).slice(19)) ? String(value) : `${value}Z`);

function isListed(project: Project, input: Input): boolean {
  const { search, after, before, include, exclude, slug, status, author, author_exclude: notBy } = input;
  const isOf = (list: readonly number[], id: number) => list.length === 0 || list.includes(id);
  const words = String(search ?? "")
    .toLowerCase()
    .split(" ");
  const text = `project ${project.number}`;
  const category = input["project_category"];
  const terms = isObject(category) ? category["terms"] : category;
  const byTerm = terms === undefined || numbers(terms).includes(project.category);
  const byTag =
    input["project_tag"] === undefined || numbers(input["project_tag"]).some((tag) => project.tags.includes(tag));
  return (
    isOf(numbers(include).map(Math.abs), project.id) &&
    !numbers(exclude).includes(project.id) &&
    (slug === undefined || texts(slug).includes(`project-${project.number}`)) &&
    (texts(status).includes(project.status) || texts(status).includes("any")) &&
    isOf(numbers(author), project.author) &&
    !numbers(notBy).includes(project.author) &&
    !numbers(input["project_category_exclude"]).includes(project.category) &&
    (input["tax_relation"] === "OR" ? byTerm || byTag : byTerm && byTag) &&
    (after === undefined || time(project.date) > time(after)) &&
    (before === undefined || time(project.date) < time(before)) &&
    // A caller without the password of a project cannot search in it.
    (words.join("") === "" || (project.number !== 21 && words.every((word) => text.includes(word))))
  );
}

function sorted(list: readonly Project[], { order, orderby, include, slug }: Input): readonly Project[] {
  const keys: Record<string, (project: Project) => number | string> = {
    id: ({ id }) => id,
    title: ({ number }) => `Project ${number}`,
    slug: ({ number }) => `project-${number}`,
    include: ({ id }) => -numbers(include).indexOf(id),
    include_slugs: ({ number }) => -texts(slug).indexOf(`project-${number}`),
  };
  const key = keys[String(orderby)] ?? (({ date }) => date);
  const sign = order === "asc" ? 1 : -1;
  return [...list].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The cases of listings. One is left out: all its parents are equal, so the database determines the order. */
const lists = cases.filter(
  ({ n, status, json }) =>
    n < 177 && n !== 46 && status === 200 && Array.isArray(json) && calls.get(String(n))?.route === "/wp/v2/project",
);

test.each(lists.map((recorded) => [recorded.n, recorded.name, recorded] as const))(
  "case %i, %s: the items of the list are those that the input selects",
  (n, _, recorded) => {
    const input = calls.get(String(n))?.input ?? {};
    const all = sorted(
      projects.filter((project) => isListed(project, input)),
      input,
    );
    const size = Number(input["per_page"]);
    const start =
      input["offset"] === undefined ? (Number(input["page"]) - 1) * size : Math.abs(Number(input["offset"]));
    const page = all.slice(start, start + size).map(({ id }) => id);
    expect((recorded.json as readonly { id: number }[]).map(({ id }) => id)).toEqual(page);
    const total = recorded.headers.find(([name]) => name === "X-WP-Total")?.[1];
    expect(total).toBe(String(page.length === 0 ? 0 : all.length));
  },
);

/** The cases in which WordPress changes a value: a future date, an unknown id, a script. */
const ownWays = new Set([215, 246, 250, 311, 380, 421]);

const raw = (value: JsonValue | undefined) => (isObject(value) ? (value["raw"] ?? "") : undefined);
const unique = (value: JsonValue | undefined) => [...new Set(numbers(value))].sort((a, b) => a - b);
const members: Readonly<Record<string, (value: JsonValue | undefined) => unknown>> = {
  id: (value) => value,
  author: (value) => value,
  status: (value) => value,
  password: (value) => value,
  comment_status: (value) => value,
  ping_status: (value) => value,
  featured_media: (value) => value,
  alt_text: (value) => value,
  post: (value) => value,
  date_gmt: (value) => value,
  title: raw,
  content: raw,
  excerpt: raw,
  caption: raw,
  description: raw,
  project_category: unique,
  project_tag: unique,
};

const written = cases.filter(
  ({ n, method, path, status, json }) =>
    status < 300 &&
    !["GET", "HEAD"].includes(method) &&
    isObject(json) &&
    calls.has(String(n)) &&
    !/autosaves|batch|edit|_method/.test(path),
);

test.each(written.map((recorded) => [recorded.n, recorded.name, recorded] as const))(
  "case %i, %s: the item has the values of the input",
  (n, _, recorded) => {
    const input = calls.get(String(n))?.input ?? {};
    const item = (
      isObject(recorded.json) && isObject(recorded.json["previous"]) ? recorded.json["previous"] : recorded.json
    ) as Input;
    const compared = Object.keys(input).filter((name) => name in members && name in item && !ownWays.has(n));
    const comparable = (from: Input) => Object.fromEntries(compared.map((name) => [name, members[name]?.(from[name])]));
    expect(comparable(item)).toEqual(comparable(input));
  },
);
