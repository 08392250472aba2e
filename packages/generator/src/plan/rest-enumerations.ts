import type { JsonType, RestInterface } from "../model/index.js";
import type { Scope } from "./scope.js";
import { pascal } from "./words.js";

type Values = Extract<JsonType, { kind: "enumeration" }>["values"];

/** An enumeration that several arguments or members have: code declares it once. */
export interface SharedEnumeration {
  readonly name: string;
  /** The arguments and members that have it: `translation_language`. */
  readonly member: string;
  readonly values: Values;
}

/** How often an enumeration must occur under one name to get a type. */
const leastUses = 3;

/** An enumeration under one name. */
interface Occurrences {
  readonly member: string;
  readonly values: Values;
  /** The words of the operation or the type of answers where it occurs first: `posts list`. */
  readonly first: readonly string[];
  uses: number;
}

/**
 * Names the enumerations that repeat under one name, by what `enumerationKey` returns. Of several with the same name, the first
 * in the index gets it; the others also have the name of their collection, or of their operation.
 */
export function planEnumerations(rest: RestInterface, scope: Scope): ReadonlyMap<string, SharedEnumeration> {
  const found = new Map<string, Occurrences>();
  for (const { operation, args } of rest.endpoints) {
    for (const { name, type } of args) {
      countIn(type, { member: name, first: operation.slice(-2), found });
    }
  }
  for (const { words, type } of rest.answers) {
    countIn(type, { member: "", first: [words], found });
  }
  const shared = [...found].filter(([, { uses }]) => uses >= leastUses);
  return new Map(
    shared.map(([key, { member, values, first }]) => {
      const [collection = ""] = first;
      const longer = [[collection], first].map((words) => pascal([...words, member].join(" ")));
      return [key, { name: scope.take(pascal(member), ...longer), member, values }];
    }),
  );
}

/** Equal for equal values under one name. */
export function enumerationKey(member: string, values: Values): string {
  return JSON.stringify([member, values]);
}

interface Place {
  readonly member: string;
  readonly first: readonly string[];
  readonly found: Map<string, Occurrences>;
}

function countIn(type: JsonType, place: Place): void {
  switch (type.kind) {
    case "enumeration": {
      const { member, first, found } = place;
      // A single value is as short as a name.
      if (type.values.length > 1 && member !== "") {
        const key = enumerationKey(member, type.values);
        const occurrences = found.get(key) ?? { member, values: type.values, first, uses: 0 };
        occurrences.uses += 1;
        found.set(key, occurrences);
      }
      break;
    }
    case "array":
      countIn(type.items, place);
      break;
    case "object":
      for (const property of type.properties) {
        countIn(property.type, { ...place, member: property.name });
      }
      break;
    case "union":
      for (const member of type.members) {
        countIn(member, place);
      }
      break;
  }
}
