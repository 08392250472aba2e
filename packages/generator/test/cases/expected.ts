import type { Case } from "./case.js";

/** The files that an area's cases are about; what they have in common stands in other areas' goldens. */
const shownFiles: Readonly<Record<string, RegExp>> = {
  "golden/xsd": /^contract\/src\/[^/]+\/(?:types|sender\.descriptors)\.ts$/,
  "golden/soap": /\/(?:types|faults|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server|wsdl\/[\w-]+)\.ts$/,
  "golden/rest":
    /\/(?:[\w-]+\.types|answers|answer-schemas|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server|index-document)\.ts$/,
  "golden/names": /\/(?:[\w.-]*types|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server)\.ts$/,
  "golden/config": /\/src\//,
};

/** What of a case's tree stands in its `expected` folder; what was told while generating is a file beside the packages. */
export function expectedFiles(
  { area, options }: Case,
  { tree, text }: { readonly tree: ReadonlyMap<string, string>; readonly text: string },
): ReadonlyMap<string, string> {
  const shown = shownFiles[area] ?? /^/;
  const files = [...tree].filter(([path]) => options.projectFiles === true || shown.test(path));
  return new Map(text === "" ? files : [...files, ["diagnostics.txt", text]]);
}
