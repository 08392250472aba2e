import { ContentClient, type JsonValue } from "@bothends/client/content";
import type { Call } from "./call.js";
import { findShapeProblem, type Shape } from "./shapes.js";

/** Lists calls that read the index, which must contain the site's name, and the index of every namespace. */
export function listIndexCalls(siteUrl: string, siteName: string): readonly Call[] {
  const content = new ContentClient({ siteUrl });
  const calls: readonly (readonly [string, () => Promise<unknown>, Shape])[] = [
    ["index", () => content.index(), { name: siteName, routes: hasRoutes }],
    ["oembed.index", () => content.oembed.index(), describeNamespace("oembed/1.0")],
    ["translation.index", () => content.translation.index(), describeNamespace("translation/v1")],
    ["translationSt.index", () => content.translationSt.index(), describeNamespace("translation/st/v1")],
    ["forms.index", () => content.forms.index(), describeNamespace("forms/v1")],
    ["seo.index", () => content.seo.index(), describeNamespace("seo/v1")],
    ["seoAccount.index", () => content.seoAccount.index(), describeNamespace("seo/v1/account")],
    ["core.index", () => content.core.index(), describeNamespace("core/v2")],
  ];
  return calls.map(([operation, run, shape]) => ({
    operation,
    protocol: "GET",
    run,
    expected: { check: (answer) => findShapeProblem(answer, shape) },
  }));
}

function describeNamespace(name: string): Shape {
  return { namespace: name, routes: hasRoutes };
}

function hasRoutes(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/**
 * Lists an OPTIONS request for every route of the index, which must be answered with the route's entry. Generated
 * clients do not send such requests.
 */
export async function listOptionsCalls(siteUrl: string): Promise<readonly Call[]> {
  const index = (await new ContentClient({ siteUrl }).index()) as {
    readonly routes: Record<string, { readonly methods: JsonValue }>;
  };
  return Object.entries(index.routes).map(([route, entry]) => ({
    operation: route,
    protocol: "OPTIONS",
    run: async () => {
      const path = route.replace(/\(\?P<[^>]*>\[\\d\]\+\)/g, "4").replace(/\(\?P<[^>]*>\[\\w\]\+\)/g, "post");
      const answer = await fetch(`${siteUrl}/en/api${path}`, { method: "OPTIONS" });
      return (await answer.json()) as unknown;
    },
    expected: {
      check: (answer) => {
        const methods =
          typeof answer === "object" && answer !== null && "methods" in answer ? answer.methods : undefined;
        return JSON.stringify(methods) === JSON.stringify(entry.methods)
          ? undefined
          : `methods are ${JSON.stringify(methods)}`;
      },
    },
  }));
}
