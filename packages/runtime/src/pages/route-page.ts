import type { JsonObject, JsonValue, PathPiece } from "../descriptor.js";
import { isJsonObject } from "../rest/php-json.js";
import { listVariables, type PathParameter } from "../rest/route-paths.js";
import { routeScript } from "./browser/scripts.js";
import { createExampleText, listTypes } from "./example-values.js";
import {
  type Content,
  type FieldText,
  type Html,
  html,
  type PageAnswer,
  renderAuthorizationForm,
  renderControlGroup,
  renderLabeledControl,
  renderPage,
  renderPanelAttributes,
  renderRequestBlock,
  renderResultsBlock,
  renderSearchField,
  renderSelect,
  renderSendRow,
  renderTabList,
  type Tab,
} from "./page.js";
import {
  getTextIn,
  type IndexArg,
  type IndexEndpoint,
  type IndexRoute,
  type PublishedIndex,
} from "./published-index.js";

/** Returns the page of one route: a tab for each endpoint, with its arguments and a form that calls it. */
export function renderRoutePage(route: IndexRoute, publishedIndex: PublishedIndex): Promise<PageAnswer> {
  const { index, links } = publishedIndex;
  const endpoints = route.endpoints.map((endpoint, position) => createEndpointFields(route, endpoint, `e${position}`));
  const ids = listEndpointIds(route.endpoints);
  const tabs = route.endpoints.map(({ methods }, position): Tab => {
    return { name: ids[position] ?? "", panel: `endpoint-${position}`, label: methods.map(renderMethodLabel) };
  });
  return renderPage({
    title: `${route.key} - ${index.name}`,
    home: { name: index.name === "" ? "Routes" : index.name, href: links.overview },
    links: html`<a href="${links.prefix}">JSON</a>`,
    aside: { list: renderRouteList(route, publishedIndex), link: "All routes" },
    content: html`<h1 class="route">${renderRoutePath(route)}</h1>
${endpoints.length === 0 && html`<p class="note">The index lists no endpoint for this route.</p>`}
${endpoints.length > 0 && renderAuthorizationForm()}
${endpoints.length > 0 && renderTabList("Method", tabs)}
${tabs.map((tab, position) => renderEndpointPanel(tab, { route, position, fields: endpoints[position] ?? [] }))}`,
    script: routeScript,
    settings: {
      prefix: links.prefix,
      joiner: links.joiner,
      endpoints: endpoints.map((fields) => ({ path: route.path, fields: fields.map(({ settings }) => settings) })),
    },
  });
}

const coloredMethods = ["get", "post", "put", "patch", "delete", "head", "options"];

/** Returns a label with an HTTP method. Common methods have colors. */
export function renderMethodLabel(method: string): Html {
  const name = method.toLowerCase();
  return html`<span class="verb${coloredMethods.includes(name) && ` ${name}`}">${method}</span> `;
}

/**
 * Returns the names by which URL fragments refer to endpoints: `get`, `post`; `get-2` for a second endpoint with the
 * same method.
 */
export function listEndpointIds(endpoints: readonly IndexEndpoint[]): readonly string[] {
  const counts = new Map<string, number>();
  return endpoints.map(({ methods }, position) => {
    const method = methods[0]?.toLowerCase() ?? "";
    if (!coloredMethods.includes(method)) {
      return `method-${position}`;
    }
    const count = (counts.get(method) ?? 0) + 1;
    counts.set(method, count);
    return count === 1 ? method : `${method}-${count}`;
  });
}

/** Returns the path of a route for display: variables in braces, optional parts in brackets. */
export function renderRoutePath({ path }: IndexRoute): Content {
  return renderPath(path);
}

function renderPath(path: readonly PathPiece[]): readonly Content[] {
  return path.map((piece) => {
    if (typeof piece === "string") {
      return piece;
    }
    return "variable" in piece ? html`<var>{${piece.variable}}</var>` : html`[${renderPath(piece.optional)}]`;
  });
}

function renderRouteList(currentRoute: IndexRoute, { index, links }: PublishedIndex): Html {
  const listItem = (route: IndexRoute, namespace: string) =>
    html`<li><a class="route" href="${links.routePage(route.key)}"${route.key === currentRoute.key && html` aria-current="page"`}>${getPathInNamespace(route, namespace)}</a></li>
`;
  const groups = index.namespaces.map(
    ({ name, routes }) => html`<div data-group><h2>${name === "" ? "Index" : name}</h2><ul data-items>
${routes.map((route) => listItem(route, name))}</ul></div>`,
  );
  const count = index.namespaces.reduce((sum, { routes }) => sum + routes.length, 0);
  return html`<nav class="aside" aria-label="Routes">
${renderSearchField("routes", count)}
<div class="scroll">${groups}</div>
</nav>`;
}

/**
 * Returns the path of a route without its namespace, because the heading above the route already shows the namespace.
 */
function getPathInNamespace({ path }: IndexRoute, namespace: string): Content {
  const [text, ...furtherPieces] = path;
  const start = `/${namespace}`;
  if (namespace === "" || typeof text !== "string" || !`${text}/`.startsWith(`${start}/`)) {
    return renderPath(path);
  }
  const remainder = text.slice(start.length);
  return renderPath([remainder === "" && furtherPieces.length === 0 ? "/" : remainder, ...furtherPieces]);
}

interface DescribedEndpoint {
  readonly route: IndexRoute;
  readonly position: number;
  readonly fields: readonly ArgField[];
}

function renderEndpointPanel(tab: Tab, { route, position, fields }: DescribedEndpoint): Html {
  const methods = route.endpoints[position]?.methods ?? [];
  const acceptsBody = methods.some((method) => method !== "GET" && method !== "DELETE");
  return html`<section ${renderPanelAttributes(tab, position)}>
<h2 class="unscripted">${methods.join(", ")}</h2>
<div class="console">
<form class="call" id="call-${position}" aria-label="${methods.join(", ")}" autocomplete="off">
${renderMethodField(methods, `m${position}`)}
${fields.length === 0 ? html`<p class="note">This endpoint has no parameters.</p>` : fields.map(({ markup }) => markup)}
${acceptsBody && renderFileField(`f${position}`)}
${renderSendRow(methods.every((method) => method === "DELETE"))}
</form>
<div class="right">
${renderRequestBlock(writeRequestLine(methods, route))}
${renderResultsBlock()}
</div>
</div>
</section>
`;
}

function writeRequestLine([method = "GET"]: readonly string[], { path }: IndexRoute): string {
  const writePathTemplate = (pieces: readonly PathPiece[]): string =>
    pieces
      .map((piece) =>
        typeof piece === "string"
          ? piece
          : "variable" in piece
            ? `{${piece.variable}}`
            : `[${writePathTemplate(piece.optional)}]`,
      )
      .join("");
  return `${method} ${writePathTemplate(path)}`;
}

function renderMethodField(methods: readonly string[], id: string): Html {
  const [method = "GET"] = methods;
  if (methods.length < 2) {
    return html`<input type="hidden" data-method value="${method}">`;
  }
  const options = methods.map((name) => html`<option>${name}</option>`);
  return renderLabeledControl(
    { id, name: "Method", kind: "" },
    html`<select id="${id}" data-method>${options}</select>`,
  );
}

function renderFileField(id: string): Html {
  const note = "The file becomes the body of the request. The arguments are then sent in the query.";
  const input = html`<input type="file" id="${id}" data-file aria-describedby="${id}-note">`;
  return html`<details><summary>Upload a file</summary>
${renderLabeledControl({ id, name: "File", kind: "", note }, input)}
</details>
`;
}

/** The kind of form field. It determines how the script converts the field's text to an argument. */
type ArgKind = "text" | "number" | "boolean" | "lines" | "checks" | "json";

/** The markup of an argument's form field, and the settings with which the script reads the field. */
interface ArgField {
  readonly markup: Html;
  readonly settings: {
    readonly id: string;
    readonly name: string;
    readonly kind: ArgKind;
    readonly location: "path" | "argument";
    readonly numbers?: boolean;
  };
}

/** The maximum number of values that are shown as checkboxes. */
const maxCheckboxes = 24;

/**
 * Returns the form fields of an endpoint: first those for the variables of its path, then those for its other
 * arguments. The ids of the fields begin with `prefix`.
 */
function createEndpointFields({ path }: IndexRoute, { args }: IndexEndpoint, prefix: string): readonly ArgField[] {
  const variables = listVariables(path);
  const schemas = new Map<string, JsonObject>(args.map(({ name, schema }) => [name, schema]));
  const pathVariables = new Set(variables.map(({ variable }) => variable));
  const otherArgs = args.filter(({ name }) => !pathVariables.has(name));
  return [
    ...variables.map((variable, index) =>
      createVariableField(variable, `${prefix}-p${index}`, schemas.get(variable.variable)),
    ),
    ...otherArgs.map((arg, index) => createArgField(arg, `${prefix}-a${index}`)),
  ];
}

/** Returns the form field of an argument, derived from its JSON Schema. */
function createArgField({ name, schema }: IndexArg, id: string): ArgField {
  const kind = getKind(schema);
  const items = getItems(schema);
  const isRequired = schema["required"] === true;
  const text: FieldText = { id, name, kind: describeType(schema), isRequired, note: formatNote(schema, kind) };
  return {
    markup:
      kind === "checks"
        ? renderControlGroup(text, renderCheckboxes(id, listValues(items)))
        : renderLabeledControl(text, renderFormControl(schema, kind, id)),
    settings: { id, name, kind, location: "argument", numbers: kind === "lines" && isNumber(items) },
  };
}

/** Returns the form field of a path variable. The field shows the description of the argument with the same name. */
function createVariableField(
  { variable, pattern, required }: PathParameter,
  id: string,
  schema: JsonObject | undefined,
): ArgField {
  const description = schema === undefined ? "" : getTextIn(schema, "description");
  const example = createExampleText({ ...schema, pattern });
  const note = html`${description !== "" && html`${description} `}In the path: <code>${pattern}</code>`;
  return {
    markup: renderLabeledControl(
      { id, name: variable, kind: "in the path", isRequired: required, note },
      html`<input type="text" id="${id}"${required && " required"} placeholder="${example}" spellcheck="false" autocapitalize="off" aria-describedby="${id}-note">`,
    ),
    settings: { id, name: variable, kind: "text", location: "path" },
  };
}

function getKind(schema: JsonObject): ArgKind {
  const types = listTypes(schema).filter((type) => type !== "null");
  const [type] = types;
  if (types.length > 1) {
    return "json";
  }
  if (type === "array") {
    const items = getItems(schema);
    const values = listValues(items);
    if (values.length > 0 && values.length <= maxCheckboxes) {
      return "checks";
    }
    return listTypes(items).some((item) => item === "object" || item === "array") ? "json" : "lines";
  }
  if (type === "object") {
    return "json";
  }
  if (type === "boolean") {
    return "boolean";
  }
  return type === "integer" || type === "number" ? "number" : "text";
}

function getItems(schema: JsonObject): JsonObject {
  const { items } = schema;
  return items !== undefined && isJsonObject(items) ? items : {};
}

function listValues(schema: JsonObject): readonly string[] {
  const values = schema["enum"];
  return Array.isArray(values)
    ? values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    : [];
}

function isNumber(schema: JsonObject): boolean {
  return listTypes(schema).some((type) => type === "integer" || type === "number");
}

/** Describes the type of an argument: `array of integer`, `string, date-time`. */
function describeType(schema: JsonObject): string {
  const types = listTypes(schema).join(" or ") || "anything";
  const items = listTypes(getItems(schema)).join(" or ");
  const format = getTextIn(schema, "format");
  const parts = [items === "" ? types : `${types} of ${items}`, format];
  return parts.filter((part) => part !== "").join(", ");
}

/** The JSON Schema keywords that limit a value, with their labels. */
const limitLabels = [
  ["minimum", "Minimum"],
  ["maximum", "Maximum"],
  ["minLength", "Minimum length"],
  ["maxLength", "Maximum length"],
  ["minItems", "Minimum number of items"],
  ["maxItems", "Maximum number of items"],
  ["pattern", "Pattern"],
] as const;

function formatNote(schema: JsonObject, kind: ArgKind): Content {
  const limits = limitLabels.flatMap(([name, label]) => {
    const value = schema[name];
    return value === undefined ? [] : [`${label} ${typeof value === "string" ? value : JSON.stringify(value)}.`];
  });
  const defaultValue = schema["default"];
  const values = kind === "lines" ? listValues(getItems(schema)) : [];
  const parts = [
    getTextIn(schema, "description"),
    kind === "lines" && "One per line.",
    kind === "json" && "Enter JSON. Any other text is sent as text.",
    values.length > 0 && `Of: ${values.join(", ")}.`,
    ...limits,
    defaultValue !== undefined && html`Default: <code>${formatValue(defaultValue)}</code>`,
  ].filter((part) => part !== "" && part !== false);
  return parts.length === 0 ? undefined : parts.flatMap((part, index) => (index === 0 ? [part] : [" ", part]));
}

function formatValue(value: JsonValue): string {
  return value === "" ? "(empty)" : typeof value === "string" ? value : JSON.stringify(value);
}

function renderFormControl(schema: JsonObject, kind: ArgKind, id: string): Html {
  const isRequired = schema["required"] === true;
  const attributes = html`${isRequired && " required"}${formatNote(schema, kind) !== undefined && html` aria-describedby="${id}-note"`}`;
  const values = kind === "boolean" ? ["true", "false"] : listValues(schema);
  if (values.length > 0) {
    return renderSelect(id, values, { blankLabel: "(not sent)", attributes });
  }
  const placeholder = createExampleText(kind === "lines" ? getItems(schema) : schema);
  if (kind === "json" || kind === "lines") {
    return html`<textarea id="${id}" rows="2" placeholder="${placeholder}" spellcheck="false"${attributes}></textarea>`;
  }
  const mode = kind === "number" && html` inputmode="decimal"`;
  return html`<input type="text" id="${id}"${mode} placeholder="${placeholder}" spellcheck="false" autocapitalize="off"${attributes}>`;
}

function renderCheckboxes(id: string, values: readonly string[]): Content {
  return values.map((value) => html`<label><input type="checkbox" value="${value}" data-of="${id}">${value}</label>`);
}
