import { runProgram } from "./child.js";

/** Options for programs that end before it pays to compile them well. */
export const quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** What `java` is started with for a program of a folder and libraries. */
export function javaArgs(classPath: readonly string[], program: string, args: readonly string[]): readonly string[] {
  return [...quick, "-cp", classPath.join(":"), program, ...args];
}

/** Compiles sources into a folder. */
export async function compileJava(
  folder: string,
  libraries: readonly string[],
  files: readonly string[],
): Promise<void> {
  const options = ["-J-XX:TieredStopAtLevel=1", "-nowarn", "-encoding", "UTF-8"];
  await runProgram({ command: "javac", args: [...options, "-cp", libraries.join(":"), "-d", folder, ...files] });
}
