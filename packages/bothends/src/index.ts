export type { ExitCode, Host, Stream } from "./host.js";
export { run } from "./run.js";
