import type { ComplexTypeSource, Resolution } from "./resolution.js";
import type { SimpleValues } from "./values/simple-values.js";

/** Reports what complete components must not be, beyond what building them has shown. */
export function checkSchema(
  _resolution: Resolution,
  _complete: { readonly values: SimpleValues; readonly complexTypes: readonly ComplexTypeSource[] },
): void {}
