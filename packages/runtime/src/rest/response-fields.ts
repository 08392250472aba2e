import type { JsonObject, JsonValue } from "../descriptor.js";
import { isObject, listOf } from "./php-values.js";

type Wanted = Map<string, Wanted | true>;

/** Keeps the members that `_fields` names, by dotted paths; a value without any of them is `[]`, as PHP has it. */
export function filterFields(body: JsonValue, fields: JsonValue): JsonValue {
  const names = (listOf(fields) ?? []).map(String).filter((name) => name !== "");
  if (names.length === 0) return body;
  const wanted = wantedOf(names);
  if (Array.isArray(body)) return body.map((item) => kept(item, wanted));
  return kept(body, wanted);
}

function wantedOf(names: readonly string[]): Wanted {
  const root: Wanted = new Map();
  for (const name of names) {
    let place = root;
    const steps = name.split(".");
    for (const [index, step] of steps.entries()) {
      const known = place.get(step);
      if (known === true) break;
      if (index === steps.length - 1) {
        place.set(step, true);
        break;
      }
      const inner: Wanted = known ?? new Map();
      place.set(step, inner);
      place = inner;
    }
  }
  return root;
}

function kept(value: JsonValue, wanted: Wanted): JsonValue {
  if (!isObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const inner = wanted.get(name);
    if (inner === undefined) continue;
    members.push([name, inner === true ? (member ?? null) : kept(member ?? null, inner)]);
  }
  return members.length === 0 ? [] : objectOf(members);
}

function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(members);
}
