import type { Random } from "@bothends/dynamic/random";
import type { JsonValue } from "@bothends/runtime";
import { isSchema, type Schema } from "./random-arguments.js";

export const words = ["view", "embed", "edit"];

function drawContexts(random: Random): readonly string[] | undefined {
  const contexts = words.filter(() => random.drawBoolean(60));
  return contexts.length === 0 || random.drawBoolean(15) ? undefined : contexts;
}

function withContexts({ context: _, ...schema }: Schema, contexts: readonly string[] | undefined): Schema {
  return contexts === undefined ? schema : { ...schema, context: contexts };
}

/** Draws the schema of an object whose members are in several contexts. */
export function drawObject(random: Random): Schema {
  const names = ["a", "b", "c"].slice(0, 2 + random.drawIntegerBelow(2));
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(names.map((name) => [name, drawProperty(random, 2)])),
      // In every schema of WordPress, some property is in all contexts.
      slug: { type: "string", context: words },
    },
  };
}

function drawProperty(random: Random, depth: number): Schema {
  const schema: Schema =
    depth > 0 && random.drawBoolean(40)
      ? { type: "object", properties: { x: drawProperty(random, depth - 1), y: drawProperty(random, depth - 1) } }
      : depth > 0 && random.drawBoolean(20)
        ? { type: "array", items: { type: "object", properties: { x: drawProperty(random, depth - 1) } } }
        : { type: random.pick(["string", "integer"]) ?? "string" };
  return withContexts(schema, drawContexts(random));
}

/** Changes the contexts of one property, which may be nested. */
export function editContexts(schema: Schema, random: Random): Schema {
  const { properties, items } = schema;
  if (isSchema(items)) {
    return { ...schema, items: editContexts(items, random) };
  }
  const [name = "", property] = isSchema(properties)
    ? (random.pick(Object.entries(properties).filter(([key]) => key !== "slug")) ?? [])
    : [];
  if (!isSchema(property) || !isSchema(properties)) {
    return schema;
  }
  const isDeeper = (isSchema(property["properties"]) || isSchema(property["items"])) && random.drawBoolean(60);
  const edited = isDeeper ? editContexts(property, random) : withContexts(property, drawContexts(random));
  return { ...schema, properties: { ...properties, [name]: edited } };
}

/** Adds a property to the object or to a nested one. */
export function addProperty(schema: Schema, random: Random): Schema {
  const { properties, items } = schema;
  if (isSchema(items)) {
    return { ...schema, items: addProperty(items, random) };
  }
  const entries = Object.entries(isSchema(properties) ? properties : {});
  const isObject = (property: JsonValue | undefined) =>
    isSchema(property) && (isSchema(property["properties"]) || isSchema(property["items"]));
  const [name, property] = random.pick(entries.filter(([, each]) => isObject(each))) ?? [];
  const added =
    name !== undefined && isSchema(property) && random.drawBoolean(50)
      ? { [name]: addProperty(property, random) }
      : { added: drawProperty(random, 1) };
  return { ...schema, properties: { ...Object.fromEntries(entries), ...added } };
}

/** The members that a server sends in a context, by their paths. */
export function listSent({ properties, items }: Schema, context: string): readonly string[] {
  if (isSchema(items)) {
    return listSent(items, context);
  }
  return Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, property]): readonly string[] => {
    const contexts: JsonValue | undefined = isSchema(property) ? property["context"] : undefined;
    const isSent = isSchema(property) && (!Array.isArray(contexts) || contexts.includes(context));
    return isSent ? [name, ...listSent(property, context).map((path) => `${name}.${path}`)] : [];
  });
}

/** The answer that a server sends in a context, in which each array has one item, without the member at a path. */
export function createAnswer(
  { properties, items, type }: Schema,
  context: string | undefined,
  omittedPath?: string,
): JsonValue {
  if (isSchema(items)) {
    return [createAnswer(items, context, omittedPath)];
  }
  if (!isSchema(properties)) {
    return type === "integer" ? 1 : "text";
  }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const contexts: JsonValue | undefined = isSchema(property) ? property["context"] : undefined;
      const isSent =
        isSchema(property) && (context === undefined || !Array.isArray(contexts) || contexts.includes(context));
      const omitted = omittedPath?.startsWith(`${name}.`) === true ? omittedPath.slice(name.length + 1) : undefined;
      return isSent && name !== omittedPath ? [[name, createAnswer(property, context, omitted)]] : [];
    }),
  );
}
