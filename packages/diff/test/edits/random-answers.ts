import type { Random } from "@bothends/dynamic/random";
import { drawSchema, editSchema, isSchema, type Schema } from "./random-arguments.js";

const contexts = [["view"], ["edit"], ["view", "edit"]];

/** A JSON Schema of a member of answers. In contrast to arguments, it may be recursive, constant or open. */
export function drawAnswer(random: Random): Schema {
  return withKeywords(drawSchema(random), random);
}

/** Adds keywords that only schemas of answers have to some parts of a schema. */
function withKeywords(schema: Schema, random: Random): Schema {
  const { properties, items } = schema;
  if (isSchema(items)) {
    return { ...schema, items: withKeywords(items, random) };
  }
  if (!isSchema(properties)) {
    return schema;
  }
  const members = Object.entries(properties).map(([name, each]) => {
    const context = random.drawBoolean(30) ? { context: random.pick(contexts) ?? [] } : {};
    return [name, isSchema(each) ? { ...withKeywords(each, random), ...context } : each] as const;
  });
  const { additionalProperties: _, ...open } = schema;
  const additional = random.drawBoolean(30)
    ? { additionalProperties: { type: random.pick(["integer", "string"]) ?? "string" } }
    : {};
  return { ...open, properties: Object.fromEntries(members), ...additional };
}

/** Changes one part of a schema of answers, which may be nested. */
export function editAnswer(schema: Schema, random: Random): Schema {
  const { type, properties, items, additionalProperties, const: constant } = schema;
  if (random.drawBoolean(55)) {
    return editSchema(schema, random);
  }
  if (isSchema(items) && random.drawBoolean(70)) {
    return { ...schema, items: editAnswer(items, random) };
  }
  if (isSchema(properties)) {
    const name = random.pick(Object.keys(properties)) ?? "";
    const property = properties[name];
    if (isSchema(property) && random.drawBoolean(60)) {
      const { context, ...rest } = property;
      const edited =
        context === undefined || random.drawBoolean(50) ? { ...property, context: random.pick(contexts) ?? [] } : rest;
      const other = random.drawBoolean(50) ? edited : editAnswer(property, random);
      return { ...schema, properties: { ...properties, [name]: other } };
    }
    const { additionalProperties: _, ...open } = schema;
    return isSchema(additionalProperties) && random.drawBoolean(40)
      ? open
      : { ...schema, additionalProperties: { type: random.pick(["integer", "string", "boolean"]) ?? "string" } };
  }
  if (typeof type === "string" && type !== "array") {
    const { const: _, enum: __, ...free } = schema;
    const values = { string: "red", integer: 7, number: 7.5, boolean: true }[type];
    return constant === undefined && values !== undefined && random.drawBoolean(50)
      ? { ...free, const: values }
      : { ...free, type: [type, "null"] };
  }
  return editSchema(schema, random);
}
