import { type Body, findBodyType, findFirstElement, type Operation, type TypeReference } from "@bothends/generator";
import { compareShapes, type OperationShape, type RenameRules } from "../probable-renames.js";
import { computeNameSimilarity, isCloseName, isSimilarName } from "../similar-names.js";
import { formatElement, type SoapSide } from "../soap-side.js";
import type { TypeComparison } from "../types/type-comparison.js";
import { hasSoap } from "./http-messages.js";

/** Creates the functions that recognize the renamed operations of a service. */
export function createRenameRules(
  context: TypeComparison,
  before: readonly Operation[],
  after: readonly Operation[],
): RenameRules<Operation> {
  const { old: oldSide, new: newSide } = context;
  const names = [...before, ...after].map(({ name }) => name);
  const describe = (side: SoapSide, operation: Operation) => ({
    whole: describeShape(side, operation, ""),
    unnamed: describeShape(side, operation, operation.name),
  });
  const shapes = new Map([
    ...before.map((operation) => [operation, describe(oldSide, operation)] as const),
    ...after.map((operation) => [operation, describe(newSide, operation)] as const),
  ]);
  const computeSimilarity = (left: Operation, right: Operation) => {
    const [leftShape, rightShape] = [shapes.get(left), shapes.get(right)];
    return leftShape === undefined || rightShape === undefined
      ? 0
      : Math.max(
          compareShapes(leftShape.whole, rightShape.whole),
          compareShapes(leftShape.unnamed, rightShape.unnamed),
        );
  };
  const hasSameKinds = (left: Operation, right: Operation) =>
    shapes.get(left)?.whole.kind === shapes.get(right)?.whole.kind;
  const hasSameMembers = (left: Operation, right: Operation) => {
    const [oldMembers, newMembers] = [listMembers(oldSide, left.input.body), listMembers(newSide, right.input.body)];
    return oldMembers.length > 0 && oldMembers.join() === newMembers.join();
  };
  // Without a common argument, a name that is only similar is no reason: `FindOrders` was not renamed to `ShipOrder`.
  const sharesMember = (left: Operation, right: Operation) => {
    const [oldKeys, newKeys] = [listKeys(oldSide, left), listKeys(newSide, right)];
    return oldKeys.length === 0 || newKeys.length === 0 || oldKeys.some((key) => newKeys.includes(key));
  };
  const [oldNames, newNames] = [before, after].map((operations) => new Set(operations.map(({ name }) => name)));
  const keptOperations = [...before, ...after].filter(({ name }) => oldNames?.has(name) && newNames?.has(name));
  return {
    hasSimilarName: [
      (left, right) => hasSameRequest(context, left, right),
      (left, right) => isCloseName(left.name, right.name, names) && hasSameKinds(left, right),
      (left, right) =>
        isSimilarName(left.name, right.name, names) && hasSameKinds(left, right) && sharesMember(left, right),
      // The answer of a renamed operation may have changed as well.
      (left, right) => isSimilarName(left.name, right.name, names) && hasSameMembers(left, right),
    ],
    computeSimilarity,
    computeNameSimilarity: (left, right) => computeNameSimilarity(left.name, right.name),
    computeKeptSimilarity: (operation) =>
      Math.max(0, ...keptOperations.map((kept) => computeSimilarity(kept, operation))),
    hasSameMessages: (left, right) => computeSimilarity(left, right) === 1 && shapes.get(left)?.whole.parts.size !== 0,
  };
}

/** Whether servers recognize the requests of two operations by the same element, or by the same element and action. */
export function hasSameRequest(
  { old: oldSide, new: newSide }: Pick<TypeComparison, "old" | "new">,
  left: Operation,
  right: Operation,
): boolean {
  const name = getRequestName(oldSide, left);
  return name !== "" && name === getRequestName(newSide, right);
}

/**
 * Returns the element name of a document-style request; "" if requests contain the operation's name instead. If a body
 * has a record of parts, other operations may have the same first part or none, so the result also contains the action.
 */
function getRequestName({ types }: SoapSide, { input: { body }, bindings }: Operation): string {
  if (body.kind === "element") {
    return body.rpc ? "" : formatElement(body);
  }
  const firstPart = findFirstElement(body, (id) => types.get(id));
  const element = firstPart === undefined ? "" : formatElement({ element: firstPart });
  return [element, bindings.soap11?.action, bindings.soap12?.action].filter(Boolean).join(" ");
}

type OperationsOfSide = readonly [side: SoapSide, operations: readonly Operation[]];

/** Matches operations that exchanged their names, by their messages, which a server recognizes without the names. */
export function matchExchangedNames(
  before: OperationsOfSide,
  after: OperationsOfSide,
): readonly (readonly [before: Operation, after: Operation])[] {
  const [oldOperations, newOperations] = [indexByMessages(before), indexByMessages(after)];
  const newNames = new Map(
    [...oldOperations].flatMap(([messages, { name }]) => {
      const newName = newOperations.get(messages)?.name;
      return newName === undefined || newName === name ? [] : [[name, newName] as const];
    }),
  );
  const exchangedNames = findCycles(newNames);
  return [...oldOperations].flatMap(([messages, operation]) => {
    const counterpart = newOperations.get(messages);
    return counterpart !== undefined && exchangedNames.has(operation.name) ? [[operation, counterpart] as const] : [];
  });
}

/**
 * Returns the operations of a service by the names of their elements and their actions or locations. Omits operations
 * whose names or messages are not unique, and those whose messages contain the name of the operation.
 */
function indexByMessages([side, operations]: OperationsOfSide): ReadonlyMap<string, Operation> {
  const countedNames = countValues(operations.map(({ name }) => name));
  const candidates = operations.flatMap((operation) => {
    const messages = countedNames.get(operation.name) === 1 ? formatUnnamedMessages(side, operation) : undefined;
    return messages === undefined ? [] : [[messages, operation] as const];
  });
  const countedMessages = countValues(candidates.map(([messages]) => messages));
  return new Map(candidates.filter(([messages]) => countedMessages.get(messages) === 1));
}

function countValues(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/**
 * Formats what a server needs to recognize the requests of an operation, and the element of the answer; undefined if a
 * server needs the name of the operation, or if the requests of the operation contain nothing to recognize them.
 */
function formatUnnamedMessages(side: SoapSide, operation: Operation): string | undefined {
  const { input, output, bindings } = operation;
  if (!hasSoap(operation)) {
    const locations = Object.entries(bindings).map(([name, binding]) => [
      name,
      "location" in binding && binding.location,
    ]);
    return JSON.stringify(locations.sort());
  }
  const { soap11, soap12 } = bindings;
  const element = findFirstElement(input.body, (id) => side.types.get(id));
  const actions = [soap11?.action, soap12?.action];
  if ((input.body.kind === "element" && input.body.rpc) || (element === undefined && !actions.some(Boolean))) {
    return undefined;
  }
  const answer = output?.body.kind === "element" ? output.body.element : output?.body.kind;
  return JSON.stringify([input.body.kind, element?.namespace, element?.local, actions, answer]);
}

/** Returns the names of a one-to-one mapping that form cycles, such as A → B → C → A. */
function findCycles(mapping: ReadonlyMap<string, string>): ReadonlySet<string> {
  const visited = new Set<string>();
  const cycles = new Set<string>();
  for (const start of mapping.keys()) {
    const path: string[] = [];
    let name: string | undefined = start;
    while (name !== undefined && !visited.has(name)) {
      visited.add(name);
      path.push(name);
      name = mapping.get(name);
    }
    if (name === start && path.length > 0) {
      for (const member of path) {
        cycles.add(member);
      }
    }
  }
  return cycles;
}

/**
 * Formats the kinds of types in the request and the answer, such as `record record`. A renamed operation probably has
 * the same kinds.
 */
function formatBodyKinds(side: SoapSide, { input, output }: Operation): string {
  const getKind = (type: TypeReference) => (type.kind === "named" ? side.types.get(type.id)?.kind : type.name);
  const formatBody = (messageBody: Operation["input"]["body"] | undefined) =>
    messageBody === undefined ? "none" : messageBody.kind === "parts" ? "parts" : getKind(messageBody.type);
  return `${formatBody(input.body)} ${formatBody(output?.body)}`;
}

/**
 * Describes the messages of an operation: the kinds of their types, and their members with their types. Leaves out
 * `omittedName`: the name of the operation, after which elements such as `PlaceOrderResult` are named.
 */
function describeShape(side: SoapSide, operation: Operation, omittedName: string): OperationShape {
  const { input, output } = operation;
  const listParts = (body: Body | undefined, direction: string) =>
    listMembers(side, body).map((member) => `${direction} ${member.replaceAll(omittedName, "")}`);
  return {
    kind: formatBodyKinds(side, operation),
    parts: new Set([...listParts(input.body, "request"), ...listParts(output?.body, "answer")]),
  };
}

/**
 * Formats what an operation keeps if it moves to another namespace: the local names of its elements, the names and
 * types of its members, the form of its result, and its protocols.
 */
export function formatLocalShape(side: SoapSide, { input, output, bindings }: Operation): string {
  const formatBody = (body: Body | undefined) => [
    body?.kind === "element" ? [body.element.local, body.rpc, body.encoded] : [],
    ...listMembers(side, body).map((member) => member.replace(/\{[^}]*\}/g, "")),
  ];
  const messages = [formatBody(input.body), formatBody(output?.body)];
  return JSON.stringify([...messages, output?.result.kind, Object.keys(bindings).sort()]);
}

/** Lists the names of the members of a request, without the name of the operation; empty if it has no members. */
function listKeys({ types }: SoapSide, { name, input: { body } }: Operation): readonly string[] {
  const type = types.get(findBodyType(body) ?? "");
  return type?.kind === "record" ? type.fields.map(({ key }) => key.replaceAll(name, "")) : [];
}

/** Lists the names and types of the members of a message; only the type if it has no members. */
function listMembers({ types }: SoapSide, body: Body | undefined): readonly string[] {
  const id = body && findBodyType(body);
  const type = id === undefined ? undefined : types.get(id);
  const formatType = (reference: TypeReference) => (reference.kind === "named" ? reference.id : reference.name);
  return type?.kind === "record"
    ? type.fields.map((field) => `${field.key} ${"type" in field ? formatType(field.type) : field.kind}`)
    : [id ?? (body?.kind === "element" ? formatType(body.type) : "")];
}
