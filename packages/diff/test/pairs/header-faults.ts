import type { RuleId } from "../../src/index.js";
import type { Sources } from "../proof/contracts.js";
import { faultHeaders } from "../proof/special-calls.js";
import { type Pair, shareSources } from "./pair.js";
import { serviceOf } from "./service.js";

/** The element of the header `Trouble`, as attributes. */
interface Trouble {
  readonly namespace?: string;
  readonly attributes?: string;
}

const sessionHeader = '<soap:header message="t:SessionHeader" part="s" use="literal"/>';
const header = '<soap:header message="t:TroubleHeader" part="h" use="literal"/>';
const headerFault = header.replace("soap:header ", "soap:headerfault ");

/** A service whose operation `Ask` has a header in requests, and replacements in its WSDL. */
export function withTrouble(
  replacements: readonly (readonly [from: string, to: string])[],
  trouble: Trouble = {},
): Sources {
  const { namespace = "urn:trouble", attributes = 'type="xs:int"' } = trouble;
  const declared = [
    [
      "</schema>",
      `</schema><xs:schema targetNamespace="${namespace}"><xs:element name="Trouble" ${attributes}/></xs:schema>`,
    ],
    [
      "<portType",
      `<message name="TroubleHeader"><part name="h" xmlns:h="${namespace}" element="h:Trouble"/></message><portType`,
    ],
  ] as const;
  const { "s.wsdl": text = "" } = serviceOf({ operations: [{ name: "Ask", header: true }] });
  return { "s.wsdl": [...declared, ...replacements].reduce((whole, [from, to]) => whole.replace(from, to), text) };
}

export const withFault = (trouble?: Trouble) =>
  withTrouble([[sessionHeader, sessionHeader.replace("/>", `>${headerFault}</soap:header>`)]], trouble);
/** The same service, whose answers have the header as well. */
export const withAnswerHeader = (sources: Sources): Sources => ({
  "s.wsdl": (sources["s.wsdl"] ?? "").replace("<output><soap:body", `<output>${header}<soap:body`),
});

function pair(rule: RuleId, before: Sources, after: Sources, init: Partial<Pair> = {}): Pair {
  return { rule, old: before, new: after, proof: faultHeaders, ...init };
}

export const headerFaultPairs = shareSources([
  pair("header-fault-added", withTrouble([]), withFault()),
  pair("header-fault-removed", withFault(), withTrouble([])),
  pair("member-namespace-changed", withFault(), withFault({ namespace: "urn:worry" }), {
    title: "of a header of faults",
  }),
  pair("type-widened", withFault(), withFault({ attributes: 'type="xs:long"' }), { title: "of a header of faults" }),
  pair("type-narrowed", withFault({ attributes: 'type="xs:long"' }), withFault(), { title: "of a header of faults" }),
  pair("type-overlaps", withFault(), withFault({ attributes: 'type="xs:boolean"' }), {
    title: "of a header of faults",
  }),
  pair("member-became-nillable", withFault(), withFault({ attributes: 'type="xs:int" nillable="true"' }), {
    title: "as a header of faults",
  }),
  pair("member-became-not-nillable", withFault({ attributes: 'type="xs:int" nillable="true"' }), withFault(), {
    title: "as a header of faults",
  }),
]);
