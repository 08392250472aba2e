import type { Change, ContractDiff } from "../change.js";
import type { Consequences, Level } from "../rules/rule.js";
import { explanationText, operationsText, parties, placeText } from "./consequence-words.js";
import type { Judgement } from "./judge.js";

const words: Readonly<Record<Level, string>> = {
  breaks: "**breaks**",
  some: "may break",
  tolerated: "tolerated",
  none: "–",
};

/** The changes as Markdown for a pull request. */
export function changesMarkdown({ base, current, changes }: ContractDiff, judgement: Judgement): string {
  const head = `## Contract changes\n\nFrom ${code(base)} to ${code(current)}.\n\n`;
  if (changes.length === 0) {
    return `${head}Nothing changed.\n`;
  }
  const names = parties.map(({ name }) => name);
  const rows = [
    `| change | ${names.join(" | ")} |`,
    `|---|${names.map(() => "---|").join("")}`,
    ...changes.map((change) => `| ${summaryCell(change, judgement)} | ${consequenceCells(change.consequences)} |`),
  ];
  const details = changes.map((change) => detailItem(change, judgement)).join("");
  return `${head}${rows.join("\n")}\n\n<details><summary>Places and reasons</summary>\n\n${details}\n</details>\n`;
}

function summaryCell(change: Change, { reasons }: Judgement): string {
  const mark = reasons.has(change.fingerprint) ? " (allowed)" : "";
  return `${escaped(change.message)}${mark}`;
}

function consequenceCells(consequences: Consequences): string {
  return parties.map(({ key }) => words[consequences[key]]).join(" | ");
}

function detailItem(change: Change, { reasons }: Judgement): string {
  const place = placeText(change);
  const reach = operationsText(change);
  const allowed = reasons.get(change.fingerprint);
  const sentences = [
    escaped(explanationText(change)),
    ...(reach === "" ? [] : [`Operations: ${escaped(reach)}.`]),
    ...(allowed === undefined ? [] : [`Allowed: ${escaped(allowed)}.`]),
  ];
  return `- ${code(change.fingerprint)} ${code(change.rule)} ${place === "" ? "" : `at ${code(place)}`}: ${escaped(change.message)} ${sentences.join(" ")}\n`;
}

/** Text from schemas, without a meaning in Markdown or HTML. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|#@!&~]/g, (character) =>
      character === "<" ? "&lt;" : character === "&" ? "&amp;" : `\\${character}`,
    )
    .replace(/[\r\n]+/g, " ");
}

function code(text: string): string {
  return `\`${text.replace(/[`\r\n|]/g, "'")}\``;
}
