import { Command, Option } from "commander";
import { type ExitCode, type Host, hasColour } from "./host.js";
import type { GenerateOptions, ProjectOptions, ScaffoldOptions } from "./options.js";

/** The environment of one command line, and the receiver of its exit code. */
export interface Session {
  readonly host: Host;
  readonly version: string;
  done(code: ExitCode): void;
}

/** Declares the commands and their options. The modules of a command are loaded when it runs. */
export function createProgram(session: Session): Command {
  const { host, version } = session;
  const program = new Command("bothends")
    .description("Typed clients and server stubs from WSDL, XSD and REST discovery indexes.")
    .option("--debug", "show stack traces")
    .version(version, "-V, --version", "show the version")
    .helpCommand(false)
    .showHelpAfterError("\nUse --help for the commands and options.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.out.write(text),
      writeErr: (text) => host.err.write(text),
      getOutHasColors: () => hasColour(host, host.out),
      getErrHasColors: () => hasColour(host, host.err),
    });
  addGenerate(program, session);
  addCheck(program, session);
  addScaffold(program, session);
  return program;
}

function addGenerate(program: Command, { host, done }: Session): void {
  const command = projectCommand(program, "generate")
    .summary("write the contract, client and server packages")
    .description(
      "Write the contract, client and server packages. Only files that differ are written, all of them or none.",
    )
    .option("--force", "replace edited files, and keep a copy of each with the suffix .orig")
    .option("--allow-nonempty", "write into a folder that contains other files")
    .option("--dry-run", "show what would change, and write nothing");
  command.action(async (options: GenerateOptions) => {
    const { runGenerate } = await import("./commands/generate.js");
    done(runGenerate(options, host));
  });
}

function addCheck(program: Command, { host, done }: Session): void {
  const command = projectCommand(program, "check")
    .summary("compare the packages with their sources")
    .description(
      "Generate in memory, and show how the packages on disk differ. Nothing is written. The exit code is 1 if they differ.",
    );
  command.action(async (options: ProjectOptions) => {
    const { runCheck } = await import("./commands/check.js");
    done(runCheck(options, host));
  });
}

function addScaffold(program: Command, { host, done }: Session): void {
  const scaffold = program.command("scaffold").description("Write source files that you edit.").helpCommand(false);
  const command = projectCommand(scaffold, "server")
    .summary("write a server with a handler for each operation")
    .description(
      "Write a server with a handler for each operation, or add the missing handlers to an existing one. Your code is not changed.",
    )
    .argument("<name>", "the name of the package: my-server, @scope/my-server")
    .option("--path <folder>", "the folder of the package (default: beside the generated server package)")
    .option("--allow-nonempty", "write into a folder that contains other files")
    .option("--dry-run", "show what would be written, and write nothing");
  command.action(async (name: string, options: ScaffoldOptions) => {
    const { runScaffold } = await import("./commands/scaffold.js");
    done(await runScaffold(name, options, host));
  });
}

function projectCommand(parent: Command, name: string): Command {
  return parent
    .command(name)
    .allowExcessArguments(false)
    .option("--config <file>", "the configuration file (default: bothends.json)")
    .option(
      "--root <folder>",
      "the folder of all sources (default: the folder of the configuration, or the nearest that contains the given schemas)",
    )
    .option("--wsdl <file...>", "WSDLs to generate from, without a configuration")
    .option("--index <file>", "a REST discovery index to generate from, without a configuration")
    .option("--out <folder>", "the folder for the generated packages, with --wsdl or --index")
    .option("--name <word>", "the interface's name, with --wsdl or --index (default: the file's)")
    .option("--lenient", "accept references to missing declarations, with --wsdl")
    .option("--vendor-runtime", "write the runtime beside the packages, for when no registry has it")
    .option("--limit <name=value>", "a limit on the sources, such as fileBytes=33554432; may be repeated", collect)
    .addOption(new Option("--debug", "show stack traces"));
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
