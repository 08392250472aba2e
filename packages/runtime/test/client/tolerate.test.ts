import { describe, expect, test } from "vitest";
import { ServiceClient, type SoapClientOptions, type ToleratedDifference } from "../../src/client/index.js";
import type { DecodeError, OperationDescriptor, RecordDescriptor, Tolerance } from "../../src/index.js";
import * as xs from "../../src/xs.js";
import { always, failureOf, localServer } from "./local-server.js";
import { lookup, ns } from "./lookup.js";

type Loose = Record<string, unknown>;

const colour = {
  kind: "derived",
  by: xs.restriction,
  name: `{${ns}}Colour`,
  types: [xs.string],
  facets: [[xs.enumeration, ["red", "green"]]],
} as const;
const price = {
  kind: "derived",
  by: xs.restriction,
  name: `{${ns}}Price`,
  types: [xs.decimal],
  facets: [[xs.fractionDigits, 2]],
} as const;
const colours = { kind: "derived", by: xs.list, name: `{${ns}}Colours`, types: [() => colour] } as const;
const size = { kind: "derived", by: xs.union, name: `{${ns}}Size`, types: [xs.int, () => colour] } as const;

const answer: RecordDescriptor<Loose> = {
  kind: "record",
  name: `{${ns}}LookResponse`,
  namespace: ns,
  fields: {
    Colour: { type: () => colour, min: 0 },
    Colours: { type: () => colours, min: 0 },
    Price: { type: () => price, min: 0 },
    Day: { type: xs.date, min: 0 },
    Size: { type: () => size, min: 0 },
    Name: { type: xs.string, min: 0, max: "unbounded" },
    Count: { type: xs.int, min: 0, max: "unbounded" },
    Kind: { type: xs.string, fixed: "a", min: 0 },
    version: { kind: "attribute", by: xs.attribute, type: xs.string, fixed: "1" },
    shade: { kind: "attribute", by: xs.attribute, type: () => colour },
  },
};
const question: RecordDescriptor<Loose> = { kind: "record", name: `{${ns}}Look`, namespace: ns, fields: {} };
const look: OperationDescriptor<Loose, Loose> = {
  kind: "operation",
  service: lookup,
  name: "Look",
  input: { body: { element: `{${ns}}Look`, type: () => question } },
  output: { body: { element: `{${ns}}LookResponse`, type: () => answer } },
  bindings: { soap11: { action: "" } },
};

const envelope = (attributes: string, content: string): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><s:Body><LookResponse xmlns="${ns}"${attributes}>${content}</LookResponse></s:Body></s:Envelope>`;

async function lookAt(
  { content, attributes = "" }: { readonly content: string; readonly attributes?: string },
  options: SoapClientOptions = {},
): Promise<Loose> {
  const server = await localServer(always(200, "text/xml; charset=utf-8", envelope(attributes, content)));
  return new ServiceClient(lookup, { baseUrl: server.url, ...options }).call(look, {});
}

interface Case {
  readonly tolerance: Tolerance;
  readonly name: string;
  readonly content: string;
  readonly attributes?: string;
  readonly path: string;
  readonly text?: string;
  readonly value: Loose;
}

const cases: readonly Case[] = [
  {
    tolerance: "enumeration",
    name: "a value that the enumeration does not have",
    content: "<Colour>blue</Colour>",
    path: "/Envelope/Body/LookResponse/Colour",
    text: "blue",
    value: { Colour: "blue" },
  },
  {
    tolerance: "enumeration",
    name: "an item of a list",
    content: "<Colours>red blue</Colours>",
    path: "/Envelope/Body/LookResponse/Colours",
    text: "red blue",
    value: { Colours: ["red", "blue"] },
  },
  {
    tolerance: "facets",
    name: "a third decimal digit",
    content: "<Price>1.234</Price>",
    path: "/Envelope/Body/LookResponse/Price",
    text: "1.234",
    value: { Price: "1.234" },
  },
  {
    tolerance: "empty",
    name: "an element without text",
    content: "<Day/>",
    path: "/Envelope/Body/LookResponse/Day",
    text: "",
    value: { Day: null },
  },
  {
    tolerance: "nil",
    name: "a nil text",
    content: '<Name xsi:nil="true"/>',
    path: "/Envelope/Body/LookResponse/Name",
    value: { Name: [null] },
  },
  {
    tolerance: "nil",
    name: "a nil number",
    content: '<Count xsi:nil="true"/>',
    path: "/Envelope/Body/LookResponse/Count",
    value: { Count: [null] },
  },
  {
    tolerance: "fixed",
    name: "another value than the fixed value of an attribute",
    content: "",
    attributes: ' version="2"',
    path: "/Envelope/Body/LookResponse/@version",
    value: { version: "2" },
  },
  {
    tolerance: "enumeration",
    name: "an attribute with an unknown value",
    content: "",
    attributes: ' shade="teal"',
    path: "/Envelope/Body/LookResponse/@shade",
    text: "teal",
    value: { shade: "teal" },
  },
  {
    tolerance: "fixed",
    name: "another value than the fixed value of an element",
    content: "<Kind>b</Kind>",
    path: "/Envelope/Body/LookResponse/Kind",
    value: { Kind: "b" },
  },
  {
    tolerance: "namespaces",
    name: "elements without the namespace that the schema has",
    content: '<Colour xmlns="">red</Colour><Count xmlns="">1</Count>',
    path: "/Envelope/Body/LookResponse/Colour",
    value: { Colour: "red", Count: [1] },
  },
  {
    tolerance: "namespaces",
    name: "elements in a foreign namespace",
    content: '<Colour xmlns="urn:other">red</Colour>',
    path: "/Envelope/Body/LookResponse/Colour",
    value: { Colour: "red" },
  },
  {
    tolerance: "namespaces",
    name: "one element in a foreign namespace",
    content: '<Count>1</Count><Colour xmlns="urn:other">red</Colour>',
    path: "/Envelope/Body/LookResponse/Colour",
    value: { Colour: "red", Count: [1] },
  },
];

describe("a difference between an answer and its schema", () => {
  test.each(cases)("$tolerance: $name is refused, and the error names the option", async (difference) => {
    const error = (await failureOf(lookAt(difference))) as DecodeError;
    expect(error).toMatchObject({ name: "DecodeError", tolerance: difference.tolerance });
    expect(error.message).toContain(`set the option "tolerate" to ["${difference.tolerance}"]`);
    expect(error.path.replace(/\[\d+\]/, "")).toBe(difference.path);
  });

  test("outside an enumeration has a reason with the allowed values, without its own", async () => {
    const [difference] = cases;
    const error = (await failureOf(lookAt(difference as Case))) as DecodeError;
    expect(error.reason).toMatch(/^The text is not a valid \S+: it must be one of "red", "green"\.$/);
  });

  test.each(cases)("$tolerance: $name is accepted on request, and reported", async (tolerated) => {
    const seen: ToleratedDifference[] = [];
    const options = {
      tolerate: [tolerated.tolerance],
      onTolerated: (difference: ToleratedDifference) => seen.push(difference),
    };
    expect(await await lookAt(tolerated, options)).toMatchObject(tolerated.value);
    expect(seen[0]).toEqual({ tolerance: tolerated.tolerance, path: tolerated.path, text: tolerated.text });
  });

  test.each(cases)("$tolerance: $name is refused if only others are accepted", async (difference) => {
    const others = (["enumeration", "facets", "nil", "empty", "fixed", "namespaces"] as const).filter(
      (name) => name !== difference.tolerance,
    );
    expect(await failureOf(lookAt(difference, { tolerate: others }))).toMatchObject({
      tolerance: difference.tolerance,
    });
  });
});

describe("elements in another namespace, in content that is read in order", () => {
  const line: RecordDescriptor<Loose> = {
    kind: "record",
    name: "",
    namespace: ns,
    fields: { Name: { type: xs.string }, Count: { type: xs.int, min: 0 } },
  };
  const lines: RecordDescriptor<Loose> = {
    kind: "record",
    name: `{${ns}}LookResponse`,
    namespace: ns,
    fields: {
      Kind: { type: xs.string, min: 0 },
      lines: { kind: "group", by: xs.group, record: () => line, min: 0, max: "unbounded" },
    },
    order: xs.inOrder,
  };
  const inOrder = { ...look, output: { body: { element: `{${ns}}LookResponse`, type: () => lines } } };
  const foreign =
    '<o:Kind xmlns:o="urn:other">k</o:Kind><Name xmlns="">a</Name><Count xmlns="">1</Count><Name>b</Name>';

  async function linesIn(content: string, options: SoapClientOptions = {}): Promise<Loose> {
    const server = await localServer(always(200, "text/xml; charset=utf-8", envelope("", content)));
    return new ServiceClient(lookup, { baseUrl: server.url, ...options }).call(inOrder, {});
  }

  test("are refused, and the error names the option", async () => {
    const error = (await failureOf(linesIn(foreign))) as DecodeError;
    expect(error).toMatchObject({ name: "DecodeError", tolerance: "namespaces" });
    expect(error.path).toBe("/Envelope/Body/LookResponse/Kind");
    expect(error.message).toContain('set the option "tolerate" to ["namespaces"]');
  });

  test("are accepted on request, and reported", async () => {
    const paths: string[] = [];
    const options = {
      tolerate: ["namespaces"] as const,
      onTolerated: ({ path }: ToleratedDifference) => paths.push(path),
    };
    expect(await linesIn(foreign, options)).toEqual({ Kind: "k", lines: [{ Name: "a", Count: 1 }, { Name: "b" }] });
    expect(paths.map((path) => path.slice("/Envelope/Body/LookResponse/".length))).toEqual(["Kind", "Name", "Count"]);
  });

  test("are ignored beside those of the schema", async () => {
    expect(await linesIn('<Kind xmlns="urn:other">no</Kind><Kind>k</Kind><Name>a</Name>')).toEqual({
      Kind: "k",
      lines: [{ Name: "a" }],
    });
  });
});

test("an optional element that is nil is absent", async () => {
  expect(await await lookAt({ content: '<Colour xsi:nil="true"/><Day xsi:nil="true"/>' })).toEqual({ version: "1" });
});

test("a text that is invalid for every type is refused, whatever is tolerated", async () => {
  const options = { tolerate: ["enumeration", "facets", "nil", "empty"] as const };
  expect(await failureOf(lookAt({ content: "<Day>yesterday</Day>" }, options))).toMatchObject({
    name: "DecodeError",
    tolerance: undefined,
  });
});

test("elements of another namespace beside those of the schema are ignored", async () => {
  const content = '<Colour xmlns="urn:other">blue</Colour><Colour>red</Colour>';
  expect(await await lookAt({ content })).toMatchObject({ Colour: "red" });
});

test("a value of a union is read as the first member type that accepts it exactly, before tolerance applies", async () => {
  const options = { tolerate: ["enumeration"] as const };
  expect(await await lookAt({ content: "<Size>5</Size>" }, options)).toMatchObject({ Size: 5 });
  expect(await await lookAt({ content: "<Size>blue</Size>" }, options)).toMatchObject({ Size: "blue" });
});

test("a tolerance that is not in an array is refused", async () => {
  const options = { tolerate: "enumeration" as unknown as readonly Tolerance[] };
  expect(await failureOf(lookAt({ content: "<Colour>blue</Colour>" }, options))).toMatchObject({
    name: "ConfigError",
    message: expect.stringContaining('The option "tolerate" must be an array such as ["enumeration"].'),
  });
});

test("an unknown tolerance is refused", async () => {
  const options = { tolerate: ["facet" as "facets"] };
  expect(await failureOf(lookAt({ content: "" }, options))).toMatchObject({
    name: "ConfigError",
    message: expect.stringContaining('Did you mean "facets"?'),
  });
});

test("the settings of an interface have the default, which an option replaces", async () => {
  const body = envelope("", "<Colour>blue</Colour>");
  const server = await localServer(always(200, "text/xml; charset=utf-8", body));
  const settings = { tolerate: ["enumeration"] } as const;
  const byDefault = new ServiceClient(lookup, { baseUrl: server.url }, settings);
  expect(await byDefault.call(look, {})).toMatchObject({ Colour: "blue" });
  const strict = new ServiceClient(lookup, { baseUrl: server.url, tolerate: [] }, settings);
  expect(await failureOf(strict.call(look, {}))).toMatchObject({ tolerance: "enumeration" });
});

test("an element that repeats a member in another namespace is ignored as an extension", async () => {
  const content = '<Colour>red</Colour><Colour xmlns="urn:other">blue</Colour>';
  expect(await lookAt({ content })).toEqual({ version: "1", Colour: "red" });
});

describe("the element of an answer in another namespace", () => {
  async function answerIn(namespace: string, options: SoapClientOptions = {}): Promise<Loose> {
    const text = envelope("", "<Colour>red</Colour>").replace(ns, namespace);
    const server = await localServer(always(200, "text/xml; charset=utf-8", text));
    return new ServiceClient(lookup, { baseUrl: server.url, ...options }).call(look, {});
  }

  test.each(["urn:other", ""])("'%s' is refused, and the error names the option", async (namespace) => {
    const error = (await failureOf(answerIn(namespace))) as DecodeError;
    expect(error).toMatchObject({ path: "/Envelope/Body/LookResponse", tolerance: "namespaces" });
    expect(error.message).toContain('set the option "tolerate" to ["namespaces"]');
  });

  test.each(["urn:other", ""])("'%s' is accepted on request, and reported", async (namespace) => {
    const paths: string[] = [];
    const options = {
      tolerate: ["namespaces"] as const,
      onTolerated: ({ path }: ToleratedDifference) => paths.push(path),
    };
    expect(await answerIn(namespace, options)).toMatchObject({ Colour: "red" });
    expect(paths).toEqual(["/Envelope/Body/LookResponse", "/Envelope/Body/LookResponse/Colour"]);
  });

  test("is refused with another local name, whatever is tolerated", async () => {
    const text = envelope("", "").replaceAll("LookResponse", "LockResponse");
    const server = await localServer(always(200, "text/xml; charset=utf-8", text));
    const client = new ServiceClient(lookup, { baseUrl: server.url, tolerate: ["namespaces"] });
    expect(await failureOf(client.call(look, {}))).toMatchObject({ name: "DecodeError", tolerance: undefined });
  });
});

describe("a part of an answer in another namespace", () => {
  const onePart: RecordDescriptor<Loose> = {
    kind: "record",
    name: `{${ns}}Parts`,
    namespace: ns,
    fields: { LookResponse: { type: () => answer } },
  };
  const lookAtParts: OperationDescriptor<Loose, Loose> = {
    ...look,
    output: { body: { by: xs.parts, parts: () => onePart } },
  };
  const answerIn = async (text: string, options: SoapClientOptions = {}) => {
    const server = await localServer(always(200, "text/xml; charset=utf-8", text));
    return new ServiceClient(lookup, { baseUrl: server.url, ...options }).call(lookAtParts, {});
  };
  const foreign = envelope("", "").replace(ns, "urn:other");

  test("is refused, and the error names the option", async () => {
    expect(await failureOf(answerIn(foreign))).toMatchObject({ name: "DecodeError", tolerance: "namespaces" });
  });

  test("is accepted on request", async () => {
    expect(await answerIn(foreign, { tolerate: ["namespaces"] })).toEqual({ LookResponse: { version: "1" } });
  });

  test("is refused if it occurs twice, whatever is tolerated", async () => {
    const twice = envelope("", "").replace(/<LookResponse.*LookResponse>/, "$&$&");
    const options = { tolerate: ["namespaces"] } as const;
    expect(await failureOf(answerIn(twice, options))).toMatchObject({ name: "DecodeError", tolerance: undefined });
  });
});
