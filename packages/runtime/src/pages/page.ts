import { findNearestName } from "@bothends/xml";
import { style } from "./browser/style.js";

/** An HTTP answer with a page. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: readonly PageHeader[];
  readonly body: string;
}

/** A header of the answer that contains a page. */
export type PageHeader = readonly [name: string, value: string];

/** The parts of an HTML page. */
interface Page {
  readonly status?: number;
  readonly title: string;
  /** The name in the page header, and the address to which the name links: the page of the service or index. */
  readonly home: { readonly name: string; readonly href: string };
  /** Links at the end of the page header. */
  readonly links?: Content;
  /**
   * A list that wide screens show beside the content, and the text of a link that narrow screens show instead: `All
   * operations`.
   */
  readonly aside?: { readonly list: Content; readonly link: string };
  readonly content: Content;
  /** The source of the page's script, which must be a constant. Empty for a page without a script. */
  readonly script: string;
  /** A JSON value that the script reads from the page. */
  readonly settings?: unknown;
}

/** Answers with a page that loads no other resources and runs no scripts except its own. */
export async function renderPage(page: Page, headers: readonly PageHeader[] = []): Promise<PageAnswer> {
  const { status = 200, title, home, links, aside, content, script, settings } = page;
  const body = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${trustedHtml(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="${home.href}">${logo}<span>${home.name}</span></a>
${links !== undefined && html`<nav aria-label="Documents">${links}</nav>`}
</header>
<div class="${aside === undefined ? "page" : "page with-aside"}">
${aside?.list}
<main id="content" tabindex="-1">
${aside !== undefined && html`<p class="back"><a href="${home.href}">${aside.link}</a></p>`}
${content}
</main>
</div>
${settings !== undefined && renderDataBlock("settings", settings)}
${script !== "" && html`<script>${trustedHtml(script)}</script>`}
</body>
</html>
`;
  return {
    status,
    headers: [
      ["Content-Type", "text/html; charset=utf-8"],
      ["Cache-Control", "private, max-age=0"],
      ["Content-Security-Policy", await createContentSecurityPolicy(script)],
      ["X-Content-Type-Options", "nosniff"],
      ["Referrer-Policy", "no-referrer"],
      ...headers,
    ],
    body: body.markup,
  };
}

/**
 * Returns a policy that allows the page's script and style by their hashes, and requests to the same origin, but
 * nothing else (CSP Level 3 §6.7.3.3).
 */
async function createContentSecurityPolicy(script: string): Promise<string> {
  const [scriptHash, styleHash] = await Promise.all([hashText(script), hashText(style)]);
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

async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Markup in which all text is escaped. Only `html` and `trustedHtml` create instances. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** A value that can be inserted into an `html` template. Text is escaped; undefined and false produce no output. */
export type Content = string | number | Html | undefined | false | readonly Content[];

/**
 * The template tag that creates markup. Inserted values are escaped so that they are safe in text and in quoted
 * attributes.
 */
export function html(literals: TemplateStringsArray, ...values: readonly Content[]): Html {
  let markup = literals[0] ?? "";
  for (const [index, value] of values.entries()) {
    markup += getMarkup(value) + (literals[index + 1] ?? "");
  }
  return new Html(markup);
}

function getMarkup(content: Content): string {
  if (content === undefined || content === false) {
    return "";
  }
  if (content instanceof Html) {
    return content.markup;
  }
  if (typeof content === "object") {
    return content.map(getMarkup).join("");
  }
  return escapeMarkup(String(content));
}

/** Creates markup without escaping, for constants in this package. */
export function trustedHtml(markup: string): Html {
  return new Html(markup);
}

/** Returns a data block that a script reads as JSON. `<` is escaped, so the value cannot end the block. */
export function renderDataBlock(id: string, value: unknown): Html {
  const text = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return html`<script type="application/json" id="${id}">${trustedHtml(text)}</script>`;
}

/** Escapes text for HTML. Replaces control characters and lone surrogates, which HTML does not allow, with U+FFFD. */
function escapeMarkup(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, "\uFFFD")
    .replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD")
    .replace(/[&<>"']/g, (character) => characterReferences[character] ?? "");
}

const logoPaths =
  '<path d="M10 5a7 7 0 0 0 0 14" fill="none" stroke="#0f8577" stroke-width="3.2" stroke-linecap="round"/>' +
  '<path d="M14 5a7 7 0 0 1 0 14" fill="none" stroke="#e0653a" stroke-width="3.2" stroke-linecap="round"/>' +
  '<circle cx="12" cy="12" r="2.2" fill="#8b8f98"/>';

const logo = trustedHtml(`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">${logoPaths}</svg>`);

const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${logoPaths}</svg>`,
)}`;

const characterReferences: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The content of a page for an unknown address. */
interface NotFoundContent {
  readonly title: string;
  readonly home: { readonly name: string; readonly href: string };
  /** A sentence that names the missing resource. */
  readonly text: Content;
  /** Links to similar addresses. */
  readonly similarLinks: readonly Html[];
  /** A link to the list of all services, routes or operations. */
  readonly allLink: Content;
  readonly links?: Content;
}

/** Answers with status 404 and a page that suggests similar addresses. */
export function renderNotFoundPage({
  title,
  home,
  text,
  similarLinks,
  allLink,
  links,
}: NotFoundContent): Promise<PageAnswer> {
  const suggestionText =
    similarLinks.length > 0 &&
    html`<h2>Did you mean</h2>
<ul class="rows">
${similarLinks.map(
  (link) => html`<li>${link}</li>
`,
)}</ul>`;
  return renderPage({
    status: 404,
    title: `${title} - ${home.name}`,
    home,
    links,
    content: html`<h1>${title}</h1>
<p>${text}</p>
${suggestionText}
<p>${allLink}</p>`,
    script: "",
  });
}

const maxSuggestions = 5;

/**
 * Returns the known names that are similar to an unknown name: the nearest name, then the names that contain the
 * unknown one. If there are none, returns the names with the same beginning.
 */
export function listSuggestions(unknownName: string, knownNames: readonly string[]): readonly string[] {
  const nearestKnownName = findNearestName(unknownName, knownNames);
  const lowerCaseName = unknownName.toLowerCase();
  const namesContaining = knownNames.filter(
    (name) => lowerCaseName.length > 2 && name.toLowerCase().includes(lowerCaseName),
  );
  const start = lowerCaseName.slice(0, Math.max(4, Math.ceil(lowerCaseName.length / 2)));
  const namesBeginning = knownNames.filter((name) => lowerCaseName.length > 3 && name.toLowerCase().startsWith(start));
  const similarNames = new Set([...(nearestKnownName === undefined ? [] : [nearestKnownName]), ...namesContaining]);
  return [...(similarNames.size === 0 ? namesBeginning : similarNames)].slice(0, maxSuggestions);
}

/** The label and the notes of a form field, which surround its control. */
export interface FieldText {
  readonly id: string;
  readonly name: string;
  /** A short description of the field's type: `int`, `in the path`. */
  readonly kind: string;
  readonly isRequired?: boolean;
  readonly note?: Content;
}

/** Returns a form field: a label, a control and a note. */
export function renderLabeledControl(text: FieldText, control: Content, attributes: Content = ""): Html {
  return html`<div class="field" ${attributes}>
<label for="${text.id}">${formatName(text)}</label>
<div class="control">${control}</div>
${formatNote(text)}</div>
`;
}

/** Returns a form field with several controls, such as checkboxes. */
export function renderControlGroup(text: FieldText, controls: Content): Html {
  return html`<fieldset class="field" aria-labelledby="${text.id}-name">
<span class="name" id="${text.id}-name">${formatName(text)}</span>
<div class="control choices" id="${text.id}">${controls}</div>
${formatNote(text)}</fieldset>
`;
}

function formatName({ name, kind, isRequired = false }: FieldText): Html {
  const requiredMark = isRequired && html` <span class="required">required</span>`;
  return html`<span class="name-text">${name}</span> <span class="kind">${kind}</span>${requiredMark}`;
}

function formatNote({ id, note }: FieldText): Content {
  return note !== undefined && note !== "" && html`<p class="note" id="${id}-note">${note}</p>`;
}

interface ChoiceOptions {
  /** The label of an additional first option, whose value is empty. Absent if there is no such option. */
  readonly blankLabel?: string | undefined;
  /** The option that is selected when the page opens. */
  readonly selected?: string | undefined;
  readonly attributes?: Content;
}

/** Returns a `select` element with an option for each value. */
export function renderSelect(
  id: string,
  values: readonly string[],
  { blankLabel: blank, selected, attributes }: ChoiceOptions,
): Html {
  const blankOption = blank !== undefined && html`<option value="">${blank}</option>`;
  const options = values.map((value) => html`<option${value === selected && " selected"}>${value}</option>`);
  return html`<select id="${id}"${attributes}>${blankOption}${options}</select>`;
}

/**
 * Returns the search field for lists that `searchScript` filters. `noun` is a plural name for the list items:
 * `operations`.
 */
export function renderSearchField(noun: string, count: number): Html {
  const label = `Search ${noun}`;
  return html`<div class="search script" role="search"><div class="box">
<input type="search" id="search" data-search="${noun}" aria-label="${label}" placeholder="${label}" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd></div>
<p class="note" id="found" role="status">${count} ${count === 1 ? noun.slice(0, -1) : noun}</p></div>`;
}

/** A tab, and the panel that it shows. */
export interface Tab {
  /**
   * The name of the tab in the fragment of the page's URL. No element has this name as its id, because browsers would
   * scroll to that element.
   */
  readonly name: string;
  /** The id of the element that the tab shows. */
  readonly panel: string;
  readonly label: Content;
}

/** Returns a list of tabs. Without scripts, the list is hidden and all panels are shown. */
export function renderTabList(label: string, tabs: readonly Tab[]): Html {
  const buttons = tabs.map(
    ({ name, panel, label: text }, index) =>
      html`<button type="button" role="tab" id="tab-${name}" data-tab="${name}" aria-controls="${panel}" aria-selected="${index === 0 ? "true" : "false"}"${index > 0 && html` tabindex="-1"`}>${text}</button>`,
  );
  return html`<div class="tabs script" role="tablist" aria-label="${label}">${buttons}</div>`;
}

/**
 * Returns the attributes of a tab's panel. `position` is the index of the tab. Before the script runs, only the first
 * panel is shown.
 */
export function renderPanelAttributes({ name, panel }: Tab, position: number): Html {
  return html`id="${panel}" role="tabpanel" aria-labelledby="tab-${name}"${position > 0 && html` data-later`}`;
}

/**
 * Returns a block with the text of the request that a form sends, and buttons to copy it. The script updates the text
 * while the user types.
 */
export function renderRequestBlock(text: string): Html {
  return html`<div class="code" data-request role="group" aria-label="Request">
<div class="bar"><span>Request</span><span class="actions script"><span class="done" role="status"></span><button type="button" data-copy>Copy</button><button type="button" data-curl>Copy as curl</button></span></div>
<pre tabindex="0" aria-label="Request" data-code="http">${text.trimEnd()}</pre>
</div>`;
}

/** Returns an example of an answer, which the user can expand. */
export function renderExampleBlock(text: string): Html {
  return html`<details class="code"><summary>Example response</summary>
<pre tabindex="0" aria-label="Example response" data-code="http">${text.trimEnd()}</pre>
</details>`;
}

/**
 * Returns a button that sends a request, and a line in which the script shows the status of the request. For a
 * dangerous request, the button is red.
 */
export function renderSendRow(isDangerous = false): Html {
  return html`<div class="send"><button type="submit"${isDangerous && html` class="danger"`}>Send</button>
<p class="status" role="status"></p></div>`;
}

/**
 * Returns the container into which the script writes the answers. The last answer is expanded; earlier ones are
 * collapsed.
 */
export function renderResultsBlock(): Html {
  return html`<div data-results><p class="note script">The response appears here.</p></div>`;
}

/** Returns a form for credentials. The page sends the credentials with each call, and does not store them. */
export function renderAuthorizationForm(): Html {
  const renderInput = (id: string, type: string) =>
    html`<input type="${type}" id="${id}" autocomplete="off" spellcheck="false" autocapitalize="off">`;
  const schemes = html`<select id="scheme"><option value="">None</option><option value="basic">User name and password (Basic)</option><option value="bearer">Token (Bearer)</option></select>`;
  return html`<details class="auth script"><summary>Authorization <span class="quiet" id="authorized">none</span></summary>
<form id="credentials" autocomplete="off">
${renderLabeledControl({ id: "scheme", name: "Scheme", kind: "", note: "Sent with each request of this page, and not stored." }, schemes)}
<div data-scheme="basic" hidden>
${renderLabeledControl({ id: "user", name: "User name", kind: "" }, renderInput("user", "text"))}
${renderLabeledControl({ id: "password", name: "Password", kind: "" }, renderInput("password", "password"))}
</div>
<div data-scheme="bearer" hidden>
${renderLabeledControl({ id: "token", name: "Token", kind: "" }, renderInput("token", "password"))}
</div>
</form>
</details>
`;
}
