import { clark } from "@bothends/xml";
import type { AttributeUse, Wildcard } from "../xsd-model.js";

/** The attributes of a type or group, groups put in. */
export interface AttributeSet {
  readonly uses: readonly AttributeUse[];
  /** Names that it takes away from a base. */
  readonly prohibited: ReadonlySet<string>;
  readonly wildcard: Wildcard | undefined;
}

/** The expanded name by which two uses are of one attribute. */
export function attributeKey({ declaration: { name } }: AttributeUse): string {
  return clark(name.namespace, name.local);
}
