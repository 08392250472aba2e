import { findIllegalCharacter } from "@bothends/xml/characters";
import { isNCName } from "@bothends/xml/name-characters";
import { splitClark } from "@bothends/xml/split-clark";
import type { SoapFault } from "../../answer-errors.js";
import { formatMember, isErrorStatus, statusRule } from "../error-mistakes.js";

/** The codes of faults that both versions of SOAP define, by their names in SOAP 1.1. */
const faultCodes: readonly unknown[] = ["Client", "Server", "VersionMismatch", "MustUnderstand", "DataEncodingUnknown"];

/** The members of a `SoapFault` that do not depend on the operation. */
type SentFault = Pick<SoapFault, "code" | "wireCode" | "subcodes" | "actor" | "role" | "status"> & {
  /** The reason; undefined if the fault has none that can be sent. */
  readonly reason: string | undefined;
};

interface CheckedFault {
  /** The members that can be sent. */
  readonly sent: SentFault;
  /** A sentence for each of the other members. */
  readonly mistakes: readonly string[];
}

/** Checks the members of a fault that a handler has created. */
export function checkFault(fault: SoapFault): CheckedFault {
  const mistakes: string[] = [];
  const { code, wireCode, subcodes, reason, actor, role, status } = fault;
  const check = <Value>(name: string, value: Value, isValid: boolean, rule: string): Value | undefined => {
    if (value === undefined || isValid) {
      return value;
    }
    mistakes.push(`The member "${name}" of the SoapFault must be ${rule}, not ${formatMember(value)}.`);
    return undefined;
  };
  const codeRule = `one of ${faultCodes.join(", ")} (for other codes, use "wireCode")`;
  const nameRule = "a name, as {namespace}local";
  const validSubcodes = Array.isArray(subcodes) ? subcodes.filter(isQname) : [];
  const isComplete = Array.isArray(subcodes) && validSubcodes.length === subcodes.length;
  check("subcodes", Array.isArray(subcodes) ? subcodes.find((name) => !isQname(name)) : subcodes, isComplete, nameRule);
  const sent = {
    code: check("code", code, faultCodes.includes(code), codeRule) ?? "Server",
    wireCode: check("wireCode", wireCode, isQname(wireCode), nameRule),
    subcodes: validSubcodes,
    reason: check("reason", reason, typeof reason === "string", "a string"),
    actor: check("actor", actor, typeof actor === "string", "a string"),
    role: check("role", role, typeof role === "string", "a string"),
    status: check("status", status, isErrorStatus(status), statusRule),
  };
  for (const [name, text] of Object.entries({ reason, actor, role })) {
    const mistake = findIllegalText(text, `the member "${name}" of the SoapFault`);
    if (mistake !== undefined) {
      mistakes.push(mistake);
    }
  }
  if (reason === undefined) {
    mistakes.push('The SoapFault has no member "reason".');
  }
  return { sent, mistakes };
}

/** Returns a sentence about a character in a text of an error that XML forbids; undefined if there is none. */
export function findIllegalText(text: unknown, description: string): string | undefined {
  const offset = typeof text === "string" ? findIllegalCharacter(text) : -1;
  if (typeof text !== "string" || offset < 0) {
    return undefined;
  }
  const code = (text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `XML forbids the character U+${code} in ${description}: the client receives U+FFFD in its place.`;
}

function isQname(name: unknown): boolean {
  return typeof name === "string" && isNCName(splitClark(name).localName);
}
