import { ConfigError } from "../errors.js";

/** Generated code and a runtime that do not fit each other fail at once. */
export function checkFormat(descriptor: { readonly descriptorFormat: number; readonly name: string }): void {
  if (descriptor.descriptorFormat === 1) return;
  const { name, descriptorFormat } = descriptor;
  throw new ConfigError(`${name} was generated in descriptor format ${descriptorFormat}; this runtime reads format 1.`);
}
