import type { CodeSymbol, Declaration } from "../print/index.js";
import type { Place } from "./places.js";

type Kept = (declaration: Declaration) => boolean;

/** One re-export of what a file declares, every name of it; none if there is nothing to pass on. */
export function reexportsOf(
  declarations: readonly Declaration[],
  place: Place,
  file: string,
  kept: Kept = () => true,
): readonly Declaration[] {
  const symbols = declarations.filter(kept).flatMap((declaration): readonly CodeSymbol[] => {
    switch (declaration.kind) {
      case "interface":
      case "alias":
        return [place.type(declaration.name, file)];
      case "constant":
      case "class":
      case "function":
        return [place.value(declaration.name, file)];
      default:
        return [];
    }
  });
  return symbols.length === 0 ? [] : [{ kind: "reexport", symbols }];
}
