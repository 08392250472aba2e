import type { Change, ContractDiff } from "../change.js";
import type { Level } from "../rules/rule.js";
import { consequenceText, explanationText, operationsText, placeText } from "./consequence-words.js";
import type { Judgement } from "./judge.js";

export interface TextOptions {
  readonly colour: boolean;
  /** Prints the reasons. */
  readonly verbose: boolean;
  /** The path of a source to print. */
  readonly pathOf: (path: string) => string;
}

const colours: Readonly<Record<Level, string>> = { breaks: "1;31", some: "33", tolerated: "36", none: "2" };

/** The changes for people, the worst first. */
export function changesText(diff: ContractDiff, judgement: Judgement, options: TextOptions): string {
  const { base, current, changes } = diff;
  const head = `From ${base} to ${current}:\n`;
  if (changes.length === 0) {
    return `${head}  nothing changed.\n`;
  }
  return `${head}${changes.map((change) => changeText(change, judgement, options)).join("")}`;
}

function changeText(change: Change, { reasons }: Judgement, { colour, verbose, pathOf }: TextOptions): string {
  const allowed = reasons.get(change.fingerprint);
  const paint = (text: string, style: string) => (colour ? `\u001b[${style}m${text}\u001b[0m` : text);
  const reach = operationsText(change);
  const direction = change.direction === undefined ? "" : `, ${change.direction}`;
  const place = placeText(change, pathOf);
  const lines = [
    `${change.message} ${paint(consequenceText(change.consequences), colours[change.level])}`,
    ...(place === "" ? [] : [`    ${place}`]),
    ...(reach === "" ? [] : [`    operations: ${reach}`]),
    `    ${paint(`${change.rule}${direction} [${change.fingerprint}]`, "2")}`,
    ...(change.undecided === undefined || verbose ? [] : [`    not decided: ${change.undecided}`]),
    ...(allowed === undefined ? [] : [`    allowed: ${allowed}`]),
    ...(verbose ? [`    ${explanationText(change)}`] : []),
  ];
  return `  ${lines.join("\n")}\n`;
}

/** The changes in one line each: `Vehicle.Colour: An optional member was added: tolerated by new clients.` */
export function shortChanges(changes: readonly Change[]): readonly string[] {
  return changes.map(({ message, consequences }) => {
    const end = message.endsWith("?") ? message : message.replace(/\.$/, "");
    return `${end}${message.endsWith("?") ? " " : ": "}${consequenceText(consequences)}`;
  });
}
