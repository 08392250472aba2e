import { createHash } from "node:crypto";

const subjectDigits = 4;
const contentDigits = 8;

/**
 * Returns the fingerprint of a change: first digits that depend only on the subject, then digits that also depend on
 * the content.
 */
export function computeFingerprint(subject: readonly string[], content: readonly string[]): string {
  return computeHash(subject).slice(0, subjectDigits) + computeHash([...subject, ...content]).slice(0, contentDigits);
}

/** Whether the changes of two fingerprints have the same rule and subject. Their values and consequences may differ. */
export function hasSameSubject(left: string, right: string): boolean {
  return left.slice(0, subjectDigits) === right.slice(0, subjectDigits);
}

function computeHash(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
