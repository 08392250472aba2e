import type { JsonObject, JsonValue, PathPiece } from "../descriptor.js";
import { isObject } from "../rest/php-values.js";
import { type VariableInPath, variablesOf } from "../rest/route-paths.js";
import { callResult, choice, type FieldText, grouped, labelled } from "./forms.js";
import { type Content, type Html, html, type PageAnswer, pageAnswer } from "./page.js";
import {
  type IndexArg,
  type IndexEndpoint,
  type IndexRoute,
  type PublishedIndex,
  textIn,
  textsIn,
} from "./published-index.js";
import { restScript } from "./scripts.js";

/** The page of one route: its endpoints, their arguments, and a form that calls each. */
export function routePage(route: IndexRoute, { index, links }: PublishedIndex): Promise<PageAnswer> {
  const endpoints = route.endpoints.map((endpoint, position) => endpointFields(route, endpoint, `e${position}`));
  return pageAnswer({
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

/** One form for all calls of the page; the credentials are sent with each call and not stored. */
function credentials(): Html {
  const note = "Sent as Basic authentication, for example with an application password. Not stored.";
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
  if (another === undefined) {
    return html`<input type="hidden" data-method value="${only}">`;
  }
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

/** How the text of a field becomes an argument. */
type ArgKind = "text" | "number" | "boolean" | "lines" | "checks" | "json";

/** A field of a form: its markup, and the data for the script. */
interface ArgField {
  readonly markup: Html;
  readonly facts: {
    readonly id: string;
    readonly name: string;
    readonly kind: ArgKind;
    readonly location: "path" | "argument";
    readonly numbers?: boolean;
  };
}

const maxChecks = 24;

/** The field of an argument, by its schema. */
function argField({ name, schema }: IndexArg, id: string): ArgField {
  const kind = kindOf(schema);
  const items = itemsOf(schema);
  const text: FieldText = { id, name, kind: typeText(schema), note: noteOf(schema, kind) };
  return {
    markup: kind === "checks" ? grouped(text, checks(id, valuesOf(items))) : labelled(text, control(schema, kind, id)),
    facts: { id, name, kind, location: "argument", numbers: kind === "lines" && isNumber(items) },
  };
}

/** The field of a variable in the path, with the description of the argument of the same name. */
function variableField(
  { variable, pattern, required }: VariableInPath,
  id: string,
  schema: JsonObject | undefined,
): ArgField {
  const description = schema === undefined ? "" : textIn(schema, "description");
  const note = html`${description !== "" && html`${description} `}In the path: <code>${pattern}</code>`;
  return {
    markup: labelled(
      { id, name: variable, kind: required ? "in the path, required" : "in the path", note },
      html`<input type="text" id="${id}"${required && " required"} spellcheck="false" autocapitalize="off" aria-describedby="${id}-note">`,
    ),
    facts: { id, name: variable, kind: "text", location: "path" },
  };
}

function kindOf(schema: JsonObject): ArgKind {
  const types = typesOf(schema).filter((type) => type !== "null");
  const [type] = types;
  if (types.length > 1) {
    return "json";
  }
  if (type === "array") {
    const items = itemsOf(schema);
    const values = valuesOf(items);
    if (values.length > 0 && values.length <= maxChecks) {
      return "checks";
    }
    return typesOf(items).some((item) => item === "object" || item === "array") ? "json" : "lines";
  }
  if (type === "object") {
    return "json";
  }
  if (type === "boolean") {
    return "boolean";
  }
  return type === "integer" || type === "number" ? "number" : "text";
}

function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  return typeof type === "string" ? [type] : textsIn(type);
}

function itemsOf(schema: JsonObject): JsonObject {
  const { items } = schema;
  return items !== undefined && isObject(items) ? items : {};
}

function valuesOf(schema: JsonObject): readonly string[] {
  const values = schema["enum"];
  return Array.isArray(values)
    ? values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    : [];
}

function isNumber(schema: JsonObject): boolean {
  return typesOf(schema).some((type) => type === "integer" || type === "number");
}

function typeText(schema: JsonObject): string {
  const types = typesOf(schema).join(" or ") || "anything";
  const items = typesOf(itemsOf(schema)).join(" or ");
  const format = textIn(schema, "format");
  const parts = [items === "" ? types : `${types} of ${items}`, format, schema["required"] === true ? "required" : ""];
  return parts.filter((part) => part !== "").join(", ");
}

function noteOf(schema: JsonObject, kind: ArgKind): Content {
  const limits = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"].flatMap((name) => {
    const value = schema[name];
    return value === undefined ? [] : [`${name} ${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
  const defaultValue = schema["default"];
  const values = kind === "lines" ? valuesOf(itemsOf(schema)) : [];
  const parts = [
    textIn(schema, "description"),
    kind === "lines" && "One per line.",
    kind === "json" && "As JSON; other text is sent as text.",
    values.length > 0 && `Of: ${values.join(", ")}.`,
    limits.length > 0 && `${limits.join(", ")}.`,
    defaultValue !== undefined && html`Default: <code>${valueText(defaultValue)}</code>`,
  ].filter((part) => part !== "" && part !== false);
  return parts.length === 0 ? undefined : parts.flatMap((part, index) => (index === 0 ? [part] : [" ", part]));
}

function valueText(value: JsonValue): string {
  return value === "" ? "(empty)" : typeof value === "string" ? value : JSON.stringify(value);
}

function control(schema: JsonObject, kind: ArgKind, id: string): Html {
  const isRequired = schema["required"] === true;
  const attributes = html`${isRequired && " required"}${noteOf(schema, kind) !== undefined && html` aria-describedby="${id}-note"`}`;
  const values = kind === "boolean" ? ["true", "false"] : valuesOf(schema);
  if (values.length > 0) {
    return choice(id, values, { blank: "(not sent)", attributes });
  }
  if (kind === "json" || kind === "lines") {
    return html`<textarea id="${id}" rows="2" spellcheck="false"${attributes}></textarea>`;
  }
  const mode = kind === "number" && html` inputmode="decimal"`;
  return html`<input type="text" id="${id}"${mode} spellcheck="false" autocapitalize="off"${attributes}>`;
}

function checks(id: string, values: readonly string[]): Content {
  return values.map((value) => html`<label><input type="checkbox" value="${value}" data-of="${id}">${value}</label>`);
}
