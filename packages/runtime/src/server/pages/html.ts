/** Markup that is safe to send: text in it has been escaped. Only `html` and `trusted` make it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a template: text is escaped; nothing is written for undefined and false. */
export type Content = string | number | Html | undefined | false | readonly Content[];

/** Markup with values, each escaped for text and for quoted attributes alike. */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Html {
  let markup = literals[0] ?? "";
  for (const [index, value] of values.entries()) markup += markupOf(value) + (literals[index + 1] ?? "");
  return new Html(markup);
}

function markupOf(content: Content): string {
  if (content === undefined || content === false) return "";
  if (content instanceof Html) return content.markup;
  if (typeof content === "object") return content.map(markupOf).join("");
  return escapeMarkup(String(content));
}

/** Markup as it is: for constants of ours. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** A value for a script to read. It stands in a data block, which nothing in it can end. */
export function dataBlock(id: string, value: unknown): Html {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return html`<script type="application/json" id="${id}">${trusted(text)}</script>`;
}

/** HTML has no place for control characters and lone surrogates: they become U+FFFD, as a reader would make them. */
function escapeMarkup(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, "\uFFFD")
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD")
    .replace(/[&<>"']/g, (character) => references[character] ?? "");
}

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
