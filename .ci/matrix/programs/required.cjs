// Requires every entry from CommonJS.
const { exports: entries } = require("@bothends/runtime/package.json");
const names = Object.keys(entries).filter((path) => !path.endsWith(".json"));
for (const path of names) {
  if (Object.keys(require(`@bothends/runtime${path.slice(1)}`)).length === 0) {
    throw new Error(`${path} exports nothing.`);
  }
}
const { SoapFault } = require("@bothends/runtime");
if (!(new SoapFault({ reason: "from CommonJS" }) instanceof Error)) {
  throw new Error("A fault must be an Error.");
}
if (typeof require("@bothends/otel").openTelemetry !== "function") {
  throw new Error("@bothends/otel exports no openTelemetry.");
}
console.log(`${names.length} entries`);
