/** Type tests: the arguments that WordPress accepts in place of those of the index. */

import type { Accepted } from "../../src/client/index.js";
import type { JsonObject } from "../../src/index.js";

interface Create {
  title: { readonly raw?: string | undefined };
  excerpt?: JsonObject | undefined;
  meta?: JsonObject | undefined;
  status?: readonly ("draft" | "publish")[] | undefined;
  categories?: readonly number[] | { readonly terms: readonly number[] } | undefined;
  requests?: readonly { readonly path: string }[] | undefined;
  date: string | null;
}

export const right: readonly Accepted<Create>[] = [
  { title: { raw: "a" }, date: null },
  { title: "a", excerpt: "b", date: "2024-01-01T00:00:00" },
  { title: "a", excerpt: { raw: "b" }, date: null, status: "draft", categories: 5 },
  { title: "a", date: null, status: ["draft", "publish"], categories: [5], requests: [{ path: "/" }] },
  { title: "a", date: null, categories: { terms: [5] } },
];

export const wrong: readonly Accepted<Create>[] = [
  // @ts-expect-error the title is required
  { date: null },
  // @ts-expect-error only WordPress's texts are accepted as texts
  { title: "a", date: null, meta: "b" },
  // @ts-expect-error an enumeration
  { title: "a", date: null, status: "gone" },
  // @ts-expect-error the items are numbers
  { title: "a", date: null, categories: "5" },
  // @ts-expect-error objects are not accepted in place of lists
  { title: "a", date: null, requests: { path: "/" } },
];
