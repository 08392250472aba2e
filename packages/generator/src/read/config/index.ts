export { type ConfigFlags, configFromFlags } from "./from-flags.js";
export { type ConfigDefaults, readConfig } from "./read-config.js";
