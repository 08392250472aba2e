import type { PathPiece } from "../descriptor.js";
import { routeScript } from "./browser/index.js";
import {
  authorizationForm,
  labelled,
  panelAttributes,
  requestBlock,
  resultsBlock,
  searchField,
  sendRow,
  type Tab,
  tabList,
} from "./forms.js";
import { type Content, type Html, html, type PageAnswer, pageAnswer } from "./page.js";
import type { IndexEndpoint, IndexRoute, PublishedIndex } from "./published-index.js";
import { type ArgField, endpointFields } from "./route-fields.js";

/** The page of one route: a tab for each endpoint, with its arguments and a form that calls it. */
export function routePage(route: IndexRoute, published: PublishedIndex): Promise<PageAnswer> {
  const { index, links } = published;
  const endpoints = route.endpoints.map((endpoint, position) => endpointFields(route, endpoint, `e${position}`));
  const ids = endpointIds(route.endpoints);
  const tabs = route.endpoints.map(({ methods }, position): Tab => {
    return { name: ids[position] ?? "", panel: `endpoint-${position}`, label: methods.map(verb) };
  });
  return pageAnswer({
    title: `${route.key} - ${index.name}`,
    home: { name: index.name === "" ? "Routes" : index.name, href: links.overview },
    links: html`<a href="${links.prefix}">JSON</a>`,
    aside: routeList(route, published),
    content: html`<h1 class="route">${routeText(route)}</h1>
${endpoints.length === 0 && html`<p class="note">The index lists no endpoint for this route.</p>`}
${endpoints.length > 0 && authorizationForm()}
${endpoints.length > 0 && tabList("Method", tabs)}
${tabs.map((tab, position) => endpointPanel(tab, { route, position, fields: endpoints[position] ?? [] }))}`,
    script: routeScript,
    facts: {
      prefix: links.prefix,
      joiner: links.joiner,
      endpoints: endpoints.map((fields) => ({ path: route.path, fields: fields.map(({ facts }) => facts) })),
    },
  });
}

const knownMethods = ["get", "post", "put", "patch", "delete", "head", "options"];

/** A method as a label; the usual methods have colours. */
export function verb(method: string): Html {
  const name = method.toLowerCase();
  return html`<span class="verb${knownMethods.includes(name) && ` ${name}`}">${method}</span> `;
}

/** The names of endpoints in the hash of an address: `get`, `post`, for a second endpoint with the method `get-2`. */
export function endpointIds(endpoints: readonly IndexEndpoint[]): readonly string[] {
  const counts = new Map<string, number>();
  return endpoints.map(({ methods }, position) => {
    const method = methods[0]?.toLowerCase() ?? "";
    if (!knownMethods.includes(method)) {
      return `method-${position}`;
    }
    const count = (counts.get(method) ?? 0) + 1;
    counts.set(method, count);
    return count === 1 ? method : `${method}-${count}`;
  });
}

/** The path of a route as pages show it: variables in braces, optional parts in brackets. */
export function routeText({ path }: IndexRoute): Content {
  return pathText(path);
}

function pathText(path: readonly PathPiece[]): readonly Content[] {
  return path.map((piece) => {
    if (typeof piece === "string") {
      return piece;
    }
    return "variable" in piece ? html`<var>{${piece.variable}}</var>` : html`[${pathText(piece.optional)}]`;
  });
}

function routeList(current: IndexRoute, { index, links }: PublishedIndex): Html {
  const item = (route: IndexRoute, namespace: string) =>
    html`<li><a class="route" href="${links.routePage(route.key)}"${route.key === current.key && html` aria-current="page"`}>${pathBelow(route, namespace)}</a></li>
`;
  const groups = index.namespaces.map(
    ({ name, routes }) => html`<div data-group><h2>${name === "" ? "Index" : name}</h2><ul data-items>
${routes.map((route) => item(route, name))}</ul></div>`,
  );
  const count = index.namespaces.reduce((sum, { routes }) => sum + routes.length, 0);
  return html`<nav class="aside" aria-label="Routes">
${searchField("routes", count)}
<div class="scroll">${groups}</div>
</nav>`;
}

/** A path without its namespace, which is the heading of the list. */
function pathBelow({ path }: IndexRoute, namespace: string): Content {
  const [first, ...rest] = path;
  const start = `/${namespace}`;
  if (namespace === "" || typeof first !== "string" || !`${first}/`.startsWith(`${start}/`)) {
    return pathText(path);
  }
  const below = first.slice(start.length);
  return pathText([below === "" && rest.length === 0 ? "/" : below, ...rest]);
}

interface DescribedEndpoint {
  readonly route: IndexRoute;
  readonly position: number;
  readonly fields: readonly ArgField[];
}

function endpointPanel(tab: Tab, { route, position, fields }: DescribedEndpoint): Html {
  const methods = route.endpoints[position]?.methods ?? [];
  const writes = methods.some((method) => method !== "GET" && method !== "DELETE");
  return html`<section ${panelAttributes(tab, position)}>
<h2 class="unscripted">${methods.join(", ")}</h2>
<div class="console">
<form class="call" id="call-${position}" aria-label="${methods.join(", ")}" autocomplete="off">
${methodField(methods, `m${position}`)}
${fields.length === 0 ? html`<p class="note">This endpoint has no parameters.</p>` : fields.map(({ markup }) => markup)}
${writes && fileField(`f${position}`)}
${sendRow(methods.every((method) => method === "DELETE"))}
</form>
<div class="right">
${requestBlock(requestLine(methods, route))}
${resultsBlock()}
</div>
</div>
</section>
`;
}

function requestLine([method = "GET"]: readonly string[], { path }: IndexRoute): string {
  const text = (pieces: readonly PathPiece[]): string =>
    pieces
      .map((piece) =>
        typeof piece === "string" ? piece : "variable" in piece ? `{${piece.variable}}` : `[${text(piece.optional)}]`,
      )
      .join("");
  return `${method} ${text(path)}`;
}

function methodField(methods: readonly string[], id: string): Html {
  const [only = "GET", another] = methods;
  if (another === undefined) {
    return html`<input type="hidden" data-method value="${only}">`;
  }
  const options = methods.map((method) => html`<option>${method}</option>`);
  return labelled({ id, name: "Method", kind: "" }, html`<select id="${id}" data-method>${options}</select>`);
}

function fileField(id: string): Html {
  const note = "Sent as the body; the arguments then go into the query.";
  const input = html`<input type="file" id="${id}" data-file aria-describedby="${id}-note">`;
  return html`<details><summary>Upload a file</summary>
${labelled({ id, name: "File", kind: "", note }, input)}
</details>
`;
}
