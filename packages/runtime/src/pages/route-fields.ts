import type { JsonObject, JsonValue } from "../descriptor.js";
import { isObject } from "../rest/php-values.js";
import { type VariableInPath, variablesOf } from "../rest/route-paths.js";
import { exampleText, typesOf } from "./examples/json-value.js";
import { choice, type FieldText, grouped, labelled } from "./forms.js";
import { type Content, type Html, html } from "./page.js";
import { type IndexArg, type IndexEndpoint, type IndexRoute, textIn } from "./published-index.js";

/** How the text of a field becomes an argument. */
type ArgKind = "text" | "number" | "boolean" | "lines" | "checks" | "json";

/** A field of a form: its markup, and the data for the script. */
export interface ArgField {
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

/** The fields of an endpoint: first the variables of its path, then its other arguments. Their ids begin with `prefix`. */
export function endpointFields({ path }: IndexRoute, { args }: IndexEndpoint, prefix: string): readonly ArgField[] {
  const variables = variablesOf(path);
  const schemas = new Map<string, JsonObject>(args.map(({ name, schema }) => [name, schema]));
  const inPath = new Set(variables.map(({ variable }) => variable));
  const others = args.filter(({ name }) => !inPath.has(name));
  return [
    ...variables.map((variable, at) => variableField(variable, `${prefix}-p${at}`, schemas.get(variable.variable))),
    ...others.map((arg, at) => argField(arg, `${prefix}-a${at}`)),
  ];
}

/** The field of an argument, by its schema. */
function argField({ name, schema }: IndexArg, id: string): ArgField {
  const kind = kindOf(schema);
  const items = itemsOf(schema);
  const isRequired = schema["required"] === true;
  const text: FieldText = { id, name, kind: typeText(schema), isRequired, note: noteOf(schema, kind) };
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
  const example = exampleText({ ...schema, pattern });
  const note = html`${description !== "" && html`${description} `}In the path: <code>${pattern}</code>`;
  return {
    markup: labelled(
      { id, name: variable, kind: "in the path", isRequired: required, note },
      html`<input type="text" id="${id}"${required && " required"} placeholder="${example}" spellcheck="false" autocapitalize="off" aria-describedby="${id}-note">`,
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

/** The type of an argument, in few words. */
export function typeText(schema: JsonObject): string {
  const types = typesOf(schema).join(" or ") || "anything";
  const items = typesOf(itemsOf(schema)).join(" or ");
  const format = textIn(schema, "format");
  const parts = [items === "" ? types : `${types} of ${items}`, format];
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
  const placeholder = exampleText(kind === "lines" ? itemsOf(schema) : schema);
  if (kind === "json" || kind === "lines") {
    return html`<textarea id="${id}" rows="2" placeholder="${placeholder}" spellcheck="false"${attributes}></textarea>`;
  }
  const mode = kind === "number" && html` inputmode="decimal"`;
  return html`<input type="text" id="${id}"${mode} placeholder="${placeholder}" spellcheck="false" autocapitalize="off"${attributes}>`;
}

function checks(id: string, values: readonly string[]): Content {
  return values.map((value) => html`<label><input type="checkbox" value="${value}" data-of="${id}">${value}</label>`);
}
