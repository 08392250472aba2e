import { ServiceClient } from "@bothends/runtime/client";
import { soapRoutes } from "@bothends/runtime/server";
import { expect, test } from "vitest";
import { diffContracts, type Side } from "../src/index.js";
import { findWorstLevel } from "../src/rules/rule.js";
import { serviceOf } from "./pairs/service.js";
import { dynamicContractOf, type Sources, sideOf } from "./proof/contracts.js";
import { memoryTransport } from "./proof/memory-transport.js";
import { generatedFrom } from "./proof/packages.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

const occurrences = [
  'minOccurs="0"',
  'minOccurs="0" nillable="true"',
  "",
  'nillable="true"',
  'maxOccurs="9"',
  'minOccurs="0" maxOccurs="9"',
  'maxOccurs="9" nillable="true"',
];
// Only the exported type of the answer contains the name of the result, which code may name.
const attributes = ["r", "other"].flatMap((name) => occurrences.map((occurs) => `name="${name}" ${occurs}`));

const versions = attributes.map((text) =>
  serviceOf({ operations: [{ name: "Ask", answer: `<element ${text} type="int"/>` }] }),
);

/** The type of the result in the generated client. */
function findResultType(sources: Sources): string {
  const files = [...generatedFrom(sources)].filter(([path]) => /^client\/src\/.*\.ts$/.test(path));
  const [, type] =
    files.map(([, text]) => /OutcomeOf<(.*), AsResult>/.exec(text)).find((found) => found !== null) ?? [];
  if (type === undefined) {
    throw new Error("No client was generated.");
  }
  return type;
}

const resultTypes = versions.map(findResultType);

/** The member of the exported type of the answer, such as `r?: number`. */
function findWrapperMember(sources: Sources): string {
  const texts = [...generatedFrom(sources)].map(([, text]) => text);
  const [, member] =
    texts.map((text) => /interface AskResponse \{[^}]*?(\w+\??: .*);\n\}/.exec(text)).find((found) => found !== null) ??
    [];
  if (member === undefined) {
    throw new Error("No type was generated.");
  }
  return member;
}

const wrapperMembers = versions.map(findWrapperMember);

/** Whether TypeScript accepts an object with a member for the type of an object with another member. */
function isMemberAssignable(source: string, target: string): boolean {
  const [from, to] = [source, target].map((text) => /^(\w+)(\??): (.*)$/.exec(text) ?? []);
  const listTypes = (text = "") => text.replace("(number | null)", "number").split(" | ");
  const isNullItem = [from?.[3], to?.[3]].map((text) => text?.includes("(number | null)") === true);
  return (
    from?.[1] === to?.[1] &&
    (from?.[2] === "" || to?.[2] === "?") &&
    listTypes(from?.[3]).every((type) => listTypes(to?.[3]).includes(type)) &&
    (isNullItem[0] !== true || isNullItem[1] === true)
  );
}
const pairs = attributes.flatMap((_, old) =>
  attributes.flatMap((__, now) => (old === now ? [] : [{ old, now, from: attributes[old], to: attributes[now] }])),
);

test("the types of results show whether they may be null", () => {
  const types = [
    "number | null",
    "number | null",
    "number",
    "number | null",
    "readonly number[]",
    "readonly number[]",
    "readonly (number | null)[]",
  ];
  expect(resultTypes).toEqual([...types, ...types]);
});

test.each(pairs)("a result that changes from <$from> to <$to> affects code whose types change", ({ old, now }) => {
  const [before = "", after = ""] = [resultTypes[old], resultTypes[now]];
  const { changes } = diffContracts(sideOf(versions[old] ?? {}), sideOf(versions[now] ?? {}));
  const isAssignable = (source: string, target: string) =>
    [target, target.replace(/ \| null$/, ""), target.replace("(number | null)", "number")].includes(source);
  const [oldMember = "", newMember = ""] = [wrapperMembers[old], wrapperMembers[now]];
  const wants = {
    callers: [isAssignable(after, before), isMemberAssignable(newMember, oldMember)],
    handlers: [isAssignable(before, after), isMemberAssignable(oldMember, newMember)],
  };
  for (const party of ["callers", "handlers"] as const) {
    const [acceptsResult, acceptsWrapper] = wants[party];
    const level = findWorstLevel(changes.map(({ consequences }) => consequences[party]));
    expect([party, level]).toEqual([party, acceptsResult ? (acceptsWrapper ? "none" : "some") : "breaks"]);
    if (level === "some") {
      expect(changes.map(({ message }) => message).join(" ")).toContain("the exported type AskResponse may no longer");
    }
  }
});

const record = '<complexType name="P"><sequence><element name="x" type="int"/></sequence></complexType>';

/** Services whose answer is an element of a type, or an element with one member of this type. */
const forms = ["int", "string", "e:P"].flatMap((type) => {
  const { "s.wsdl": wsdl = "" } = serviceOf({
    operations: [{ name: "Ask", answer: `<element name="r" type="${type}"/>` }],
  });
  const withRecord = wsdl.replace('<element name="Session"', `${record}<element name="Session"`);
  const wrapper = /<element name="AskResponse">.*?<\/complexType><\/element>/;
  return [
    { form: `bare ${type}`, text: withRecord.replace(wrapper, `<element name="AskResponse" type="${type}"/>`) },
    { form: `wrapped ${type}`, text: withRecord },
    { form: `wrapped optional ${type}`, text: withRecord.replace('name="r"', 'name="r" minOccurs="0"') },
    { form: `wrapped list of ${type}`, text: withRecord.replace('name="r"', 'name="r" maxOccurs="9"') },
  ];
});

test.each(forms.flatMap((old) => forms.flatMap((now) => (old === now ? [] : [{ old, now }]))))(
  "the form of an answer affects code only if the result has another type: $old.form to $now.form",
  ({ old, now }) => {
    const [before, after] = [old, now].map(({ text }): Sources => ({ "s.wsdl": text })) as [Sources, Sources];
    const [oldType, newType] = [findResultType(before), findResultType(after)];
    const { changes } = diffContracts(sideOf(before), sideOf(after));
    // The type of the element around the result may have no name in the other version.
    const others = withoutVanishedNames(changes).filter(({ message }) => !message.includes("the exported type"));
    const isAssignable = (source: string, target: string) => [target, target.replace(/ \| null$/, "")].includes(source);
    expect(
      ["callers" as const, "handlers" as const].map(
        (party) => findWorstLevel(others.map(({ consequences }) => consequences[party])) !== "none",
      ),
    ).toEqual([!isAssignable(newType, oldType), !isAssignable(oldType, newType)]);
  },
);

// The HTTP answer is an element that may be nil, so the type of the result contains null for all protocols.
const httpVersions = attributes.slice(0, 4).map((text) => {
  const { "s.wsdl": wsdl = "" } = serviceOf({
    operations: [{ name: "Ask", answer: `<element ${text} type="int"/>` }],
    protocols: ["soap11", "httpGet"],
  });
  return {
    "s.wsdl": wsdl
      .replace('<element name="Session"', '<element name="R" type="int" nillable="true"/><element name="Session"')
      .replace('<part name="b" type="xs:string"/>', '<part name="b" element="e:R"/>'),
  };
});

test("the types of results over HTTP contain null", () => {
  expect(httpVersions.map(findResultType)).toEqual(httpVersions.map(() => "number | null"));
});

const indexes = [...httpVersions.keys()];

test.each(indexes.flatMap((old) => indexes.flatMap((now) => (old === now ? [] : [{ old, now }]))))(
  "a result that HTTP answers share affects handlers that return null, and code that names its type: $old to $now",
  async ({ old, now }) => {
    const [before, after] = [sideOf(httpVersions[old] ?? {}), sideOf(httpVersions[now] ?? {})];
    const { changes } = diffContracts(before, after);
    const [wasAccepted, isAccepted] = [await acceptsNull(before), await acceptsNull(after)];
    const [oldMember = "", newMember = ""] = [httpVersions[old] ?? {}, httpVersions[now] ?? {}].map(findWrapperMember);
    expect({
      callers: findWorstLevel(changes.map(({ consequences }) => consequences.callers)),
      handlers: findWorstLevel(changes.map(({ consequences }) => consequences.handlers)),
    }).toEqual({
      callers: isMemberAssignable(newMember, oldMember) ? "none" : "some",
      handlers: (wasAccepted && !isAccepted) || !isMemberAssignable(oldMember, newMember) ? "some" : "none",
    });
  },
);

/** Whether a handler can answer null over SOAP. */
async function acceptsNull({ contract }: Side): Promise<boolean> {
  const [soap] = dynamicContractOf(contract).interfaces;
  if (soap?.kind !== "soap") {
    throw new Error("The contract has no SOAP interface.");
  }
  const [service] = soap.services;
  const [operation] = service?.operations ?? [];
  if (service === undefined || operation === undefined) {
    throw new Error("The contract has no operation.");
  }
  const routes = soapRoutes({
    service: service.descriptor,
    operations: { ask: operation.descriptor },
    handlers: { ask: () => null },
    settings: soap.settings,
  });
  const client = new ServiceClient(
    service.descriptor,
    { transport: memoryTransport([routes]), protocol: "soap11" },
    soap.settings,
  );
  return client.call(operation.descriptor, { q: "a" }, {}).then(
    () => true,
    () => false,
  );
}

// The element of an answer may be nil, and the type of its only member may have a name.
const nillables = ["", 'nillable="true"'].flatMap((nillable) =>
  [false, true].flatMap((isNamed) =>
    ['minOccurs="0"', 'nillable="true"', 'minOccurs="0" maxOccurs="9"', 'maxOccurs="9"'].map((occurs) => {
      const { "s.wsdl": wsdl = "" } = serviceOf({ operations: [{ name: "Ask", answer: "" }] });
      const content = `<sequence><element name="r" type="int" ${occurs}/></sequence></complexType>`;
      const element = isNamed
        ? `<complexType name="Resp">${content}<element name="AskResponse" type="e:Resp" ${nillable}/>`
        : `<element name="AskResponse" ${nillable}><complexType>${content}</element>`;
      const text = wsdl.replace(/<element name="AskResponse">.*?<\/complexType><\/element>/, element);
      return { form: `${isNamed ? "named" : "anonymous"} ${nillable}`, occurs, text };
    }),
  ),
);

const wrappedPairs = nillables.flatMap((old) =>
  nillables.flatMap((now) => {
    const [oldKind] = old.form.split(" ");
    return old !== now && now.form.startsWith(oldKind ?? "") ? [{ old, now }] : [];
  }),
);

test.each(wrappedPairs)(
  "the element around a result affects no calls: $old.form $old.occurs to $now.form $now.occurs",
  async ({ old, now }) => {
    const [before, after] = [old, now].map(({ text }): Sources => ({ "s.wsdl": text })) as [Sources, Sources];
    const { changes } = diffContracts(sideOf(before), sideOf(after));
    const nilChanges = changes.filter(
      ({ rule, subject }) => rule.startsWith("member-became-") && subject === "Ask (answer)",
    );
    expect(nilChanges.map(({ level }) => level)).toEqual(old.form === now.form ? [] : ["none"]);
    const isSameType = findResultType(before) === findResultType(after);
    for (const party of ["callers", "handlers"] as const) {
      const level = findWorstLevel(changes.map(({ consequences }) => consequences[party]));
      expect([party, isSameType && level === "breaks"]).toEqual([party, false]);
    }
  },
);
