/** An HTTP answer with a page. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: readonly PageHeader[];
  readonly body: string;
}

export type PageHeader = readonly [name: string, value: string];

/** One page for people. */
interface Page {
  readonly title: string;
  /** Links back, before the heading. */
  readonly trail?: readonly Content[];
  readonly content: Content;
  /** The page's script, which is a constant. */
  readonly script: string;
  /** Data for the script. */
  readonly facts?: unknown;
}

/** Answers with a page that loads nothing else, and in which a browser runs only the page's script. */
export async function pageAnswer(page: Page, headers: readonly PageHeader[] = []): Promise<PageAnswer> {
  const body = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
${trailOf(page.trail ?? [])}
<main id="content" tabindex="-1">
${page.content}
</main>
${page.facts !== undefined && dataBlock("facts", page.facts)}
<script>${trusted(page.script)}</script>
</body>
</html>
`;
  return {
    status: 200,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Cache-Control", "private, max-age=0"],
      ["Content-Security-Policy", await policy(page.script)],
      ["X-Content-Type-Options", "nosniff"],
      ["Referrer-Policy", "no-referrer"],
      ...headers,
    ],
    body: body.markup,
  };
}

function trailOf(trail: readonly Content[]): Content {
  if (trail.length === 0) {
    return undefined;
  }
  return html`<nav aria-label="Breadcrumb"><ul>${trail.map((item) => html`<li>${item}</li>`)}</ul></nav>`;
}

/** Allows only the script and the style, by their hashes, and calls to the page's own server (CSP Level 3 §6.7.3.3). */
async function policy(script: string): Promise<string> {
  const [scriptHash, styleHash] = await Promise.all([hashOf(script), hashOf(style)]);
  return [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    "img-src data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Safe markup: all text in it is escaped. Only `html` and `trusted` create it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** The values of a template: text is escaped; undefined and false are written as nothing. */
export type Content = string | number | Html | undefined | false | readonly Content[];

/** Creates markup; values are escaped for text and for quoted attributes. */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Html {
  let markup = literals[0] ?? "";
  for (const [index, value] of values.entries()) {
    markup += markupOf(value) + (literals[index + 1] ?? "");
  }
  return new Html(markup);
}

function markupOf(content: Content): string {
  if (content === undefined || content === false) {
    return "";
  }
  if (content instanceof Html) {
    return content.markup;
  }
  if (typeof content === "object") {
    return content.map(markupOf).join("");
  }
  return escapeMarkup(String(content));
}

/** Markup without escaping, for constants of this package. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** Data for a script, in a data block. The value cannot end the block: `<` is escaped. */
export function dataBlock(id: string, value: unknown): Html {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return html`<script type="application/json" id="${id}">${trusted(text)}</script>`;
}

/** Escapes markup. HTML does not allow control characters and lone surrogates: they become U+FFFD. */
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

/** The style of all pages, light and dark. It is a constant, because its hash is in the content security policy. */
const style = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --card: #f6f7f9; --ink: #1b2430; --quiet: #566273; --line: #d5dae1;
  --link: #0b57b0; --mark: #8a4b08; --button: #0b57b0; --on-button: #ffffff; --focus: #b3460e;
  --good: #17703a; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181e; --card: #1c222b; --ink: #e4e9f0; --quiet: #9ba8b8; --line: #38424f;
    --link: #86b7ff; --mark: #f0b978; --button: #86b7ff; --on-button: #0d1a2b; --focus: #ffb067;
    --good: #6fd396; --bad: #ff9d94;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .7rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
nav ul { list-style: none; margin: 0 0 1.2rem; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
.lead, .note { white-space: pre-line; overflow-wrap: anywhere; }
.lead { font-size: 1.08rem; }
.note, .quiet { color: var(--quiet); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
code, pre, textarea, .route { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem; }
pre {
  background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0 1rem; padding: .8rem 1rem;
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; tab-size: 2;
}
pre var { color: var(--mark); font-style: normal; font-weight: 600; }
h1.route { font-size: 1.35rem; }
.route var { color: var(--mark); font-style: normal; }
.list { list-style: none; margin: 0; padding: 0; }
.list > li { padding: .55rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.list > li:last-child { border-bottom: 0; }
.list .note { margin: .1rem 0 0; }
.verb {
  display: inline-block; border: 1px solid var(--line); border-radius: 4px; padding: 0 .4rem; margin-right: .3rem;
  font-size: .75rem; font-weight: 600; color: var(--quiet); background: var(--card);
}
.pair { display: grid; gap: 0 1.2rem; grid-template-columns: 1fr 1fr; }
.pair > div { min-width: 0; }
@media (max-width: 56rem) { .pair { grid-template-columns: 1fr; } }
form.call { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem 1.2rem; }
form.call pre { background: var(--paper); }
.field { display: grid; grid-template-columns: minmax(10rem, 17rem) 1fr; gap: .15rem 1.2rem; padding: .5rem 0; }
.field > * { min-width: 0; }
.field label, .field .name { font-weight: 600; overflow-wrap: anywhere; }
.field .kind { display: block; font-size: .85rem; font-weight: 400; color: var(--quiet); }
.field .note { font-size: .9rem; margin: .2rem 0 0; }
@media (max-width: 40rem) { .field { grid-template-columns: 1fr; } }
input, select, textarea, button { font: inherit; color: inherit; }
input[type=text], input[type=search], input[type=password], select, textarea {
  width: 100%; max-width: 34rem; padding: .35rem .55rem; background: var(--paper);
  border: 1px solid var(--quiet); border-radius: 5px;
}
textarea { max-width: none; min-height: 3.4rem; resize: vertical; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875rem; }
textarea.message { min-height: 12rem; }
select { width: auto; min-width: 9rem; max-width: 100%; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.choices { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.choices label { font-weight: 400; }
.choices input { margin: 0 .35rem 0 0; }
button {
  background: var(--button); color: var(--on-button); border: 0; border-radius: 5px; padding: .5rem 1.6rem;
  margin: .8rem 0 .2rem; font-weight: 600; cursor: pointer;
}
button[aria-busy=true] { opacity: .6; }
summary { cursor: pointer; padding: .25rem 0; width: fit-content; }
.status { font-weight: 600; margin: .8rem 0 .3rem; }
.status.good { color: var(--good); }
.status.bad { color: var(--bad); }
`;
