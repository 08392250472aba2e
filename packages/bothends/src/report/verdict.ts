import type { Diagnostic, Severity } from "@bothends/generator/diagnostics";
import { counted, type Outcome } from "./outcome.js";

/** The last line of a command: `1 error, 9 warnings; nothing written. Try --root onvif/ver10.` Undefined if it has none. */
export function verdictOf(outcome: Outcome): string | undefined {
  const { result, advice, diagnostics = [] } = outcome;
  if (result === undefined) {
    return undefined;
  }
  const counts = countsOf(outcome);
  const sentences = [
    `${capitalized([...(counts === "" ? [] : [counts]), result].join("; "))}.`,
    ...(advice === undefined ? [] : [`Try ${advice}.`]),
    ...explanation(outcome.exit === 0 ? [] : diagnostics),
  ];
  return sentences.join(" ");
}

function countsOf({ mistakes = [], diagnostics = [] }: Outcome): string {
  const count = (severity: Severity) => diagnostics.filter((each) => each.severity === severity).length;
  const counts = [
    { number: count("error") + mistakes.length, noun: "error" },
    { number: count("warning"), noun: "warning" },
    { number: count("info"), noun: "note" },
  ];
  return counts
    .filter(({ number }) => number > 0)
    .map(({ number, noun }) => counted(number, noun))
    .join(", ");
}

const maxExplained = 3;

/** Names the command that explains the errors. */
function explanation(diagnostics: readonly Diagnostic[]): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const codes = [...new Set(errors.map(({ code }) => code))].slice(0, maxExplained);
  return codes.length === 0 ? [] : [`Details: bothends explain ${codes.join(" ")}`];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
