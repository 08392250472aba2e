import type { Command } from "commander";
import { UsageError } from "../host.js";
import type { Outcome } from "../report/outcome.js";

/** `bothends completion <shell>`: prints a script that completes commands and options. */
export function runCompletion(shell: string, program: Command): Outcome {
  const script = scripts.get(shell);
  if (script === undefined) {
    throw new UsageError(`There is no completion for the shell "${shell.slice(0, 100)}".`, {
      help: `Supported shells: ${[...scripts.keys()].join(", ")}.`,
    });
  }
  return { exit: 0, body: script(listCommands(program)), result: undefined };
}

/** The completions of a command: its subcommands and options. */
interface CommandCompletions {
  /** The full name of the command, such as `scaffold server`; `""` for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly flag: string; readonly summary: string }[];
}

function listCommands(command: Command, path: readonly string[] = []): readonly CommandCompletions[] {
  const entry = {
    path: path.join(" "),
    commands: command.commands.map((command) => ({
      name: command.name(),
      summary: command.summary() || command.description(),
    })),
    options: [
      ...command.options.map(({ long, description }) => ({ flag: long ?? "", summary: description })),
      { flag: "--help", summary: "display help for command" },
    ],
  };
  return [entry, ...command.commands.flatMap((command) => listCommands(command, [...path, command.name()]))];
}

const scripts: ReadonlyMap<string, (entries: readonly CommandCompletions[]) => string> = new Map([
  ["bash", writeBashScript],
  ["zsh", writeZshScript],
  ["fish", writeFishScript],
]);

function writeBashScript(entries: readonly CommandCompletions[]): string {
  const cases = entries.map(
    ({ path, commands, options }) =>
      `    "${path}") words="${[...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(" ")}" ;;`,
  );
  return `# bash completion for bothends: eval "$(bothends completion bash)"
_bothends() {
  local word path="" words="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${writePathCases(entries, "      ")}
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$current" in
    -*) ;;
    *) COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _bothends bothends
`;
}

function writePathCases(entries: readonly CommandCompletions[], indent: string): string {
  return entries
    .filter(({ path }) => path !== "")
    .map(({ path }) => {
      const commandWords = path.split(" ");
      const pattern = `${commandWords.slice(0, -1).join(" ")} ${commandWords.at(-1)}`;
      return `${indent}"${pattern}") path="${path}" ;;`;
    })
    .join("\n");
}

function writeZshScript(entries: readonly CommandCompletions[]): string {
  return `#compdef bothends
# zsh completion for bothends: eval "$(bothends completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${writeBashScript(entries)}`;
}

function writeFishScript(entries: readonly CommandCompletions[]): string {
  const quote = (text: string) => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
  const lines = entries.flatMap(({ path, commands, options }) => {
    const commandWords = path.split(" ").filter((word) => word !== "");
    const isInCommand = commandWords.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    const names = commands.map(({ name }) => name).join(" ");
    const isHere = isInCommand === "" ? "true" : isInCommand;
    const condition = names === "" ? isHere : `${isHere}; and not __fish_seen_subcommand_from ${names}`;
    return [
      ...commands.map(
        ({ name, summary }) => `complete -c bothends -n ${quote(condition)} -a ${name} -d ${quote(summary)}`,
      ),
      ...options.map(
        ({ flag, summary }) =>
          `complete -c bothends -n ${quote(condition)} -l ${flag.replace(/^--/, "")} -d ${quote(summary)}`,
      ),
    ];
  });
  return `# fish completion for bothends\n${lines.join("\n")}\n`;
}
