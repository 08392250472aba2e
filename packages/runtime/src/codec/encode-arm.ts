import { LexicalError } from "../errors.js";
import type { EncodeArm, EncodePolymorphic } from "./encode-table.js";
import { isRecord, kindOf } from "./encode-value.js";

/** The arm a value belongs to: by its own `$type`, else the declared type's. */
export function armOf({ name, declared, arms }: EncodePolymorphic, value: unknown): EncodeArm {
  if (!isRecord(value)) throw new LexicalError(`${kindOf(value)} is no ${name}.`);
  const tag = Object.hasOwn(value, "$type") ? (value["$type"] ?? declared) : declared;
  const arm = typeof tag === "string" ? arms.get(tag) : undefined;
  if (arm !== undefined) return arm;
  throw new LexicalError(
    tag === undefined
      ? `${name} is abstract: "$type" must say which type the value is.`
      : `"$type" names no type of ${name}.`,
  );
}
