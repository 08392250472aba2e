import { beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerIncident } from "../../src/observe/events.js";
import { reportInvalidRequest } from "../../src/observe/incidents.js";
import type { ServerRequest } from "../../src/server/index.js";
import { envelopes, findBody, message, namespace, posted, served } from "../server/fixture.js";

// Names and values that clients choose are not part of the rule of an incident, so that nobody can hide another
// incident behind many of them.

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

/** 130 names without digits. Some are words of the messages, which must not create rules either. */
const invented = [
  ..."element attribute not is here expected text only the".split(" "),
  ...Array.from(
    { length: 121 },
    (_, index) => `q${String.fromCharCode(103 + (index % 20), 103 + Math.floor(index / 20))}z`,
  ),
];

const rulesOf = (incidents: readonly ServerIncident[]) =>
  new Set(incidents.map(({ rule, message: text }) => (rule ?? text).replace(/\d+/g, "#")));

const inFind = (content: string, attributes = "") =>
  message("soap11", `<Find xmlns="${namespace}"${attributes}>${content}<Count>1</Count><username>u</username></Find>`);
const header = (name: string, value: string): readonly [string, string] => [name, value];
const withHeaders = (...headers: (readonly [string, string])[]): Partial<ServerRequest> => ({
  ...message("soap11", findBody),
  headers: [header("Host", "127.0.0.1:8080"), ...headers],
});
const xml = header("Content-Type", "text/xml");

describe("invented names in requests do not hide the next incident:", () => {
  test.each<[string, (name: string) => Partial<ServerRequest>]>([
    ["an element within text", (name) => inFind(`<Key><${name}/></Key>`)],
    ["an element with a prefix within text", (name) => inFind(`<Key><${name}:a xmlns:${name}="urn:a"/></Key>`)],
    ["an unknown element", (name) => inFind(`<${name}/>`)],
    ["a namespace", (name) => inFind(`<Key xmlns="urn:a ${name} b">k</Key>`)],
    ["a reference", (name) => inFind(`<Key href="#${name}"/>`)],
    ["an attribute", (name) => inFind(`<Key ${name}="1"/>`)],
    ["xsi:type", (name) => inFind(`<Key xsi:type="${name}">k</Key>`)],
    ["a value", (name) => inFind(`<Key>k</Key><Count>${name}</Count>`)],
    ["an operation", (name) => message("soap11", `<${name} xmlns="${namespace}"/>`)],
    ["the namespace of an operation", (name) => message("soap11", `<Find xmlns="urn:${name}"/>`)],
    ["an envelope", (name) => posted("soap11", `<e:Envelope xmlns:e="urn:${name}"><e:Body/></e:Envelope>`)],
    ["a root element", (name) => posted("soap11", `<${name}/>`)],
    [
      "a header block",
      (name) => {
        const block = `<x:${name} xmlns:x="urn:${name}" xmlns:s="${envelopes.soap11}" s:mustUnderstand="1"/>`;
        return message("soap11", findBody, { header: block });
      },
    ],
    ["SOAPAction", (name) => withHeaders(xml, header("SOAPAction", `"urn:${name}"`))],
    ["a Content-Type", (name) => withHeaders(header("Content-Type", `text/${name}`))],
    ["a charset", (name) => withHeaders(header("Content-Type", `text/xml; charset=${name}`))],
    ["a Content-Encoding", (name) => withHeaders(xml, header("Content-Encoding", name))],
    [
      "an encoding",
      (name) => posted("soap11", `<?xml version="1.0" encoding="${name}"?><a/>`, [["Content-Type", "text/xml"]]),
    ],
    ["a prefix", (name) => inFind(`<${name}:a/>`)],
    ["an entity", (name) => inFind(`<Key>&${name};</Key>`)],
    ["an end tag", (name) => inFind(`<${name}></a>`)],
    ["text instead of XML", (name) => posted("soap11", name)],
    ["a path", (name) => ({ method: "GET", target: `/api/things.asmx/${name}` })],
    ["a parameter", (name) => ({ method: "GET", target: `/api/things.asmx/Find?${name}=1` })],
    [
      "the value of a parameter",
      (name) => ({ method: "GET", target: `/api/things.asmx/Find?Key=k&username=u&Count=${name}` }),
    ],
  ])("%s", async (_, create) => {
    const { incidents, send } = served();
    for (const name of invented) {
      await send(create(name));
    }
    expect(rulesOf(incidents).size).toBeLessThan(5);
    const honest = message("soap11", `<Find xmlns="${namespace}"><Key>k</Key><username>u</username></Find>`);
    const before = incidents.length;
    await send(honest);
    expect(incidents.slice(before)).toMatchObject([{ operation: "Find", path: "/Find/Count" }]);
  });
});

describe("invented names in the reasons of readers are not part of the rule:", () => {
  const here = "is not expected here.";
  test.each<[string, (name: string) => { readonly reason: string; readonly path: string }]>([
    ["an element", (name) => ({ reason: `The element {urn:a}${name} ${here}`, path: `/Find/${name}` })],
    ["an element with dots", (name) => ({ reason: `The element {urn:a}a.${name} ${here}`, path: `/Find/a.${name}` })],
    ["an element without a namespace", (name) => ({ reason: `The element ${name} ${here}`, path: `/Find/${name}` })],
    ["an attribute", (name) => ({ reason: `The attribute ${name} ${here}`, path: `/Find/@${name}` })],
    ["a namespace with spaces", (name) => ({ reason: `The element {a} ${name} b}c ${here}`, path: "/Find/c" })],
    ["a long namespace", (name) => ({ reason: `The element {${"a".repeat(400)}${name}}c ${here}`, path: "/Find/c" })],
    [
      "the namespace of a member",
      (name) => ({ reason: `The element {urn:a}b is expected here, not {${name}}b.`, path: "/Find/b" }),
    ],
    ["a member", (name) => ({ reason: `The element b is expected here, not ${name}.`, path: `/Find/${name}` })],
    [
      "an element in text",
      (name) => ({ reason: `Only text is allowed here, not the element <${name}>.`, path: "/Find" }),
    ],
    ["an id", (name) => ({ reason: `No element of the body has the id "${name}".`, path: "/Find/Key" })],
    ["an id with quotation marks", (name) => ({ reason: `The ID "a" ${name} "b" occurs twice.`, path: "/Find/Key" })],
    [
      "a reference",
      (name) => ({ reason: `The value must not be a reference (href="#${name}") in a message.`, path: "/Find/Key" }),
    ],
    ["a root element", (name) => ({ reason: `/${name}: The element {a}b is expected here.`, path: `/${name}` })],
  ])("%s", (_, create) => {
    const received: ServerIncident[] = [];
    const onError = (incident: ServerIncident) => void received.push(incident);
    const record = { error: undefined };
    const request = { id: "1", method: "POST", path: "/", onError, record };
    const source = { operation: "Find", protocol: "soap11" };
    for (const name of invented) {
      reportInvalidRequest(undefined, { ...source, ...create(name) }, request);
    }
    expect(rulesOf(received).size).toBe(1);
    reportInvalidRequest(undefined, { ...source, reason: "The element is required.", path: "/Find/Key" }, request);
    expect(received.at(-1)).toMatchObject({ message: "The element is required." });
  });
});
