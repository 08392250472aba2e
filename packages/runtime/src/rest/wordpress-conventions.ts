import type { JsonObject } from "../descriptor.js";
import type { ArgumentProblem } from "./argument-problems.js";

/** What WordPress does with arguments and an index does not say. All of it can be changed by an option. */
export interface RestConventions {
  /** Schema keywords of arguments by name, for an index that lists no such keywords at all (as WordPress's own did up to 5.5). */
  readonly hiddenLimits: Readonly<Record<string, JsonObject>>;
  /** Arguments of type object that also take plain text, which the handler sees as `{ raw }`; nothing else is an error. */
  readonly rawText: readonly string[];
  /**
   * Arguments of GET that are checked before the others. Of methods that write, all but `checkedLast` are; a route that
   * cannot be read is an action, and has none.
   */
  readonly checkedFirst: readonly string[];
  readonly checkedLast: readonly string[];
  /** Arguments that are refused in words of their own, whatever is wrong with them. */
  readonly refusals: readonly Refusal[];
}

/** The words for an argument of endpoints that read, or of those that write. */
export interface Refusal {
  readonly name: string;
  readonly method: "GET" | "write";
  /** Only where the argument has this type. */
  readonly type: "array" | "object";
  readonly message: string;
  /** Absent: there are no details. */
  readonly detail?: Pick<ArgumentProblem, "code" | "data">;
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
  refusals: [
    {
      name: "status",
      method: "GET",
      type: "array",
      message: "Status is forbidden.",
      detail: { code: "rest_forbidden_status", data: { status: 401 } },
    },
    { name: "meta", method: "write", type: "object", message: "Invalid parameter." },
  ],
};
