import { catalogue, type Diagnostic, positionOf, type SourceText } from "@bothends/generator/diagnostics";
import type { Outcome } from "./outcome.js";
import { verdictOf } from "./verdict.js";

type PathOf = (source: SourceText) => string;

/** One JSON object with everything that a command reports. `docs/command-line.md` describes its members. */
export function outcomeJson(outcome: Outcome, pathOf: PathOf): string {
  const { exit, diagnostics = [], mistakes = [], files } = outcome;
  const object = {
    format: 1,
    exitCode: exit,
    verdict: verdictOf(outcome) ?? "",
    diagnostics: diagnostics.map((each) => diagnosticObject(each, pathOf)),
    mistakes: mistakes.map(({ message, help }) => ({ message, help })),
    files,
  };
  return `${JSON.stringify(object, null, 2)}\n`;
}

function diagnosticObject(diagnostic: Diagnostic, pathOf: PathOf): object {
  const { code, severity, span, message, help } = diagnostic;
  const start = positionOf(span.source, span.start);
  const end = positionOf(span.source, span.end);
  const { kind, fix } = catalogue[code];
  return {
    code,
    kind,
    severity,
    path: pathOf(span.source),
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    message,
    help: help ?? fix,
  };
}

const commands = { error: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands of GitHub Actions, which annotate the lines of a pull request. */
export function outcomeForGithub(outcome: Outcome, pathOf: PathOf): string {
  const { diagnostics = [], mistakes = [] } = outcome;
  const lines = [
    ...diagnostics.map(({ code, severity, span, message, help }) => {
      const { line, column } = positionOf(span.source, span.start);
      const { kind, fix } = catalogue[code];
      const properties = { file: pathOf(span.source), line, col: column, title: `${code} (${kind})` };
      return workflowCommand(commands[severity], properties, `${message}\n${help ?? fix}`);
    }),
    ...mistakes.map(({ message, help }) =>
      workflowCommand("error", { title: "bothends" }, [message, help].filter((text) => text !== undefined).join("\n")),
    ),
  ];
  const verdict = verdictOf(outcome);
  return [...lines, ...(verdict === undefined ? [] : [verdict])].map((line) => `${line}\n`).join("");
}

function workflowCommand(name: string, properties: Readonly<Record<string, string | number>>, text: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(String(value))}`);
  return `::${name} ${list.join(",")}::${escapedText(text)}`;
}

function escapedText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
