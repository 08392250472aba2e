import type { Case } from "./case.js";
import { isServedWsdl, servedText } from "./served-wsdl.js";

/** Patterns of the files that the cases of an area show. Other files are tested by other areas. */
export const shownFiles: Readonly<Record<string, readonly RegExp[]>> = {
  "golden/xsd": [/^contract\/src\/[^/]+\/types\.ts$/, /^contract\/src\/[^/]+\/operations\.ts$/],
  "golden/soap": [
    /\/types\.ts$/,
    /\/faults\.ts$/,
    /^contract\/.*\/operations\.ts$/,
    /^client\/.*\/index\.ts$/,
    /-handlers\.ts$/,
    /^server\/.*\/index\.ts$/,
    /\/wsdl\/[\w-]+\.ts$/,
    /\/wsdl\/shared\/[\w-]+\.ts$/,
  ],
  "golden/rest": [
    /\.types\.ts$/,
    /\/answers\.ts$/,
    /\/enumerations\.ts$/,
    /\.endpoints\.ts$/,
    /^contract\/.*\/operations\.ts$/,
    /^client\/.*\/index\.ts$/,
    /\/handlers\.ts$/,
    /\/index-document\.ts$/,
  ],
  "golden/names": [/\/types\.ts$/, /^contract\/.*\/operations\.ts$/, /^client\/.*\/index\.ts$/, /-handlers\.ts$/],
  "golden/config": [/\/src\//],
};

/**
 * Returns the files of the `expected` folder of a case. A served WSDL is shown as a document, not as the code that
 * contains it; the diagnostics are in a separate file.
 */
export function expectedFiles(
  { area, options }: Case,
  { tree, text }: { readonly tree: ReadonlyMap<string, string>; readonly text: string },
): ReadonlyMap<string, string> {
  const patterns = shownFiles[area] ?? [/^/];
  const files = [...tree]
    .filter(([path]) => options.projectFiles === true || patterns.some((pattern) => pattern.test(path)))
    .map(([path, code]) =>
      isServedWsdl(path) ? ([path.replace(/\.ts$/, ".wsdl"), servedText(code)] as const) : ([path, code] as const),
    );
  return new Map(text === "" ? files : [...files, ["diagnostics.txt", text]]);
}
