import { lit } from "./lit.js";

const plain = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A property's name, quoted where it must be. In an object literal a bare `__proto__` would set the prototype. */
export function key(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return plain.test(name) ? name : lit(name);
}
