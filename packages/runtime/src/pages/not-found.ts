import { nearestName } from "@bothends/xml";
import { type Content, type Html, html, type PageAnswer, pageAnswer } from "./page.js";

/** Something that a page does not find. */
interface Missing {
  readonly title: string;
  readonly home: { readonly name: string; readonly href: string };
  /** The sentence that says what is missing. */
  readonly text: Content;
  /** Links to what a person may have meant. */
  readonly similar: readonly Html[];
  /** The link to all that exists. */
  readonly all: Content;
  readonly links?: Content;
}

/** A page with the status 404 that suggests similar addresses. */
export function notFoundPage({ title, home, text, similar, all, links }: Missing): Promise<PageAnswer> {
  const meant =
    similar.length > 0 &&
    html`<h2>Did you mean</h2>
<ul class="rows">
${similar.map(
  (link) => html`<li>${link}</li>
`,
)}</ul>`;
  return pageAnswer({
    status: 404,
    title: `${title} - ${home.name}`,
    home,
    links,
    content: html`<h1>${title}</h1>
<p>${text}</p>
${meant}
<p>${all}</p>`,
    script: "",
  });
}

const maxSuggestions = 5;

/** Names similar to an unknown one: the nearest first, then those that contain it; if there are none, those that begin like it. */
export function suggestions(unknown: string, known: readonly string[]): readonly string[] {
  const nearest = nearestName(unknown, known);
  const part = unknown.toLowerCase();
  const containing = known.filter((name) => part.length > 2 && name.toLowerCase().includes(part));
  const start = part.slice(0, Math.max(4, Math.ceil(part.length / 2)));
  const beginning = known.filter((name) => part.length > 3 && name.toLowerCase().startsWith(start));
  const similar = new Set([...(nearest === undefined ? [] : [nearest]), ...containing]);
  return [...(similar.size === 0 ? beginning : similar)].slice(0, maxSuggestions);
}
