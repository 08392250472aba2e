import type { ContractDiff, Move, RuleId } from "@bothends/diff";
import { findBodyType, listOperationPaths } from "@bothends/generator";
import type { RemovedName } from "@bothends/generator/scaffold";
import type { Generation } from "../generation.js";

// Finds the names that the generated packages exported for an old plan, but no longer export, and their new names.

type Plan = Generation["plan"];
type InterfacePlan = Plan["interfaces"][number];
type SoapInterfacePlan = Extract<InterfacePlan, { readonly kind: "soap" }>;
type RestInterfacePlan = Extract<InterfacePlan, { readonly kind: "rest" }>;

/** Returns the names that the generated packages exported for the old plan, but do not export for the new plan. */
export function listRemovedNames(
  oldPlan: Plan,
  plan: Plan,
  { changes, moves }: Pick<ContractDiff, "changes" | "moves">,
): readonly RemovedName[] {
  return oldPlan.interfaces.flatMap((oldInterface): readonly RemovedName[] => {
    const { name } = oldInterface.interface;
    const newInterface = plan.interfaces.find((candidate) => candidate.interface.name === name);
    const changesOfInterface = {
      changes: changes.filter((change) => change.interface === name),
      moves: moves.filter((move) => move.interface === name),
    };
    const plans = newInterface && ([oldInterface, newInterface] as const);
    return plans === undefined
      ? []
      : [
          ...listRemovedTypes(plans, changesOfInterface),
          ...listRemovedRoutes(plans, changesOfInterface.changes),
          ...listRemovedConstants(plans, changesOfInterface.moves),
        ];
  });
}

type Plans = readonly [oldInterface: InterfacePlan, newInterface: InterfacePlan];

/** Returns the types and the lists of enumeration values that the packages no longer export. */
function listRemovedTypes(plans: Plans, changes: Pick<ContractDiff, "changes" | "moves">): readonly RemovedName[] {
  const [oldInterface, newInterface] = plans;
  const names = listTypeNames(newInterface);
  const [oldValues, values] = plans.map(listValuesConstants);
  const newConstants = new Set(values?.values());
  const findNewName = (before: string) => {
    const newName = findNewTypeName(before, plans, changes);
    return newName !== undefined && names.has(newName.after) ? newName : undefined;
  };
  return [
    ...[...listTypeNames(oldInterface)]
      .filter((before) => !names.has(before))
      .map((before) => ({ interface: oldInterface.interface.name, before, ...findNewName(before) })),
    ...[...(oldValues ?? [])]
      .filter(([, before]) => !newConstants.has(before))
      .map(([type, before]) => {
        const newType = names.has(type) ? { after: type } : findNewName(type);
        const after = newType && values?.get(newType.after);
        const newName = after === undefined ? {} : { ...newType, after };
        return { interface: oldInterface.interface.name, before, ...newName };
      }),
  ];
}

/** Returns the functions that make the routes of services, and that the server package no longer exports. */
function listRemovedRoutes(plans: Plans, changes: ContractDiff["changes"]): readonly RemovedName[] {
  const [oldNames = [], names = []] = plans.map((interfacePlan) =>
    interfacePlan.kind === "soap" ? interfacePlan.services.map(({ routes }) => routes) : [],
  );
  return oldNames
    .filter((before) => !names.includes(before))
    .map((before) => {
      const after = changes.find(({ rule, before: name }) => rule === "name-in-code-changed" && name === before)?.after;
      const newName = after === undefined || !names.includes(after) ? {} : { after };
      return { interface: plans[0].interface.name, before, isFunction: true, ...newName };
    });
}

/** The new name of a type, and the path of the renamed operation that has the type. */
type NewName = Required<Pick<RemovedName, "after">> & Pick<RemovedName, "operation">;

const namingRules: readonly RuleId[] = ["type-renamed", "name-in-code-changed"];

function findNewTypeName(
  before: string,
  plans: Plans,
  { changes, moves }: Pick<ContractDiff, "changes" | "moves">,
): NewName | undefined {
  const faultName = findFaultName(before, plans);
  if (faultName !== undefined) {
    return { after: faultName };
  }
  const messageType = findMessageType(before, plans, moves);
  const branch = findBranch(before, plans, moves);
  const change = changes.find(({ rule, before: name }) => namingRules.includes(rule) && name === before);
  if (messageType !== undefined || branch !== undefined || change?.after === undefined) {
    return messageType ?? branch;
  }
  // The type of a renamed operation has a new name only if the operation was really renamed.
  const [operation, ...others] = change.members;
  const isOfMove = others.length === 0 && moves.some(({ after }) => after === operation);
  return { after: change.after, ...(isOfMove && operation !== undefined ? { operation } : {}) };
}

/** Finds the new name of a fault's class or of its detail's type, if a fault with the same element has another name. */
function findFaultName(name: string, [oldInterface, newInterface]: Plans): string | undefined {
  if (oldInterface.kind === "rest" || newInterface.kind === "rest") {
    return undefined;
  }
  const newFaults = newInterface.faults;
  const candidates = oldInterface.faults.flatMap((oldFault) => {
    const newFault = newFaults.find(({ fault }) => formatElement(fault) === formatElement(oldFault.fault));
    const [oldNames, newNames] = [
      listFaultNames(oldInterface, oldFault),
      newFault && listFaultNames(newInterface, newFault),
    ];
    const after = newNames?.[oldNames.indexOf(name)];
    return after === undefined || after === name ? [] : [after];
  });
  return candidates[0];
}

/** Returns the names of a fault's class and, if its detail has a named type, of this type. */
function listFaultNames(
  { types }: SoapInterfacePlan,
  { name, fault: { type } }: SoapInterfacePlan["faults"][number],
): readonly (string | undefined)[] {
  return [name, type.kind === "named" ? types.get(type.id)?.name : undefined];
}

function formatElement({ element }: SoapInterfacePlan["faults"][number]["fault"]): string {
  return `{${element.namespace}}${element.local}`;
}

/** Finds the type that replaces the type of a renamed operation's message, and the new path of the operation. */
function findMessageType(
  name: string,
  [oldInterface, newInterface]: Plans,
  moves: readonly Move[],
): NewName | undefined {
  const candidates = moves.flatMap((move) => {
    const newTypes = listMessageTypes(newInterface, move.after);
    return [...listMessageTypes(oldInterface, move.before)].flatMap(([use, type]) => {
      const after = type === name ? newTypes.get(use) : undefined;
      return after === undefined ? [] : [{ after, operation: move.after }];
    });
  });
  return candidates[0];
}

/** Returns the named types of an operation's input and answer, keyed by their use in the operation. */
function listMessageTypes(interfacePlan: InterfacePlan, path: string): ReadonlyMap<string, string> {
  const paths = listOperationPaths(interfacePlan);
  if (interfacePlan.kind === "rest") {
    const endpoints = interfacePlan.groups.flatMap((group) => group.endpoints);
    const foundEndpoint = endpoints.find(({ endpoint }) => paths.get(endpoint)?.join(".") === path);
    return foundEndpoint === undefined ? new Map() : listEndpointTypes(interfacePlan, foundEndpoint);
  }
  const operations = interfacePlan.services.flatMap(({ operations }) => operations);
  const foundOperation = operations.find(({ operation }) => paths.get(operation)?.join(".") === path);
  if (foundOperation === undefined) {
    return new Map();
  }
  const { input, output } = foundOperation.operation;
  const bodies = [["input", input.body] as const, ...(output === undefined ? [] : [["answer", output.body] as const])];
  return new Map(
    bodies.flatMap(([use, body]) => {
      const id = findBodyType(body);
      const typePlan = id === undefined ? undefined : interfacePlan.types.get(id);
      return typePlan?.isInline === false ? [[use, typePlan.name] as const] : [];
    }),
  );
}

type EndpointPlan = RestInterfacePlan["groups"][number]["endpoints"][number];

/**
 * Returns the types of an endpoint's arguments and answer. An object of the answer has a type for each context, such as
 * `PostForEdit`: what this name adds to the name of the object is part of the key.
 */
function listEndpointTypes(
  { answers }: RestInterfacePlan,
  { endpoint, input }: EndpointPlan,
): ReadonlyMap<string, string> {
  const answerTypes = listObjects(endpoint.answer).flatMap((id, position) => {
    const objectName = answers.names.get(id) ?? "";
    const object = answers.objects.get(id);
    const types = [...(object?.types ?? []), ...(object?.contexts === undefined ? [] : [object.contexts])];
    return types.map(({ name }) => [`answer ${position} ${name.replace(objectName, "")}`, name] as const);
  });
  return new Map([["input", input], ...answerTypes]);
}

/** Returns the ids of the objects that the type of an answer names. */
function listObjects(type: EndpointPlan["endpoint"]["answer"]): readonly string[] {
  switch (type?.kind) {
    case "named":
      return [type.id];
    case "array":
      return listObjects(type.items);
    case "union":
      return type.members.flatMap(listObjects);
    case "object":
      return [...type.properties.flatMap((property) => listObjects(property.type)), ...listObjects(type.additional)];
    default:
      return [];
  }
}

/** Finds the type of the routes below a path, if these routes moved to another path. */
function findBranch(name: string, [oldInterface, newInterface]: Plans, moves: readonly Move[]): NewName | undefined {
  const path = [...listBranches(oldInterface)].find(([, branch]) => branch === name)?.[0];
  const operation = path === undefined ? undefined : findMovedPath(path, moves);
  const after = operation === undefined ? undefined : listBranches(newInterface).get(operation);
  return after === undefined || operation === undefined ? undefined : { after, operation };
}

/** Returns the types of routes below a path, keyed by the path of their handlers. */
function listBranches(interfacePlan: InterfacePlan): ReadonlyMap<string, string> {
  const branches = new Map<string, string>();
  const visit = ({ words, name, branches: children }: RestInterfacePlan["tree"]): void => {
    branches.set(words.join("."), name);
    for (const { branch } of children) {
      visit(branch);
    }
  };
  if (interfacePlan.kind === "rest") {
    visit(interfacePlan.tree);
  }
  return branches;
}

/** Returns the types that user code may import: those of messages, arguments, faults and handlers. */
function listTypeNames(interfacePlan: InterfacePlan): ReadonlySet<string> {
  if (interfacePlan.kind === "rest") {
    const { answers, enumerations, groups } = interfacePlan;
    const inputs = groups.flatMap(({ endpoints }) => endpoints.map(({ input }) => input));
    const contexts = [...answers.objects.values()].flatMap((object) => object.contexts?.name ?? []);
    return new Set([
      ...answers.typeNames.values(),
      ...contexts,
      ...[...enumerations.values()].map(({ name }) => name),
      ...inputs,
      ...listBranches(interfacePlan).values(),
      ...listClasses(interfacePlan),
    ]);
  }
  const types = [...interfacePlan.types.values()].filter(({ isInline }) => !isInline);
  const names = [...types, ...interfacePlan.faults].map(({ name }) => name);
  return new Set([...names, ...listClasses(interfacePlan)]);
}

/**
 * Returns the client class of the interface, and the types of the handlers and the client classes of each service, or
 * of each group of routes.
 */
function listClasses(interfacePlan: InterfacePlan): readonly string[] {
  const groups = interfacePlan.kind === "rest" ? interfacePlan.groups : interfacePlan.services;
  const ofGroups = groups.flatMap(({ handlers, client }) => [handlers, client]);
  const hasClient = interfacePlan.kind === "rest" || interfacePlan.hasFacade;
  return hasClient ? [interfacePlan.client, ...ofGroups] : ofGroups;
}

/** Returns the constants with the values of enumerations, keyed by the name of the type. */
function listValuesConstants(interfacePlan: InterfacePlan): ReadonlyMap<string, string> {
  const types = interfacePlan.kind === "soap" ? [...interfacePlan.types.values()] : [];
  return new Map(
    types.filter(({ isInline, values }) => !isInline && values !== "").map(({ name, values }) => [name, values]),
  );
}

/** Returns the constants of operations and services that the generated packages no longer export. */
function listRemovedConstants([oldInterface, newInterface]: Plans, moves: readonly Move[]): readonly RemovedName[] {
  const constants = listConstants(newInterface);
  const names = new Set(constants.values());
  return [...listConstants(oldInterface)]
    .filter(([, before]) => !names.has(before))
    .map(([path, before]) => {
      const operation = findMovedPath(path, moves);
      const after = operation === undefined ? undefined : constants.get(operation);
      const newName = operation === undefined || after === undefined ? {} : { after, operation };
      return { interface: oldInterface.interface.name, before, isOperation: true, ...newName };
    });
}

/**
 * Returns the new path of an operation, or of a group of operations if all its moved operations are below one other
 * path.
 */
function findMovedPath(path: string, moves: readonly Move[]): string | undefined {
  const operationMove = moves.find(({ before }) => before === path);
  const depth = path.split(".").length;
  const groups = moves
    .filter(({ before }) => before.startsWith(`${path}.`))
    .map(({ before, after }) => {
      const isRenamedBelow = before.split(".").length === after.split(".").length;
      return after
        .split(".")
        .slice(0, isRenamedBelow ? depth : -1)
        .join(".");
    });
  const [group, ...otherGroups] = new Set(groups);
  return operationMove?.after ?? (otherGroups.length === 0 ? group : undefined);
}

/** Returns the constants that the entry `operations` exports for operations and services, keyed by handler path. */
function listConstants(plan: InterfacePlan): ReadonlyMap<string, string> {
  const paths = listOperationPaths(plan);
  if (plan.kind === "rest") {
    return new Map(
      plan.groups
        .flatMap(({ endpoints }) => endpoints)
        .map(({ endpoint, constant }) => [paths.get(endpoint)?.join(".") ?? "", constant]),
    );
  }
  return new Map(
    plan.services.flatMap(({ member, constant, operations }) => [
      [member, constant] as const,
      ...operations.map((planned) => [paths.get(planned.operation)?.join(".") ?? "", planned.constant] as const),
    ]),
  );
}
