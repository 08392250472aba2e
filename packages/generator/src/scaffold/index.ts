export type { ChangedHandler, HandlerChanges, MergeReport, RemovedHandler } from "./merge-handlers.js";
export {
  type Scaffolded,
  type ScaffoldInputs,
  type ServerAdapter,
  scaffoldServer,
  serverAdapters,
} from "./scaffold-server.js";
