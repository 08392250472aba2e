import { type Content, type Html, html } from "./page.js";

/** The texts of a field. */
export interface FieldText {
  readonly id: string;
  readonly name: string;
  /** Its type, in few words. */
  readonly kind: string;
  readonly isRequired?: boolean;
  readonly note?: Content;
}

/** A labelled control. */
export function labelled(text: FieldText, control: Content, attributes: Content = ""): Html {
  return html`<div class="field" ${attributes}>
<label for="${text.id}">${nameOf(text)}</label>
<div class="control">${control}</div>
${noteOf(text)}</div>
`;
}

/** A labelled group of controls. */
export function grouped(text: FieldText, controls: Content): Html {
  return html`<fieldset class="field" aria-labelledby="${text.id}-name">
<span class="name" id="${text.id}-name">${nameOf(text)}</span>
<div class="control choices" id="${text.id}">${controls}</div>
${noteOf(text)}</fieldset>
`;
}

function nameOf({ name, kind, isRequired = false }: FieldText): Html {
  const required = isRequired && html` <span class="required">required</span>`;
  return html`<span class="name-text">${name}</span> <span class="kind">${kind}</span>${required}`;
}

function noteOf({ id, note }: FieldText): Content {
  return note !== undefined && note !== "" && html`<p class="note" id="${id}-note">${note}</p>`;
}

interface ChoiceOptions {
  /** The text of the initial option without a value; absent if there is no such option. */
  readonly blank?: string | undefined;
  /** The value that is selected at first. */
  readonly selected?: string | undefined;
  readonly attributes?: Content;
}

/** A selection of values. */
export function choice(id: string, values: readonly string[], { blank, selected, attributes }: ChoiceOptions): Html {
  const blankOption = blank !== undefined && html`<option value="">${blank}</option>`;
  const options = values.map((value) => html`<option${value === selected && " selected"}>${value}</option>`);
  return html`<select id="${id}"${attributes}>${blankOption}${options}</select>`;
}

/** The field of `searchScript` that filters lists of `things`, such as operations. */
export function searchField(things: string, count: number): Html {
  const label = `Search ${things}`;
  return html`<div class="search script" role="search"><div class="box">
<input type="search" id="search" data-search="${things}" aria-label="${label}" placeholder="${label}" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd></div>
<p class="note" id="found" role="status">${count} ${count === 1 ? things.slice(0, -1) : things}</p></div>`;
}

/** A tab and the id of the element that it shows. */
export interface Tab {
  /** Its name in the hash of the page's address. No element has it as its id, because browsers would scroll there. */
  readonly name: string;
  readonly panel: string;
  readonly label: Content;
}

/** The tabs of `tabsScript`. Without scripts, all their panels are shown. */
export function tabList(label: string, tabs: readonly Tab[]): Html {
  const buttons = tabs.map(
    ({ name, panel, label: text }, index) =>
      html`<button type="button" role="tab" id="tab-${name}" data-tab="${name}" aria-controls="${panel}" aria-selected="${index === 0 ? "true" : "false"}"${index > 0 && html` tabindex="-1"`}>${text}</button>`,
  );
  return html`<div class="tabs script" role="tablist" aria-label="${label}">${buttons}</div>`;
}

/** The attributes of the panel at a position: until the script runs, only the first is shown where there are scripts. */
export function panelAttributes({ name, panel }: Tab, position: number): Html {
  return html`id="${panel}" role="tabpanel" aria-labelledby="tab-${name}"${position > 0 && html` data-later`}`;
}

/** The request that a form sends, with buttons that copy it. The script keeps it up to date. */
export function requestBlock(text: string): Html {
  return html`<div class="code" data-request role="group" aria-label="Request">
<div class="bar"><span>Request</span><span class="actions script"><span class="done" role="status"></span><button type="button" data-copy>Copy</button><button type="button" data-curl>Copy as curl</button></span></div>
<pre tabindex="0" aria-label="Request" data-code="http">${text.trimEnd()}</pre>
</div>`;
}

/** An example of an answer, collapsed. */
export function exampleBlock(text: string): Html {
  return html`<details class="code"><summary>Example response</summary>
<pre tabindex="0" aria-label="Example response" data-code="http">${text.trimEnd()}</pre>
</details>`;
}

/** The button that sends a request, and what became of it. */
export function sendRow(danger = false): Html {
  return html`<div class="send"><button type="submit"${danger && html` class="danger"`}>Send</button>
<p class="status" role="status"></p></div>`;
}

/** The place of the answers; the last is open, earlier ones are collapsed. */
export function resultsBlock(): Html {
  return html`<div data-results><p class="note script">The response appears here.</p></div>`;
}

/** The credentials for all calls of the page: they are sent with each call and not stored. */
export function authorizationForm(): Html {
  const input = (id: string, type: string) =>
    html`<input type="${type}" id="${id}" autocomplete="off" spellcheck="false" autocapitalize="off">`;
  const schemes = html`<select id="scheme"><option value="">None</option><option value="basic">User name and password (Basic)</option><option value="bearer">Token (Bearer)</option></select>`;
  return html`<details class="auth script"><summary>Authorization <span class="quiet" id="authorized">none</span></summary>
<form id="credentials" autocomplete="off">
${labelled({ id: "scheme", name: "Scheme", kind: "", note: "Sent with each request of this page, and not stored." }, schemes)}
<div data-scheme="basic" hidden>
${labelled({ id: "user", name: "User name", kind: "" }, input("user", "text"))}
${labelled({ id: "password", name: "Password", kind: "" }, input("password", "password"))}
</div>
<div data-scheme="bearer" hidden>
${labelled({ id: "token", name: "Token", kind: "" }, input("token", "password"))}
</div>
</form>
</details>
`;
}
