export type { ExitCode } from "./exit-code.js";
export type { Host, Stream } from "./host.js";
export { run } from "./run.js";
