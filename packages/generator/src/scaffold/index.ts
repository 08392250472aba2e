export type { MergeReport } from "./merge-handlers.js";
export { type Scaffolded, type ScaffoldInputs, scaffoldServer } from "./scaffold-server.js";
