import type { JsonValue } from "../descriptor.js";
import { listVariables } from "../rest/route-paths.js";
import { searchScript } from "./browser/scripts.js";
import {
  type Content,
  type Html,
  html,
  listSuggestions,
  type PageAnswer,
  type PageHeader,
  renderNotFoundPage,
  renderPage,
  renderSearchField,
} from "./page.js";
import {
  type IndexArg,
  type IndexEndpoint,
  type IndexLinks,
  type IndexRoute,
  type PublishedIndex,
  readIndex,
} from "./published-index.js";
import { listEndpointIds, renderMethodLabel, renderRoutePage, renderRoutePath } from "./route-page.js";

// The overview pages: all services and indexes of a server, and the routes of an index.

/** An entry in the list of a server's services and REST indexes. */
export interface ServedEntry {
  readonly name: string;
  readonly kind: "soap" | "rest";
  /** The path of the page for the service or index. */
  readonly page: string;
  /** The path of the service's WSDL or of the index; undefined if it is not published. */
  readonly document: string | undefined;
}

const kindLabels = { soap: "SOAP", rest: "REST" } as const;
const documentLabels = { soap: "WSDL", rest: "JSON" } as const;

interface SiteRequest {
  /** The path of the request, percent-encoded as received. */
  readonly path: string;
  readonly entries: readonly ServedEntry[];
}

/**
 * Answers the path `/` with a list of the server's services and indexes. Answers all other paths with status 404 and a
 * list of similar paths.
 */
export function renderSitePage({ path, entries }: SiteRequest): Promise<PageAnswer> {
  return path === "/" ? listPage(entries) : renderUnknownPage(path, entries);
}

const home = { name: "Services", href: "/" };

function listPage(entries: readonly ServedEntry[]): Promise<PageAnswer> {
  return renderPage({
    title: home.name,
    home: { ...home, href: "./" },
    content: html`<h1>Services</h1>
<p class="lead">Served at this address.</p>
<ul class="rows by-verb">
${entries.map(renderEntryRow)}</ul>`,
    script: "",
  });
}

/**
 * Returns a row in the list of services. Links are relative, so that they work behind a proxy that changes the path.
 */
function renderEntryRow({ name, kind, page, document }: ServedEntry): Html {
  const link = document !== undefined && html` · <a class="raised" href=".${document}">${documentLabels[kind]}</a>`;
  return html`<li><span class="verb ${kind}">${kindLabels[kind]}</span> <div><a href=".${page}">${name}</a>
<div class="params">${page}${link}</div></div></li>
`;
}

function renderUnknownPage(path: string, entries: readonly ServedEntry[]): Promise<PageAnswer> {
  const knownPages = entries.map(({ page }) => page);
  return renderNotFoundPage({
    title: "Not found",
    home,
    text: html`Nothing is served at <q>${path.slice(0, 400)}</q>.`,
    similarLinks: listSuggestions(path, knownPages).map((page) => html`<a class="route" href="${page}">${page}</a>`),
    allLink: html`<a href="/">All services</a>`,
  });
}

const robots: readonly PageHeader[] = [["X-Robots-Tag", "noindex"]];

/** A request for a page of an index. */
export interface IndexPageRequest {
  /** The server's interface, for which the last documents and pages are cached. */
  readonly owner: object;
  /** The REST index that the server serves, as JSON. Links in it have no effect on the pages. */
  readonly document: string;
  /** The index key of the route whose page is requested; undefined for the list of all routes. */
  readonly route: string | undefined;
  readonly links: IndexLinks;
}

/** Answers with the page of an index, or of one of its routes. */
export async function renderIndexPage({ owner, document, route, links }: IndexPageRequest): Promise<PageAnswer> {
  const cachedIndex = readCachedIndex(owner, document);
  const answer = await (route === undefined
    ? cachedIndex.renderOverview(links)
    : renderPageOfKey(route, { cachedIndex, links }));
  return { ...answer, headers: [...answer.headers, ...robots] };
}

/** The maximum number of documents of an interface, and of pages of a document, that are cached. */
const maxCached = 4;

/** The documents of each interface that were read last, because reading a large one takes 50 ms. */
const cachedIndexes = new WeakMap<object, CachedIndex[]>();

function readCachedIndex(owner: object, document: string): CachedIndex {
  const indexes = cachedIndexes.get(owner) ?? [];
  cachedIndexes.set(owner, indexes);
  const earlier = indexes.find((index) => index.document === document);
  if (earlier !== undefined) {
    return earlier;
  }
  const added = new CachedIndex(document);
  indexes.unshift(added);
  indexes.length = Math.min(indexes.length, maxCached);
  return added;
}

/** An index that has been read, and its last overview pages. */
class CachedIndex {
  readonly document: string;
  readonly index: PublishedIndex["index"];
  readonly routes: ReadonlyMap<string, IndexRoute>;
  /** The overview pages by their links, which depend on the address of the request. */
  readonly #overviews = new Map<string, Promise<PageAnswer>>();

  constructor(document: string) {
    this.document = document;
    this.index = readIndex(JSON.parse(document) as JsonValue);
    this.routes = new Map(this.index.namespaces.flatMap(({ routes }) => routes.map((route) => [route.key, route])));
  }

  renderOverview(links: IndexLinks): Promise<PageAnswer> {
    const key = [links.overview, links.prefix, links.joiner, links.routePage("")].join(" ");
    const page = this.#overviews.get(key) ?? renderOverviewPage({ index: this.index, links });
    if (this.#overviews.size >= maxCached) {
      this.#overviews.clear();
    }
    this.#overviews.set(key, page);
    return page;
  }
}

interface PageOfKey {
  readonly cachedIndex: CachedIndex;
  readonly links: IndexLinks;
}

function renderPageOfKey(requestedKey: string, { cachedIndex, links }: PageOfKey): Promise<PageAnswer> {
  const route = cachedIndex.routes.get(requestedKey);
  const publishedIndex: PublishedIndex = { index: cachedIndex.index, links };
  return route === undefined
    ? renderUnknownRoutePage(requestedKey, publishedIndex)
    : renderRoutePage(route, publishedIndex);
}

function renderOverviewPage({ index, links }: PublishedIndex): Promise<PageAnswer> {
  const { name, description, namespaces } = index;
  const title = name === "" ? "Routes" : name;
  const rows = namespaces.flatMap(({ routes }) => routes.map(({ endpoints }) => Math.max(1, endpoints.length)));
  const count = rows.reduce((sum, rowsOfRoute) => sum + rowsOfRoute, 0);
  return renderPage({
    title,
    home: { name: title, href: links.overview },
    links: html`<a href="${links.prefix}">JSON</a>`,
    content: html`<h1>${title}</h1>
${description !== "" && html`<p class="lead">${description}</p>`}
${namespaces.length >= minLinkedNamespaces && renderNamespaceLinks(namespaces)}
${renderSearchField("operations", count)}
${namespaces.map(
  ({ name: namespace, routes }, position) => html`<section data-group aria-labelledby="namespace-${position}">
<h2 id="namespace-${position}">${namespace === "" ? "Index" : namespace}</h2>
<ul class="rows by-verb" data-items>
${routes.map((route) => renderRouteRows(route, links))}</ul>
</section>
`,
)}`,
    script: searchScript,
  });
}

/** The page of an index links to each namespace if the index has at least this many namespaces. */
const minLinkedNamespaces = 3;

function renderNamespaceLinks(namespaces: PublishedIndex["index"]["namespaces"]): Html {
  return html`<nav class="jump" aria-label="Namespaces">
${namespaces.map(
  ({ name, routes }, position) =>
    html`<a href="#namespace-${position}">${name === "" ? "Index" : name}<span>${routes.length}</span></a>
`,
)}</nav>`;
}

/** Returns the rows of a route, one for each endpoint, with its methods, path and arguments. */
function renderRouteRows(route: IndexRoute, links: IndexLinks): Content {
  const ids = listEndpointIds(route.endpoints);
  if (route.endpoints.length === 0) {
    return createRow(route, { methods: route.methods, args: [] }, links.routePage(route.key));
  }
  return route.endpoints.map((endpoint, position) =>
    createRow(route, endpoint, `${links.routePage(route.key)}#${ids[position]}`),
  );
}

/** The maximum number of arguments to show in a row. */
const maxListedArgs = 12;

function createRow(route: IndexRoute, { methods, args }: IndexEndpoint, href: string): Html {
  const variables = new Set(listVariables(route.path).map(({ variable }) => variable));
  const listedArgs = args
    .filter(({ name }) => !variables.has(name))
    .toSorted((left, right) => Number(isRequired(right)) - Number(isRequired(left)));
  const parameters = listedArgs
    .slice(0, maxListedArgs)
    .map((arg, index) => html`${index > 0 && ", "}${arg.name}${isRequired(arg) && html`<i title="required">*</i>`}`);
  const omittedArgsText = listedArgs.length > maxListedArgs && `, and ${listedArgs.length - maxListedArgs} more`;
  return html`<li><span class="verbs">${methods.map(renderMethodLabel)}</span> <div><a class="route" href="${href}">${renderRoutePath(route)}</a>
<div class="params">${parameters}${omittedArgsText}</div></div></li>
`;
}

function isRequired({ schema }: IndexArg): boolean {
  return schema["required"] === true;
}

function renderUnknownRoutePage(key: string, { index, links }: PublishedIndex): Promise<PageAnswer> {
  const keys = index.namespaces.flatMap(({ routes }) => routes.map((route) => route.key));
  return renderNotFoundPage({
    title: "Route not found",
    home: { name: index.name === "" ? "Routes" : index.name, href: links.overview },
    text: html`The index has no route <q>${key.slice(0, 400)}</q>.`,
    similarLinks: listSuggestions(key, keys).map(
      (similarRoute) => html`<a class="route" href="${links.routePage(similarRoute)}">${similarRoute}</a>`,
    ),
    allLink: html`<a href="${links.overview}">All routes${index.name !== "" && ` of ${index.name}`}</a>`,
  });
}
