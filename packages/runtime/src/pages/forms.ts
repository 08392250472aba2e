import { type Content, type Html, html } from "./page.js";

/** The end of every form that calls: its button, and the places for the answer. */
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

/** What is said of one field beside its control. */
export interface FieldText {
  readonly id: string;
  readonly name: string;
  /** Its type and whether it must be there, in few words. */
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

interface ChoiceFacts {
  /** What stands for no value, which is chosen at first; absent: there is none. */
  readonly blank?: string | undefined;
  readonly attributes?: Content;
}

/** A choice of values. */
export function choice(id: string, values: readonly string[], { blank, attributes }: ChoiceFacts): Html {
  const none = blank !== undefined && html`<option value="">${blank}</option>`;
  return html`<select id="${id}"${attributes}>${none}${values.map((value) => html`<option>${value}</option>`)}</select>`;
}
