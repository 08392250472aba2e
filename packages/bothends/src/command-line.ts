import { Command, Option } from "commander";
import { type Host, UsageError } from "./host.js";
import { quoteShellWord } from "./paths.js";
import type {
  DiffOptions,
  FetchOptions,
  GenerateOptions,
  InitOptions,
  ProjectOptions,
  ScaffoldOptions,
} from "./project.js";
import { type Outcome, type ReportOptions, reportFormats } from "./report/outcome.js";

/** The environment of one command line, and the function that receives the outcome of its command. */
export interface Session {
  readonly host: Host;
  readonly version: string;
  /** Prints the help or the version. */
  writeHelp(text: string): void;
  finish(outcome: Outcome, options: ReportOptions): void;
}

/** Declares the commands and their options. The modules of a command are loaded only when it runs. */
export function createProgram(session: Session): Command {
  const program = new Command("bothends")
    .description("Typed clients and server stubs from WSDL, XSD and REST discovery indexes.")
    .option("--debug", "show stack traces")
    .version(session.version, "-V, --version", "show the version")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: session.writeHelp,
      writeErr: (text) => {
        // `runCommand` reports errors. Any text that is not an error is the help, which commander prints for a command
        // line without a command.
        if (!text.startsWith("error:")) {
          session.writeHelp(text);
        }
      },
    });
  addExamples(program, [
    "npx bothends init 'https://service.example/quotes.asmx?wsdl'",
    "npx bothends generate",
    "npx bothends explain WSDL012",
  ]);
  addInit(program, session);
  addGenerate(program, session);
  addWatch(program, session);
  addCheck(program, session);
  addDiff(program, session);
  addFetch(program, session);
  addScaffold(program, session);
  addExplain(program, session);
  addCompletion(program, session);
  return program;
}

function addInit(program: Command, { host, finish }: Session): void {
  const command = program
    .command("init")
    .summary("start a project: write a configuration, scripts and the first packages")
    .description(
      "Write bothends.json, add scripts to package.json and lines to .gitignore, generate the packages, and show how to call them. If no source is named, init asks for one.",
    )
    .argument("[source...]", "WSDLs, an index, or the address of a WSDL or an index, which is fetched to schemas/");
  addInterfaceOptions(command, {
    wsdl: "WSDLs, or the address of a WSDL",
    index: "a REST discovery index, or the address of a WordPress site",
    out: "the folder for the generated packages (default: generated)",
    lenient: "accept references to missing declarations in a WSDL",
    condition: "",
    vendorRuntime: "write the runtime beside the packages, or use the project's existing one (the default)",
  }).option("--no-vendor-runtime", "let the packages depend on @bothends/runtime in a registry");
  addNetworkOptions(command).option("--verbose", "show notes, and every warning in full").addOption(formatOption());
  addExamples(command, [
    "npx bothends init quotes.wsdl",
    "npx bothends init 'https://service.example/quotes.asmx?wsdl'",
    "npx bothends init https://site.example/ --name site --user editor",
  ]);
  command.action(async (sources: readonly string[], options: InitOptions) => {
    const { runInit } = await import("./commands/init.js");
    finish(await runInit(sources, options, host), options);
  });
}

function addGenerate(program: Command, { host, finish }: Session): void {
  const command = addProjectCommand(program, "generate")
    .summary("write the contract, client and server packages")
    .description(
      "Write the contract, client and server packages. Only files that differ are written: either all of them or none.",
    )
    .option("--force", "replace edited files (copies get the suffix .orig), and packages of other interfaces")
    .option("--allow-nonempty", "write into a folder that contains other files")
    .option("--dry-run", "show what would change, and write nothing")
    .option("--watch", "generate again whenever a source changes");
  addExamples(command, [
    "npx bothends generate",
    "npx bothends generate --wsdl quotes.wsdl --out generated --vendor-runtime",
    "npx bothends generate --index index.json --out generated --name site",
  ]);
  command.action(async (options: GenerateOptions) => {
    if (options.watch === true) {
      const { runWatch } = await import("./commands/watch.js");
      finish(await runWatch(options, host), options);
      return;
    }
    const { runGenerate } = await import("./commands/generate.js");
    refuseArguments(command);
    finish(runGenerate(options, host), options);
  });
}

function addWatch(program: Command, { host, finish }: Session): void {
  const command = addProjectCommand(program, "watch")
    .summary("generate whenever a source changes")
    .description(
      "Generate now, and again whenever a schema or the configuration is saved, until you press Ctrl-C. While there are errors, the packages stay unchanged.",
    )
    .option("--force", "replace edited files (copies get the suffix .orig), and packages of other interfaces")
    .option("--allow-nonempty", "write into a folder that contains other files");
  addExamples(command, [
    "npx bothends watch",
    "npx bothends watch --wsdl quotes.wsdl --out generated --vendor-runtime",
  ]);
  command.action(async (options: GenerateOptions) => {
    refuseArguments(command);
    const { runWatch } = await import("./commands/watch.js");
    finish(await runWatch(options, host), options);
  });
}

function addCheck(program: Command, { host, finish }: Session): void {
  const command = addProjectCommand(program, "check")
    .summary("compare the packages with their sources")
    .description(
      "Generate in memory, and show how the packages on disk differ. Nothing is written. The exit code is 1 if they differ.",
    )
    .option(
      "--fast",
      "compare hashes with the last run of generate on this machine, and generate only if a file differs",
    );
  addExamples(command, ["npx bothends check", "npx bothends check --format github"]);
  command.action(async (options: ProjectOptions) => {
    const { runCheck } = await import("./commands/generate.js");
    refuseArguments(command);
    finish(runCheck(options, host), options);
  });
}

function addDiff(program: Command, { host, finish }: Session): void {
  const command = addProjectCommand(program, "diff")
    .summary("report what changed in the schemas, and whom it affects")
    .description(
      "Compare the schemas with an earlier version, and report for each change whom it affects: old clients, new clients, TypeScript callers, handlers, or no one. The exit code is 1 if a change is worse than --allow accepts, and 2 if the schemas cannot be compared.",
    )
    .argument("[old]", "the earlier version, like --base")
    .argument("[new]", "a WSDL, an index or the folder of a project (default: the working folder)")
    .option(
      "--base <version>",
      "a git revision, a folder or a file (default: HEAD, otherwise the last run of generate)",
    )
    .option(
      "--allow <level or file>",
      "the worst level to accept (none, tolerated, some or breaks; default: tolerated), or a file that lists accepted changes; may be repeated",
      collect,
    );
  const format = command.options.find(({ long }) => long === "--format");
  format?.choices([...reportFormats, "markdown"]);
  addExamples(command, [
    "npx bothends diff",
    "npx bothends diff --base origin/main --format markdown",
    "npx bothends diff old.wsdl new.wsdl",
    "npx bothends diff --allow some --allow accepted-changes.json",
  ]);
  command.action(async (old: string | undefined, current: string | undefined, options: DiffOptions) => {
    const { readVersions, runDiff } = await import("./commands/diff.js");
    refuseArguments(command, 2);
    const { format: chosenFormat, ...others } = options;
    finish(runDiff(readVersions([old, current], options, host), host), {
      ...others,
      format: chosenFormat === "markdown" ? "text" : (chosenFormat ?? "text"),
    });
  });
}

function addFetch(program: Command, { host, finish }: Session): void {
  const command = program
    .command("fetch")
    .summary("save a WSDL or an index from the network")
    .description(
      "Save a WSDL with everything that it imports, or the index of a WordPress site with its schemas. Differences from existing files are shown, and nothing is written without confirmation.",
    )
    .argument("<address>", "the address of a WSDL, of a schema, of an index or of a WordPress site")
    .option("--into <folder>", "the folder for the files (default: schemas)")
    .option("--yes", "write without asking");
  addNetworkOptions(command)
    .addOption(formatOption())
    .option("--verbose", "list every change")
    .addOption(new Option("--debug", "show stack traces"));
  addExamples(command, [
    "npx bothends fetch 'https://service.example/quotes.asmx?wsdl' --into schemas/quotes",
    "npx bothends fetch https://site.example/wp-json/ --user editor --yes",
  ]);
  command.action(async (address: string, options: FetchOptions) => {
    const { runFetch } = await import("./commands/fetch.js");
    finish(await runFetch(address, options, host), options);
  });
}

function addScaffold(program: Command, { host, finish }: Session): void {
  const scaffold = program
    .command("scaffold")
    .usage("<command> [options]")
    .summary("write source files that you edit")
    .description("Write source files that you edit.")
    .helpCommand(false);
  const command = addProjectCommand(scaffold, "server")
    .allowExcessArguments(false)
    .summary("write a server with a handler for each operation")
    .description(
      "Write a server with a handler for each operation, or add the missing handlers to an existing one. Your code is not changed.",
    )
    .argument("<name>", "the name of the package: my-server, @scope/my-server")
    .option(
      "--path <folder>",
      "the folder of the package (default: its name; in a workspace, beside the generated server package)",
    )
    .option(
      "--adapter <adapter>",
      "the platform of a new server: node, fetch, express, fastify or hono (default: node)",
    )
    .option("--interface <name...>", "only these interfaces (default: all)")
    .option("--rename <old=new>", "move a handler to a renamed operation; may be repeated", collect)
    .option("--allow-nonempty", "write into a folder that contains other files")
    .option("--dry-run", "show what would be written, and write nothing");
  addExamples(command, [
    "npx bothends scaffold server quotes-server",
    "npx bothends scaffold server quotes-server --adapter fastify",
    "npx bothends scaffold server quotes-server --rename getQuote=getLatestQuote",
  ]);
  command.action(async (name: string, options: ScaffoldOptions) => {
    const { runScaffold } = await import("./commands/scaffold.js");
    finish(await runScaffold(name, options, host), options);
  });
}

function addExplain(program: Command, { finish }: Session): void {
  const command = program
    .command("explain")
    .summary("explain diagnostic codes and rules of diff")
    .description("Explain diagnostic codes, each with an example and a fix, and rules of diff.")
    .argument("<code...>", "codes, kinds or rules: WSDL012, xml.dtd, member-renamed");
  addExamples(command, ["npx bothends explain WSDL012"]);
  command.action(async (codes: readonly string[]) => {
    const { runExplain } = await import("./commands/explain.js");
    finish(runExplain(codes), {});
  });
}

function addCompletion(program: Command, { finish }: Session): void {
  const command = program
    .command("completion")
    .summary("print a script that completes commands in a shell")
    .description("Print a script that completes commands and options in a shell.")
    .argument("<shell>", "bash, zsh or fish");
  addExamples(command, [
    'eval "$(bothends completion bash)"',
    "bothends completion fish > ~/.config/fish/completions/bothends.fish",
  ]);
  command.action(async (shell: string) => {
    const { runCompletion } = await import("./commands/completion.js");
    finish(runCompletion(shell, program), {});
  });
}

function addProjectCommand(parent: Command, name: string): Command {
  return addInterfaceOptions(
    parent
      .command(name)
      // `refuseArguments` refuses excess arguments with a more helpful message than commander's.
      .allowExcessArguments(true)
      .option("--config <file>", "the configuration file (default: bothends.json)")
      .option(
        "--root <folder>",
        "the folder that contains all sources (default: the folder of the configuration, or the nearest folder above the schemas that has a package.json)",
      ),
    {
      wsdl: "WSDLs to generate from, without a configuration",
      index: "a REST discovery index to generate from, without a configuration",
      out: "the folder for the generated packages, with --wsdl or --index",
      lenient: "accept references to missing declarations in a WSDL, with --wsdl",
      condition: ", with --wsdl or --index",
      vendorRuntime: "write the runtime beside the packages, or use the one that another run wrote in this project",
    },
  )
    .option("--limit <name=value>", "a limit on the sources, such as fileBytes=33554432; may be repeated", collect)
    .addOption(formatOption())
    .option("--verbose", "show notes, and every warning in full")
    .addOption(new Option("--debug", "show stack traces"));
}

/** The descriptions of the options that describe one interface, which differ between commands. */
interface InterfaceOptionTexts {
  readonly wsdl: string;
  readonly index: string;
  readonly out: string;
  readonly lenient: string;
  readonly vendorRuntime: string;
  /** The end of each description except those of `out`, such as `, with --wsdl or --index`. */
  readonly condition: string;
}

/** Adds the options that describe one interface and its packages if there is no configuration. */
function addInterfaceOptions(command: Command, texts: InterfaceOptionTexts): Command {
  const { wsdl, index, out, lenient, vendorRuntime, condition } = texts;
  return command
    .option("--wsdl <file...>", wsdl)
    .option("--index <file>", index)
    .option("--out <folder>", out)
    .option("--name <word>", `the name of the interface${condition} (default: the name of the file)`)
    .option("--lenient", lenient)
    .option("--client", `write only what clients need${condition}`)
    .option("--server", `write only what servers need${condition}`)
    .option("--types", `write only types${condition}`)
    .option("--vendor-runtime", vendorRuntime)
    .option("--vendor-runtime-in <folder>", "write the runtime to this folder instead of beside the packages");
}

function addNetworkOptions(command: Command): Command {
  return command
    .option("--fresh", "fetch every document again, even if an interrupted fetch received it within the last hour")
    .option("--allow-host <host>", "an additional host from which documents may be fetched; may be repeated", collect)
    .option("--user <name>", "log in; the password is prompted for, or read from the variable BOTHENDS_PASSWORD")
    .option("--header <name: value>", "send a header to the host of the address; may be repeated", collect)
    .option("--timeout <seconds>", "the timeout for one document, in seconds (default: 60)")
    .option("--limit <name=value>", "a limit on the documents, such as fileBytes=33554432; may be repeated", collect);
}

function formatOption(): Option {
  return new Option("--format <format>", "the format of reports").choices([...reportFormats]).default("text");
}

/** Refuses surplus arguments, and suggests the option or the command that accepts them. */
function refuseArguments(command: Command, acceptedCount = 0): void {
  const argument = command.args[acceptedCount];
  if (argument === undefined) {
    return;
  }
  const name = command.name();
  if (acceptedCount > 0) {
    throw new UsageError(`${name} compares two versions, and "${argument.slice(0, 200)}" is a third.`, {
      help: "Run the command once for each pair of versions.",
    });
  }
  const option = /\.json$/i.test(argument) ? "--config" : "--wsdl";
  const suggestion = /^https?:/i.test(argument)
    ? `bothends fetch ${quoteShellWord(argument)}`
    : `bothends ${name} ${option} ${quoteShellWord(argument)}${option === "--wsdl" ? " --out generated" : ""}`;
  throw new UsageError(`${name} accepts only options, not "${argument.slice(0, 200)}".`, {
    help: "Name a WSDL with --wsdl, an index with --index, or a configuration with --config.",
    suggestion,
  });
}

function collect(value: string, previousValues: readonly string[] = []): readonly string[] {
  return [...previousValues, value];
}

function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  $ ${example}`).join("\n")}`);
}
