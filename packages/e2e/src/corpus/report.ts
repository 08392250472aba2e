import type { Summary } from "./summary.js";

export interface ReportFacts {
  readonly name: string;
  readonly lenient: boolean;
  readonly seconds: number;
  readonly verbose: boolean;
}

/** What a run came to, in a few lines; with `verbose`, each problem with its place. */
export function report(summary: Summary, { name, lenient, seconds, verbose }: ReportFacts): string {
  const { sources, complete, outcomes, kinds, documents, instances, calls, memory, slowest } = summary;
  const others = [...outcomes].filter(([outcome]) => outcome !== "complete");
  const most = [...kinds].filter(([kind]) => kind !== "ineligible").sort((a, b) => b[1] - a[1]);
  return [
    `${name}${lenient ? " (lenient)" : ""}: ${complete} of ${sources} complete (${percent(complete, sources)}), ${summary.operations} operations`,
    ...others.map(([outcome, count]) => `  ${count} ${outcome}`),
    ...most.map(([kind, count]) => `    ${String(count).padStart(4)} ${kind}`),
    ...(["valid", "invalid"] as const).flatMap((kind) => {
      const { right, all } = documents[kind];
      const verb = kind === "valid" ? "decoded" : "refused";
      return all === 0 ? [] : [`  ${right} of ${all} ${kind} documents ${verb} (${percent(right, all)})`];
    }),
    ...(instances.messages === 0
      ? []
      : [
          `  ${instances.made} instances of ${instances.messages} messages, ${instances.judged} of them judged by xmllint, ${instances.problems} problems`,
        ]),
    ...(calls.endpoints === 0
      ? []
      : [
          `  ${calls.called} of ${calls.endpoints} endpoints called with random arguments (${percent(calls.called, calls.endpoints)})`,
        ]),
    `  ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MB at most, slowest ${slowest.name} (${slowest.seconds.toFixed(1)} s)`,
    ...(verbose ? details(summary) : []),
  ].join("\n");
}

/** What all of it came to: a source is complete as it stands, complete with what is wrong in it named, or not complete. */
export function headline(name: string, usual: Summary, lenient: Summary): string {
  const { sources, complete } = usual;
  const incomplete = (usual.outcomes.get("incomplete") ?? 0) + (lenient.outcomes.get("incomplete") ?? 0);
  const refused = lenient.outcomes.get("refused") ?? 0;
  return [
    `${name}: of ${sources} eligible, ${complete} complete as they stand, ${lenient.complete} complete with --lenient (their mistakes are named),`,
    `  ${incomplete} incomplete (what is left out is named), ${refused} refused: ${percent(complete + lenient.complete, sources)} complete`,
  ].join("\n");
}

function details({ problems }: Summary): readonly string[] {
  return problems.flatMap((one) => [one.name, ...one.problems.map(({ kind, text }) => `    ${kind}: ${text}`)]);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}
