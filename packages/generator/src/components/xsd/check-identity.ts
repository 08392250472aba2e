import { clark } from "@bothends/xml";
import type { Resolution } from "./resolution.js";

/** Reports keyrefs that refer to no key, or to one with another number of fields (Part 1 §3.11.6); and that none of it is enforced. */
export function checkIdentityConstraints(resolution: Resolution): void {
  const [first] = resolution.identityConstraints.values();
  if (first === undefined) return;
  resolution.diagnostics.info("XSD053", first.span, {
    message: `Identity constraints (${resolution.identityConstraints.size} here) are not enforced.`,
  });
  for (const { kind, refer, fields, span } of resolution.identityConstraints.values()) {
    if (kind !== "keyref" || refer === undefined) continue;
    const key = resolution.identityConstraints.get(clark(refer.namespace, refer.local));
    if (key === undefined || key.kind === "keyref") {
      resolution.diagnostics.breach("XSD028", span, { message: `There is no key or unique ${refer.local}.` });
    } else if (key.fields.length !== fields.length) {
      resolution.diagnostics.breach("XSD052", span, {
        message: `The keyref has ${fields.length} fields, and ${refer.local} has ${key.fields.length}.`,
      });
    }
  }
}
