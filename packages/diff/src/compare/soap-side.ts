import { builtinDatatypes } from "@bothends/datatypes/definitions";
import {
  type Body,
  type Field,
  findBodyType,
  type MaxOccurs,
  type Operation,
  type Particle,
  type Plan,
  type RecordType,
  type Service,
  type SoapInterface,
  type TypeDefinition,
  type TypeId,
  type TypeReference,
  type WireName,
} from "@bothends/generator";
import { listKeys } from "./types/content-language.js";
import { ContentModel, findEmptiableItems } from "./types/content-model.js";

type SoapInterfacePlan = Extract<Plan["interfaces"][number], { readonly kind: "soap" }>;

/** The old or the new version of a SOAP interface, with its types by id. */
export interface SoapSide {
  readonly interface: SoapInterface;
  readonly types: ReadonlyMap<TypeId, TypeDefinition>;
  readonly plan: SoapInterfacePlan | undefined;
  /** The method name of each operation in generated code; empty if there is no plan. */
  readonly methods: ReadonlyMap<Operation, string>;
  /** The types that only one message of an operation has: wrappers of rpc style, and anonymous types of elements. */
  readonly messageTypes: ReadonlySet<TypeId>;
  /** The types of the bodies of requests. Their members are the arguments of calls. */
  readonly inputTypes: ReadonlySet<TypeId>;
  /** The types whose only member code receives as the result of a call, and that nothing else has. */
  readonly resultTypes: ReadonlySet<TypeId>;
  /** The result types of operations whose HTTP answers may be nil: handlers may return null for any protocol. */
  readonly nillableResultTypes: ReadonlySet<TypeId>;
  /** The elements of all declared faults, written as `{urn:s}Broken`. */
  readonly faultElements: ReadonlySet<string>;
  /** Whether and how often the items of each repeated group may occur, keyed by the type ids of the items. */
  readonly groupItems: ReadonlyMap<TypeId, GroupItem>;
  /** The types of those items of repeated groups that may have no elements. */
  readonly emptiableItems: ReadonlySet<TypeId>;
}

/** Whether and how often the items of a repeated group may occur. */
export interface GroupItem {
  /** Whether messages are valid without the group wherever it is used. */
  readonly isOptional: boolean;
  /** Whether the items are those of mixed content. */
  readonly isMixed: boolean;
  /** How often the items may occur; undefined if several groups with different bounds have the same items. */
  readonly bounds: { readonly min: number; readonly max: MaxOccurs } | undefined;
}

/**
 * Creates the tables of one version of a SOAP interface. Without a plan, methods and types have no TypeScript names.
 */
export function createSoapSide(soap: SoapInterface, plan: Plan | undefined): SoapSide {
  const candidate = plan?.interfaces.find(
    (interfacePlan) => interfacePlan.kind === "soap" && interfacePlan.interface === soap,
  );
  const soapPlan = candidate?.kind === "soap" ? candidate : undefined;
  const operations = soapPlan?.services.flatMap((service) => service.operations) ?? [];
  const messageTypes = listMessageTypes(soap);
  const emptiableItems = findEmptiableItems(soap.types);
  const resultTypes = listResultTypes(soap);
  return {
    interface: soap,
    types: listTypes(soap),
    plan: soapPlan,
    methods: new Map(operations.map(({ operation, method }) => [operation, method])),
    messageTypes,
    inputTypes: new Set(
      soap.services.flatMap((service) => service.operations.flatMap(({ input }) => findBodyType(input.body) ?? [])),
    ),
    resultTypes,
    nillableResultTypes: listNillableResultTypes(soap, resultTypes),
    faultElements: new Set(
      soap.services.flatMap((service) => service.operations.flatMap(({ faults }) => faults.map(formatElement))),
    ),
    groupItems: listGroupItems(soap, emptiableItems),
    emptiableItems,
  };
}

/**
 * Returns the types by id. Items of mixed content have an optional choice, because readers accept mixed content without
 * any element, and an item has at most one member.
 */
function listTypes({ types }: SoapInterface): ReadonlyMap<TypeId, TypeDefinition> {
  const mixedItems = new Set(
    types.flatMap((type) =>
      type.kind === "record" ? type.fields.flatMap((field) => (field.kind === "mixed" ? field.item : [])) : [],
    ),
  );
  return new Map(
    types.map((type) => {
      if (type.kind !== "record" || !mixedItems.has(type.id)) {
        return [type.id, type];
      }
      const particles = type.fields.map(({ key }): Particle => ({ kind: "field", key }));
      return [type.id, { ...type, content: [{ kind: "choice", particles, optional: true }] }];
    }),
  );
}

function listMessageTypes({ services, types }: SoapInterface): ReadonlySet<TypeId> {
  const bodies = services.flatMap(({ operations }) =>
    operations.flatMap(({ input, output }) => [input.body, ...(output === undefined ? [] : [output.body])]),
  );
  const bodyTypes = new Set(
    bodies.flatMap((body) => (body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : [])),
  );
  return new Set(types.flatMap(({ id, name }) => (name === undefined && bodyTypes.has(id) ? [id] : [])));
}

/** Returns the types of which code receives only the result of a call: nothing else has these types. */
function listResultTypes({ services, types }: SoapInterface): ReadonlySet<TypeId> {
  const operations = services.flatMap((service) => service.operations);
  const outputs = operations.flatMap(({ output }) => output ?? []);
  const listIn = (bodies: readonly Body[]) => bodies.flatMap((body) => findBodyType(body) ?? []);
  const isResult = ({ result }: (typeof outputs)[number]) => result.kind === "member";
  const details = operations.flatMap(({ faults }) => faults.map(({ type }) => type));
  const members = types.flatMap((type) =>
    type.kind === "record" ? type.fields.flatMap((field) => ("type" in field ? field.type : [])) : [],
  );
  const baseTypes = types.flatMap((type) => (type.kind === "record" ? (type.base ?? []) : []));
  const otherTypes = new Set([
    ...baseTypes,
    ...listIn(
      [...operations.map(({ input }) => input), ...outputs.filter((output) => !isResult(output))].map(
        ({ body }) => body,
      ),
    ),
    ...[...details, ...members].flatMap((type) => (type.kind === "named" ? type.id : [])),
  ]);
  const resultTypes = listIn(outputs.filter(isResult).map(({ body }) => body));
  return new Set(resultTypes.filter((id) => !otherTypes.has(id)));
}

function listNillableResultTypes({ services }: SoapInterface, resultTypes: ReadonlySet<TypeId>): ReadonlySet<TypeId> {
  const mayBeNil = ({ http }: Operation) => http?.answer.kind === "xml" && http.answer.nillable;
  const operations = services.flatMap((service) => service.operations);
  const neverNil = new Set(
    operations
      .filter((operation) => !mayBeNil(operation))
      .flatMap(({ output }) => (output === undefined ? [] : (findBodyType(output.body) ?? []))),
  );
  return new Set([...resultTypes].filter((id) => !neverNil.has(id)));
}

/** A use of a repeated group, or of mixed content, as a member of a record. */
interface GroupUse {
  readonly field: Extract<Field, { readonly item: TypeId }>;
  readonly owner: RecordType;
}

/** Returns, for each repeated group, how often its items may occur. */
function listGroupItems({ types }: SoapInterface, emptiableItems: ReadonlySet<TypeId>): ReadonlyMap<TypeId, GroupItem> {
  const uses = new Map<TypeId, GroupUse[]>();
  for (const owner of types) {
    for (const field of owner.kind === "record" ? owner.fields : []) {
      if (owner.kind === "record" && (field.kind === "group" || field.kind === "mixed")) {
        uses.set(field.item, [...(uses.get(field.item) ?? []), { field, owner }]);
      }
    }
  }
  const isOptional = (item: TypeId, outerItems: readonly TypeId[] = []): boolean =>
    (uses.get(item) ?? []).every(({ field, owner }) => {
      const model = new ContentModel(owner, { emptiableItems });
      // If the group is the only member of the items of another group, these items are absent without it.
      const isWholeItem = () =>
        uses.has(owner.id) &&
        !outerItems.includes(owner.id) &&
        model.isAlone(field.key, listKeys(model.root)) &&
        isOptional(owner.id, [...outerItems, owner.id]);
      return field.kind === "mixed" || model.acceptsAbsence([field.key]) || isWholeItem();
    });
  return new Map(
    [...uses].map(([item, usesOfItem]): readonly [TypeId, GroupItem] => {
      const [bounds, ...otherBounds] = usesOfItem.map(({ field }) =>
        field.kind === "mixed" ? undefined : { min: field.min, max: field.max },
      );
      return [
        item,
        {
          isOptional: isOptional(item),
          isMixed: usesOfItem.every(({ field }) => field.kind === "mixed"),
          bounds: otherBounds.every((other) => JSON.stringify(other) === JSON.stringify(bounds)) ? bounds : undefined,
        },
      ];
    }),
  );
}

/** Whether a record is an item of mixed content. */
export function isMixedItem({ groupItems }: SoapSide, { id }: RecordType): boolean {
  return groupItems.get(id)?.isMixed === true;
}

/** Returns the definition of a type; undefined for a built-in type. */
export function getDefinition(side: SoapSide, type: TypeReference): TypeDefinition | undefined {
  return type.kind === "named" ? side.types.get(type.id) : undefined;
}

/** How generated code represents the values of a simple type. */
export interface Representation {
  /** The kind of JavaScript values, such as `bigint`, or the name and the module of a type that `typeMap` names. */
  readonly text: string;
  /** The name of the descriptor in the runtime's `xs`; undefined for a type of a module. */
  readonly descriptor: string | undefined;
}

/**
 * Returns the representation of a built-in type, or of a named type that `typeMap` maps. Returns undefined for other
 * types, which have the representation of their base type, and for lists.
 */
export function findRepresentation({ plan }: SoapSide, type: TypeReference): Representation | undefined {
  const typePlan = type.kind === "named" ? plan?.types.get(type.id) : undefined;
  const builtinPlan = type.kind === "named" ? typePlan?.represented : plan?.builtins.get(type.name);
  const mapping = typePlan?.mapping ?? builtinPlan?.mapping;
  if (mapping !== undefined) {
    const { type: name, module } = mapping;
    return { text: `${name} of ${"package" in module ? module.package : module.file}`, descriptor: undefined };
  }
  const defaultValue =
    type.kind === "named" ? undefined : builtinDatatypes.find(({ name }) => name === type.name)?.value;
  const value = builtinPlan?.value ?? defaultValue;
  return value === undefined || value === "strings"
    ? undefined
    : { text: value === "lexical" ? "string" : value, descriptor: builtinPlan?.descriptor };
}

/** Whether all simple types that both versions have are represented in the same way. */
export function hasSameRepresentations(oldSide: SoapSide, newSide: SoapSide): boolean {
  const builtins = builtinDatatypes.map(({ name }) => ({ kind: "builtin", name }) as const);
  const types = [...oldSide.types.keys()].map((id) => ({ kind: "named", id }) as const);
  return [...builtins, ...types.filter(({ id }) => newSide.types.has(id))].every(
    (type) => findRepresentation(oldSide, type)?.text === findRepresentation(newSide, type)?.text,
  );
}

/**
 * Formats the name of a service for reports. Adds the name of its member in the client and in the handlers if the two
 * names differ: `orders (shop in code)`.
 */
export function formatServiceName({ plan }: SoapSide, service: Service): string {
  const member = plan?.services.find((servicePlan) => servicePlan.service === service)?.member;
  const simplify = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  return plan?.hasFacade !== true || member === undefined || simplify(member) === simplify(service.name)
    ? service.name
    : `${service.name} (${member} in code)`;
}

/** Formats the element name of a fault or a body for reports: `{urn:s}Broken`. */
export function formatElement({ element }: { readonly element: WireName }): string {
  return `{${element.namespace}}${element.local}`;
}
