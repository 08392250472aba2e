import { gunzipSync, gzipSync } from "node:zlib";
import {
  type ContractDiff,
  diffContracts,
  formatShortChange,
  groupChanges,
  type Move,
  omitSubject,
  type ReportedChange,
  type ReportedGroup,
  type RuleId,
  readSnapshot,
  writeSnapshot,
} from "@bothends/diff";
import { type Config, type Contract, Diagnostics, listOperationPaths, planFiles } from "@bothends/generator";
import type { HandlerChanges, ServiceType } from "@bothends/generator/scaffold";
import type { Generation } from "../generation.js";
import { listRemovedNames } from "./removed-names.js";

type Plan = Generation["plan"];
type ServicePlan = Extract<Plan["interfaces"][number], { readonly kind: "soap" }>["services"][number];

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
      const renamedInterfaces = listRenamedInterfaces(recordedContract, { contract, plan, config });
      const oldContract = selectInterfaces(withNewNames(recordedContract, renamedInterfaces));
      const base = {
        name: "the last merge",
        contract: oldContract,
        plan: planFiles(oldContract, config, new Diagnostics()),
      };
      const { changes, moves, possibleMoves } = diffContracts(
        base,
        { name: "now", contract, plan },
        { knownMoves: requestedMoves },
      );
      const [oldOperations, operations] = [listOperations(base.plan), listOperations(plan)];
      const added = listMissingOperations(operations, oldOperations);
      const removed = listMissingOperations(oldOperations, operations);
      // Omits changes to operations that did not exist at the last merge, because these have no handlers yet.
      const existingPaths = new Set([
        ...oldOperations.map(({ operation }) => operation),
        ...moves.map(({ after }) => after),
      ]);
      const [oldTypes, services] = [listServiceTypes(base.plan), listServiceTypes(plan)];
      const isChangedBy = (rule: RuleId, interfaceName: string, operation: string) =>
        changes.some(
          (change) => change.rule === rule && change.interface === interfaceName && change.members.includes(operation),
        );
      const isSplit = (move: Move) => isChangedBy("operation-split", move.interface, move.after);
      // Handlers with these paths exist before and after, but each receives the calls of another one.
      const exchanges = moves.filter(
        (move) =>
          exchangeRules.some((rule) => isChangedBy(rule, move.interface, move.after)) &&
          moves.some((other) => other.interface === move.interface && other.after === move.before) &&
          moves.some((other) => other.interface === move.interface && other.before === move.after),
      );
      const movesToNewPaths = moves.filter((move) => !exchanges.includes(move));
      // If the new path of a move already existed, or if operations were joined, the operation was not renamed: it is
      // now included in the operation at that path.
      const isIncluded = (move: Move) =>
        isChangedBy("operations-joined", move.interface, move.before) ||
        oldOperations.some(
          (oldOperation) => oldOperation.interface === move.interface && oldOperation.operation === move.after,
        );
      // Differences from an operation that may have been renamed are certain only if it was.
      const isUncertain = (move: Move) =>
        (["operation-renamed", "route-renamed"] as const).some((rule) =>
          isChangedBy(rule, move.interface, move.after),
        ) && !requestedMoves.some(({ before, after }) => before === move.before && after === move.after);
      const uncertainMoves = moves.filter((move) => !isIncluded(move) && !isSplit(move) && isUncertain(move));
      const listConditions = (name: string, paths: readonly string[]) => {
        const renames = uncertainMoves.filter((move) => move.interface === name && paths.includes(move.after));
        return paths.every((path) => renames.some(({ after }) => after === path)) ? renames : [];
      };
      // Methods that were separated from an endpoint: the user's handler no longer receives their calls.
      const isSeparated = ({ rule, interface: name, before }: Pick<ReportedChange, "rule" | "interface" | "before">) =>
        rule === "name-in-code-changed" &&
        operations.some((operation) => operation.interface === name && operation.operation === before) &&
        !moves.some((move) => move.interface === name && move.after === before);
      const findExchange = (change: Pick<ReportedChange, "rule" | "interface" | "members">) =>
        exchangeRules.includes(change.rule)
          ? exchanges.find((move) => move.interface === change.interface && change.members.includes(move.after))
          : undefined;
      const isShown = (change: ContractDiff["changes"][number]) =>
        !hiddenRules.includes(change.rule) || isSeparated(change) || findExchange(change) !== undefined;
      const shownChanges = changes.filter(isShown);
      const listAffected = (change: ReportedChange) =>
        isSeparated(change) ? [change.before ?? ""] : change.members.filter((path) => existingPaths.has(path));
      const groups = groupChanges(shownChanges).flatMap((group) =>
        divideGroup(
          group.filter((change) => listAffected(change).length > 0),
          (change) => listConditions(change.interface, change.members),
        ),
      );
      return {
        changes: groups.flatMap((group) =>
          group.map((change) => ({
            interface: change.interface,
            ifRenamed: listConditions(change.interface, change.members),
            ...(group.length === 1
              ? { text: formatShortChange(change) }
              : {
                  text: formatShortChange({ ...change, message: omitSubject(change) ?? change.message }),
                  subject: change.subject,
                }),
            // The member `protocol` of the context is the only place where a handler can use a protocol.
            ...(change.rule === "protocol-removed"
              ? { step: `remove any code for context.protocol "${change.before}" from` }
              : {}),
            ...(findExchange(change) === undefined
              ? {}
              : { step: `use the previous code of ${findExchange(change)?.before} in` }),
            ...(affectsCode(change) ? { affectsCode: true } : {}),
            operations: listAffected(change),
          })),
        ),
        moves: movesToNewPaths.filter((move) => !isIncluded(move) && !isSplit(move)),
        included: movesToNewPaths.filter(isIncluded),
        added,
        removed,
        possibleMoves,
        split: moves.filter(isSplit),
        removedNames: listRemovedNames(base.plan, plan, { changes, moves }),
        removedTypes: oldTypes.filter((oldType) => !services.some(({ type }) => type === oldType.type)),
        services,
        renamedCode: [...renamedInterfaces, ...listRenamedServices(base.plan, plan, changes)],
        removedInterfaces: recordedContract.interfaces
          .map(({ name }) => name)
          .filter((name) => !fullContract.interfaces.some((candidate) => candidate.name === name))
          .filter((name) => !renamedInterfaces.some(({ before }) => before === name)),
      };
    };
  return { text: packContract(contract), findChangesSince };
}

/** Divides the changes of a group by the renames without which they would not be changes. */
function divideGroup(
  changes: readonly ReportedChange[],
  listConditions: (change: ReportedChange) => readonly Move[],
): readonly ReportedGroup[] {
  const groups = new Map<string, ReportedGroup>();
  for (const change of changes) {
    const key = JSON.stringify(listConditions(change));
    const group = groups.get(key);
    groups.set(key, group === undefined ? [change] : [...group, change]);
  }
  return [...groups.values()];
}

/** Whether TypeScript code that compiled before may not compile any more. */
function affectsCode({ consequences }: Pick<ContractDiff["changes"][number], "consequences">): boolean {
  return [consequences.callers, consequences.handlers].some((level) => level === "some" || level === "breaks");
}

/** Returns the interfaces with the same sources as a recorded interface, but with another name in `bothends.json`. */
function listRenamedInterfaces(
  recordedContract: Contract,
  { contract, plan, config }: { readonly contract: Contract; readonly plan: Plan; readonly config: Config },
): NonNullable<HandlerChanges["renamedCode"]> {
  const isPresent = ({ interfaces }: Contract, name: string) => interfaces.some((candidate) => candidate.name === name);
  const oldNames = recordedContract.interfaces.map(({ name }) => name);
  if (oldNames.every((name) => isPresent(contract, name))) {
    return [];
  }
  const { changes } = diffContracts({ name: "the last merge", contract: recordedContract }, { name: "now", contract });
  const oldPlan = planFiles(recordedContract, config, new Diagnostics());
  const findPlan = ({ interfaces }: Plan, name: string | undefined) =>
    interfaces.find((candidate) => candidate.interface.name === name);
  return changes.flatMap(({ rule, before, after }) => {
    const [oldInterface, newInterface] = [findPlan(oldPlan, before), findPlan(plan, after)];
    if (rule !== "name-in-code-changed" || oldInterface === undefined || newInterface === undefined) {
      return [];
    }
    const names = (["handlers", "routes", "client", "serverOptions", "clientOptions"] as const)
      .map((name) => ({ before: oldInterface[name], after: newInterface[name] }))
      .filter((name) => name.before !== name.after);
    return [
      {
        kind: "interface",
        interface: newInterface.interface.name,
        before: oldInterface.interface.name,
        after: newInterface.interface.name,
        modules: { before: oldInterface.folder, after: newInterface.folder },
        names,
      },
    ];
  });
}

/** Returns the services with another name, so that the types of their handlers have other names. */
function listRenamedServices(
  oldPlan: Plan,
  plan: Plan,
  changes: ContractDiff["changes"],
): NonNullable<HandlerChanges["renamedCode"]> {
  return plan.interfaces.flatMap((newInterface) => {
    const { name } = newInterface.interface;
    const oldInterface = oldPlan.interfaces.find((candidate) => candidate.interface.name === name);
    if (oldInterface?.kind !== "soap" || newInterface.kind !== "soap") {
      return [];
    }
    const { hasFacade } = newInterface;
    const isOld = ({ handlers }: ServicePlan) => oldInterface.services.some((service) => service.handlers === handlers);
    const isRenamed = (before: ServicePlan, after: ServicePlan) =>
      changes.some(
        (change) =>
          change.rule === "name-in-code-changed" &&
          change.interface === name &&
          change.before === before.handlers &&
          change.after === after.handlers,
      );
    return oldInterface.services.flatMap((before) => {
      const after = newInterface.services.find(
        (service) => !isOld(service) && (!hasFacade || isRenamed(before, service)),
      );
      const isSame = before.operations.some(({ method }) => after?.operations.some((other) => other.method === method));
      if (after === undefined || oldInterface.hasFacade !== hasFacade || !isSame) {
        return [];
      }
      const names = (["handlers", "routes", "client"] as const)
        .map((kind) => ({ before: before[kind], after: after[kind] }))
        .filter((rename) => rename.before !== rename.after);
      return [
        {
          kind: "service",
          interface: name,
          ...(hasFacade ? { service: after.member } : {}),
          before: before.member,
          after: after.member,
          modules: { before: oldInterface.folder, after: newInterface.folder },
          names,
        } as const,
      ];
    });
  });
}

function withNewNames(
  { interfaces }: Contract,
  renamedInterfaces: NonNullable<HandlerChanges["renamedCode"]>,
): Contract {
  return {
    interfaces: interfaces.map((each) => {
      const rename = renamedInterfaces.find(({ before }) => before === each.name);
      return rename === undefined ? each : { ...each, name: rename.after };
    }),
  };
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

/** Rules about operations that may have exchanged their handlers. */
const exchangeRules: readonly RuleId[] = ["operation-name-exchanged", "name-in-code-changed"];

/**
 * Rules about changes that do not require users to check their handlers. Handlers with changed paths are reported
 * separately, and so are the imports of renamed types. The other rules concern only messages.
 */
const hiddenRules: readonly RuleId[] = [
  "declaration-moved",
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
