import type { RuleId } from "../../src/index.js";
import type { Sources } from "../proof/contracts.js";
import type { WireNames } from "../proof/observed.js";
import type { Proof } from "../proof/special-calls.js";

/** Two versions of sources that show a rule. */
export interface Pair {
  readonly rule: RuleId;
  readonly title?: string;
  readonly old: Sources;
  readonly new: Sources;
  /** Other rules that the pair shows as well. */
  readonly also?: readonly RuleId[];
  /** Values of `T` that random values do not cover, for writers of the old and of the new version. */
  readonly values?: { readonly old?: readonly unknown[]; readonly new?: readonly unknown[] };
  /** The operation to call; by default `Put` shows the input and `Get` the output. */
  readonly call?: {
    readonly old: string;
    readonly new: string;
    readonly protocol?: "soap11" | "soap12" | "httpGet" | "httpPost";
  };
  /** Whether every call fails, although the rule has a lower level because not every client makes these calls. */
  readonly always?: boolean;
  /** Whether calls between equal ends of one of the versions fail as well. */
  readonly failsBetweenEqualEnds?: boolean;
  /** Calls that confirm the verdict if those with random values do not. */
  readonly proof?: Proof;
  /** The names in generated code of values on the wire, if they differ between the states. */
  readonly names?: { readonly old: WireNames; readonly new: WireNames };
  /** Whether code that writes old values compiles, but fails when it runs. */
  readonly failsLate?: boolean;
  /** Why calls do not show this pair's verdict. Another pair of the rule shows it. */
  readonly notShown?: string;
}

const sharedSources = new Map<string, Sources>();

/** The same pairs, in which equal sources are one object, so that tests read, compare and generate them only once. */
export function shareSources(pairs: readonly Pair[]): readonly Pair[] {
  const share = (sources: Sources) => {
    const text = JSON.stringify(sources);
    const shared = sharedSources.get(text) ?? sources;
    sharedSources.set(text, shared);
    return shared;
  };
  return pairs.map((pair) => ({ ...pair, old: share(pair.old), new: share(pair.new) }));
}

/** A WSDL with the operations `Put`, whose request contains a `T`, and `Get`, whose answer contains a `T`. */
export function wsdlOf(types: string, namespace = "urn:t"): Sources {
  return {
    "t.wsdl": `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="${namespace}" targetNamespace="${namespace}">
  <types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" elementFormDefault="qualified">
    ${types}
    <element name="Put"><complexType><sequence><element name="value" type="t:T"/></sequence></complexType></element>
    <element name="PutResponse"><complexType><sequence/></complexType></element>
    <element name="Get"><complexType><sequence/></complexType></element>
    <element name="GetResponse"><complexType><sequence><element name="value" type="t:T"/></sequence></complexType></element>
  </schema></types>
${["Put", "Get"].map((name) => `  <message name="${name}In"><part name="p" element="t:${name}"/></message><message name="${name}Out"><part name="p" element="t:${name}Response"/></message>`).join("\n")}
  <portType name="P">${["Put", "Get"].map((name) => `<operation name="${name}"><input message="t:${name}In"/><output message="t:${name}Out"/></operation>`).join("")}</portType>
  <binding name="B" type="t:P"><soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>${["Put", "Get"]
    .map(
      (name) =>
        `<operation name="${name}"><soap:operation soapAction="urn:a/${name}"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`,
    )
    .join("")}</binding>
  <service name="S"><port name="P" binding="t:B"><soap:address location="http://t.example/s"/></port></service>
</definitions>`,
  };
}

/** A pair whose type `T` changes. */
export function typePair(rule: RuleId, before: string, after: string, init: Partial<Pair> = {}): Pair {
  return { rule, old: wsdlOf(before), new: wsdlOf(after), ...init };
}

/** `T` as a sequence of members. */
export function sequence(...members: readonly string[]): string {
  return `<complexType name="T"><sequence>${members.join("")}</sequence></complexType>`;
}

/** An element: `a`, `a:int`, `a?:int`, `a*:int`, `a+:int`; then attributes. */
export function element(text: string, attributes = ""): string {
  const [, name = "", occurs = "", type = "string"] = /^(\w+)([?*+]?)(?::(.+))?$/.exec(text) ?? [];
  const bounds = { "?": 'minOccurs="0" ', "*": 'minOccurs="0" maxOccurs="unbounded" ', "+": 'maxOccurs="unbounded" ' }[
    occurs
  ];
  return `<element name="${name}" ${bounds ?? ""}type="${type}" ${attributes}/>`;
}

/** `T` with one member of a restricted simple type. */
export function restricted(base: string, ...facets: readonly string[]): string {
  const texts = facets.map((facet) => {
    const [name = "", value = ""] = facet.split("=");
    return `<${name} value="${value}"/>`;
  });
  return sequence(
    `<element name="a"><simpleType><restriction base="${base}">${texts.join("")}</restriction></simpleType></element>`,
  );
}

/** A pair that shows a rule, and the same pair swapped, which shows the opposite rule. */
export function twice(
  rule: RuleId,
  oppositeRule: RuleId,
  [before, after]: readonly [string, string],
  init: Partial<Pair> = {},
): readonly Pair[] {
  const { values, names } = init;
  const swapped = {
    ...(values !== undefined && { values: { old: values.new ?? [], new: values.old ?? [] } }),
    ...(names !== undefined && { names: { old: names.new, new: names.old } }),
  };
  return [typePair(rule, before, after, init), typePair(oppositeRule, after, before, { ...init, ...swapped })];
}
