import type { Case } from "./case.js";
import { isServedWsdl, servedText } from "./served-wsdl.js";

/** The files that the cases of an area test. Other files are tested by other areas. */
const shownFiles: Readonly<Record<string, RegExp>> = {
  "golden/xsd": /^contract\/src\/[^/]+\/(?:types|sender\.descriptors)\.ts$/,
  "golden/soap": /\/(?:types|faults|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server|wsdl\/(?:shared\/)?[\w-]+)\.ts$/,
  "golden/rest":
    /\/(?:[\w-]+\.types|answers|operations|enumerations|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server|index-document)\.ts$/,
  "golden/names": /\/(?:[\w.-]*types|[\w.-]*descriptors|[\w-]+-client|[\w-]+-server)\.ts$/,
  "golden/config": /\/src\//,
};

/**
 * Returns the files of the `expected` folder of a case. A served WSDL is shown as a document, not as the code that contains it;
 * the diagnostics are in a separate file.
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
