import type { Difference } from "./difference.js";

/** The names of an interface, a service or a group of routes that user code imports from the generated packages. */
export interface ImportedNames {
  readonly client?: string;
  readonly clientOptions?: string;
  readonly handlers?: string;
  readonly routes?: string;
  readonly serverOptions?: string;
}

const importedNames = [
  ["client", "client"],
  ["clientOptions", "client"],
  ["handlers", "server"],
  ["routes", "server"],
  ["serverOptions", "server"],
] as const satisfies readonly (readonly [name: keyof ImportedNames, variant: string])[];

/** Reports the names of classes, types and functions of the client or the server that changed in generated code. */
export function findImportedNameDifferences(
  [before, after]: readonly [before: ImportedNames | undefined, after: ImportedNames | undefined],
  spans: Pick<Difference, "oldSpan" | "newSpan">,
): readonly Difference[] {
  return importedNames.flatMap(([name, variant]) =>
    findCodeNameDifference([before?.[name], after?.[name]], { ...spans, variant }),
  );
}

/** Reports a name that changed in generated code; reports nothing if a version does not have it. */
export function findCodeNameDifference(
  [before, after]: readonly [before: string | undefined, after: string | undefined],
  details: Pick<Difference, "oldSpan" | "newSpan" | "variant" | "operations">,
): readonly Difference[] {
  return before === undefined || after === undefined || before === after
    ? []
    : [{ rule: "name-in-code-changed", subject: after, before, after, ...details }];
}
