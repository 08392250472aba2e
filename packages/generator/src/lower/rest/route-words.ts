import { camelWord } from "./route-paths.js";

// What the English words of routes tell about endpoints.

/** Words with which names of actions begin. Words that are as often names of things (`log`, `order`, `search`, `test`) are left out. */
const verbs: ReadonlySet<string> = new Set(
  (
    "accept activate add apply approve archive assign attach authenticate authorize backup batch build calculate cancel change " +
    "check clean cleanup clear clone close collect complete compress compute configure confirm connect convert copy count create " +
    "deactivate decline delete deny detach detect disable disconnect dismiss dispatch download duplicate edit empty enable encode " +
    "execute expire export fetch find finish fix flush force generate get grant hide ignore import increment init initialize " +
    "insert install introspect invalidate invite load lock login logout lookup mark merge migrate move mute notify open optimize " +
    "parse pause ping populate prepare preview process publish pull purge push put queue quit read rebuild recalculate " +
    "refresh regenerate register reindex reject remove rename render renew reorder replace request reschedule resend reset " +
    "resize resolve restart restore resume retrieve retry revert revoke rollback rotate run save scan schedule select send set " +
    "show skip split start stop submit subscribe switch sync synchronize toggle track translate trash trigger unassign unblock " +
    "undo uninstall unlink unlock unpublish unregister unsubscribe untrash update upgrade upload validate verify write"
  ).split(" "),
);

/** Words before a verb: `bulk-edit`, `post-process`, `is_user_logged_in`. */
const adverbs: ReadonlySet<string> = new Set("auto bulk mass post pre quick re".split(" "));
const predicates: ReadonlySet<string> = new Set("can has is should".split(" "));

/** Objects of which there is one, though their names are plural. */
const singlePlurals: ReadonlySet<string> = new Set(
  "analytics credentials details insights metrics options permissions preferences settings statistics stats totals".split(
    " ",
  ),
);

/** Whether a segment names an action: `add-item`, `reindex_posts`, `bulkEdit`. */
export function isAction(segment: string): boolean {
  const [first = "", second = ""] = wordsOf(segment);
  return verbs.has(first) || (adverbs.has(first) && verbs.has(second)) || (predicates.has(first) && second !== "");
}

/** Whether a segment names several things: `blocks`, but not `status` or `settings`. */
export function isPlural(segment: string): boolean {
  const last = wordsOf(segment).at(-1) ?? "";
  return (/[^ius]s$/.test(last) && !singlePlurals.has(last)) || irregularPlurals.has(last);
}

/** Whether a segment names an object of which there is one, such as `settings`. */
export function isSingleThing(segment: string): boolean {
  return singlePlurals.has(wordsOf(segment).at(-1) ?? "");
}

const irregularPlurals: ReadonlySet<string> = new Set("children media people taxa".split(" "));

function wordsOf(segment: string): readonly string[] {
  const spaced = camelWord(segment).replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2");
  return spaced.toLowerCase().split(" ");
}
