import type { Operation } from "@bothends/generator";
import { getRule } from "../../rules/index.js";
import { type Direction, type FaultPart, findLevelOfConsequences, getConsequences } from "../../rules/rule.js";
import type { Difference, DifferenceWithOperations } from "../difference.js";
import type { TypePair } from "../types/type-comparison.js";
import type { InterfaceDifferences } from "./interfaces.js";
import { type OperationDifferences, unsentLevels } from "./report-operation.js";

/** Adds the operations whose messages contain the changed type to each difference. */
export function addOperations(comparison: InterfaceDifferences): readonly DifferenceWithOperations[] {
  const { differences, operations, pairs } = comparison;
  const changedPairs = [...pairs.values()].filter((pair) => pair.differences.length > 0);
  const users = findUsersOfPairs(comparison);
  const messageOperations = new Map(
    operations.flatMap((operation) => listPairs(operation).map((pair) => [pair, operation.after] as const)),
  );
  const encodedPairs = {
    input: findPairsOfEncoded(operations, "input"),
    output: findPairsOfEncoded(operations, "output"),
  };
  const indexes = new Map([...new Set(messageOperations.values())].map((operation, index) => [operation, index]));
  const findUsingOperations = (usingPairs: readonly TypePair[]): readonly Operation[] => {
    const foundOperations = new Set(usingPairs.flatMap((user) => messageOperations.get(user) ?? []));
    return [...foundOperations].sort((left, right) => (indexes.get(left) ?? 0) - (indexes.get(right) ?? 0));
  };
  const faultParts = new Map(
    operations.flatMap(({ faultPair, headerFaultPair }) => [
      [faultPair, "detail"] as const,
      [headerFaultPair, "header"] as const,
    ]),
  );
  const findFaultPart = (usingPairs: readonly TypePair[]): FaultPart | undefined => {
    const parts = usingPairs.map((user) => faultParts.get(user));
    return parts.includes(undefined) ? undefined : (parts.find((part) => part === "header") ?? parts[0]);
  };
  const pairsOfParts = new Set(operations.filter(({ isPart }) => isPart).flatMap(listPairs));
  const codePairs = new Set(operations.map(({ codePair }) => codePair));
  const pairsWithoutCode = new Set([...pairsOfParts, ...operations.map(({ messagePair }) => messagePair)]);
  const readPairs = listReadPairs(comparison);
  const listWithUsage = (
    differences: readonly Difference[],
    usage: Usage,
    usingPairs: readonly TypePair[],
  ): readonly DifferenceWithOperations[] =>
    differences.flatMap((foundDifference) => {
      const areAllIn = (pairs: ReadonlySet<TypePair>) =>
        usingPairs.length > 0 && usingPairs.every((user) => pairs.has(user));
      const difference = {
        ...foundDifference,
        ...(areAllIn(pairsWithoutCode) && { sameCode: true }),
        ...(areAllIn(codePairs) && unsentLevels),
      };
      const consequences = getConsequences(getRule(difference.rule), difference);
      if (areAllIn(codePairs) && findLevelOfConsequences(consequences) === "none") {
        return [];
      }
      const { encodedDirection } = difference;
      if (encodedDirection === undefined) {
        return [{ ...difference, ...usage }];
      }
      const encodedUsers = usingPairs.filter((user) => encodedPairs[encodedDirection].has(user));
      const encodedUsage = { ...usage, operations: findUsingOperations(encodedUsers), faultPart: undefined };
      return chooseEncodedVariant(difference, usage, encodedUsage);
    });
  return [
    ...differences.map((difference) => ({ ...difference, operations: difference.operations ?? [] })),
    ...operations.flatMap((operation) =>
      listPairs(operation).flatMap((pair) => {
        const usage = { operations: [operation.after], faultPart: faultParts.get(pair) };
        return listWithUsage(pair.differences, usage, [pair]);
      }),
    ),
    ...changedPairs.flatMap((pair) => {
      const usingPairs = [...withUsers(pair, users)].filter((user) => messageOperations.has(user));
      const usage = {
        operations: findUsingOperations(usingPairs),
        faultPart: findFaultPart(usingPairs),
        isBelowOtherName: !readPairs.has(pair),
      };
      return listWithUsage(pair.differences, usage, usingPairs);
    }),
  ];
}

type Usage = Pick<DifferenceWithOperations, "operations" | "faultPart" | "isBelowOtherName">;

/**
 * Returns a difference in the name of a type with the operations that it affects: all that use the type if its name in
 * code changed, otherwise those with encoded messages. Returns nothing if there are none.
 */
function chooseEncodedVariant(
  difference: Difference,
  usage: Usage,
  encodedUsage: Usage,
): readonly DifferenceWithOperations[] {
  if (encodedUsage.operations.length === 0) {
    return difference.sameCode === true ? [] : [{ ...difference, ...usage }];
  }
  const { sameCode, variant = "encoded" } = difference;
  return [{ ...difference, ...(sameCode === true ? encodedUsage : usage), variant }];
}

/** Returns the pairs of types in the messages of operations that are encoded in a direction in both versions. */
function findPairsOfEncoded(operations: readonly OperationDifferences[], direction: Direction): ReadonlySet<TypePair> {
  const isEncoded = (operation: Operation) => {
    const body = operation[direction]?.body;
    return body?.kind === "element" && body.encoded;
  };
  return new Set(
    operations.filter(({ before, after }) => isEncoded(before) && isEncoded(after)).map(({ pair }) => pair),
  );
}

function listPairs(operation: OperationDifferences): readonly TypePair[] {
  const { pair, faultPair, headerFaultPair, codePair, messagePair } = operation;
  return [pair, faultPair, headerFaultPair, codePair, messagePair];
}

/**
 * Returns the direct users of each pair of types: the pairs in messages, and the pairs of types that contain these
 * types.
 */
function findUsersOfPairs({ operations, pairs }: InterfaceDifferences): ReadonlyMap<TypePair, readonly TypePair[]> {
  const users = new Map<TypePair, TypePair[]>();
  for (const user of [...operations.flatMap(listPairs), ...pairs.values()]) {
    for (const key of user.usedPairKeys) {
      const usedPair = pairs.get(key);
      if (usedPair === undefined) {
        continue;
      }
      const usersOfPair = users.get(usedPair);
      if (usersOfPair === undefined) {
        users.set(usedPair, [user]);
      } else {
        usersOfPair.push(user);
      }
    }
  }
  return users;
}

/** Returns the pairs of types in messages that readers of both versions find by the same names. */
function listReadPairs({ operations, pairs }: InterfaceDifferences): ReadonlySet<TypePair> {
  const readPairs = new Set(operations.flatMap(listPairs));
  // A set may grow during iteration: the loop also visits each added pair.
  for (const { sameNamePairKeys } of readPairs) {
    for (const key of sameNamePairKeys) {
      const pair = pairs.get(key);
      if (pair !== undefined) {
        readPairs.add(pair);
      }
    }
  }
  return readPairs;
}

/** Returns a pair of types, together with all pairs that use it directly or indirectly. */
function withUsers(pair: TypePair, users: ReadonlyMap<TypePair, readonly TypePair[]>): ReadonlySet<TypePair> {
  const foundPairs = new Set([pair]);
  // A set may grow during iteration: the loop also visits each added pair.
  for (const foundPair of foundPairs) {
    for (const user of users.get(foundPair) ?? []) {
      foundPairs.add(user);
    }
  }
  return foundPairs;
}
