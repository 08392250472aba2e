import { describe, expect, test } from "vitest";
import { type ClientIncident, ServiceClient } from "../../src/client/index.js";
import { DecodeError, type OperationDescriptor, type RecordDescriptor } from "../../src/index.js";
import { lineLogger } from "../../src/observe/index.js";
import * as xs from "../../src/xs.js";
import { always, failureOf, localServer } from "./local-server.js";
import { envelope, lookup, ns } from "./lookup.js";

// Answers that lack a required element or attribute: the error and the line name what they contain in its place.

interface Person {
  readonly mrn: string;
  readonly note?: string;
  readonly name: string;
}
const person: RecordDescriptor<Person> = {
  kind: "record",
  name: `{${ns}}Person`,
  namespace: ns,
  fields: {
    mrn: { kind: "attribute", by: xs.attribute, type: xs.string, required: true },
    note: { kind: "attribute", by: xs.attribute, type: xs.string },
    name: { type: xs.string },
  },
};
const list: RecordDescriptor<{ readonly who: readonly Person[] }> = {
  kind: "record",
  name: `{${ns}}List`,
  namespace: ns,
  fields: { who: { type: () => person, max: "unbounded" } },
};
const listPeople: OperationDescriptor<object, unknown> = {
  kind: "operation",
  service: lookup,
  name: "List",
  input: { body: { element: `{${ns}}Get`, type: () => ({ kind: "record", name: `{${ns}}Get`, fields: {} }) } },
  output: { body: { element: `{${ns}}List`, type: () => list } },
  http: { parameters: {}, answer: { kind: "xml", element: `{${ns}}List`, type: () => list } },
  bindings: {
    soap11: { action: "urn:list" },
    soap12: { action: "urn:list" },
    httpGet: { location: "/List" },
    httpPost: { location: "/List" },
  },
} as OperationDescriptor<object, unknown>;

const protocols = ["soap11", "soap12", "httpGet", "httpPost"] as const;

interface Failure {
  readonly protocol: (typeof protocols)[number];
  readonly error: DecodeError;
  readonly incident: ClientIncident;
  readonly line: string;
}

/** Calls the operation over all protocols, twice with one client, and returns the failures of all calls. */
async function listFailures(who: string): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const protocol of protocols) {
    const version = protocol === "soap12" ? "soap12" : "soap11";
    const body = `<List xmlns="${ns}">${who}</List>`;
    const server = await localServer(
      protocol.startsWith("soap")
        ? always(200, version === "soap12" ? "application/soap+xml" : "text/xml", envelope(body, version))
        : always(200, "text/xml", body),
    );
    const incidents: ClientIncident[] = [];
    const lines: string[] = [];
    const log = lineLogger({ format: "text", write: (line) => void lines.push(line) });
    const onError = (incident: ClientIncident) => {
      incidents.push(incident);
      log.onError(incident);
    };
    const client = new ServiceClient(lookup, { baseUrl: server.url, protocol, onError });
    for (const index of [0, 1]) {
      const error = await failureOf(client.call(listPeople, {}));
      const incident = incidents[index];
      if (error instanceof DecodeError && incident !== undefined) {
        failures.push({ protocol, error, incident, line: lines[index] ?? "" });
      }
    }
  }
  return failures;
}

const asText =
  "The message has text instead of elements here: the server may have escaped its elements, or put them into a CDATA section.";
const undeclared = (names: string) =>
  `The message has other elements or attributes, which the WSDL does not declare: ${names}. The server may use another version of the WSDL.`;

const attributeCases: readonly (readonly [string, string, string, string | undefined])[] = [
  ["in another case", 'MRN="1"', "<name>a</name>", undeclared("@MRN")],
  ["under another name", 'id="1" x="2"', "<name>a</name>", undeclared("@id, @x")],
  ["with a prefix", 'xmlns:t="urn:t" t:mrn="1"', "<name>a</name>", "The message has an attribute mrn here, but in"],
  ["as an element", "", "<mrn>1</mrn><name>a</name>", "The message has an element mrn here, but it must be an attrib"],
  ["not at all", 'note="a"', "<name>a</name>", undefined],
];
const elementCases: readonly (readonly [string, string, string | undefined])[] = [
  ["under another name", "<nom>a</nom>", undeclared("nom")],
  ["under one of many names", "<a/><b/><c/><d/><e/><f/><g/>", undeclared("a, b, c, d, e")],
  ["under a long name", `<${"n".repeat(200)}/>`, undeclared("n".repeat(64))],
  ["in a CDATA section", "<![CDATA[<name>a</name>]]>", asText],
  ["in a comment", "<!-- <name>a</name> -->", undefined],
  ["not at all", "\n ", undefined],
];

describe("the error and the line about an answer", () => {
  test.each(attributeCases)("explain an attribute that is sent %s", async (_, attributes, content, cause) => {
    await expectCause(`<who ${attributes}>${content}</who>`, { reason: "The attribute is required.", cause });
  });

  test.each(elementCases)("explain an element that is sent %s", async (_, content, cause) => {
    await expectCause(`<who mrn="1">${content}</who>`, { reason: "The element is required.", cause });
  });

  test("name undeclared elements, which form no group of incidents", async () => {
    for (const { incident } of await listFailures('<who mrn="1"><nom>SECRET</nom></who>')) {
      expect(incident.message).toBe(`The element is required. ${undeclared("nom")}`);
      expect(incident.rule).toBe("The element is required.");
    }
  });

  test("name no elements that another answer has", async () => {
    const bodies = ['<who mrn="1"><nom>a</nom></who>', '<who mrn="1"/>'];
    const server = await localServer((_, response) => {
      response.setHeader("Content-Type", "text/xml");
      response.end(envelope(`<List xmlns="${ns}">${bodies.shift()}</List>`));
    });
    const client = new ServiceClient(lookup, { baseUrl: server.url });
    await expect(client.call(listPeople, {})).rejects.toThrow(/declare: nom\./);
    await expect(client.call(listPeople, {})).rejects.toThrow(/The element is required\. \[/);
  });
});

async function expectCause(
  who: string,
  { reason, cause }: { readonly reason: string; readonly cause: string | undefined },
): Promise<void> {
  const failures = await listFailures(who);
  expect(failures).toHaveLength(2 * protocols.length);
  for (const { error, incident, line } of failures) {
    expect(error.reason).toBe(reason);
    expect(incident.message.startsWith(cause === undefined ? reason : `${reason} ${cause}`)).toBe(true);
    expect(incident.message === reason).toBe(cause === undefined);
    expect(line).toContain(incident.message);
    expect(error.message).toContain(incident.message);
  }
}
