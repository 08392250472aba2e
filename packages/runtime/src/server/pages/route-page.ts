import type { JsonObject, PathPiece } from "../../descriptor.js";
import { variablesOf } from "../../rest/route-paths.js";
import type { ServerAnswer } from "../types.js";
import { type ArgField, argField, variableField } from "./arg-field.js";
import type { BrowsedIndex } from "./browsed-index.js";
import { callResult, labelled } from "./call-form.js";
import { type Content, type Html, html } from "./html.js";
import type { IndexEndpoint, IndexRoute } from "./index-document.js";
import { pageAnswer } from "./page.js";
import { restScript } from "./rest-script.js";

/** The page of one route: its endpoints, their arguments, and a form that calls each. */
export function routePage(route: IndexRoute, { index, links, robots }: BrowsedIndex): Promise<ServerAnswer> {
  const endpoints = route.endpoints.map((endpoint, position) => endpointFields(route, endpoint, `e${position}`));
  return pageAnswer(
    {
      title: `${route.key} - ${index.name}`,
      trail: [html`<a href="${links.overview}">All routes${index.name !== "" && ` of ${index.name}`}</a>`],
      content: html`<h1 class="route">${routeText(route)}</h1>
${endpoints.length === 0 && html`<p class="note">The index lists no endpoint for this route.</p>`}
${endpoints.length > 0 && credentials()}
${endpoints.map((fields, position) => endpointSection(route.endpoints[position]?.methods ?? [], fields, position))}`,
      script: restScript,
      facts: {
        prefix: links.prefix,
        joiner: links.joiner,
        endpoints: endpoints.map((fields) => ({ path: route.path, fields: fields.map(({ facts }) => facts) })),
      },
    },
    robots,
  );
}

/** A route's key as people read it: names of variables in braces. */
export function routeText({ path }: IndexRoute): Content {
  return pathText(path);
}

/** What may be left out stands in brackets. */
function pathText(path: readonly PathPiece[]): readonly Content[] {
  return path.map((piece) => {
    if (typeof piece === "string") return piece;
    return "variable" in piece ? html`<var>{${piece.variable}}</var>` : html`[${pathText(piece.optional)}]`;
  });
}

function endpointFields({ path }: IndexRoute, { args }: IndexEndpoint, prefix: string): readonly ArgField[] {
  const variables = variablesOf(path);
  const schemas = new Map<string, JsonObject>(args.map(({ name, schema }) => [name, schema]));
  const inPath = new Set(variables.map(({ variable }) => variable));
  const others = args.filter(({ name }) => !inPath.has(name));
  return [
    ...variables.map((variable, at) => variableField(variable, `${prefix}-p${at}`, schemas.get(variable.variable))),
    ...others.map((arg, at) => argField(arg, `${prefix}-a${at}`)),
  ];
}

/** Asked for once, for all forms of the page; sent with each call and kept nowhere. */
function credentials(): Html {
  const note = "Sent as Basic authentication, for example with an application password. Kept nowhere.";
  const input = (id: string, type: string) =>
    html`<input type="${type}" id="${id}" autocomplete="off" spellcheck="false" autocapitalize="off">`;
  return html`<details><summary>Credentials</summary>
<form id="credentials">
${labelled({ id: "user", name: "User name", kind: "", note }, input("user", "text"))}
${labelled({ id: "password", name: "Password", kind: "" }, input("password", "password"))}
</form>
</details>
`;
}

function endpointSection(methods: readonly string[], fields: readonly ArgField[], position: number): Html {
  const heading = `endpoint-${position}`;
  const writes = methods.some((method) => method !== "GET" && method !== "DELETE");
  return html`<section aria-labelledby="${heading}">
<h2 id="${heading}">${methods.join(", ")}</h2>
<form class="call" id="call-${position}" aria-labelledby="${heading}" autocomplete="off">
${methodField(methods, `m${position}`)}
${fields.map(({ markup }) => markup)}
${writes && fileField(`f${position}`)}
${callResult({ headersOpen: true })}
</form>
</section>
`;
}

function methodField(methods: readonly string[], id: string): Html {
  const [only = "GET", another] = methods;
  if (another === undefined) return html`<input type="hidden" data-method value="${only}">`;
  const options = methods.map((method) => html`<option>${method}</option>`);
  return labelled({ id, name: "Method", kind: "" }, html`<select id="${id}" data-method>${options}</select>`);
}

function fileField(id: string): Html {
  const note = "Sent as the body; the arguments then go into the query.";
  const input = html`<input type="file" id="${id}" data-file aria-describedby="${id}-note">`;
  return html`<details><summary>Upload</summary>
${labelled({ id, name: "File", kind: "", note }, input)}
</details>
`;
}
