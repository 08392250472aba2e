import { consequenceColumns, describeRule, listConsequenceRows, type Rule, rules } from "@bothends/diff";
import { catalogue, findNearestName } from "@bothends/generator/diagnostics";
import { UsageError } from "../host.js";
import { readExplanations } from "../packed-files.js";
import type { Outcome } from "../report/outcome.js";

/**
 * `bothends explain <code…>`: prints the sections of the diagnostics page that explain the given codes, and the
 * descriptions of rules of the diff with their consequences.
 */
export function runExplain(texts: readonly string[]): Outcome {
  const sections = listSections(readExplanations());
  const explanations = texts.map((text) => {
    const rule = rules.find(({ id }) => id === text.toLowerCase());
    return rule === undefined ? (sections.get(getCode(text)) ?? "") : explainRule(rule);
  });
  return { exit: 0, body: `${explanations.map(formatPlainText).join("\n\n")}\n`, result: undefined };
}

/** Describes a rule of the diff, and lists its consequences in a table whose last column is the condition. */
function explainRule(rule: Rule): string {
  const rows = [consequenceColumns, ...listConsequenceRows(rule)];
  const width = Math.max(...rows.flatMap(([_condition, ...cells]) => cells).map((cell) => cell.length)) + 2;
  const lines = rows.map(([condition, ...cells]) => [...cells.map((cell) => cell.padEnd(width)), condition].join(""));
  return `${rule.id}\n\nRule of diff. ${describeRule(rule)}\n\n${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/**
 * Returns the diagnostic code for an argument, which is either a code (`WSDL012`) or the kind of a diagnostic
 * (`xml.dtd`).
 */
function getCode(text: string): string {
  const entries = Object.entries(catalogue);
  const lowerCase = text.toLowerCase();
  const entry = entries.find(
    ([code, { kind }]) => code.toLowerCase() === lowerCase || kind.toLowerCase() === lowerCase,
  );
  if (entry === undefined) {
    const names = [...entries.flatMap(([code, { kind }]) => [code, kind]), ...rules.map(({ id }) => id)];
    const suggestion = findNearestName(text.toUpperCase(), names) ?? findNearestName(lowerCase, names);
    throw new UsageError(`There is no diagnostic or rule "${text.slice(0, 100)}".`, {
      help:
        suggestion === undefined
          ? "A code has the form WSDL012. Each error and each warning shows its code, and each change in a report of diff its rule."
          : undefined,
      suggestion: suggestion === undefined ? undefined : `bothends explain ${suggestion}`,
    });
  }
  return entry[0];
}

/** Returns the sections of the page. The keys are the diagnostic codes in the sections' headings. */
function listSections(page: string): ReadonlyMap<string, string> {
  const sections = page.split(/^### (?=[A-Z]+\d+$)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const end = section.search(/^## /m);
      return [section.slice(0, section.indexOf("\n")), (end < 0 ? section : section.slice(0, end)).trim()];
    }),
  );
}

/** Converts Markdown to plain text for a terminal: indents code, and removes markup and links. */
function formatPlainText(section: string): string {
  const unwrapLines = (text: string) =>
    text
      .replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/g, "")
      .replaceAll(/\*\*|`/g, "")
      .replaceAll("&lt;", "<");
  return section
    .split(/^```(?:\w*\n)?/m)
    .map((part, index) => (index % 2 === 0 ? unwrapLines(part) : part.replaceAll(/^(?=.)/gm, "    ")))
    .join("")
    .replaceAll(/\n{3,}/g, "\n\n");
}
