import type { AnswerSchema } from "../../../read/discovery/index.js";
import { nullable } from "./answer-notation.js";

/** The settings of WordPress itself. `site_logo` is null if there is none. */
const coreSettings: ReadonlySet<string> = new Set(
  (
    "title description url email timezone date_format time_format start_of_week language use_smilies default_category " +
    "default_post_format posts_per_page show_on_front page_on_front page_for_posts default_ping_status " +
    "default_comment_status site_icon"
  ).split(" "),
);

/** A setting of a plug-in is null while it has a value that its schema does not allow. */
export function settingOf(name: string, schema: AnswerSchema): AnswerSchema {
  return coreSettings.has(name) ? schema : nullable(schema);
}
