import type {
  Endpoint,
  FacetValue,
  Field,
  JsonType,
  Operation,
  TypeDefinition,
  TypeReference,
} from "../model/index.js";
import type { RestPlan, SoapPlan } from "../plan/plan.js";

/** The members of each type, with a text for the type of each. Texts name other types of the shape by their keys. */
export type TypeShapes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The messages of an interface as handlers see them, in words that can be compared and shown. */
export interface InterfaceShape {
  readonly types: TypeShapes;
  /** The members of each operation, by its path in the handlers: `input`, `output`, arguments. */
  readonly operations: TypeShapes;
}

/** The changes of one operation between two shapes: `VehicleData.Colour added (string, optional)`. */
export function shapeChanges(before: InterfaceShape, after: InterfaceShape, operation: string): readonly string[] {
  const [old = {}, current = {}] = [before.operations[operation], after.operations[operation]];
  const oldTypes = reached(before.types, old);
  const types = [...reached(after.types, current)].filter((type) => oldTypes.has(type)).sort();
  return [
    ...memberChanges("", old, current),
    ...types.flatMap((type) => memberChanges(`${type}.`, before.types[type] ?? {}, after.types[type] ?? {})),
  ];
}

function memberChanges(
  prefix: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const [old, current] = [before[key], after[key]];
    if (old === current) {
      return [];
    }
    if (old === undefined) {
      return [`${prefix}${key} added (${current})`];
    }
    return current === undefined ? [`${prefix}${key} removed`] : [`${prefix}${key} is now ${current}, was ${old}`];
  });
}

/** The types that members refer to, directly or through other types. */
function reached(types: TypeShapes, members: Readonly<Record<string, string>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [members];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    for (const text of Object.values(current)) {
      for (const word of text.split(/[^\p{L}\p{N}_$]+/u)) {
        const type = Object.hasOwn(types, word) && !found.has(word) ? types[word] : undefined;
        if (type !== undefined) {
          found.add(word);
          open.push(type);
        }
      }
    }
  }
  return found;
}

/** The shape of a SOAP interface; `paths` has the path of each operation in the handlers. */
export function soapShape(plan: SoapPlan, paths: ReadonlyMap<Operation, string>): InterfaceShape {
  const nameOf = (reference: TypeReference): string =>
    reference.kind === "builtin" ? reference.name : (plan.types.get(reference.id)?.name ?? reference.id);
  return {
    types: Object.fromEntries(
      plan.interface.types.map((type) => [plan.types.get(type.id)?.name ?? type.id, typeMembers(type, nameOf)]),
    ),
    operations: Object.fromEntries([...paths].map(([operation, path]) => [path, operationMembers(operation, nameOf)])),
  };
}

type NameOf = (reference: TypeReference) => string;

function operationMembers({ input, output, faults }: Operation, nameOf: NameOf): Readonly<Record<string, string>> {
  const bodyText = ({ body }: Pick<Operation["input"], "body">): string =>
    body.kind === "parts" ? nameOf({ kind: "named", id: body.record }) : nameOf(body.type);
  const headerText = (id: string | undefined) => (id === undefined ? undefined : nameOf({ kind: "named", id }));
  return present({
    input: bodyText(input),
    "SOAP headers of the input": headerText(input.headers),
    output: output === undefined ? undefined : bodyText(output),
    "SOAP headers of the output": headerText(output?.headers),
    ...Object.fromEntries(faults.map((fault) => [`fault ${fault.name}`, nameOf(fault.type)])),
  });
}

function present(members: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
  );
}

function typeMembers(type: TypeDefinition, nameOf: NameOf): Readonly<Record<string, string>> {
  switch (type.kind) {
    case "record":
      return Object.fromEntries(type.fields.map((field) => [field.key, fieldText(field, nameOf)]));
    case "polymorphic":
      return Object.fromEntries(
        type.alternatives.map(({ tag, type: id }) => [`$type "${tag}"`, nameOf({ kind: "named", id })]),
      );
    case "enumeration":
      return Object.fromEntries([
        ...type.values.map(({ text }) => [JSON.stringify(text), "a value"]),
        ...type.facets.map(facetMember),
      ]);
    case "restriction":
      return Object.fromEntries([["the base type", nameOf(type.base)], ...type.facets.map(facetMember)]);
    case "list":
    case "array":
      return { "an item": nameOf(type.item) };
    case "union":
      return { "a value": type.members.map(nameOf).join(" or ") };
  }
}

function fieldText(field: Field, nameOf: NameOf): string {
  switch (field.kind) {
    case "element":
      return words(nameOf(field.type), [
        field.max !== 1 && "list",
        field.min === 0 && "optional",
        field.nillable && "may be null",
      ]);
    case "attribute":
      return words(nameOf(field.type), [!field.required && "optional"]);
    case "text":
      return nameOf(field.type);
    case "group":
    case "mixed":
      return words(nameOf({ kind: "named", id: field.item }), ["list"]);
    case "any":
    case "anyAttribute":
      return "anything";
  }
}

function facetMember({ facet, value }: FacetValue): [string, string] {
  return [facet, Array.isArray(value) ? value.join(" or ") : String(value)];
}

/** The shape of a REST interface; `paths` has the path of each endpoint in the handlers. */
export function restShape(plan: RestPlan, paths: ReadonlyMap<Endpoint, string>): InterfaceShape {
  const nameOf = (id: string): string => plan.answers.get(id) ?? id;
  return {
    types: Object.fromEntries(plan.interface.answers.map(({ id, type }) => [nameOf(id), jsonMembers(type, nameOf)])),
    operations: Object.fromEntries(
      [...paths].map(([{ route, methods, args, answer }, path]) => [
        path,
        present({
          route,
          methods: methods.join(" "),
          ...Object.fromEntries(
            args.map(({ name, type, required }) => [
              `argument ${name}`,
              words(jsonText(type, nameOf), [!required && "optional"]),
            ]),
          ),
          answer: answer === undefined ? undefined : jsonText(answer, nameOf),
        }),
      ]),
    ),
  };
}

function jsonMembers(type: JsonType, nameOf: (id: string) => string): Readonly<Record<string, string>> {
  if (type.kind !== "object") {
    return { value: jsonText(type, nameOf) };
  }
  return Object.fromEntries(
    type.properties.map(({ name, type: property, required }) => [
      name,
      words(jsonText(property, nameOf), [!required && "optional"]),
    ]),
  );
}

function jsonText(type: JsonType, nameOf: (id: string) => string): string {
  switch (type.kind) {
    case "named":
      return nameOf(type.id);
    case "array":
      return `list of ${jsonText(type.items, nameOf)}`;
    case "union":
      return type.members.map((member) => jsonText(member, nameOf)).join(" or ");
    case "enumeration":
      return type.values.map((value) => JSON.stringify(value)).join(" or ");
    case "object":
      return `{ ${type.properties.map(({ name, type: property, required }) => `${name}${required ? "" : "?"}: ${jsonText(property, nameOf)}`).join(", ")} }`;
    default:
      return type.kind;
  }
}

function words(text: string, others: readonly (string | false)[]): string {
  return [text, ...others.filter((each) => each !== false)].join(", ");
}
