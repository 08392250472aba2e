import { findNearestName } from "@bothends/xml/nearest-name";
import { errorInits, type RestError, type RestErrorInit, SoapFault } from "../answer-errors.js";
import { isHeader } from "../http/headers.js";
import { findLostValue } from "../http/json-body.js";
import type { ServerIncident } from "../observe/events.js";
import { describeValue } from "../value-problems.js";

// Finds members of errors that cannot be sent, such as a status of 1000. TypeScript reports most of them, but
// JavaScript does not, and some values are only known when a call fails.

export const statusRule = "an integer from 400 to 599";

export function isErrorStatus(status: unknown): boolean {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
}

/** Checks the members of a `RestError` that a handler has created. It can be sent only if there is no mistake. */
export function findRestErrorMistakes(error: RestError): readonly string[] {
  const { code, reason, status, headers, data } = error;
  const { headers: givenHeaders = headers }: Partial<RestErrorInit> = errorInits.get(error) ?? {};
  const rules: readonly (readonly [name: string, value: unknown, isValid: boolean, rule: string])[] = [
    ["status", status, isErrorStatus(status), statusRule],
    ["code", code, typeof code === "string", "a string"],
    ["message", reason, typeof reason === "string", "a string"],
    ["headers", givenHeaders, Symbol.iterator in Object(givenHeaders), "a Map, Headers or pairs"],
    ["data", data, isJsonObject(data), "an object that JSON can represent"],
  ];
  const mistakes = rules
    .filter(([, , isValid]) => !isValid)
    .map(([name, value, , rule]) => {
      return `The member "${name}" of the RestError must be ${rule}, not ${formatMember(value)}.`;
    });
  const [wrongHeader] = [...headers].filter(([name, value]) => !isHeader(name, value));
  if (wrongHeader !== undefined) {
    mistakes.push(describeWrongHeader(...wrongHeader));
  }
  const lost = isJsonObject(data) ? findLostValue(data) : undefined;
  if (lost !== undefined) {
    const place = lost.path === "" ? "The member" : `The value ${lost.path} of the member`;
    mistakes.push(`${place} "data" of the RestError ${lost.problem}`);
  }
  return mistakes;
}

/** Describes what is wrong with a header that `isHeader` refuses, without its value, which may be secret. */
export function describeWrongHeader(name: unknown, value: unknown): string {
  const shownName = typeof name === "string" ? JSON.stringify(name.slice(0, 64)) : describeValue(name);
  if (!isHeader(name, "")) {
    return `HTTP does not allow the name of the header ${shownName}.`;
  }
  return typeof value === "string" || typeof value === "number"
    ? `HTTP does not allow a character in the value of the header ${shownName}.`
    : `The value of the header ${shownName} must be a string, not ${describeValue(value)}. Leave it out if it has no value.`;
}

/**
 * Finds misspelled members in the object from which a handler has created an error. Without them, the error can still
 * be sent. Members that are not similar to a member of the error are ignored.
 */
export function findMisspelledMembers(error: SoapFault | RestError): readonly string[] {
  const init = errorInits.get(error) ?? {};
  // The error has all members that its constructor and those of its subclasses read, even those that are undefined.
  const knownNames = Object.getOwnPropertyNames(error).filter((name) => name !== "name" && name !== "stack");
  const className = error instanceof SoapFault ? "SoapFault" : "RestError";
  return Object.entries(init).flatMap(([name, value]) => {
    const isKnown = value === undefined || name === "cause" || knownNames.includes(name);
    const similarName = isKnown ? undefined : findSimilarName(name, knownNames);
    return similarName === undefined
      ? []
      : [`A ${className} has no member ${formatMember(name)}. Did you mean ${formatMember(similarName)}?`];
  });
}

/** Finds the known name that is nearest to a name, or the longest one that contains it or is part of it. */
function findSimilarName(name: string, knownNames: readonly string[]): string | undefined {
  const lowerCaseName = name.toLowerCase();
  const contains = (known: string) => known.includes(lowerCaseName) || lowerCaseName.includes(known);
  if (knownNames.includes("data") && /^(?:details?|params|info|extra|meta|payload|body)$/i.test(name)) {
    return "data";
  }
  const [longest] = knownNames.filter((known) => contains(known.toLowerCase())).sort((a, b) => b.length - a.length);
  return findNearestName(name, knownNames) ?? (name.length < 4 ? undefined : longest);
}

function isJsonObject(value: unknown): boolean {
  try {
    return typeof value === "object" && !Array.isArray(value) && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** Describes a value that the developer wrote, such as a code or a status. */
export function formatMember(value: unknown): string {
  if (typeof value === "number") {
    return String(value);
  }
  return typeof value === "string" ? JSON.stringify(value.slice(0, 64)) : describeValue(value);
}

/** Adds the mistakes of a thrown error to the incident about it, or creates an incident for them. */
export function addMistakes(
  incident: ServerIncident | undefined,
  mistakes: readonly string[],
  error: unknown,
): ServerIncident | undefined {
  if (mistakes.length === 0) {
    return incident;
  }
  const { kind, message } = incident ?? { kind: "handler", message: "The handler threw an error that is not valid." };
  return { error, ...incident, kind, message: `${message} ${mistakes.join(" ")}` };
}
