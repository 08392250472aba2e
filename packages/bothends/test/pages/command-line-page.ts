import type { Argument, Command, Option } from "commander";
import { createProgram } from "../../src/command-line.js";

/** The reference of the command line, made from the declarations of its commands. */
export function commandLinePage(): string {
  const stream = { isTTY: false, write: () => {} };
  const host = { workingFolder: ".", environment: {}, out: stream, err: stream, now: () => 0 };
  const program = createProgram({ host, version: "0.0.0", writeHelp: () => {}, finish: () => {} });
  const commands = commandsOf(program);
  const shared = sharedOptions(commands.map(({ command }) => command));
  return [
    introduction,
    ...commands.map(
      ({ path, command }) =>
        `| [\`${path}\`](#bothends-${path.replaceAll(" ", "-")}) | ${sentence(command.summary() || command.description())} |`,
    ),
    "",
    ...commands.map(({ path, command }) => commandText(path, command, shared)),
    "## Options of most commands\n",
    table(shared),
    ending,
  ].join("\n");
}

const introduction = `# Command line

\`npx bothends\` runs the command line of the package \`bothends\`. This page is made from its declarations (\`pnpm golden\`); \`bothends <command> --help\` prints
the same for one command.

| command | purpose |
|---|---|`;

const ending = `
## Output

Warnings come first, then errors, then what changed, and a verdict in the last line: \`1 error, 9 warnings; nothing written. Try --root onvif/ver10.\`
Positions are relative to the working directory. Warnings of one code are printed once, with the other positions; \`--verbose\` prints them all, and
notes. [Each code](diagnostics.md) has an entry with an example and a fix.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | the input is refused, \`check\` found a difference, \`diff\` a change worse than \`--allow\`, or the user declined; nothing is written, except by \`scaffold\`: if it cannot make a rename that \`--rename\` requests, it makes the other changes |
| 2 | a mistake in the command line, a failure of the disk or of the network; the verdict reports the files that were written before, if any |

\`--format github\` writes workflow commands, which annotate the lines of a pull request. \`--format json\` writes one object:

| member | content |
|---|---|
| \`format\` | 1 |
| \`exitCode\` | the exit code |
| \`verdict\` | the last line of the text format |
| \`diagnostics\` | \`code\`, \`kind\`, \`severity\`, \`path\`, \`line\`, \`column\`, \`endLine\`, \`endColumn\`, \`message\` and \`help\` of each |
| \`mistakes\` | \`message\` and \`help\` of each mistake outside the sources |
| \`files\` | the paths \`added\`, \`changed\` and \`removed\`, and the number \`unchanged\` |
| \`notes\` | sentences, such as entries of an allow list that match no change |
| \`contractChanges\` | the names of the versions, \`base\` and \`current\`, and the \`changes\`, one for each direction of a message |

Each of the \`changes\` has these members. A member without a value is absent.

| member | content |
|---|---|
| \`rule\` | the id of the rule ([all rules](diff-rules.md)) |
| \`direction\` | \`input\` if requests contain the changed item, \`output\` if answers contain it; absent if the change affects calls, not messages |
| \`interface\` | the name of the interface in the configuration |
| \`subject\` | the changed item, such as \`Vehicle.Colour\` |
| \`before\`, \`after\` | the changed value in the old and the new version; \`before\` is absent for additions, \`after\` for removals |
| \`oldPosition\`, \`newPosition\` | \`path\`, \`line\` and \`column\` in each version |
| \`consequences\` | \`none\`, \`tolerated\`, \`some\` or \`breaks\` for \`oldClients\`, \`newClients\`, \`callers\` and \`handlers\` |
| \`level\` | the worst of the consequences |
| \`message\`, \`reason\` | a sentence that describes the change, and one or more that explain its consequences |
| \`strictPeers\` | a sentence about peers that validate messages more strictly than generated code |
| \`undecided\` | why the schemas do not determine the consequences; \`consequences\` is then the worst case |
| \`operations\` | the names of the affected operations |
| \`members\` | the paths of these operations in a client and in the handlers, such as \`reg.checkUSA\` |
| \`vanishedNames\` | names that the generated packages no longer export, except those in \`message\`; absent if there are none |
| \`fingerprint\` | the 12 digits for an allow list |
| \`group\` | the digits for an allow list that accept the whole group, if at least three changes differ only in their subjects and positions |
| \`isBeyond\` | whether the change is worse than \`--allow\` and not in an allow list |
| \`allowed\` | the reason in an allow list that accepts the change |

Colors need a terminal; the variable \`NO_COLOR\` turns them off, and \`FORCE_COLOR\` turns them on without one.
`;

interface NamedCommand {
  /** \`scaffold server\`. */
  readonly path: string;
  readonly command: Command;
}

function commandsOf(program: Command, path: readonly string[] = []): readonly NamedCommand[] {
  return program.commands.flatMap((command): readonly NamedCommand[] => {
    const here = [...path, command.name()];
    return command.commands.length > 0 ? commandsOf(command, here) : [{ path: here.join(" "), command }];
  });
}

/** The options that at least four commands have with the same words. */
function sharedOptions(commands: readonly Command[]): readonly Option[] {
  const seen = new Map<string, { readonly option: Option; count: number }>();
  for (const option of commands.flatMap((command) => command.options)) {
    const key = `${option.flags} ${option.description}`;
    const known = seen.get(key) ?? { option, count: 0 };
    known.count += 1;
    seen.set(key, known);
  }
  return [...seen.values()].filter(({ count }) => count >= 4).map(({ option }) => option);
}

function commandText(path: string, command: Command, shared: readonly Option[]): string {
  const known = new Set(shared.map(({ flags, description }) => `${flags} ${description}`));
  const options = command.options.filter(({ flags, description }) => !known.has(`${flags} ${description}`));
  const hasShared = options.length < command.options.length;
  return [
    `## bothends ${path}\n`,
    `${sentence(command.description())}\n`,
    "```console",
    ...examplesOf(command),
    "```\n",
    ...command.registeredArguments.map((argument) => `${argumentText(argument)}\n`),
    ...(options.length === 0 ? [] : [table(options)]),
    ...(hasShared
      ? [`${options.length === 0 ? "" : "\n"}Also [the options of most commands](#options-of-most-commands).\n`]
      : [""]),
  ].join("\n");
}

function argumentText(argument: Argument): string {
  return `\`${argument.required ? "<" : "["}${argument.name()}${argument.variadic ? "…" : ""}${argument.required ? ">" : "]"}\`: ${argument.description}.`;
}

function table(options: readonly Option[]): string {
  const rows = options.map(
    ({ flags, description }) => `| \`${flags.replaceAll("|", "\\|")}\` | ${description.replaceAll("|", "\\|")} |`,
  );
  return ["| option | effect |", "|---|---|", ...rows].join("\n");
}

/** The examples at the end of the help. */
function examplesOf(command: Command): readonly string[] {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  return [...parts.join("").matchAll(/^ {2}\$ (.*)$/gm)].map(([, example = ""]) => `$ ${example}`);
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return capital.endsWith(".") ? capital : `${capital}.`;
}
