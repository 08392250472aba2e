import type { SoapInterface, TypeId } from "@bothends/generator";
import type { Difference } from "./difference.js";

type ToleranceDifference = Pick<
  Difference,
  "rule" | "subject" | "before" | "after" | "variant" | "levels" | "codeLevels"
>;

/** Compares the setting `tolerate`, which determines the answers that clients accept, and the types of answers. */
export function findToleranceDifferences(before: SoapInterface, after: SoapInterface): readonly ToleranceDifference[] {
  const isGained = after.tolerate.some((value) => !before.tolerate.includes(value));
  const isLost = before.tolerate.some((value) => !after.tolerate.includes(value));
  if (!isGained && !isLost) {
    return [];
  }
  const gainedItems = listMissingItems(after, before);
  const lostItems = listMissingItems(before, after);
  const formatTolerance = ({ tolerate }: SoapInterface) => [...tolerate].sort().join(", ");
  return [
    {
      rule: "tolerance-changed",
      subject: after.name,
      before: formatTolerance(before),
      after: formatTolerance(after),
      variant: !isLost ? "gained" : !isGained ? "lost" : undefined,
      levels: isLost ? undefined : ["none", "none"],
      // Code of callers that compares a value with a text that is not in an enumeration no longer compiles. Code that
      // compares it with null does. Code of handlers may list every value of an enumeration.
      codeLevels: [
        gainedItems.length > 0 || lostItems.some(({ isEnumeration }) => isEnumeration) ? "some" : "none",
        lostItems.length > 0 || gainedItems.some(({ isEnumeration }) => isEnumeration) ? "some" : "none",
      ],
    },
  ];
}

/** A type, a member or a result with values that only the setting `tolerate` adds to the types of answers. */
interface WidenedItem {
  readonly key: string;
  /** The type in the schema, or the name of the operation. */
  readonly owner: TypeId | string;
  readonly isEnumeration: boolean;
}

/** Lists the widened items of a version that are not widened in the other one, although it has their types. */
function listMissingItems(version: SoapInterface, otherVersion: SoapInterface): readonly WidenedItem[] {
  const otherKeys = new Set(listWidenedItems(otherVersion).map(({ key }) => key));
  const otherOwners = new Set<string>([
    ...otherVersion.types.map(({ id }) => id),
    ...listOperations(otherVersion).map(({ uniqueName }) => uniqueName),
  ]);
  return listWidenedItems(version).filter(({ key, owner }) => !otherKeys.has(key) && otherOwners.has(owner));
}

function listWidenedItems(version: SoapInterface): readonly WidenedItem[] {
  return [
    ...version.types.flatMap((type): readonly WidenedItem[] => {
      const owner = type.exact ?? type.id;
      if (type.kind === "enumeration" && type.open === true) {
        return [{ key: owner, owner, isEnumeration: true }];
      }
      const fields = type.kind === "record" ? type.fields : [];
      return fields.flatMap((field) =>
        "tolerateNull" in field && field.tolerateNull === true
          ? [{ key: `${owner} ${field.key}`, owner, isEnumeration: false }]
          : [],
      );
    }),
    ...listOperations(version).flatMap(({ uniqueName, output }): readonly WidenedItem[] =>
      version.tolerate.includes("nil") && output?.result.kind === "whole" && output.body.kind === "element"
        ? [{ key: uniqueName, owner: uniqueName, isEnumeration: false }]
        : [],
    ),
  ];
}

function listOperations({ services }: SoapInterface) {
  return services.flatMap(({ operations }) => operations);
}
