import { type Html, html, notFoundPage, type PageAnswer, pageAnswer, suggestions } from "./page.js";

/** A service or an index for the page that lists what a server serves. */
export interface ServedEntry {
  readonly name: string;
  readonly kind: "soap" | "rest";
  /** The path of the service's page, or of the index's. */
  readonly page: string;
  /** The path of the WSDL, or of the index. */
  readonly document: string | undefined;
}

const kinds = { soap: "SOAP", rest: "REST" } as const;
const documents = { soap: "WSDL", rest: "JSON" } as const;

interface SiteRequest {
  /** As received, percent-encoded. */
  readonly path: string;
  readonly entries: readonly ServedEntry[];
}

/** Answers `/` with a list of all that a server serves, and other addresses with suggestions and the status 404. */
export function sitePage({ path, entries }: SiteRequest): Promise<PageAnswer> {
  return path === "/" ? listPage(entries) : unknownPage(path, entries);
}

const home = { name: "Services", href: "/" };

function listPage(entries: readonly ServedEntry[]): Promise<PageAnswer> {
  return pageAnswer({
    title: home.name,
    home: { ...home, href: "./" },
    content: html`<h1>Services</h1>
<p class="lead">Served at this address.</p>
<ul class="rows by-verb">
${entries.map(entryRow)}</ul>`,
    script: "",
  });
}

/** Relative to the page at `/`, so that it works behind a proxy that changes the path. */
function entryRow({ name, kind, page, document }: ServedEntry): Html {
  const link = document !== undefined && html` · <a class="raised" href=".${document}">${documents[kind]}</a>`;
  return html`<li><span class="verb ${kind}">${kinds[kind]}</span> <div><a href=".${page}">${name}</a>
<div class="params">${page}${link}</div></div></li>
`;
}

function unknownPage(path: string, entries: readonly ServedEntry[]): Promise<PageAnswer> {
  const known = entries.map(({ page }) => page);
  return notFoundPage({
    title: "Not found",
    home,
    text: html`Nothing is served at <q>${path.slice(0, 400)}</q>.`,
    similar: suggestions(path, known).map((page) => html`<a class="route" href="${page}">${page}</a>`),
    all: html`<a href="/">All services</a>`,
  });
}
