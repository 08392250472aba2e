export { type Deviation, readDeviations } from "./deviations.js";
export { lookupHandlers } from "./lookup-handlers.js";
export { type RecordedCase, readCases } from "./recorded-case.js";
export { type ReplayInputs, type ReplayReport, replay, reportLines } from "./replay.js";
