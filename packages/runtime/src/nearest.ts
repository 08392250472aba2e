import { didYouMean } from "@bothends/xml/nearest-name";

/** A sentence to append to a message, ` Did you mean "timeout"?`; empty if no known name is similar. */
export function nearest(name: string, known: readonly string[]): string {
  const sentence = didYouMean(name, known);
  return sentence === undefined ? "" : ` ${sentence}`;
}
