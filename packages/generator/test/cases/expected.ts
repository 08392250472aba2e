import type { Case } from "./case.js";
import { isServedWsdl, servedText } from "./served-wsdl.js";

/** The files that an area's cases are about; what they have in common stands in other areas' goldens. */
const shownFiles: Readonly<Record<string, RegExp>> = {
  "golden/xsd": /^contract\/src\/[^/]+\/(?:types|sender\.descriptors)\.ts$/,
  "golden/soap": /\/(?:types|faults|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server|wsdl\/[\w-]+)\.ts$/,
  "golden/rest":
    /\/(?:[\w-]+\.types|answers|answer-schemas|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server|index-document)\.ts$/,
  "golden/names": /\/(?:[\w.-]*types|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server)\.ts$/,
  "golden/config": /\/src\//,
};

/**
 * The files of a case's `expected` folder, made from its tree. A served WSDL is there as the document, not as the code that
 * contains it; the diagnostics are a file beside the packages.
 */
export function expectedFiles(
  { area, options }: Case,
  { tree, text }: { readonly tree: ReadonlyMap<string, string>; readonly text: string },
): ReadonlyMap<string, string> {
  const shown = shownFiles[area] ?? /^/;
  const files = [...tree]
    .filter(([path]) => options.projectFiles === true || shown.test(path))
    .map(([path, code]) =>
      isServedWsdl(path) ? ([path.replace(/\.ts$/, ".wsdl"), servedText(code)] as const) : ([path, code] as const),
    );
  return new Map(text === "" ? files : [...files, ["diagnostics.txt", text]]);
}
