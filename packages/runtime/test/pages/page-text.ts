import { createHash } from "node:crypto";
import type { ServerAnswer } from "../../src/server/index.js";

/** The markup of an answered page. */
export function markupOf(answer: ServerAnswer): string {
  if (typeof answer.body !== "string") {
    throw new Error("The answer is not a page.");
  }
  return answer.body;
}

export function header(answer: ServerAnswer, name: string): string | undefined {
  return answer.headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

/** Returns the visible text of each block of a page, without tags. */
export function blocksOf(markup: string): readonly string[] {
  return [...markup.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, block = ""]) => textOf(block));
}

export function textOf(markup: string): string {
  const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };
  return markup.replace(/<[^>]*>/g, "").replace(/&(#39|[a-z]+);/g, (_, name: string) => named[name] ?? "?");
}

/** The data that the page's script works with. */
export function formOf(markup: string): { readonly [name: string]: never } {
  return JSON.parse(/<script type="application\/json" id="settings">([\s\S]*?)<\/script>/.exec(markup)?.[1] ?? "{}");
}

/** The markup without its scripts, data and style. */
export function withoutCode(markup: string): string {
  return markup.replace(/(<(script|style)[^>]*>)[\s\S]*?(<\/\2>)/g, "$1$3");
}

/** The tags of a page, in order. Anything that runs or loads code would be among them. */
export function tagsOf(markup: string): readonly string[] {
  return (
    withoutCode(markup)
      .replace(mark, "")
      .match(/<[a-z][^>]*>/gi) ?? []
  );
}

/** The mark in the head of each page. */
const mark =
  /<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">(?:<(?:path|circle)(?: [a-z-]+="[\w #.]*")*\/>)+<\/svg>/;

/** The problems of a public page: foreign code, or resources from other servers. */
export function dangersOf(answer: ServerAnswer): readonly string[] {
  const markup = markupOf(answer);
  const policy = header(answer, "content-security-policy") ?? "";
  const inlineSources = [...markup.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(
    ([, kind, text = ""]) => `${kind}-src 'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  const tags = tagsOf(markup);
  return [
    ...inlineSources.filter((allowed) => !policy.includes(allowed)).map((allowed) => `not allowed: ${allowed}`),
    ...["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"].filter((part) => !policy.includes(part)),
    ...(/unsafe|\*|https?:/.test(policy) ? [policy] : []),
    ...tags.filter((tag) => /^<(?:script|style)\b/.test(tag) && !/^<(?:script|style)>$|application\/json/.test(tag)),
    ...tags.filter((tag) => /^<(?:img|iframe|object|embed|base|svg|audio|video)\b/i.test(tag)),
    ...tags.filter((tag) => /\s(?:on[a-z]+|style|src|srcdoc)\s*=/i.test(tag.replace(/"[^"]*"/g, '""'))),
    ...tags.filter((tag) => /(?:href|action)="(?!\?|#|\.|\/|data:image\/svg\+xml,%3Csvg)/.test(tag)),
  ];
}

/** Text that would run if markup were not escaped. */
export const hostileTexts = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</textarea></pre></script><svg onload=alert(1)>",
  "<!--",
  "&lt;b&gt;",
] as const;
