export { type Deviation, readDeviations } from "./deviations.js";
export { type Call, readExpectedCalls } from "./expected-calls.js";
export { type GeneratedSite, generateSite } from "./generated-site.js";
export { type RecordedCase, readRecordedCases } from "./recorded-case.js";
export { type ReplayReport, replay, reportLines } from "./replay.js";
