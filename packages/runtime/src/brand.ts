/** A class that recognises instances of the same class from another copy of this package. */
interface BrandedClass {
  readonly name: string;
  readonly brand: symbol;
}

const prefix = "@bothends/runtime/";

/** The brand of a class: the same symbol in every copy of this package, and unchanged by minifiers. */
export function brandOf(name: string): symbol {
  return Symbol.for(prefix + name);
}

/** The name of a branded class, unchanged by minifiers; for a subclass without a brand, the name in the code. */
export function classNameOf(branded: BrandedClass): string {
  return Object.hasOwn(branded, "brand") ? String(branded.brand.description).slice(prefix.length) : branded.name;
}

/**
 * Implements `instanceof`. A program can contain two copies of this package if two dependencies install one each; an error
 * thrown by one copy must be recognised by the other. Subclasses without a brand are compared by prototype, as usual.
 */
export function isInstance(this: BrandedClass, value: unknown): boolean {
  if (!Object.hasOwn(this, "brand")) {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
  if (typeof value !== "object") {
    return false;
  }
  for (let level = value; level !== null; level = prototypeOf(level)) {
    if (Object.hasOwn(level, "constructor") && hasBrand(Reflect.get(level, "constructor"), this.brand)) {
      return true;
    }
  }
  return false;
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value);
}

function hasBrand(made: unknown, brand: symbol): boolean {
  return typeof made === "function" && Object.hasOwn(made, "brand") && Reflect.get(made, "brand") === brand;
}
