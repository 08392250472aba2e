import type { JsonValue } from "../descriptor.js";
import { filterField } from "./forms.js";
import { type Content, html, type PageAnswer, type PageHeader, pageAnswer } from "./page.js";
import { type IndexLinks, type IndexRoute, type PublishedIndex, readIndex } from "./published-index.js";
import { routePage, routeText } from "./route-page.js";
import { filterScript } from "./scripts.js";

const robots: readonly PageHeader[] = [["X-Robots-Tag", "noindex"]];

/** A request for a page of an index. */
export interface IndexPageRequest {
  /** The served index. */
  readonly document: JsonValue;
  /** The key of the route whose page is requested; undefined for the list of all routes. */
  readonly route: string | undefined;
  readonly links: IndexLinks;
}

/** Answers with the page of an index, or of one of its routes. */
export async function indexPage({ document, route: key, links }: IndexPageRequest): Promise<PageAnswer> {
  const index = readIndex(document);
  const published = { index, links };
  const answer = await (key === undefined ? overviewPage(published) : keyPage(key, published));
  return { ...answer, headers: [...answer.headers, ...robots] };
}

function keyPage(requested: string, published: PublishedIndex): Promise<PageAnswer> {
  const routes = published.index.namespaces.flatMap((namespace) => namespace.routes);
  const route = routes.find(({ key }) => key === requested);
  return route === undefined ? unknownPage(requested, published) : routePage(route, published);
}

function overviewPage({ index, links }: PublishedIndex): Promise<PageAnswer> {
  const { name, description, namespaces } = index;
  return pageAnswer({
    title: name === "" ? "Routes" : name,
    content: html`<h1>${name === "" ? "Routes" : name}</h1>
${description !== "" && html`<p class="lead">${description}</p>`}
<dl class="facts">
<dt>Index</dt><dd><a href="${links.prefix}">JSON</a></dd>
</dl>
${filterField()}
${namespaces.map(
  ({ name: namespace, routes }, position) => html`<section aria-labelledby="namespace-${position}">
<h2 id="namespace-${position}">${namespace === "" ? "The index" : namespace}</h2>
<ul class="list" data-filtered>
${routes.map((route) => routeItem(route, links))}</ul>
</section>
`,
)}`,
    script: filterScript,
  });
}

function routeItem(route: IndexRoute, links: IndexLinks): Content {
  const verbs = route.methods.map((method) => html` <span class="verb">${method}</span>`);
  return html`<li><a class="route" href="${links.routePage(route.key)}">${routeText(route)}</a>${verbs}</li>
`;
}

function unknownPage(key: string, { index, links }: PublishedIndex): Promise<PageAnswer> {
  return pageAnswer({
    title: "Route not found",
    trail: [html`<a href="${links.overview}">All routes${index.name !== "" && ` of ${index.name}`}</a>`],
    content: html`<h1>Route not found</h1>
<p>The index has no route <q>${key.slice(0, 400)}</q>.</p>`,
    script: "",
  });
}
