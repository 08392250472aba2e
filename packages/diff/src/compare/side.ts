import type { Contract, Plan } from "@bothends/generator";

/** The old or the new version of the sources. */
export interface Side {
  /** The name of this version in reports: `HEAD (1e4abfe)`, `schemas/`. */
  readonly name: string;
  readonly contract: Contract;
  /** The TypeScript names. If absent, names in generated code are not compared. */
  readonly plan?: Plan | undefined;
}
