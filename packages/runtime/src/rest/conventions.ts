import type { JsonObject } from "../descriptor.js";

/** What WordPress does with arguments and an index does not say. All of it can be changed by an option. */
export interface RestConventions {
  /** Schema keywords of arguments by name, for an index that lists no such keywords at all (as WordPress's own did up to 5.5). */
  readonly hiddenLimits: Readonly<Record<string, JsonObject>>;
  /** Arguments of type object that also take plain text, which the handler sees as `{ raw }`; nothing else is an error. */
  readonly rawText: readonly string[];
  /** Arguments of GET that are checked before the others; of other methods all but `checkedLast` are. */
  readonly checkedFirst: readonly string[];
  readonly checkedLast: readonly string[];
}

const instant: JsonObject = { format: "date-time" };

/** WordPress 6.1's own arguments. */
export const wordpressConventions: RestConventions = {
  hiddenLimits: {
    page: { minimum: 1 },
    per_page: { minimum: 1, maximum: 100 },
    after: instant,
    before: instant,
    modified_after: instant,
    modified_before: instant,
    date: instant,
    date_gmt: instant,
  },
  rawText: ["title", "content", "excerpt", "caption", "description"],
  checkedFirst: ["context", "page", "per_page", "search"],
  checkedLast: ["id", "parent", "force"],
};
