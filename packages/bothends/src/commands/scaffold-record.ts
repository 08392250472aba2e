import { gunzipSync, gzipSync } from "node:zlib";
import {
  type ContractDiff,
  diffContracts,
  formatShortChange,
  joinDirections,
  type Move,
  type RuleId,
  readSnapshot,
  writeSnapshot,
} from "@bothends/diff";
import { type Body, type Config, type Contract, Diagnostics, listOperationPaths, planFiles } from "@bothends/generator";
import type { HandlerChanges, RemovedName, ServiceType } from "@bothends/generator/scaffold";
import type { Generation } from "../generation.js";

type Plan = Generation["plan"];
type InterfacePlan = Plan["interfaces"][number];

/**
 * Returns the contract of a server's interfaces as text, for the record in the server's folder, and a function that
 * compares the contract with a recorded one.
 */
export function createContractRecord(fullContract: Contract, plan: Plan) {
  const names = plan.interfaces.map(({ interface: { name } }) => name);
  const selectInterfaces = ({ interfaces }: Contract) => ({
    interfaces: interfaces.filter(({ name }) => names.includes(name)),
  });
  const contract = selectInterfaces(fullContract);
  const findChangesSince =
    (config: Config) =>
    (text: string, requestedMoves: readonly Move[]): HandlerChanges | undefined => {
      const recordedContract = unpackContract(text);
      if (recordedContract === undefined) {
        return undefined;
      }
      const oldContract = selectInterfaces(recordedContract);
      const base = {
        name: "the last merge",
        contract: oldContract,
        plan: planFiles(oldContract, config, new Diagnostics()),
      };
      const { changes, moves } = diffContracts(base, { name: "now", contract, plan }, { knownMoves: requestedMoves });
      const [oldOperations, operations] = [listOperations(base.plan), listOperations(plan)];
      const added = listMissingOperations(operations, oldOperations);
      const removed = listMissingOperations(oldOperations, operations);
      // Omits changes to operations that did not exist at the last merge, because these have no handlers yet.
      const existingPaths = new Set([
        ...oldOperations.map(({ operation }) => operation),
        ...moves.map(({ after }) => after),
      ]);
      const [oldTypes, services] = [listServiceTypes(base.plan), listServiceTypes(plan)];
      // If the new path of a move already existed, the operation was not renamed: it is now included in the operation
      // at that path.
      const isIncluded = (move: (typeof moves)[number]) =>
        oldOperations.some(
          (oldOperation) => oldOperation.interface === move.interface && oldOperation.operation === move.after,
        );
      const shownChanges = changes.filter(({ rule }) => !hiddenRules.includes(rule));
      return {
        changes: joinDirections(shownChanges).map((change) => ({
          interface: change.interface,
          text: formatShortChange(change),
          operations: change.members.filter((path) => existingPaths.has(path)),
        })),
        moves: moves.filter((move) => !isIncluded(move)),
        included: moves.filter(isIncluded),
        added,
        removed,
        similar: listSimilarOperations(base.plan, plan, { removed, added }),
        split: changes
          .filter(({ rule }) => rule === "operation-split")
          .flatMap((change) => change.members.map((operation) => ({ interface: change.interface, operation }))),
        removedNames: [
          ...listRemovedNames(base.plan, plan, { changes, moves }),
          ...listRemovedConstants(base.plan, plan, moves),
        ],
        removedTypes: oldTypes.filter((oldType) => !services.some(({ type }) => type === oldType.type)),
        services,
        removedInterfaces: recordedContract.interfaces
          .map(({ name }) => name)
          .filter((name) => !fullContract.interfaces.some((candidate) => candidate.name === name)),
      };
    };
  return { text: packContract(contract), findChangesSince };
}

interface OperationPath {
  readonly interface: string;
  /** The path of the handler: `reg.checkUSA`. */
  readonly operation: string;
}

function listOperations({ interfaces }: Plan): readonly OperationPath[] {
  return interfaces.flatMap((contractInterface) =>
    [...listOperationPaths(contractInterface).values()].map((path) => ({
      interface: contractInterface.interface.name,
      operation: path.join("."),
    })),
  );
}

/** Returns the operations of one list that are not in the other. */
function listMissingOperations(
  operations: readonly OperationPath[],
  otherOperations: readonly OperationPath[],
): readonly OperationPath[] {
  const getKey = (operation: OperationPath) => `${operation.interface} ${operation.operation}`;
  const otherKeys = new Set(otherOperations.map(getKey));
  return operations.filter((operation) => !otherKeys.has(getKey(operation)));
}

/** Returns the pairs of a removed and an added operation with the same method and similar arguments or messages. */
function listSimilarOperations(
  oldPlan: Plan,
  plan: Plan,
  { removed, added }: { readonly removed: readonly OperationPath[]; readonly added: readonly OperationPath[] },
): HandlerChanges["moves"] {
  return oldPlan.interfaces.flatMap((oldInterface) => {
    const { name } = oldInterface.interface;
    const newInterface = plan.interfaces.find((candidate) => candidate.interface.name === name);
    const oldRequests = listRequests(oldInterface);
    const requests = newInterface === undefined ? undefined : listRequests(newInterface);
    const addedOperations = added.filter((operation) => operation.interface === name);
    return removed
      .filter((operation) => operation.interface === name)
      .flatMap(({ operation: before }) =>
        addedOperations
          .filter(({ operation }) => isSimilar(oldRequests.get(before), requests?.get(operation)))
          .map(({ operation: after }) => ({ interface: name, before, after })),
      );
  });
}

/** The method of an operation, which is empty for SOAP, and the names of its arguments or of its request's members. */
interface Request {
  readonly method: string;
  readonly names: ReadonlySet<string>;
}

/** Whether two requests have the same method, and at least half of their names in common. */
function isSimilar(left: Request | undefined, right: Request | undefined): boolean {
  if (left === undefined || right === undefined || left.method !== right.method) {
    return false;
  }
  const sharedNames = [...left.names].filter((name) => right.names.has(name));
  return sharedNames.length * 2 >= Math.max(left.names.size, right.names.size);
}

/** Returns the requests of an interface, keyed by handler path. */
function listRequests(plan: InterfacePlan): ReadonlyMap<string, Request> {
  const paths = listOperationPaths(plan);
  if (plan.kind === "rest") {
    return new Map(
      plan.groups
        .flatMap(({ endpoints }) => endpoints)
        .map(({ endpoint }) => {
          const names = new Set(endpoint.args.map(({ name }) => name));
          return [paths.get(endpoint)?.join(".") ?? "", { method: endpoint.methods[0], names }];
        }),
    );
  }
  const types = new Map(plan.interface.types.map((type) => [type.id, type]));
  return new Map(
    plan.services
      .flatMap(({ operations }) => operations)
      .map(({ operation }) => {
        const { body } = operation.input;
        const id = findRecord(body);
        const type = id === undefined ? undefined : types.get(id);
        const names = new Set(type?.kind === "record" ? type.fields.map(({ key }) => key) : []);
        return [paths.get(operation)?.join(".") ?? "", { method: "", names }];
      }),
  );
}

/**
 * Returns the names of the handler types and route functions of each SOAP service, and of each interface with several
 * services.
 */
function listServiceTypes({ interfaces }: Plan): readonly ServiceType[] {
  return interfaces.flatMap((interfacePlan): readonly ServiceType[] => {
    const { handlers, routes, interface: contract } = interfacePlan;
    const services = interfacePlan.kind === "soap" ? interfacePlan.services : [];
    const types = services.map((service) => ({
      interface: contract.name,
      service: service.member,
      type: service.handlers,
      routes: service.routes,
    }));
    const allServices = { interface: contract.name, service: undefined, type: handlers, routes };
    return interfacePlan.kind === "soap" && interfacePlan.hasFacade ? [...types, allServices] : types;
  });
}

/** Returns the types that the server package exported for the old plan, but does not export for the new plan. */
function listRemovedNames(
  oldPlan: Plan,
  plan: Plan,
  { changes, moves }: Pick<ContractDiff, "changes" | "moves">,
): readonly RemovedName[] {
  return oldPlan.interfaces.flatMap((oldInterface): readonly RemovedName[] => {
    const interfaceName = oldInterface.interface.name;
    const newInterface = plan.interfaces.find((candidate) => candidate.interface.name === interfaceName);
    const names = newInterface === undefined ? new Set<string>() : listTypeNames(newInterface);
    const findChanges = (rule: RuleId) =>
      changes.filter((change) => change.rule === rule && change.interface === interfaceName);
    const renames = findChanges("type-renamed");
    const handlerTypes = listHandlerTypes(oldInterface);
    const renamedHandlers = findChanges("name-in-code-changed").filter(({ before = "" }) =>
      handlerTypes.includes(before),
    );
    return [...listTypeNames(oldInterface)]
      .filter((before) => newInterface !== undefined && !names.has(before))
      .map((before) => {
        const rename = renames.find((change) => isTypeOf(before, change.before));
        const after = rename
          ? [...names].find((name) => isTypeOf(name, rename.after))
          : renamedHandlers.find((change) => change.before === before)?.after;
        const newName =
          after === undefined
            ? newInterface && findMessageType(before, [oldInterface, newInterface], moves)
            : { after };
        return { interface: interfaceName, before, ...newName };
      });
  });
}

/** Returns the constants of operations and services that the generated packages no longer export. */
function listRemovedConstants(oldPlan: Plan, plan: Plan, moves: readonly Move[]): readonly RemovedName[] {
  return oldPlan.interfaces.flatMap((oldInterface): readonly RemovedName[] => {
    const interfaceName = oldInterface.interface.name;
    const newInterface = plan.interfaces.find((candidate) => candidate.interface.name === interfaceName);
    const constants = newInterface && listConstants(newInterface);
    const names = new Set(constants?.values());
    const movesOfInterface = moves.filter((move) => move.interface === interfaceName);
    return [...(constants === undefined ? [] : listConstants(oldInterface))]
      .filter(([, before]) => !names.has(before))
      .map(([path, before]) => {
        const operation = findMovedPath(path, movesOfInterface);
        const after = operation === undefined ? undefined : constants?.get(operation);
        const newName = operation === undefined || after === undefined ? {} : { after, operation };
        return { interface: interfaceName, before, isOperation: true, ...newName };
      });
  });
}

/** Returns the new path of an operation, or of a service if all its moved operations are in one other service. */
function findMovedPath(path: string, moves: readonly Move[]): string | undefined {
  const operationMove = moves.find(({ before }) => before === path);
  const groups = moves
    .filter(({ before }) => before.startsWith(`${path}.`))
    .map(({ after }) => after.split(".").slice(0, -1).join("."));
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

/** Finds the type that replaces the type of a renamed operation's message, and the new path of the operation. */
function findMessageType(
  name: string,
  [oldInterface, newInterface]: readonly [InterfacePlan, InterfacePlan],
  moves: readonly Move[],
): Pick<RemovedName, "after" | "operation"> | undefined {
  const movesOfInterface = moves.filter((move) => move.interface === oldInterface.interface.name);
  const candidates = movesOfInterface.flatMap((move) => {
    const index = listMessageTypes(oldInterface, move.before).indexOf(name);
    const after = listMessageTypes(newInterface, move.after)[index];
    return after === undefined ? [] : [{ after, operation: move.after }];
  });
  return candidates[0];
}

/** Returns the names of the types of an operation's input and answer. A type without a name is undefined. */
function listMessageTypes(interfacePlan: InterfacePlan, path: string): readonly (string | undefined)[] {
  const paths = listOperationPaths(interfacePlan);
  if (interfacePlan.kind === "rest") {
    return interfacePlan.groups
      .flatMap(({ endpoints }) => endpoints)
      .filter(({ endpoint }) => paths.get(endpoint)?.join(".") === path)
      .map(({ input }) => input);
  }
  const operations = interfacePlan.services.flatMap(({ operations }) => operations);
  const foundOperation = operations.find(({ operation }) => paths.get(operation)?.join(".") === path);
  if (foundOperation === undefined) {
    return [];
  }
  const { input, output } = foundOperation.operation;
  return [input.body, output?.body].map((body) => {
    const id = body && findRecord(body);
    const typePlan = id === undefined ? undefined : interfacePlan.types.get(id);
    return typePlan?.isInline === false ? typePlan.name : undefined;
  });
}

/** Returns the id of the type of a message; undefined if the type has no name. */
function findRecord(body: Body) {
  return body.kind === "parts" ? body.record : body.type.kind === "named" ? body.type.id : undefined;
}

/** Returns the types that user code may import: those of messages, arguments, faults and handlers. */
function listTypeNames(interfacePlan: InterfacePlan): ReadonlySet<string> {
  if (interfacePlan.kind === "rest") {
    const inputs = interfacePlan.groups.flatMap(({ endpoints }) => endpoints.map(({ input }) => input));
    return new Set([...interfacePlan.answers.typeNames.values(), ...inputs, ...listHandlerTypes(interfacePlan)]);
  }
  const types = [...interfacePlan.types.values()].filter(({ isInline }) => !isInline);
  const names = [...types, ...interfacePlan.faults].map(({ name }) => name);
  return new Set([...names, ...listHandlerTypes(interfacePlan)]);
}

/** Returns the types of the handlers of each service, or of each group of routes. */
function listHandlerTypes(interfacePlan: InterfacePlan): readonly string[] {
  const groups = interfacePlan.kind === "rest" ? interfacePlan.groups : interfacePlan.services;
  return groups.map(({ handlers }) => handlers);
}

/** Whether a TypeScript type has the name of a type in the sources, apart from its case and its punctuation. */
function isTypeOf(name: string, sourceName: string | undefined): boolean {
  const simplify = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  return sourceName !== undefined && simplify(name) === simplify(sourceName);
}

/**
 * Rules about changes that do not require users to check their handlers. Handlers with changed paths are reported
 * separately, and so are the imports of renamed types. The other rules concern only messages.
 */
const hiddenRules: readonly RuleId[] = [
  "documentation-changed",
  "name-in-code-changed",
  "namespace-changed",
  "sequence-order-changed",
  "soap-action-changed",
  "type-renamed",
  "operation-moved",
  "operation-name-changed",
  "operation-renamed",
  "route-renamed",
];

function packContract(contract: Contract): string {
  return gzipSync(writeSnapshot(contract)).toString("base64");
}

const maxBytes = 256 * 1024 * 1024;

function unpackContract(text: string): Contract | undefined {
  try {
    return readSnapshot(gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: maxBytes }).toString("utf8"));
  } catch {
    return undefined;
  }
}
