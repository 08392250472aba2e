import type { JsonValue } from "../descriptor.js";
import type { HeaderLine, ServerAnswer } from "../server/types.js";
import { type Content, html, pageAnswer } from "./page.js";
import { type BrowsedIndex, type BrowseLinks, type IndexRoute, readIndex } from "./published-index.js";
import { routePage, routeText } from "./route-page.js";
import { filterScript } from "./scripts.js";
import { filter } from "./service-page.js";

const robots: readonly HeaderLine[] = [["X-Robots-Tag", "noindex"]];

/** Answers for people: the namespaces and routes of an index, or one of its routes. `document` is the index as served. */
export function restPageAnswer(
  document: JsonValue,
  { route: wanted, links }: { readonly route: string | undefined; readonly links: BrowseLinks },
): Promise<ServerAnswer> {
  const index = readIndex(document);
  const browsed = { index, links, robots };
  if (wanted === undefined) return overviewPage(browsed);
  const route = index.namespaces.flatMap(({ routes }) => routes).find(({ key }) => key === wanted);
  return route === undefined ? unknownPage(wanted, browsed) : routePage(route, browsed);
}

function overviewPage({ index, links }: BrowsedIndex): Promise<ServerAnswer> {
  const { name, description, namespaces } = index;
  return pageAnswer(
    {
      title: name === "" ? "Routes" : name,
      content: html`<h1>${name === "" ? "Routes" : name}</h1>
${description !== "" && html`<p class="lead">${description}</p>`}
<dl class="facts">
<dt>Index</dt><dd><a href="${links.prefix}">JSON</a></dd>
</dl>
${filter()}
${namespaces.map(
  ({ name: namespace, routes }, position) => html`<section aria-labelledby="namespace-${position}">
<h2 id="namespace-${position}">${namespace === "" ? "The index" : namespace}</h2>
<ul class="list" data-filtered>
${routes.map((route) => routeItem(route, links))}</ul>
</section>
`,
)}`,
      script: filterScript,
    },
    robots,
  );
}

function routeItem(route: IndexRoute, links: BrowseLinks): Content {
  const verbs = route.methods.map((method) => html` <span class="verb">${method}</span>`);
  return html`<li><a class="route" href="${links.routePage(route.key)}">${routeText(route)}</a>${verbs}</li>
`;
}

function unknownPage(key: string, { index, links }: BrowsedIndex): Promise<ServerAnswer> {
  return pageAnswer(
    {
      title: "Route not found",
      trail: [html`<a href="${links.overview}">All routes${index.name !== "" && ` of ${index.name}`}</a>`],
      content: html`<h1>Route not found</h1>
<p>The index has no route <q>${key.slice(0, 400)}</q>.</p>`,
      script: "",
    },
    robots,
  );
}
