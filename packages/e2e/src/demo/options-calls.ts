import { ContentClient, type JsonValue } from "@bothends/client/content";
import type { Call } from "./call.js";

/** OPTIONS requests for every route of the index, which answer the route's entry. Clients have no such operation. */
export async function optionsCalls(siteUrl: string): Promise<readonly Call[]> {
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
