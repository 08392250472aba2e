import type { Change } from "../change.js";
import type { Consequences, Level } from "../rules/rule.js";

/** The parties, in the words of reports. */
export const parties: readonly { readonly key: keyof Consequences; readonly name: string }[] = [
  { key: "oldClients", name: "old clients" },
  { key: "newClients", name: "new clients" },
  { key: "callers", name: "TypeScript callers" },
  { key: "handlers", name: "handlers" },
];

const verbs: readonly (readonly [Level, string])[] = [
  ["breaks", "breaks"],
  ["some", "may break"],
  ["tolerated", "tolerated by"],
];

/** Whom a change affects, as a phrase: `breaks old clients; may break handlers`, `affects nobody`. */
export function consequenceText(consequences: Consequences): string {
  const phrases = verbs.flatMap(([level, verb]) => {
    const names = parties.filter(({ key }) => consequences[key] === level).map(({ name }) => name);
    return names.length === 0 ? [] : [`${verb} ${names.join(", ")}`];
  });
  return phrases.length === 0 ? "affects nobody" : phrases.join("; ");
}

/** Where a change is in both states: `a.wsdl:10:3 (was a.wsdl:8:3)`. */
export function placeText({ oldPlace, newPlace }: Change, pathOf: (path: string) => string = (path) => path): string {
  const text = ({ path, line, column }: NonNullable<Change["oldPlace"]>) => `${pathOf(path)}:${line}:${column}`;
  if (newPlace === undefined) {
    return oldPlace === undefined ? "" : `was ${text(oldPlace)}`;
  }
  return oldPlace === undefined ? text(newPlace) : `${text(newPlace)} (was ${text(oldPlace)})`;
}

/** The operations that a change reaches, the first ones by name. */
export function operationsText({ operations }: Change): string {
  const shown = operations.slice(0, maxOperations);
  const rest = operations.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

const maxOperations = 6;

/** Explains a change: the reason, the direction, and what is not decided. */
export function explanationText({ direction, reason, undecided, strict }: Change): string {
  const flow =
    direction === undefined
      ? ""
      : direction === "input"
        ? "In requests: clients write, servers read. "
        : "In answers: servers write, clients read. ";
  return [
    `${flow}${reason}`,
    ...(undecided === undefined ? [] : [`Not decided: ${undecided}; this is the worst case.`]),
    ...(strict === undefined ? [] : [strict]),
  ].join(" ");
}
