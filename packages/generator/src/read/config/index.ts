export { type ConfigFlags, configFromFlags } from "./from-flags.js";
export { isInterfaceName } from "./interfaces.js";
export { type ConfigDefaults, readConfig } from "./read-config.js";
