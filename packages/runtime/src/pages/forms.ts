import { type Content, type Html, html } from "./page.js";

/** The end of a form that calls: the button and the elements for the answer. */
export function callResult({ headersOpen }: { readonly headersOpen: boolean }): Html {
  return html`<button type="submit">Call</button>
<p class="status" role="status"></p>
<div data-result hidden>
<details><summary>Request</summary><pre data-sent></pre></details>
<details${headersOpen && " open"}><summary>Headers of the answer</summary><pre data-headers></pre></details>
<h4 class="quiet">Answer</h4>
<pre data-body></pre>
</div>`;
}

/** The text of a field. */
export interface FieldText {
  readonly id: string;
  readonly name: string;
  /** Its type and whether it is required, in few words. */
  readonly kind: string;
  readonly note?: Content;
}

/** A labelled control. */
export function labelled({ id, name, kind, note }: FieldText, control: Content, attributes: Content = ""): Html {
  return html`<div class="field" ${attributes}>
<label for="${id}">${name} <span class="kind">${kind}</span></label>
<div>${control}${noteOf(id, note)}</div>
</div>
`;
}

/** A labelled group of controls. */
export function grouped({ id, name, kind, note }: FieldText, controls: Content): Html {
  return html`<fieldset class="field" aria-labelledby="${id}-name">
<span class="name" id="${id}-name">${name} <span class="kind">${kind}</span></span>
<div><div class="choices" id="${id}">${controls}</div>${noteOf(id, note)}</div>
</fieldset>
`;
}

function noteOf(id: string, note: Content): Content {
  return note !== undefined && note !== "" && html`<p class="note" id="${id}-note">${note}</p>`;
}

interface ChoiceOptions {
  /** The text of the initial option without a value; absent if there is no such option. */
  readonly blank?: string | undefined;
  readonly attributes?: Content;
}

/** A selection of values. */
export function choice(id: string, values: readonly string[], { blank, attributes }: ChoiceOptions): Html {
  const blankOption = blank !== undefined && html`<option value="">${blank}</option>`;
  return html`<select id="${id}"${attributes}>${blankOption}${values.map((value) => html`<option>${value}</option>`)}</select>`;
}

/** The search field of `filterScript`. */
export function filterField(): Html {
  return html`<div class="field"><label for="filter">Filter by words</label>
<div><input type="search" id="filter" data-filter spellcheck="false"> <p class="note" id="found" role="status"></p></div></div>`;
}
