export { probeRoutes } from "./probe.js";
export { type RecordedCase, type RecordedIndex, readRecordedCases, readRecordedIndex } from "./recorded-case.js";
export { type ReplayReport, replay, reportLines } from "./replay.js";
