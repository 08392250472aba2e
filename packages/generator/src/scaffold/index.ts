export type { MergeReport } from "./merge.js";
export { type Scaffolded, type ScaffoldInputs, scaffoldServer } from "./scaffold-server.js";
