/** The entry point for programs that use diagnostics without the generator, for example to report or explain them. */
export { findNearestName } from "@bothends/xml";
export { type CatalogueEntry, type Code, catalogue } from "./catalogue/index.js";
export { type Diagnostic, formatDiagnostics, type Severity, sortDiagnostics } from "./diagnostics.js";
export { quoteShellWord } from "./document-addresses.js";
export { isLimit, type SourceLimits, sourceLimits } from "./source-limits.js";
export { getPosition, type SourceText, type Span } from "./span.js";
