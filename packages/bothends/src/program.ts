import { Command, Option } from "commander";
import type { ExitCode } from "./exit-code.js";
import { type Host, hasColour } from "./host.js";
import type { GenerateOptions, ProjectOptions, ScaffoldOptions } from "./options.js";

/** What a command line runs in, and where its exit code goes. */
export interface Session {
  readonly host: Host;
  readonly version: string;
  done(code: ExitCode): void;
}

/** The command line as commander reads it. What a command needs is loaded when it runs. */
export function createProgram(session: Session): Command {
  const { host, version } = session;
  const program = new Command("bothends")
    .description("Typed clients and server stubs from WSDL, XSD and REST discovery indexes.")
    .option("--debug", "show stack traces")
    .version(version, "-V, --version", "show the version")
    .helpCommand(false)
    .showHelpAfterError("\n--help shows what there is.")
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
      "Write the contract, client and server packages. Only files that differ are written; all of them or none.",
    )
    .option("--force", "replace edited files, keeping each as .orig beside it")
    .option("--allow-nonempty", "write into a folder that holds other files")
    .option("--dry-run", "only say what would change");
  command.action(async (options: GenerateOptions) => {
    const { runGenerate } = await import("./commands/generate.js");
    done(runGenerate(options, host));
  });
}

function addCheck(program: Command, { host, done }: Session): void {
  const command = projectCommand(program, "check")
    .summary("compare the packages with what the sources make now")
    .description("Generate in memory, show how the packages differ, and write nothing. Exit code 1: they differ.");
  command.action(async (options: ProjectOptions) => {
    const { runCheck } = await import("./commands/check.js");
    done(runCheck(options, host));
  });
}

function addScaffold(program: Command, { host, done }: Session): void {
  const scaffold = program.command("scaffold").description("Make source that is yours to edit.").helpCommand(false);
  const command = projectCommand(scaffold, "server")
    .summary("a server with a handler for each operation")
    .description(
      "Make a server with a handler for each operation, or add the handlers that one lacks. Nothing that you wrote changes.",
    )
    .argument("<name>", "the package's name: my-server, @scope/my-server")
    .option("--path <folder>", "its folder; default beside the generated server package")
    .option("--allow-nonempty", "write into a folder that holds other files")
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
    .option("--config <file>", "the configuration (default: bothends.json)")
    .option(
      "--root <folder>",
      "the folder that all sources lie in (default: the configuration's, or the nearest of the schemas given)",
    )
    .option("--wsdl <file...>", "WSDLs to generate from, without a configuration")
    .option("--index <file>", "a REST discovery index to generate from, without a configuration")
    .option("--out <folder>", "the folder for the packages, with --wsdl or --index")
    .option("--name <word>", "the interface's name, with --wsdl or --index (default: the file's)")
    .option("--lenient", "leave open what the WSDLs refer to and nothing declares, with --wsdl")
    .option("--vendor-runtime", "put the runtime beside the packages, for where no registry has it")
    .option("--limit <name=value>", "how much the sources may be, such as fileBytes=33554432; may be repeated", collect)
    .addOption(new Option("--debug", "show stack traces"));
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
