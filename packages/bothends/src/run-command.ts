import { createProgram } from "./command-line.js";
import { type ExitCode, type Host, UsageError, withPrintableStreams } from "./host.js";
import { quoteShellWord } from "./paths.js";
import { withCommandsOfProject } from "./report/install-steps.js";
import { createFailureOutcome, type Mistake, type Outcome, type ReportOptions } from "./report/outcome.js";
import { present } from "./report/present.js";
import { readRecordedOptions, saveRecord } from "./run-record.js";

/** Runs a complete command line and returns its exit code. */
export async function runCommand(parameters: readonly string[], originalHost: Host): Promise<ExitCode> {
  const host = withCommandsOfProject(withPrintableStreams(originalHost));
  let help = "";
  let outcome: Outcome = { exit: 2, result: undefined };
  let options: ReportOptions = readFormat(parameters);
  let commands: readonly string[] = [];
  try {
    const { readOwnVersion } = await import("./packed-files.js");
    const program = createProgram({
      host,
      version: readOwnVersion(),
      writeHelp: (text) => {
        help += text;
      },
      finish: (result, chosenOptions) => {
        outcome = result;
        options = chosenOptions;
      },
    });
    commands = program.commands.map((command) => command.name());
    await program.parseAsync(parameters, { from: "user" });
  } catch (error) {
    if (isCommanderError(error) && error.exitCode === 0) {
      host.out.write(help);
      return 0;
    }
    if (isCommanderError(error) && error.code === "commander.help") {
      host.err.write(help);
    }
    outcome = createFailureReport(error, parameters, commands);
  }
  // `generate` and `check` look for a record of `generate` only. The options of `init` may contain a password.
  if (outcome.record !== undefined && parameters[0] === "generate") {
    saveRecord({ options: readRecordedOptions(parameters), workingFolder: host.workingFolder }, outcome.record);
  }
  return await present(outcome, options, host);
}

/**
 * Reads `--format` before the command line is parsed, because mistakes in the command line are reported in that format
 * too.
 */
function readFormat(parameters: readonly string[]): ReportOptions {
  const [, format] = /(?:^|\0)--format[\0=](json|github)(?:\0|$)/.exec(parameters.join("\0")) ?? [];
  return format === "json" || format === "github" ? { format } : {};
}

function createFailureReport(error: unknown, parameters: readonly string[], commands: readonly string[]): Outcome {
  // `diff` never writes.
  const result = parameters[0] === "diff" ? "nothing compared" : "nothing written";
  if (!isCommanderError(error)) {
    const outcome = createFailureOutcome(error, { debug: parameters.includes("--debug"), result });
    // Every report of a mistake in the command line suggests a command.
    return error instanceof UsageError && outcome.suggestion === undefined
      ? { ...outcome, suggestion: formatHelpCommand(parameters, commands) }
      : outcome;
  }
  const isHelp = error.code === "commander.help" && parameters.length === 0;
  return {
    exit: 2,
    mistakes: [createMistake(error, parameters)],
    result,
    suggestion: isHelp ? "bothends init" : formatHelpCommand(parameters, commands),
  };
}

/** Converts commander's message: `error: unknown option '--wsld'`, with a suggestion on the second line. */
function createMistake({ code, message }: CommanderError, [command = ""]: readonly string[]): Mistake {
  if (code === "commander.help") {
    return { message: "The command line does not name a command." };
  }
  const [firstLine = "", ...otherLines] = message.replace(/^error: /, "").split("\n");
  const suggestion = otherLines.join(" ").replace(/^\((.*)\)$/, "$1");
  return {
    message: /[.!?]$/.test(firstLine) ? firstLine : `${firstLine}.`,
    help: describeOtherCommand(code, command) ?? findHelpFor(firstLine) ?? (suggestion === "" ? undefined : suggestion),
  };
}

/**
 * The option that a user probably means by a letter. There are no short forms, but the message suggests this option.
 */
const shortOptions: ReadonlyMap<string, string> = new Map([
  ["-w", "--wsdl"],
  ["-i", "--index"],
  ["-o", "--out"],
  ["-c", "--config"],
  ["-n", "--name"],
  ["-v", "--version"],
]);

/** The commands of similar programs, each with the command of this program that does the same. */
const otherCommands: ReadonlyMap<string, string> = new Map([
  ...["add", "create", "new", "setup", "start"].map((command) => [command, "init"] as const),
  ...["build", "codegen", "compile", "gen", "run", "wsdl2ts"].map((command) => [command, "generate"] as const),
  ...["lint", "validate", "verify"].map((command) => [command, "check"] as const),
  ...["breaking", "changelog", "changes", "compare"].map((command) => [command, "diff"] as const),
  ...["download", "get", "import", "pull", "sync", "update"].map((command) => [command, "fetch"] as const),
  ...["dev", "serve"].map((command) => [command, "watch"] as const),
  ...["mock", "server", "stub", "stubs"].map((command) => [command, "scaffold server"] as const),
  ...["docs", "error", "rules"].map((command) => [command, "explain"] as const),
]);

function describeOtherCommand(code: string, command: string): string | undefined {
  const name = code === "commander.unknownCommand" ? otherCommands.get(command.toLowerCase()) : undefined;
  return name === undefined ? undefined : `Did you mean ${name}?`;
}

function findHelpFor(message: string): string | undefined {
  const [, option = ""] = /^unknown option '(-\w)'/.exec(message) ?? [];
  const longOption = shortOptions.get(option);
  if (longOption !== undefined) {
    return `Options have no short forms. Did you mean ${longOption}?`;
  }
  if (message.startsWith("too many arguments")) {
    return "Run the command once for each argument. If an argument contains spaces, put it in quotation marks.";
  }
  const [, name = ""] = /^missing required argument '(\w+)'/.exec(message) ?? [];
  const example = argumentExamples.get(name);
  return example === undefined ? undefined : `Add it to the command, for example ${example}.`;
}

/** Example commands, by the name of the missing argument. */
const argumentExamples: ReadonlyMap<string, string> = new Map([
  ["address", "npx bothends fetch 'https://service.example/quotes.asmx?wsdl'"],
  ["name", "npx bothends scaffold server my-server"],
  ["code", "npx bothends explain WSDL012"],
  ["shell", "npx bothends completion bash"],
]);

/** Formats the command whose help lists the valid options. */
function formatHelpCommand(
  [command = "", subcommand = "", ...others]: readonly string[],
  commands: readonly string[],
): string {
  if (command === "help") {
    return commands.includes(subcommand) ? `bothends ${subcommand} --help` : "bothends --help";
  }
  if (command === "scaffold" && subcommand !== "server" && /^[@\w]/.test(subcommand)) {
    // If a name follows, the word is a misspelled command; otherwise, it is the name of the server.
    const parameters = others[0] !== undefined && !others[0].startsWith("-") ? others : [subcommand, ...others];
    return `bothends scaffold server ${parameters.map(quoteShellWord).join(" ")}`;
  }
  if (command.startsWith("--")) {
    return `bothends generate ${[command, subcommand, ...others].map(quoteShellWord).join(" ")}`.trim();
  }
  if (command === "scaffold" && subcommand === "server") {
    return "bothends scaffold server --help";
  }
  if (/\.(?:wsdl|json)$|^https?:/i.test(command)) {
    const words = [command, subcommand, ...others].filter((word) => word !== "");
    return `bothends init ${words.map(quoteShellWord).join(" ")}`;
  }
  const knownCommand = commands.includes(command) ? command : otherCommands.get(command.toLowerCase());
  return knownCommand === undefined ? "bothends --help" : `bothends ${knownCommand} --help`;
}

interface CommanderError extends Error {
  readonly code: string;
  readonly exitCode: number;
}

function isCommanderError(error: unknown): error is CommanderError {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith("commander.") &&
    "exitCode" in error
  );
}
