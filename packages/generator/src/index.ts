export {
  type Descriptors,
  describe,
  type InterfaceDescriptors,
  type ObjectValue,
  type Reference,
  type RestDescriptors,
  type SoapDescriptors,
  type Value,
} from "./describe/index.js";
export { type Generated, generate, type Inputs } from "./generate.js";
export type * from "./model/index.js";
export { packageFolders } from "./plan/index.js";
export { type ConfigFlags, configFromFlags } from "./read/config/config-from-flags.js";
export { type ConfigDefaults, readConfig } from "./read/config/read-config.js";
export { isInterfaceName } from "./read/config/read-interfaces.js";
export { wellKnownNamespaces } from "./read/xsd/well-known/index.js";
export { type Code, catalogue } from "./source/catalogue/index.js";
export { type Diagnostic, Diagnostics, type Severity } from "./source/diagnostics.js";
export { formatDiagnostics } from "./source/format-diagnostics.js";
export { isLimit, type SourceLimits, sourceLimits } from "./source/source-limits.js";
export type { FileRead, ReadFile } from "./source/sources.js";
export type { SourceText, Span } from "./source/span.js";
