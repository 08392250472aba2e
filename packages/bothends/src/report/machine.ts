import { type Change, consequenceText } from "@bothends/diff";
import { catalogue, type Diagnostic, positionOf, type SourceText } from "@bothends/generator/diagnostics";
import { type ContractChanges, type Outcome, verdictOf } from "./outcome.js";

type PathOf = (source: SourceText) => string;

/** All results of a command as one JSON object. `docs/command-line.md` describes its members. */
export function outcomeJson(outcome: Outcome, pathOf: PathOf): string {
  const { exit, diagnostics = [], mistakes = [], files } = outcome;
  const object = {
    format: 1,
    exitCode: exit,
    verdict: verdictOf(outcome) ?? "",
    diagnostics: diagnostics.map((each) => diagnosticObject(each, pathOf)),
    mistakes: mistakes.map(({ message, help }) => ({ message, help })),
    files,
    notes: outcome.notes,
    contractChanges: outcome.contractChanges && changesObject(outcome.contractChanges, pathOf),
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

function changesObject({ diff, judgement }: ContractChanges, pathOf: PathOf): object {
  const { refusedChanges, reasons } = judgement;
  const withShownPath = (position: Change["oldPlace"]) =>
    position && { ...position, path: pathOf({ path: position.path, text: "" }) };
  const changes = diff.changes.map((change) => ({
    ...change,
    oldPlace: withShownPath(change.oldPlace),
    newPlace: withShownPath(change.newPlace),
    isBeyond: refusedChanges.includes(change),
    allowed: reasons.get(change.fingerprint),
  }));
  return { base: diff.base, current: diff.current, changes };
}

const changeCommands = { breaks: "error", some: "warning", tolerated: "notice", none: "notice" } as const;

/** The annotation for a change, at its new position. An allowed change gets only a notice. */
function changeCommand(change: Change, { refusedChanges }: ContractChanges["judgement"], pathOf: PathOf): string {
  const { rule, level, message, consequences, newPlace, oldPlace, fingerprint } = change;
  const position =
    newPlace === undefined
      ? {}
      : { file: pathOf({ path: newPlace.path, text: "" }), line: newPlace.line, col: newPlace.column };
  const oldPosition =
    oldPlace === undefined
      ? ""
      : ` Old position: ${pathOf({ path: oldPlace.path, text: "" })}:${oldPlace.line}:${oldPlace.column}.`;
  const name = refusedChanges.includes(change) ? changeCommands[level] : "notice";
  const text = `${message}\n${consequenceText(consequences)}.${oldPosition} [${fingerprint}]`;
  return workflowCommand(name, { ...position, title: `${rule}` }, text);
}

const commands = { error: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands of GitHub Actions, which annotate the lines of a pull request. */
export function outcomeForGithub(outcome: Outcome, pathOf: PathOf): string {
  const { exit, files, diagnostics = [], mistakes = [], contractChanges, notes = [] } = outcome;
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
  if (exit === 1 && files !== undefined) {
    const outOfDate = [...files.added, ...files.changed, ...files.removed];
    const message = "This generated file is out of date. Run bothends generate.";
    lines.push(...outOfDate.map((file) => workflowCommand("error", { file, title: "bothends" }, message)));
  }
  if (contractChanges !== undefined) {
    const { diff, judgement } = contractChanges;
    lines.push(...diff.changes.map((change) => changeCommand(change, judgement, pathOf)));
  }
  lines.push(...notes.map((note) => workflowCommand("warning", { title: "bothends" }, note)));
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
