import { ConfigError } from "../../errors.js";
import type { RestCallOptions } from "../options.js";

/** The parameters by which WordPress leaves out members of an answer, or adds linked resources to it. */
export function selectionParameters({
  fields,
  embed,
}: Pick<RestCallOptions, "fields" | "embed">): readonly (readonly [string, string])[] {
  return [
    ...(fields === undefined ? [] : [["_fields", joined(fields, "fields")] as const]),
    ...(embed === undefined || embed === false
      ? []
      : [["_embed", embed === true ? "1" : joined(embed, "embed")] as const]),
  ];
}

function joined(names: readonly string[], option: string): string {
  const bad = (name: unknown) => typeof name !== "string" || name === "" || name.includes(",");
  if (!Array.isArray(names) || names.length === 0 || names.some(bad)) {
    throw new ConfigError(`The option ${option} is a list of names.`);
  }
  return names.join(",");
}
