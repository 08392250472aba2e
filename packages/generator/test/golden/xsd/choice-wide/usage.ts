import type { SubjectChoice } from "choice-wide-client/choice-wide";

export function text(item: SubjectChoice): string {
  return item.Message ?? item.Task ?? "neither";
}

export const message: SubjectChoice = { Message: "a" };
// @ts-expect-error a message or a task, not both
export const both: SubjectChoice = { Message: "a", Task: "b" };
// @ts-expect-error one of them must be present
export const neither: SubjectChoice = {};
