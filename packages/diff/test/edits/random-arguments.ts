import type { Random } from "@bothends/dynamic/random";
import { createValueReader } from "@bothends/generator";
import type { JsonValue } from "@bothends/runtime";

/** A JSON Schema of an argument or of an answer's member. */
export type Schema = { readonly [keyword: string]: JsonValue };

const words = ["red", "blue", "7", "true"];
const formats = ["date-time", "email", "ip", "uri"];

function drawScalar(random: Random): Schema {
  switch (random.drawIntegerBelow(7)) {
    case 0:
      return { type: "boolean" };
    case 1:
      return { type: "string", enum: words.slice(random.drawIntegerBelow(2), 2 + random.drawIntegerBelow(3)) };
    case 2:
      return { type: "string", ...drawBounds(random, ["minLength", "maxLength"]) };
    case 3:
      return random.drawBoolean(50) ? { type: "string" } : { type: "string", format: random.pick(formats) ?? "ip" };
    case 4:
      return { type: "number", ...drawBounds(random, ["minimum", "maximum"]) };
    default:
      return { type: "integer", ...drawBounds(random, ["minimum", "maximum"]) };
  }
}

/** Bounds, each of which may be absent. */
function drawBounds(random: Random, [least, greatest]: readonly [string, string]): Schema {
  const from = random.drawIntegerBelow(4);
  return {
    ...(random.drawBoolean(45) ? { [least]: from } : {}),
    ...(random.drawBoolean(45) ? { [greatest]: from + 1 + random.drawIntegerBelow(4) } : {}),
  };
}

export function drawSchema(random: Random, depth = 2): Schema {
  const kind = depth === 0 ? 9 : random.drawIntegerBelow(10);
  if (kind < 2) {
    const bounds = drawBounds(random, ["minItems", "maxItems"]);
    const unique = random.drawBoolean(15) ? { uniqueItems: true } : {};
    return { type: "array", items: drawSchema(random, depth - 1), ...bounds, ...unique };
  }
  if (kind < 4) {
    const closed = random.drawBoolean(30) ? { additionalProperties: false } : {};
    const names = ["first", "other"].slice(0, 1 + random.drawIntegerBelow(2));
    const properties = Object.fromEntries(names.map((name) => [name, drawProperty(random, depth - 1)]));
    return { type: "object", properties, ...closed };
  }
  if (kind === 4) {
    const list = Array.from({ length: 2 + random.drawIntegerBelow(2) }, () => drawMember(random, depth - 1));
    return { [random.drawBoolean(60) ? "anyOf" : "oneOf"]: list };
  }
  if (kind === 5) {
    const types = ["string", "integer", "boolean", "null"];
    const first = random.drawIntegerBelow(3);
    return { type: [types[first] ?? "", types[first + 1] ?? ""] };
  }
  return drawScalar(random);
}

/** A union that contains lists of unions, with a least number of items. */
export function drawNestedUnion(random: Random): Schema {
  const drawList = (items: Schema): Schema => ({ type: "array", items, minItems: random.drawIntegerBelow(3) });
  const inner = random.drawBoolean(70) ? drawList(drawScalar(random)) : drawMember(random, 1);
  const list = drawList({ anyOf: [inner, drawScalar(random)] });
  return { anyOf: [list, random.drawBoolean(60) ? drawList(drawScalar(random)) : drawScalar(random)] };
}

function drawProperty(random: Random, depth: number): Schema {
  return { ...drawSchema(random, depth), ...(random.drawBoolean(35) ? { required: true } : {}) };
}

/** A schema that is not a union, because a union of unions is one union. */
function drawMember(random: Random, depth: number): Schema {
  const schema = drawSchema(random, depth);
  return isUnion(schema) ? drawScalar(random) : schema;
}

function isUnion({ anyOf, oneOf, type }: Schema): boolean {
  return anyOf !== undefined || oneOf !== undefined || Array.isArray(type);
}

export function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Changes one part of a schema, which may be nested. */
export function editSchema(schema: Schema, random: Random): Schema {
  const { items, anyOf, oneOf, properties } = schema;
  const isDeeper = random.drawBoolean(45);
  if (isDeeper && isSchema(items)) {
    return { ...schema, items: editSchema(items, random) };
  }
  if (isDeeper && isSchema(properties)) {
    const name = random.pick(Object.keys(properties)) ?? "";
    const property = properties[name];
    return isSchema(property)
      ? { ...schema, properties: { ...properties, [name]: editSchema(property, random) } }
      : schema;
  }
  for (const [keyword, list] of Object.entries({ anyOf, oneOf })) {
    if (Array.isArray(list)) {
      const members = list.filter(isSchema);
      const index = random.drawIntegerBelow(members.length);
      const edited = members.map((each, at) => (at === index ? editSchema(each, random) : each));
      const shorter = members.filter((_, at) => at !== index);
      const longer = [...members, drawMember(random, 1)];
      return isDeeper
        ? { ...schema, [keyword]: edited }
        : shorter.length > 1 || random.drawBoolean(40)
          ? { ...schema, [keyword]: random.drawBoolean(50) && shorter.length > 1 ? shorter : longer }
          : withPresence(schema, shorter[0] ?? {});
    }
  }
  return random.drawBoolean(35) ? withOtherType(schema, random) : editKeywords(schema, random);
}

function withPresence({ required }: Schema, other: Schema): Schema {
  return { ...other, ...(required === undefined ? {} : { required }) };
}

function withOtherType(schema: Schema, random: Random): Schema {
  const { type } = schema;
  if (Array.isArray(type)) {
    return random.drawBoolean(50) ? { ...schema, type: type[0] ?? "" } : { ...schema, type: [...type, "number"] };
  }
  if (typeof type === "string" && random.drawBoolean(35)) {
    const { enum: values, ...rest } = schema;
    return {
      ...rest,
      type: random.drawBoolean(60) ? [type, "null"] : [type, type === "string" ? "integer" : "string"],
    };
  }
  return withPresence(
    schema,
    random.drawBoolean(30) ? { type: "array", items: withPresence({}, schema) } : drawSchema(random, 1),
  );
}

const boundKeywords: Readonly<Record<string, readonly [string, string]>> = {
  string: ["minLength", "maxLength"],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"],
};

function editKeywords(schema: Schema, random: Random): Schema {
  const { type, enum: values, properties } = schema;
  if (Array.isArray(values)) {
    const replaced = ["green", "9"];
    return {
      ...schema,
      enum: random.pick([[...values, "green"], values.slice(1), replaced].filter((each) => each.length > 0)) ?? values,
    };
  }
  if (isSchema(properties) && random.drawBoolean(75)) {
    const { first = {}, ...rest } = properties;
    const toggled = isSchema(first) ? { ...first, required: first["required"] !== true } : first;
    const { additionalProperties, ...open } = schema;
    return (
      random.pick<Schema>([
        { ...schema, properties: { ...properties, added: drawProperty(random, 0) } },
        { ...schema, properties: Object.keys(rest).length > 0 ? rest : { ...rest, last: first } },
        { ...schema, properties: { ...properties, first: toggled } },
        additionalProperties === undefined ? { ...schema, additionalProperties: false } : open,
      ]) ?? schema
    );
  }
  const bounds = boundKeywords[String(type)];
  if (bounds === undefined) {
    return withOtherType(schema, random);
  }
  const [least, greatest] = bounds;
  if (type === "string" && random.drawBoolean(25)) {
    return { ...schema, format: random.pick(formats) ?? "ip" };
  }
  if (type === "array" && random.drawBoolean(20)) {
    return { ...schema, uniqueItems: schema["uniqueItems"] !== true };
  }
  const { [least]: from = 0, [greatest]: to = 6, ...rest } = schema;
  return (
    random.pick<Schema>([
      { ...schema, [least]: Number(from) + 1 },
      { ...schema, [greatest]: Number(to) + 1 },
      { ...rest, [least]: Number(to) + 1 },
      { ...rest, [least]: Number(to) + 1, [greatest]: Number(to) + 3 },
      { ...rest, [greatest]: Math.max(Number(from) - 1, 0) },
      rest,
    ]) ?? schema
  );
}

/** Values that clients of a schema send. The values are also at the limits of other schemas. */
export function listValuesOf(schema: Schema, limits: readonly number[]): readonly JsonValue[] {
  const { enum: values, anyOf, oneOf, type } = schema;
  if (Array.isArray(values)) {
    return values;
  }
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) {
    return alternatives.filter(isSchema).flatMap((each) => listValuesOf(each, limits));
  }
  const types = Array.isArray(type) ? type : [type ?? "string"];
  return [...types].sort().flatMap((each) => valuesOfType(String(each), schema, limits));
}

/** Further values of nested unions: lists whose items the alternatives read differently, and values at limits. */
export function listNestedValues(schema: Schema, limits: readonly number[]): readonly JsonValue[] {
  const items = [
    ...["", "0", "red", "blue", "7", "a,b", "blue,blue", "7,7"],
    ...limits.flatMap((limit) => [`${limit},${limit}`, `${"a".repeat(limit)},${"a".repeat(limit)}`]),
  ];
  const values = [
    ...[1234.5, ...limits.flatMap((limit) => [limit - 0.5, limit + 0.5])],
    ...items,
    ...items.flatMap((first) => items.map((second) => [first, second])),
    ...items.flatMap((item) => limits.map((limit) => Array.from({ length: limit + 1 }, () => item))),
  ];
  return values.filter((value) => hasType(value, schema));
}

/** Whether the TypeScript type of a schema allows a value. */
function hasType(value: JsonValue, { enum: values, anyOf, oneOf, type, items = {} }: Schema): boolean {
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(values) || Array.isArray(alternatives)) {
    return Array.isArray(values)
      ? values.includes(value)
      : [alternatives].flat().some((each) => isSchema(each) && hasType(value, each));
  }
  return [type].flat().some((each) => {
    switch (each) {
      case "array":
        return Array.isArray(value) && value.every((item) => isSchema(items) && hasType(item, items));
      case "integer":
        return Number.isInteger(value);
      case "object":
        return isSchema(value);
      default:
        return typeof value === each;
    }
  });
}

const lists = ["a,b", "1,2", "1,2,3", ...words.map((word) => `${word},${word}`)];
const texts = ["", "red", "green", "two words", ...lists, "7", "7.5", "true", "false", "1", "9"];
const formatted = ["2026-01-31T10:20:30", "ann@site.example", "127.0.0.1", "https://site.example/"];

function valuesOfType(type: string, schema: Schema, limits: readonly number[]): readonly JsonValue[] {
  const numbers = [...new Set([-3, 0, 1, 7, 123, ...limits.flatMap((limit) => [limit - 1, limit, limit + 1])])];
  switch (type) {
    case "string":
      return [
        ...new Set([
          ...texts,
          ...formatted,
          ...words,
          ...numbers.filter((each) => each > 0 && each < 30).flatMap((each) => ["a".repeat(each), String(each)]),
        ]),
      ];
    case "integer":
      return numbers;
    case "number":
      return [...numbers, 7.5, 0.5];
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    case "array":
      return listsOf(schema, numbers, limits);
    default:
      return objectsOf(schema, limits);
  }
}

function listsOf(schema: Schema, numbers: readonly number[], limits: readonly number[]): readonly JsonValue[] {
  const { items = {}, minItems } = schema;
  const members = listParts(isSchema(items) ? items : {}, limits);
  const lengths = numbers.filter((each) => each > 1 && each < 12);
  return [
    [],
    ...members.map((each) => [each]),
    ...lengths.flatMap((length) => [
      Array.from({ length }, (_, index) => members[index % members.length] ?? null),
      Array.from({ length }, (_, index) => members[(index + 5) % members.length] ?? null),
      Array.from({ length }, (_, index) => members[(index * 2) % members.length] ?? null),
      // In the shortest lists, each item is in a list without other items.
      ...members.slice(0, length === minItems ? undefined : 25).map((each) => Array.from({ length }, () => each)),
    ]),
  ];
}

function objectsOf(schema: Schema, limits: readonly number[]): readonly JsonValue[] {
  const properties = Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {});
  const valuesByName = properties.map(([name, each]) => {
    return {
      name,
      values: listParts(isSchema(each) ? each : {}, limits),
      required: isSchema(each) && each["required"] === true,
    };
  });
  const longest = Math.max(1, ...valuesByName.map(({ values }) => values.length));
  const full = Array.from({ length: longest * 2 }, (_, index) =>
    Object.fromEntries(
      valuesByName.map(({ name, values }, at) => [
        name,
        values[(index + at * (index >= longest ? 3 : 0)) % values.length] ?? null,
      ]),
    ),
  );
  const without = valuesByName
    .filter(({ required }) => !required)
    .flatMap(({ name }) => full.map(({ [name]: _, ...rest }) => rest));
  const least = full.map((each) =>
    Object.fromEntries(
      Object.entries(each).filter(([name]) => valuesByName.some((other) => other.name === name && other.required)),
    ),
  );
  const many = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];
  const { additionalProperties } = schema;
  const moreValues = isSchema(additionalProperties)
    ? listParts(additionalProperties, limits).slice(0, 3)
    : ["extra", 5, true];
  const more =
    additionalProperties === false
      ? []
      : full.slice(0, 30).flatMap((each) =>
          many.map((_, count) => ({
            ...each,
            ...Object.fromEntries(
              many.slice(0, count + 1).map((name) => [name, moreValues[count % moreValues.length] ?? null]),
            ),
          })),
        );
  return [...full, ...without, ...least, ...more];
}

/** Whether every part of a value is sent: it has all optional and additional properties, and no empty list. */
export function isFull(schema: Schema, value: JsonValue): boolean {
  const { items, properties, additionalProperties } = schema;
  if (Array.isArray(value)) {
    return value.length > 0 && (!isSchema(items) || value.every((each) => isFull(items, each)));
  }
  if (isSchema(value) && isSchema(properties)) {
    if (isSchema(additionalProperties) && Object.keys(value).every((name) => name in properties)) {
      return false;
    }
    return Object.entries(properties).every(([name, each]) => {
      const member = value[name];
      return member !== undefined && isSchema(each) && isFull(each, member);
    });
  }
  return value !== null;
}

/** The numbers in the keywords of a schema, at every depth. */
export function listLimits(value: JsonValue): readonly number[] {
  if (typeof value === "number") {
    return [value];
  }
  const members = Array.isArray(value) ? value : isSchema(value) ? Object.values(value) : [];
  return members.flatMap(listLimits);
}

/** Lists values of an item or a property: those that its schema accepts, and some others. */
function listParts(schema: Schema, limits: readonly number[]): readonly JsonValue[] {
  const read = createValueReader("value", schema);
  const { anyOf } = schema;
  const alternatives = Array.isArray(anyOf) ? anyOf.filter(isSchema).map((each) => listValuesOf(each, limits)) : [];
  // Takes the values of alternatives in turn, because only the first ones are used.
  const length = Math.max(0, ...alternatives.map((values) => values.length));
  const values = Array.isArray(anyOf)
    ? Array.from({ length }, (_, index) => alternatives.flatMap((each) => each.slice(index, index + 1))).flat()
    : listValuesOf(schema, limits);
  const isValid = (value: JsonValue) => value === null || !("problem" in read(value));
  return [
    ...values.filter(isValid).slice(0, 40),
    ...values.filter((value) => !isValid(value)).filter((_, index) => index % 5 === 0),
  ];
}
