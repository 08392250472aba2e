import type { ResponseConfig, RestInterfaceConfig } from "../../model/config.js";
import { type JsonNode, stringOf } from "../../source/json.js";
import { checkOptionName } from "./client-options.js";
import { type InterfaceParts, named, namedMap } from "./interface-parts.js";
import { readPath } from "./paths.js";
import type { ConfigText, Shape } from "./shape.js";

export const restNames = ["index", "base", "wireNames", "routes", "names", "responses"];

type Base = RestInterfaceConfig["base"];

/** A REST interface: its index, and what that cannot say. */
export function readRestInterface(
  shape: Shape,
  { name, folder, span, members }: InterfaceParts,
): RestInterfaceConfig | undefined {
  const at = (key: string) => members.get(key)?.value;
  const index = shape.text(at("index"), '"index"');
  const path = index === undefined ? undefined : readPath(shape, index, folder);
  const base = readBase(shape, at("base"));
  const wireNames = shape.object(at("wireNames"), '"wireNames"', ["segments"]);
  const rest: Omit<RestInterfaceConfig, "index"> = {
    kind: "rest",
    name,
    span,
    base,
    wireNames: { segments: named(shape.texts(wireNames.get("segments")?.value, '"segments"')) },
    routes: at("routes") === undefined ? undefined : named(shape.texts(at("routes"), '"routes"')),
    names: namedMap(shape.textMap(at("names"), '"names"')),
    responses: readResponses(shape, at("responses"), folder),
  };
  return index === undefined || path === undefined ? undefined : { ...rest, index: { path, span: index.span } };
}

/** `schemas/block.json`, or a place in a file: `schemas/objects.json#/$defs/block`. */
function readResponses(shape: Shape, node: JsonNode | undefined, folder: string): readonly ResponseConfig[] {
  return [...shape.textMap(node, '"responses"')].flatMap(([key, { text, span, keySpan }]) => {
    const [file = "", ...fragment] = text.split("#");
    const path = readPath(shape, { text: file, span }, folder);
    return path === undefined ? [] : [{ key, keySpan, span, path, pointer: fragment.join("#") }];
  });
}

function readBase(shape: Shape, node: JsonNode | undefined): Base {
  if (stringOf(node) !== undefined) {
    return { path: checkedPath(shape, shape.text(node, '"base"'), new Map()), values: new Map(), language: undefined };
  }
  const members = shape.object(node, '"base"', ["path", "values", "language"]);
  const values = new Map<string, readonly ConfigText[]>();
  for (const [variable, { nameSpan, value }] of shape.map(members.get("values")?.value, '"values"')) {
    checkOptionName(shape, variable, { of: "rest", span: nameSpan });
    values.set(variable, shape.texts(value, `the values of "${variable}"`));
  }
  const path = checkedPath(shape, shape.text(members.get("path")?.value, '"path"'), values);
  checkValues(shape, { path, values, node: members.get("values")?.value });
  return {
    path,
    values: new Map([...values].map(([variable, texts]) => [variable, texts.map(({ text }) => text)])),
    language: readLanguage(shape, members.get("language")?.value, values),
  };
}

function checkedPath(shape: Shape, path: ConfigText | undefined, values: ReadonlyMap<string, unknown>): string {
  if (path === undefined) {
    return "/wp-json";
  }
  if (!/^(?:\/(?:\{[A-Za-z_]\w*\}|[\w.~-]+))+$/.test(path.text) || /\/\.{1,2}(?:\/|$)/.test(path.text)) {
    const message = `The base "${path.text}" is not a path such as "/wp-json" or "/{lang}/api".`;
    shape.diagnostics.error("CFG012", path.span, { message });
    return "/wp-json";
  }
  for (const variable of variablesOf(path.text)) {
    if (!values.has(variable)) {
      shape.diagnostics.error("CFG012", path.span, {
        message: `The variable {${variable}} of the base has no values.`,
      });
    }
  }
  return path.text;
}

function checkValues(
  shape: Shape,
  base: {
    readonly path: string;
    readonly values: ReadonlyMap<string, readonly ConfigText[]>;
    readonly node: JsonNode | undefined;
  },
): void {
  const variables = variablesOf(base.path);
  for (const [variable, texts] of base.values) {
    if (!variables.includes(variable) && base.node !== undefined) {
      shape.diagnostics.error("CFG012", base.node.span, { message: `The base has no variable {${variable}}.` });
    }
    if (texts.length === 0 && base.node !== undefined) {
      shape.diagnostics.error("CFG012", base.node.span, {
        message: `The variable {${variable}} needs at least one value.`,
      });
    }
    for (const { text, span } of texts) {
      if (!/^[\w.~-]+$/.test(text) || /^\.{1,2}$/.test(text)) {
        shape.diagnostics.error("CFG012", span, { message: `"${text}" cannot be a step of a path.` });
      }
    }
  }
}

function variablesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function readLanguage(
  shape: Shape,
  node: JsonNode | undefined,
  values: ReadonlyMap<string, unknown>,
): Base["language"] {
  if (node === undefined) {
    return undefined;
  }
  const members = shape.object(node, '"language"', ["variable", "argument"]);
  const variable = shape.text(members.get("variable")?.value, '"variable"');
  if (variable !== undefined && !values.has(variable.text)) {
    shape.diagnostics.error("CFG012", variable.span, { message: `The base has no variable {${variable.text}}.` });
  }
  return { variable: variable?.text, argument: shape.text(members.get("argument")?.value, '"argument"')?.text };
}
