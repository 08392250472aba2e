/** Where a name comes from: a package's entry, or a generated file (of this package, or of another through its entry). */
export type Module =
  | { readonly kind: "package"; readonly specifier: string }
  | {
      readonly kind: "file";
      /** The npm name of the package it lies in. */
      readonly package: string;
      /** How another package imports it: `@bothends/contract/vehicle`. */
      readonly entry: string;
      /** Its path in the tree. */
      readonly path: string;
    };

/** A name that code uses. Imports follow from the symbols of a file; nobody writes them. */
export interface CodeSymbol {
  readonly name: string;
  readonly module: Module;
  /** `type` symbols are imported with `import type`. */
  readonly kind: "type" | "value";
  /** Reached through `import * as namespace`: `xs.string`. */
  readonly namespace?: string;
}
