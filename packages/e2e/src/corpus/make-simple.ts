import type { DerivedSimpleType, FacetUse, SimpleType } from "@bothends/runtime";
import { type AnyReference, resolveType } from "@bothends/runtime/codec";
import * as xs from "@bothends/runtime/xs";
import { textOfPattern } from "./make-pattern.js";
import type { Random } from "./random.js";

/** Text of a simple type, as it would stand in a document: tried until the type takes it; undefined: none was found. */
export function makeText(reference: AnyReference, random: Random): string | undefined {
  const type = resolveType(reference);
  if (type.kind !== "simple") return undefined;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const text = candidate(reference, random, attempt);
    if (text !== undefined && isOf(type, text)) return text;
  }
  return undefined;
}

const context = {
  resolve: (prefix: string) => (prefix === "xs" ? "http://www.w3.org/2001/XMLSchema" : undefined),
  prefixFor: () => "xs",
};

function isOf(type: SimpleType<unknown>, text: string): boolean {
  try {
    type.read(normalized(type, text), context);
    return true;
  } catch {
    return false;
  }
}

/** The value of a text. */
export function textValue(type: SimpleType<unknown>, text: string): unknown {
  return type.read(normalized(type, text), context);
}

function normalized({ whiteSpace }: SimpleType<unknown>, text: string): string {
  if (whiteSpace === "preserve") return text;
  const replaced = text.replace(/[\t\n\r]/g, " ");
  return whiteSpace === "replace" ? replaced : replaced.replace(/ +/g, " ").trim();
}

function candidate(reference: AnyReference, random: Random, attempt: number): string | undefined {
  const type = typeof reference === "function" ? reference() : reference;
  if (!isDerived(type)) return isSimple(type) ? builtinText(type.name.replace("xs:", ""), random) : undefined;
  const facets = type.facets ?? [];
  const listed = valuesOf(facets, xs.enumeration);
  if (listed !== undefined) return random.pick(listed);
  const patterns = valuesOf(facets, xs.pattern);
  if (patterns !== undefined) return textOfPattern(random.pick(patterns) ?? "", random);
  if (type.by === xs.list) return listText(type, random);
  const [base] = type.by === xs.union ? [random.pick(type.of)] : type.of;
  return base === undefined ? undefined : fitted(candidate(base, random, attempt), facets, { random, attempt });
}

function listText({ of: [item] }: DerivedSimpleType<unknown>, random: Random): string | undefined {
  if (item === undefined) return undefined;
  const texts = Array.from({ length: 1 + random.below(3) }, () => makeText(item, random));
  return texts.every((text) => text !== undefined) ? texts.join(" ") : undefined;
}

/** Text nearer to what facets ask for: at a bound, or of a length. */
function fitted(
  text: string | undefined,
  facets: readonly FacetUse[],
  { random, attempt }: { readonly random: Random; readonly attempt: number },
): string | undefined {
  const facet = (wanted: FacetUse[0]) => facets.find(([one]) => one === wanted)?.[1];
  const bounds = [xs.minInclusive, xs.maxInclusive].map(facet).filter((bound) => bound !== undefined);
  if (bounds.length > 0 && attempt % 2 === 1) return String(random.pick(bounds));
  const exclusive = facet(xs.minExclusive);
  if (exclusive !== undefined && /^-?\d+$/.test(String(exclusive))) return String(BigInt(String(exclusive)) + 1n);
  const above = facet(xs.maxExclusive);
  if (above !== undefined && /^-?\d+$/.test(String(above))) return String(BigInt(String(above)) - 1n);
  const total = facet(xs.totalDigits);
  if (typeof total === "number") return String(random.below(10 ** Math.min(total, 9)));
  const fixed = facet(xs.length);
  const least = facet(xs.minLength);
  const most = facet(xs.maxLength);
  const length = Number(fixed ?? least ?? Math.min(Number(most ?? 8), text?.length ?? 0));
  if (text === undefined || (fixed === undefined && least === undefined && most === undefined)) return text;
  if (text.includes(" ")) return text;
  return /^\d*$/.test(text) ? random.digits(length) : `${text}${random.text(length)}`.slice(0, length);
}

function valuesOf(facets: readonly FacetUse[], wanted: FacetUse[0]): readonly string[] | undefined {
  const value = facets.find(([facet]) => facet === wanted)?.[1];
  return Array.isArray(value) ? value.map(String) : undefined;
}

function isDerived(type: { readonly kind: string }): type is DerivedSimpleType<unknown> {
  return type.kind === "derived";
}

function isSimple(type: { readonly kind: string }): type is SimpleType<unknown> {
  return type.kind === "simple";
}

function builtinText(name: string, random: Random): string {
  const two = (limit: number) => String(1 + random.below(limit)).padStart(2, "0");
  const date = `${1900 + random.below(200)}-${two(12)}-${two(28)}`;
  const time = `${two(23)}:${two(59)}:${two(59)}`;
  switch (name) {
    case "boolean":
      return random.chance(50) ? "true" : "false";
    case "decimal":
      return random.chance(50) ? random.digits(3) : `${random.below(1000)}.${1 + random.below(9)}`;
    case "float":
    case "double":
      return `${random.below(1000)}.5`;
    case "negativeInteger":
    case "nonPositiveInteger":
      return `-${1 + random.below(100)}`;
    case "byte":
    case "short":
    case "int":
    case "long":
    case "integer":
      return String(random.below(200) - 100);
    case "unsignedByte":
    case "unsignedShort":
    case "unsignedInt":
    case "unsignedLong":
    case "nonNegativeInteger":
    case "positiveInteger":
      return String(1 + random.below(200));
    case "duration":
      return `P${random.below(9)}DT${1 + random.below(23)}H`;
    case "dateTime":
      return `${date}T${time}${random.chance(50) ? "Z" : ""}`;
    case "date":
      return date;
    case "time":
      return time;
    case "gYearMonth":
      return date.slice(0, 7);
    case "gYear":
      return date.slice(0, 4);
    case "gMonthDay":
      return `--${date.slice(5)}`;
    case "gMonth":
      return `--${date.slice(5, 7)}`;
    case "gDay":
      return `---${date.slice(8)}`;
    case "hexBinary":
      return random.digits(2 * random.below(5));
    case "base64Binary":
      return Buffer.from(random.text(random.below(9))).toString("base64");
    case "language":
      return "en";
    case "anyURI":
      return `http://${random.text(5).toLowerCase()}.example/`;
    case "QName":
      return `xs:${random.text(4)}`;
    case "ID":
      return `id${random.text(12)}`;
    case "string":
    case "normalizedString":
      return random.chance(10) ? `${random.text(3)} & <${random.text(2)}>` : random.text(1 + random.below(8));
    default:
      return random.text(1 + random.below(8));
  }
}
