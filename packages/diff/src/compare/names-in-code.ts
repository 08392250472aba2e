import {
  Diagnostics,
  type JsonNode,
  type Plan,
  readSettingsDocument,
  type SourceText,
  type Span,
} from "@bothends/generator";
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

/** The packages of a version, and the configuration that declares them. */
export interface DeclaredPackages {
  readonly packages: Plan["packages"];
  readonly configuration: SourceText;
}

/** Reports packages that imports name differently, and packages that only one version generates. */
export function findPackageDifferences(
  versions: readonly [before: DeclaredPackages, after: DeclaredPackages],
): readonly Difference[] {
  return (["contract", "client", "server"] as const).flatMap((variant): readonly Difference[] => {
    const [before, after] = versions.map(({ packages: { [variant]: declared } }) =>
      declared.isOmitted === true ? undefined : [declared.name, declared.part].filter(Boolean).join("/"),
    );
    const [oldSpan, newSpan] = versions.map(({ configuration }) => findPackageSpan(configuration, variant));
    const spans = { variant, oldSpan, newSpan };
    if (before !== undefined && after !== undefined) {
      return before === after ? [] : [{ rule: "package-renamed", subject: after, before, after, ...spans }];
    }
    return [
      ...(before === undefined ? [] : [{ rule: "package-removed", subject: before, before, ...spans } as const]),
      ...(after === undefined ? [] : [{ rule: "package-added", subject: after, after, ...spans } as const]),
    ];
  });
}

/** Returns the position of a package's name in the configuration, or that of the innermost object around it. */
function findPackageSpan(configuration: SourceText, kind: string): Span | undefined {
  const document = readSettingsDocument(configuration, "The configuration", new Diagnostics());
  const getMember = (node: JsonNode | undefined, name: string) =>
    node?.kind === "object" ? node.members.get(name)?.value : undefined;
  const packages = getMember(document, "packages");
  const declared = getMember(packages, kind);
  return (getMember(declared, "name") ?? declared ?? getMember(packages, "name") ?? packages ?? document)?.span;
}
