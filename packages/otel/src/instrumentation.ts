/** The instrumentation scope of spans and metrics. A test compares the version with that of the package. */
export const instrumentation = { name: "@bothends/otel", version: "0.1.0" } as const;
