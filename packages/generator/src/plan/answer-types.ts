import type { AnswerType, EmbeddedResources, Endpoint, JsonProperty, JsonType, RestInterface } from "../model/index.js";
import type { AnswersPlan, AnswerTypePlan, DeclarationForm, EndpointAnswer } from "./plan-model.js";
import { type Scope, toPascalCase } from "./typescript-names.js";

// In WordPress, the members of an object depend on the context of the answer. If they differ, the object has one type
// for each context: `Post` for the context `view`, `PostForEdit` for `edit`, and `DeletedPost` for the deleted object
// that an answer contains as `previous`.

/** Names the answer types, and determines the type of each endpoint's answer in each context. */
export function planAnswers(rest: RestInterface, scope: Scope): AnswersPlan {
  const names = nameAnswers(rest.answers, scope);
  const uses = listVariantsInUse(rest);
  const objects = new Map<string, PlannedObject>();
  for (const answer of rest.answers) {
    const variants = uses.get(answer.id) ?? [anyContext];
    objects.set(answer.id, planObject({ answer, name: names.get(answer.id) ?? "", variants }, scope));
  }
  const endpoints = new Map<Endpoint, EndpointAnswer>();
  for (const endpoint of rest.endpoints) {
    const answer = planEndpointAnswer(endpoint, objects);
    if (answer !== undefined) {
      endpoints.set(endpoint, answer);
    }
  }
  const inContexts = new Set(
    [...endpoints.values()].flatMap(({ contexts }) => (contexts?.kind === "named" ? [contexts.object] : [])),
  );
  return {
    names,
    embedded: planEmbedded(rest.embedded, objects, scope),
    typeNames: new Map(
      [...objects].flatMap(([id, { types, getTypeId }]) => {
        const typeInAnyContext = types.find((type) => type.id === getTypeId(anyContext)) ?? types[0];
        return [...types.map((type) => [type.id, type.name] as const), [id, typeInAnyContext?.name ?? ""] as const];
      }),
    ),
    objects: new Map(
      [...objects].map(([id, { types, idsByContext: byContext }]) => {
        const contexts = inContexts.has(id)
          ? { name: scope.takeName(`${names.get(id)}Contexts`), byContext }
          : undefined;
        return [id, { types, contexts }] as const;
      }),
    ),
    endpoints,
  };
}

/**
 * Names the answer types after their schemas. If several schemas have the same name, the names of the later types
 * include the namespace.
 */
function nameAnswers(answers: readonly AnswerType[], scope: Scope): ReadonlyMap<string, string> {
  return new Map(
    answers.map(({ id, words, namespace }) => {
      const name = toPascalCase(words);
      return [id, scope.takeName(name, namespace === "" ? `${name}Answer` : toPascalCase(`${namespace} ${words}`))];
    }),
  );
}

/** The members that an object has in one context, in any context, or, after its deletion, in `previous`. */
interface Variant {
  /** The context of the answer: `view`. Undefined for a type that is correct in every context. */
  readonly context: string | undefined;
  readonly isDeleted: boolean;
}

const anyContext: Variant = { context: undefined, isDeleted: false };
const embeddedVariant: Variant = { context: "embed", isDeleted: false };

/** Returns the variants of each object in answers, keyed by the object's id. */
function listVariantsInUse({ endpoints, answers, embedded }: RestInterface): ReadonlyMap<string, readonly Variant[]> {
  const uses = new Map<string, Map<string, Variant>>();
  const addUse = (id: string, variant: Variant): void => {
    const variants = uses.get(id) ?? new Map<string, Variant>();
    uses.set(id, variants.set(`${variant.isDeleted} ${variant.context}`, variant));
  };
  for (const endpoint of endpoints) {
    for (const context of listAnswerContexts(endpoint)) {
      replaceNamed(endpoint.answer ?? { kind: "any" }, (id, isDeleted) => {
        addUse(id, { context, isDeleted: isDeleted && context !== undefined });
        return id;
      });
    }
  }
  for (const { type } of answers) {
    replaceNamed(type, (id) => {
      addUse(id, anyContext);
      return id;
    });
  }
  for (const { type } of embedded?.relations ?? []) {
    replaceNamed(type, (id) => {
      addUse(id, embeddedVariant);
      return id;
    });
  }
  return new Map([...uses].map(([id, variants]) => [id, [...variants.values()]]));
}

/**
 * Returns the contexts that an endpoint's answers can have, the default first. If the default is unknown, the list
 * contains only undefined.
 */
export function listAnswerContexts({ context, args }: Endpoint): readonly (string | undefined)[] {
  const type = args.find(({ name }) => name === "context")?.type;
  const enumeratedContexts =
    type?.kind === "enumeration" ? type.values.filter((value) => typeof value === "string") : [];
  return context === undefined ? [undefined] : [...new Set([context, ...enumeratedContexts])];
}

/** The planned TypeScript types of an object in answers, one for each variant. */
interface PlannedObject {
  readonly types: readonly AnswerTypePlan[];
  /** The id of the object's type in each context, except for deleted objects. */
  readonly idsByContext: ReadonlyMap<string, string>;
  readonly getTypeId: (variant: Variant) => string;
}

interface ObjectParts {
  readonly answer: AnswerType;
  readonly name: string;
  readonly variants: readonly Variant[];
}

function planObject({ answer, name, variants }: ObjectParts, scope: Scope): PlannedObject {
  const types: AnswerTypePlan[] = [];
  const ids = new Map<string, string>();
  const idsByContext = new Map<string, string>();
  for (const variant of [...variants].sort((left, right) => getRank(left) - getRank(right))) {
    const fullType = narrowTypeToVariant(answer.type, variant);
    const key = getKey(fullType);
    const equalType = types.find((type) => getKey(type.fullType) === key);
    const id = equalType?.id ?? `${answer.id} ${getWords(variant)}`;
    if (equalType === undefined) {
      types.push({
        id,
        fullType,
        name: types.length === 0 ? name : scope.takeName(...chooseVariantNames(name, variant)),
        documentation: types.length === 0 ? answer.documentation : `\`${name}\` ${getWords(variant)}.`,
        form: chooseForm(fullType, types),
      });
    }
    ids.set(getWords(variant), id);
    if (variant.context !== undefined && !variant.isDeleted) {
      idsByContext.set(variant.context, id);
    }
  }
  return { types, idsByContext, getTypeId: (variant) => ids.get(getWords(variant)) ?? answer.id };
}

/** Returns the position of a variant in the order of naming: the first variant gets the name of the object. */
function getRank({ context, isDeleted }: Variant): number {
  return isDeleted ? 4 : context === undefined ? 2 : context === "view" ? 0 : context === "edit" ? 1 : 3;
}

function chooseVariantNames(name: string, { context, isDeleted }: Variant): readonly [string, ...string[]] {
  const nameInContext = context === undefined ? `${name}InAnyContext` : `${name}For${toPascalCase(context)}`;
  return isDeleted ? [`Deleted${name}`, `Deleted${nameInContext}`] : [nameInContext];
}

function getWords({ context, isDeleted }: Variant): string {
  const contextText = context === undefined ? "in any context" : `in the context \`${context}\``;
  return isDeleted ? `in \`previous\` after its deletion, ${contextText}` : contextText;
}

/**
 * Returns the type of an object in one context. Omits the members that belong only to other contexts. Members that
 * belong only to some contexts become required.
 */
function narrowTypeToVariant(type: JsonType, variant: Variant): JsonType {
  const { context, isDeleted } = variant;
  switch (type.kind) {
    case "array":
      return { ...type, items: narrowTypeToVariant(type.items, variant) };
    case "union":
      return { ...type, members: type.members.map((member) => narrowTypeToVariant(member, variant)) };
    case "object":
      return context === undefined
        ? type
        : {
            ...type,
            properties: type.properties
              .filter(
                ({ annotations }) =>
                  annotations?.contexts?.includes(context) !== false && !(isDeleted && annotations?.notInPrevious),
              )
              .map((property) => narrowPropertyToVariant(property, variant)),
            ...(type.additional === undefined ? {} : { additional: narrowTypeToVariant(type.additional, variant) }),
          };
    default:
      return type;
  }
}

function narrowPropertyToVariant(property: JsonProperty, variant: Variant): JsonProperty {
  const { contexts, notInPrevious, ...annotations } = property.annotations ?? {};
  return {
    ...property,
    required: property.required || contexts !== undefined || notInPrevious === true,
    type: narrowTypeToVariant(property.type, variant),
    annotations,
  };
}

/** Formats a type, so that two types can be compared. */
function getKey(type: JsonType): string {
  return JSON.stringify(type, (name, value) =>
    name === "documentation" || name === "annotations" ? undefined : value,
  );
}

/**
 * Chooses how a type is declared: if possible, as a base with additional or fewer members, so that no member is
 * repeated; otherwise with all members.
 */
function chooseForm(
  type: JsonType,
  bases: readonly { readonly id: string; readonly fullType: JsonType }[],
): DeclarationForm {
  for (const { id, fullType: baseType } of bases) {
    const members = selectAddedMembers(type, baseType);
    if (members !== undefined) {
      return { kind: "extended", base: id, members };
    }
  }
  for (const { id, fullType: baseType } of bases) {
    const partialType = selectPart(type, baseType);
    if (partialType !== undefined) {
      return { ...partialType, base: id };
    }
  }
  return { kind: "whole", type };
}

type ObjectType = Extract<JsonType, { kind: "object" }>;

/** Returns the members that a type adds to a base; undefined if the type does not extend the base. */
function selectAddedMembers(type: JsonType, base: JsonType): ObjectType | undefined {
  if (type.kind !== "object" || base.kind !== "object" || !haveSameAdditional(type, base)) {
    return undefined;
  }
  const properties = new Map(type.properties.map((property) => [property.name, property]));
  const addedProperties = new Map(properties);
  for (const inheritedProperty of base.properties) {
    const property = properties.get(inheritedProperty.name);
    if (property === undefined || property.required !== inheritedProperty.required) {
      return undefined;
    }
    if (getKey(property.type) === getKey(inheritedProperty.type)) {
      addedProperties.delete(property.name);
      continue;
    }
    const innerMembers = selectAddedMembers(property.type, inheritedProperty.type);
    if (innerMembers === undefined) {
      return undefined;
    }
    addedProperties.set(property.name, { ...property, type: innerMembers, documentation: undefined, annotations: {} });
  }
  return { kind: "object", properties: [...addedProperties.values()] };
}

/**
 * Describes a type as a part of a base, by the members that it has or by those that it lacks, whichever list is
 * shorter. Undefined if the type is not a part of the base.
 */
function selectPart(
  type: JsonType,
  base: JsonType,
): { readonly kind: "only" | "without"; readonly names: readonly string[] } | undefined {
  if (type.kind !== "object" || base.kind !== "object" || !haveSameAdditional(type, base)) {
    return undefined;
  }
  const properties = new Map(base.properties.map((property) => [property.name, property]));
  const isPart = type.properties.every((property) => {
    const baseProperty = properties.get(property.name);
    return baseProperty?.required === property.required && getKey(baseProperty.type) === getKey(property.type);
  });
  // In TypeScript, `Omit` of a type with an index signature loses all named members, so a type with additional members
  // is not described as a part.
  if (!isPart || type.additional !== undefined) {
    return undefined;
  }
  const names = type.properties.map(({ name }) => name);
  const absentNames = base.properties.map(({ name }) => name).filter((name) => !names.includes(name));
  return absentNames.length <= names.length ? { kind: "without", names: absentNames } : { kind: "only", names };
}

function haveSameAdditional(left: ObjectType, right: ObjectType): boolean {
  return JSON.stringify(left.additional) === JSON.stringify(right.additional);
}

function planEmbedded(
  embedded: EmbeddedResources | undefined,
  objects: ReadonlyMap<string, PlannedObject>,
  scope: Scope,
): AnswersPlan["embedded"] {
  return (
    embedded && {
      name: scope.takeName("Embedded", "EmbeddedResources"),
      links: objects.get(embedded.links)?.types[0]?.id ?? embedded.links,
      relations: embedded.relations.map(({ name, type }) => ({
        name,
        type: replaceNamed(type, (id) => objects.get(id)?.getTypeId(embeddedVariant) ?? id),
      })),
    }
  );
}

function planEndpointAnswer(
  endpoint: Endpoint,
  objects: ReadonlyMap<string, PlannedObject>,
): EndpointAnswer | undefined {
  const { answer } = endpoint;
  if (answer === undefined) {
    return undefined;
  }
  const [defaultContext, ...otherContexts] = listAnswerContexts(endpoint);
  const getAnswerInContext = (context: string | undefined): JsonType =>
    replaceNamed(answer, (id, isDeleted) => {
      const variant = { context, isDeleted: isDeleted && context !== undefined };
      return objects.get(id)?.getTypeId(variant) ?? id;
    });
  const type = getAnswerInContext(defaultContext);
  const otherAnswers = otherContexts.map((context) => [context, getAnswerInContext(context)] as const);
  if (defaultContext === undefined || otherAnswers.every(([, other]) => getKey(other) === getKey(type))) {
    return { type };
  }
  const object = answer.kind === "array" ? answer.items : answer;
  return {
    type,
    initialContext: defaultContext,
    contexts:
      object.kind === "named"
        ? { kind: "named", object: object.id, isList: answer.kind === "array" }
        : {
            kind: "each",
            answers: new Map([
              [defaultContext, type],
              ...otherAnswers.map(([context = "", otherType]) => [context, otherType] as const),
            ]),
          },
  };
}

/** Replaces the ids of named types in a type. `isDeleted` is true inside `previous` in the answer to a deletion. */
function replaceNamed(
  type: JsonType,
  replacement: (id: string, isDeleted: boolean) => string,
  isDeleted = false,
): JsonType {
  const replace = (innerType: JsonType, isInDeleted = isDeleted): JsonType =>
    replaceNamed(innerType, replacement, isInDeleted);
  switch (type.kind) {
    case "named":
      return { kind: "named", id: replacement(type.id, isDeleted) };
    case "array":
      return { ...type, items: replace(type.items) };
    case "union":
      return { ...type, members: type.members.map((member) => replace(member)) };
    case "object": {
      const { properties, additional } = type;
      const isDeletion = ["deleted", "previous"].every((name) => properties.some((property) => property.name === name));
      return {
        ...type,
        properties: properties.map((property) => ({
          ...property,
          type: replace(property.type, isDeleted || (isDeletion && property.name === "previous")),
        })),
        ...(additional === undefined ? {} : { additional: replace(additional) }),
      };
    }
    default:
      return type;
  }
}
