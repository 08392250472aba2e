import type { PackagePlan, Plan } from "./plan.js";

/** What imports of a package's entries begin with: `@acme/client`, or `@acme/all/client` where one package holds all. */
export function entryOf({ name, part }: PackagePlan): string {
  return part === undefined ? name : `${name}/${part}`;
}

/** The folder of a package's source: `client/src`, or `all/src/client`. */
export function sourceFolderOf({ path, part }: PackagePlan): string {
  return part === undefined ? `${path}/src` : `${path}/src/${part}`;
}

/** The folders of the generated packages, each once. */
export function packageFolders(packages: Plan["packages"]): readonly string[] {
  return [...new Set(Object.values(packages).map(({ path }) => path))];
}
