import type { Subject } from "choice-client/choice";

export function account(subject: Subject): string {
  const either: string | undefined = subject.card ?? subject.iban;
  const speed: boolean | undefined = subject.fast ?? subject.slow;
  if (subject.card !== undefined) return `${subject.card} ${speed}`;
  return `${either} ${subject.iban.length} ${subject.bic ?? ""}`;
}

export const card: Subject = { amount: "1.50", card: "4000", fast: true };
// @ts-expect-error a card or an account, not both
export const both: Subject = { amount: "1.50", card: "4000", iban: "PT50" };
// @ts-expect-error a BIC belongs to an account
export const cardWithBic: Subject = { amount: "1.50", card: "4000", bic: "BESC" };
