import { Random } from "@bothends/dynamic/random";
import { expect, test } from "vitest";
import { diffContracts, type SourcePosition } from "../src/index.js";
import { type Sources, sideOf } from "./proof/contracts.js";

// Changes one declaration of WS-Addressing in a WSDL. The changes must point to the declaration, or to the element that
// would contain it.

const declarations = {
  binding: ["", "<w:UsingAddressing/>", '<w:UsingAddressing wsdl:required="true"/>'],
  port: ["", "<w:UsingAddressing/>", '<w:UsingAddressing wsdl:required="1"/>'],
  soapAction: ['soapAction=""', 'soapAction="urn:soap:1"', 'soapAction="urn:soap:2"'],
  input: ["", 'm:Action="urn:in:1"', 'm:Action="urn:in:2"', 'w:Action="urn:in:3"'],
  output: ["", 'm:Action="urn:out:1"', 'w:Action="urn:out:2"'],
  fault: ["", 'm:Action="urn:fault:1"', 'w:Action="urn:fault:2"'],
} as const;

type Declaration = keyof typeof declarations;
type State = Readonly<Record<Declaration, string>>;

/** The lines that contain the declarations. */
const containers: State = {
  binding: '<binding name="B" type="t:P">',
  port: '<port name="Port" binding="t:B">',
  soapAction: "",
  input: "<input",
  output: "<output",
  fault: '<fault name="Bad"',
};

function sourcesOf(state: State): Sources {
  const text = `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/"
xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:w="http://www.w3.org/2006/05/addressing/wsdl"
xmlns:m="http://www.w3.org/2007/05/addressing/metadata" xmlns:t="urn:t" targetNamespace="urn:t">
<types><schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t">
<element name="Ask" type="string"/><element name="Told" type="string"/><element name="Bad" type="string"/>
</schema></types>
<message name="In"><part name="p" element="t:Ask"/></message>
<message name="Out"><part name="p" element="t:Told"/></message>
<message name="Bad"><part name="p" element="t:Bad"/></message>
<portType name="P"><operation name="Ask">
${containers.input}
${state.input}
message="t:In"/>
${containers.output}
${state.output}
message="t:Out"/>
${containers.fault}
${state.fault}
message="t:Bad"/>
</operation></portType>
${containers.binding}
<soap:binding transport="http://schemas.xmlsoap.org/soap/http"/>
${state.binding}
<operation name="Ask">
<soap:operation
${state.soapAction}
/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output>
<fault name="Bad"><soap:fault name="Bad" use="literal"/></fault></operation></binding>
<service name="S">
${containers.port}
<soap:address location="http://t.example/s"/>
${state.port}
</port></service>
</definitions>`;
  return { "t.wsdl": text };
}

/** The line of a position in sources. */
function lineAt(sources: Sources, position: SourcePosition | undefined): string | undefined {
  return position && sources[position.path]?.split("\n")[position.line - 1];
}

const names = Object.keys(declarations) as readonly Declaration[];

test.each(Array.from({ length: 80 }, (_, index) => index + 1))(
  "changes of WS-Addressing point to its declarations (seed %i)",
  (seed) => {
    const random = new Random(seed * 6007);
    const pick = <Item>(items: readonly Item[]) => items[random.drawIntegerBelow(items.length)] as Item;
    const state = Object.fromEntries(names.map((name) => [name, pick<string>(declarations[name])])) as State;
    const edited = pick(names.filter((name) => name !== "soapAction"));
    const texts: readonly string[] = declarations[edited];
    const changed: State = { ...state, [edited]: pick(texts.filter((text) => text !== state[edited])) };
    const [before, after] = [sourcesOf(state), sourcesOf(changed)];
    // A port's UsingAddressing takes precedence over that of the binding. Without both, no message has an action.
    const getDeclaration = ({ port, binding }: State) => (port === "" ? binding : port);
    const lineOf = (version: State) => {
      if (edited === "port") {
        return getDeclaration(version) || containers.port;
      }
      const isSoapAction = edited === "input" && version.soapAction !== declarations.soapAction[0];
      return version[edited] || (isSoapAction ? version.soapAction : containers[edited]);
    };
    const { changes } = diffContracts(sideOf(before), sideOf(after));
    const found = changes.filter(({ rule }) => rule.startsWith("addressing-"));
    const [oldUse, newUse] = [state, changed].map((version) => getDeclaration(version).replace('"1"', '"true"'));
    const isAction = edited === "input" || edited === "output" || edited === "fault";
    expect(found.length > 0).toBe(isAction ? oldUse !== "" : oldUse !== newUse);
    for (const change of found) {
      expect([lineAt(before, change.oldPosition), lineAt(after, change.newPosition)], change.message).toEqual([
        lineOf(state),
        lineOf(changed),
      ]);
    }
  },
);
