import type { BuildingGroup } from "./building.js";
import { checkContents } from "./check-content.js";
import { checkIdentityConstraints } from "./check-identity.js";
import { checkRedefinitions } from "./check-redefinitions.js";
import { checkValues } from "./check-values.js";
import type { ComplexTypeSource, Resolution } from "./resolution.js";
import type { SimpleValues } from "./simple-values.js";

/** Reports what complete components must not be, beyond what building them has shown. `groups` and `types` come after what they refer to. */
export function checkSchema(
  resolution: Resolution,
  complete: {
    readonly values: SimpleValues;
    readonly groups: readonly BuildingGroup[];
    readonly types: readonly ComplexTypeSource[];
  },
): void {
  checkContents(complete, resolution);
  checkRedefinitions(resolution);
  checkValues(resolution, complete.values);
  checkIdentityConstraints(resolution);
}
