import { describe, expect, test } from "vitest";
import { writeEnvelope } from "../../src/protocol/soap/envelope.js";
import { type FaultPieces, readFault, writeFault } from "../../src/protocol/soap/fault.js";
import { isFault, readEnvelope } from "../../src/protocol/soap/read-envelope.js";

const soap11 = "http://schemas.xmlsoap.org/soap/envelope/";
const soap12 = "http://www.w3.org/2003/05/soap-envelope";

function faultIn(body: string, namespace = soap11) {
  const { reader } = readEnvelope(
    `<soap:Envelope xmlns:soap="${namespace}"><soap:Body>${body}</soap:Body></soap:Envelope>`,
  );
  expect(isFault(reader)).toBe(true);
  return readFault(reader);
}

describe("a fault is written", () => {
  test("in SOAP 1.1 with children in no namespace", () => {
    const fault = writeFault("soap11", { code: "Client", reason: "bad <number>", actor: "urn:actor", detail: "" });
    expect(fault).toBe(
      "<soap:Fault><faultcode>soap:Client</faultcode><faultstring>bad &lt;number&gt;</faultstring>" +
        "<faultactor>urn:actor</faultactor><detail /></soap:Fault>",
    );
  });

  test("in SOAP 1.2 with the names of that version", () => {
    const fault = writeFault("soap12", {
      code: "Client",
      reason: "no",
      actor: "urn:a",
      role: "urn:r",
      detail: "<x />",
    });
    expect(fault).toBe(
      "<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code>" +
        '<soap:Reason><soap:Text xml:lang="en">no</soap:Text></soap:Reason>' +
        "<soap:Node>urn:a</soap:Node><soap:Role>urn:r</soap:Role><soap:Detail><x /></soap:Detail></soap:Fault>",
    );
  });

  test("without a detail where there is none", () => {
    const pieces: FaultPieces = { code: "MustUnderstand", reason: "no" };
    expect(writeFault("soap11", pieces)).not.toContain("detail");
    expect(writeFault("soap12", pieces)).not.toContain("Detail");
  });

  test("although XML cannot contain its text", () => {
    expect(writeFault("soap11", { reason: "a\u0000b\uD800c😀\uFFFE" })).toContain(
      "<faultstring>a\uFFFDb\uFFFDc😀\uFFFD</faultstring>",
    );
  });

  test.each([
    { wireCode: "{urn:x}NotFound", want: '<faultcode xmlns:q="urn:x">q:NotFound</faultcode>' },
    { wireCode: `{${soap11}}Client.NotFound`, want: "<faultcode>soap:Client.NotFound</faultcode>" },
    { wireCode: `{${soap11}}Client`, want: "<faultcode>soap:Server</faultcode>" },
    { wireCode: `{${soap12}}Sender`, want: "<faultcode>soap:Server</faultcode>" },
    { wireCode: "{urn:x}not a name", want: "<faultcode>soap:Server</faultcode>" },
  ])("with the code $wireCode of its own in SOAP 1.1", ({ wireCode, want }) => {
    expect(writeFault("soap11", { wireCode, reason: "" })).toContain(want);
  });

  test("with subcodes, outermost first, in SOAP 1.2", () => {
    expect(writeFault("soap12", { reason: "", subcodes: ["{urn:a}one", "{urn:b}two"] })).toContain(
      '<soap:Value>soap:Receiver</soap:Value><soap:Subcode><soap:Value xmlns:q="urn:a">q:one</soap:Value>' +
        '<soap:Subcode><soap:Value xmlns:q="urn:b">q:two</soap:Value></soap:Subcode></soap:Subcode></soap:Code>',
    );
  });
});

describe("a fault is read back", () => {
  test.each(["soap11", "soap12"] as const)("in %s", (version) => {
    const pieces = { code: "Client", reason: "bad", actor: "urn:a", detail: '<code xmlns="urn:f">42</code>' } as const;
    const { reader } = readEnvelope(writeEnvelope(version, { body: writeFault(version, pieces) }));
    expect(readFault(reader)).toMatchObject({
      code: "Client",
      reason: "bad",
      actor: "urn:a",
      detail: [{ name: "{urn:f}code", content: ["42"] }],
    });
  });
});

describe("the code of a fault", () => {
  test.each([
    { code: "soap:Client", want: "Client", wireCode: `{${soap11}}Client` },
    { code: "soap:Server", want: "Server", wireCode: `{${soap11}}Server` },
    { code: " soap:Client.Not.Found ", want: "Client", wireCode: `{${soap11}}Client.Not.Found` },
    { code: "soap:MustUnderstand", want: "MustUnderstand", wireCode: `{${soap11}}MustUnderstand` },
    { code: "Client", want: "Client", wireCode: "Client" },
    { code: "nope:Client", want: "Client", wireCode: "nope:Client" },
    { code: "soap:Other", want: undefined, wireCode: `{${soap11}}Other` },
    { code: "", want: undefined, wireCode: "" },
  ])("$code is read as $want", ({ code, want, wireCode }) => {
    const fault = faultIn(`<soap:Fault><faultcode>${code}</faultcode><faultstring>r</faultstring></soap:Fault>`);
    expect(fault.code).toBe(want);
    expect(fault.wireCode).toBe(wireCode);
  });

  test("is resolved with the prefixes at its position", () => {
    const fault = faultIn('<soap:Fault><faultcode xmlns:q="urn:x">q:NotFound</faultcode></soap:Fault>');
    expect(fault).toMatchObject({ code: undefined, wireCode: "{urn:x}NotFound", reason: "" });
  });

  test("may be absent", () => {
    expect(faultIn("<soap:Fault><faultstring>r</faultstring></soap:Fault>")).toMatchObject({
      code: undefined,
      wireCode: undefined,
      reason: "r",
    });
  });

  test("has its subcodes in SOAP 1.2", () => {
    const fault = faultIn(
      "<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value>" +
        '<soap:Subcode><soap:Value xmlns:a="urn:a">a:one</soap:Value><soap:Subcode><soap:Value>two</soap:Value></soap:Subcode></soap:Subcode>' +
        "</soap:Code><soap:Reason><soap:Text>r</soap:Text></soap:Reason></soap:Fault>",
      soap12,
    );
    expect(fault).toMatchObject({
      code: "Client",
      wireCode: `{${soap12}}Sender`,
      subcodes: ["{urn:a}one", "two"],
      reason: "r",
    });
  });
});

describe("a fault of an unusual shape", () => {
  test("has the parts of SOAP 1.2 in an envelope of SOAP 1.1, as gSOAP writes them", () => {
    const fault = faultIn(
      "<soap:Fault><soap:Code><soap:Value>soap:Sender</soap:Value></soap:Code>" +
        '<soap:Reason><soap:Text xml:lang="en">bad</soap:Text></soap:Reason>' +
        '<soap:Detail><code xmlns="urn:f">42</code></soap:Detail></soap:Fault>',
    );
    expect(fault).toMatchObject({
      code: "Client",
      wireCode: `{${soap11}}Sender`,
      reason: "bad",
      detail: [{ name: "{urn:f}code", content: ["42"] }],
    });
  });

  test("has its English reason among several", () => {
    const texts =
      '<soap:Text xml:lang="fr">non</soap:Text><soap:Text xml:lang="en-GB">no</soap:Text><soap:Text xml:lang="de">nein</soap:Text>';
    const fault = faultIn(`<soap:Fault><soap:Reason>${texts}</soap:Reason></soap:Fault>`, soap12);
    expect(fault.reason).toBe("no");
    expect(fault.reasons.map(({ language }) => language)).toEqual(["fr", "en-GB", "de"]);
  });

  test("has its first reason where none is English", () => {
    const texts = '<soap:Text xml:lang="fr">non</soap:Text><soap:Text>nein</soap:Text>';
    expect(faultIn(`<soap:Fault><soap:Reason>${texts}</soap:Reason></soap:Fault>`, soap12).reason).toBe("non");
  });

  test("keeps an un-namespaced detail in SOAP 1.2", () => {
    const fault = faultIn("<soap:Fault><detail><code>42</code></detail></soap:Fault>", soap12);
    expect(fault.detail).toEqual([{ name: "code", content: ["42"] }]);
  });

  test("keeps text directly in the detail", () => {
    expect(faultIn("<soap:Fault><detail> why <b/></detail></soap:Fault>").detail).toEqual([" why ", { name: "b" }]);
  });

  test("is of the other version than its envelope", () => {
    const fault = faultIn(
      `<s:Fault xmlns:s="${soap12}"><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>r</s:Text></s:Reason></s:Fault>`,
      soap11,
    );
    expect(fault).toMatchObject({ code: "Client", reason: "r" });
  });

  test("has children in the namespace of the envelope", () => {
    const fault = faultIn(
      "<soap:Fault><soap:faultcode>soap:Client</soap:faultcode><soap:faultstring>r</soap:faultstring></soap:Fault>",
    );
    expect(fault).toMatchObject({ code: "Client", reason: "r" });
  });

  test("has children of other namespaces, which have no effect", () => {
    expect(
      faultIn('<soap:Fault><faultstring>r</faultstring><x:faultstring xmlns:x="urn:x">n</x:faultstring></soap:Fault>')
        .reason,
    ).toBe("r");
  });

  test("has markup in its texts", () => {
    expect(faultIn("<soap:Fault><faultstring>a<b>b</b><!-- c -->d</faultstring></soap:Fault>").reason).toBe("abd");
  });

  test("is read at the reader: afterwards the reader is at its END", () => {
    const text = `<soap:Envelope xmlns:soap="${soap11}"><soap:Body><soap:Fault><detail><a/><b/></detail></soap:Fault><z/></soap:Body></soap:Envelope>`;
    const envelope = readEnvelope(text);
    readFault(envelope.reader);
    expect(envelope.nextChild()).toBe("z");
  });

  test("is decoded by the caller if it knows the detail", () => {
    const { reader } = readEnvelope(
      `<soap:Envelope xmlns:soap="${soap11}"><soap:Body><soap:Fault><detail><n xmlns="urn:f">7</n><m/></detail></soap:Fault></soap:Body></soap:Envelope>`,
    );
    const fault = readFault(reader, {
      readDetail: (name, at) => (name === "{urn:f}n" ? { number: Number(at.readText()) } : undefined),
    });
    expect(fault.detail).toEqual([{ number: 7 }, { name: "m" }]);
  });
});
