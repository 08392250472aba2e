import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type Sources } from "../proof/contracts.js";

function files(folder: string, names: readonly string[]): Sources {
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, folder, name), "utf8")]));
}

/** The projects that are edited: this repository's interfaces, and descriptions of other services. */
export const projects = {
  vehicle: files(".", [
    "bothends.json",
    "schemas/vehicle/reg.wsdl",
    "schemas/vehicle/bespokeapi.wsdl",
    "schemas/vehicle/records.xsd",
    "schemas/content/index.json",
    "schemas/content/objects.json",
  ]),
  parcels: files("packages/e2e/peers/parcels", ["parcels.wsdl"]),
  sums: files("packages/e2e/test/wsdl-features", ["rpc-literal.wsdl"]),
  album: files("packages/e2e/test/wsdl-features", ["attachments.wsdl"]),
  posted: files("packages/e2e/test/wsdl-features", ["addressing.wsdl"]),
  wordpress: files("packages/e2e/recorded/wordpress", ["index.json"]),
} as const;

export type ProjectName = keyof typeof projects;

/** A replacement in the file whose name ends with `file`: the first occurrence, or all. */
export interface Replacement {
  readonly file: string;
  readonly from: string | RegExp;
  readonly to: string;
}

/** The sources of a project after replacements. Each must change something. */
export function edited(project: ProjectName, replacements: readonly Replacement[]): Sources {
  const sources: Record<string, string> = { ...projects[project] };
  for (const { file, from, to } of replacements) {
    const path = Object.keys(sources).find((each) => each.endsWith(file)) ?? "";
    const before = sources[path] ?? "";
    const after = before.replace(from, to);
    if (after === before) {
      throw new Error(`Nothing in ${file} matches ${String(from)}.`);
    }
    sources[path] = after;
  }
  return sources;
}
