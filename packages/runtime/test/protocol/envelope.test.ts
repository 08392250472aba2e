import { messageLimits, XmlError, type XmlLimits } from "@bothends/xml";
import { DONE, START, TEXT } from "@bothends/xml/reader-events";
import { describe, expect, test } from "vitest";
import { writeEnvelope } from "../../src/protocol/soap/envelope.js";
import { EnvelopeError, KnownEnvelopes, readEnvelope } from "../../src/protocol/soap/read-envelope.js";

const soap11 = "http://schemas.xmlsoap.org/soap/envelope/";
const soap12 = "http://www.w3.org/2003/05/soap-envelope";

describe("an envelope is written", () => {
  test("on one line, with the prefixes that every peer knows", () => {
    expect(writeEnvelope("soap11", { body: '<A xmlns="urn:a" />' })).toBe(
      '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"' +
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">' +
        '<soap:Body><A xmlns="urn:a" /></soap:Body></soap:Envelope>',
    );
  });

  test("with a Header only if there are blocks", () => {
    const text = writeEnvelope("soap12", { body: "<a />", headers: ["<h />", "<i />"] });
    expect(text).toContain(`xmlns:soap="${soap12}"`);
    expect(text).toContain("<soap:Header><h /><i /></soap:Header><soap:Body>");
    expect(writeEnvelope("soap12", { body: "<a />", headers: [] })).not.toContain("Header");
  });
});

describe("an envelope is read", () => {
  test.each([
    { version: "soap11", namespace: soap11 },
    { version: "soap12", namespace: soap12 },
  ])("as $version by its namespace, whatever the prefix", ({ version, namespace }) => {
    const envelope = readEnvelope(
      `<e:Envelope xmlns:e="${namespace}"><e:Body><A xmlns="urn:a"/></e:Body></e:Envelope>`,
    );
    expect(envelope.version).toBe(version);
    expect(envelope.firstChild).toBe("{urn:a}A");
    expect(envelope.reader.localName).toBe("A");
  });

  test("to the first child of its body, and on to the others", () => {
    const envelope = readEnvelope(`<Envelope xmlns="${soap11}"><Body> <a xmlns=""/> <b xmlns=""/> </Body></Envelope>`);
    expect(envelope.firstChild).toBe("a");
    envelope.reader.skip();
    expect(envelope.nextChild()).toBe("b");
    envelope.reader.skip();
    expect(envelope.nextChild()).toBeUndefined();
    envelope.finish();
  });

  test("without a first child if the body is empty", () => {
    for (const body of ["<Body/>", "<Body></Body>", "<Body> text </Body>"]) {
      expect(readEnvelope(`<Envelope xmlns="${soap11}">${body}</Envelope>`).firstChild).toBeUndefined();
    }
  });

  test.each([
    { attributes: 'e:mustUnderstand="1"', mustUnderstand: true },
    { attributes: 'e:mustUnderstand="true"', mustUnderstand: true },
    { attributes: 'e:mustUnderstand=" 1 "', mustUnderstand: true },
    { attributes: 'e:mustUnderstand="0"', mustUnderstand: false },
    { attributes: 'mustUnderstand="1"', mustUnderstand: false },
    { attributes: "", mustUnderstand: false },
  ])("with a header block of $attributes", ({ attributes, mustUnderstand }) => {
    const header = `<e:Header><h xmlns="urn:h" ${attributes}>x</h></e:Header>`;
    const envelope = readEnvelope(`<e:Envelope xmlns:e="${soap11}">${header}<e:Body/></e:Envelope>`);
    expect(envelope.headers).toEqual([{ name: "{urn:h}h", mustUnderstand, actor: undefined, value: undefined }]);
  });

  test.each([
    { namespace: soap11, attribute: "actor" },
    { namespace: soap12, attribute: "role" },
  ])("with the $attribute of a block", ({ namespace, attribute }) => {
    const header = `<e:Header><h e:${attribute}="urn:other"/></e:Header>`;
    const envelope = readEnvelope(`<e:Envelope xmlns:e="${namespace}">${header}<e:Body/></e:Envelope>`);
    expect(envelope.headers[0]?.actor).toBe("urn:other");
  });

  test("with the result of a block reader", () => {
    const text = `<e:Envelope xmlns:e="${soap11}"><e:Header><h>1</h><i/></e:Header><e:Body/></e:Envelope>`;
    const envelope = readEnvelope(text, { readHeader: (name, reader) => name + reader.readText() });
    expect(envelope.headers.map(({ value }) => value)).toEqual(["h1", "i"]);
  });

  test.each([
    { text: "<Envelope/>", problem: "version", version: undefined },
    { text: '<Envelope xmlns="urn:other"/>', problem: "version", version: undefined },
    { text: `<Message xmlns="${soap12}"/>`, problem: "envelope", version: "soap12" },
    { text: `<Envelope xmlns="${soap11}"/>`, problem: "body", version: "soap11" },
    { text: `<Envelope xmlns="${soap11}"><Header/></Envelope>`, problem: "body", version: "soap11" },
    { text: `<Envelope xmlns="${soap11}"><Header/><Header/><Body/></Envelope>`, problem: "body", version: "soap11" },
    { text: `<Envelope xmlns="${soap11}"><x/><Body/></Envelope>`, problem: "body", version: "soap11" },
    { text: `<Envelope xmlns="${soap11}"><Body xmlns="${soap12}"/></Envelope>`, problem: "body", version: "soap11" },
  ])("and refused if it is invalid: $text", ({ text, problem, version }) => {
    const error = thrownBy(() => readEnvelope(text));
    expect(error).toBeInstanceOf(EnvelopeError);
    expect(error).toMatchObject({ problem, version });
  });

  test.each([
    { content: "<Header/>", message: "The envelope has no soap:Body." },
    { content: "<Header/><Header/><Body/>", message: /another element where soap:Body is expected/ },
    { content: `<Body xmlns="${soap12}"/>`, message: /another element where soap:Body is expected/ },
  ])("and the error says if another element precedes the body: $content", ({ content, message }) => {
    expect(() => readEnvelope(`<Envelope xmlns="${soap11}">${content}</Envelope>`)).toThrow(message);
  });

  test("to its end only on request, and then strictly", () => {
    const envelope = readEnvelope(`<Envelope xmlns="${soap11}"><Body><a/></Body></Envelope><more/>`);
    expect(thrownBy(() => envelope.finish())).toBeInstanceOf(XmlError);
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    return action() === undefined ? undefined : undefined;
  } catch (error) {
    return error;
  }
}

describe("an envelope whose beginning is known is read as without that", () => {
  const declarations = `xmlns:s="${soap11}" xmlns:p="urn:p" xmlns="urn:d"`;
  const heads = [
    `<s:Envelope ${declarations}><s:Body>`,
    `<?xml version="1.0"?>\n<!-- c --><s:Envelope ${declarations}>\n <s:Header/>\n <s:Body p:id="1">`,
    `<s:Envelope ${declarations}><s:Body xmlns:q="urn:q">`,
    `<s:Envelope xmlns:s="${soap12}"><!-- c --><s:Body>`,
    `<s:Envelope ${declarations}><s:Header><p:h/></s:Header><s:Body>`,
  ];
  const bodies = [
    "<A/></s:Body></s:Envelope>",
    '<p:A xmlns:p="urn:other" p:b="1"><p:B/></p:A><p:C/></s:Body><p:D/></s:Envelope><!-- end -->',
    "<A>1<!-- c -->2</A> <B><C><D/></C></B></s:Body></s:Envelope>",
    "text</s:Body></s:Envelope>",
    "</s:Body></s:Envelope>",
    '<A xmlns:z="" /></s:Body></s:Envelope>',
    "<q:A/></s:Body></s:Envelope>",
    "<A/></s:Body></s:Envelope><A/>",
    "<A>\u0001</A></s:Body></s:Envelope>",
    "<A/></s:Envelope>",
    "<A",
  ];
  const limits: readonly XmlLimits[] = [
    messageLimits,
    ...(["depth", "nodes", "children", "comments"] as const).flatMap((name) =>
      [1, 2, 3, 4, 6, 8, 10].map((value) => ({ ...messageLimits, [name]: value })),
    ),
  ];

  /** All events of a message, or its error. */
  function eventsOf(text: string, limit: XmlLimits, known: KnownEnvelopes | undefined): readonly unknown[] {
    const events: unknown[] = [];
    try {
      const {
        reader,
        version,
        headers,
        firstChild: first,
      } = readEnvelope(text, { limits: limit, knownEnvelopes: known });
      events.push(version, headers, first);
      for (; reader.kind !== DONE; reader.next()) {
        const { kind, offset, end, depth, path, localName, namespace, markupInText } = reader;
        const attributes = kind === START ? reader.attributes : undefined;
        const read = kind === TEXT ? reader.text : undefined;
        const prefixes = ["s", "p", "q", "", "xml"].map((prefix) => reader.resolve(prefix));
        events.push([kind, offset, end, depth, path, localName, namespace, attributes, read, markupInText, prefixes]);
      }
    } catch (error) {
      const { message, line, column } = error as XmlError;
      events.push([message, line, column]);
    }
    return events;
  }

  test.each(heads)("if it begins with %j", (head) => {
    for (const limit of limits) {
      const known = new KnownEnvelopes();
      for (const body of bodies) {
        expect(eventsOf(head + body, limit, known)).toEqual(eventsOf(head + body, limit, undefined));
      }
    }
  });

  test("is remembered only for messages without header blocks, and for at most four beginnings", () => {
    const known = new KnownEnvelopes();
    const message = (prefix: string) =>
      `<${prefix}:Envelope xmlns:${prefix}="${soap11}"><${prefix}:Body><A/></${prefix}:Body></${prefix}:Envelope>`;
    for (let index = 0; index < 1_000; index += 1) {
      readEnvelope(message(`p${index}`), { knownEnvelopes: known });
    }
    const found = Array.from({ length: 1_000 }, (_, index) => known.find(message(`p${index}`))).filter(Boolean);
    expect(found).toHaveLength(4);
    const withHeader = `<s:Envelope xmlns:s="${soap11}"><s:Header><a/></s:Header><s:Body/></s:Envelope>`;
    readEnvelope(withHeader, { knownEnvelopes: new KnownEnvelopes() });
    expect(known.find(withHeader)).toBeUndefined();
  });
});
