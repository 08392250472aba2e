import { describe, expect, test } from "vitest";
import {
  bodyOf,
  envelopes,
  findBody,
  gist,
  headerOf,
  message,
  namespace,
  posted,
  served,
  type Version,
} from "./fixture.js";

const versions: readonly Version[] = ["soap11", "soap12"];

function enveloped(version: Version, body: string, before = ""): string {
  return `${before}<soap:Envelope xmlns:soap="${envelopes[version]}"><soap:Body>${body}</soap:Body></soap:Envelope>`;
}

describe("a document type declaration (S01)", () => {
  const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
  const external = '<!DOCTYPE x SYSTEM "file:///etc/passwd">';
  const entity = '<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/hostname">]>';
  test.each([laughs, external, entity, "<!DOCTYPE x>"])("is refused: %s", async (dtd) => {
    for (const version of versions) {
      const { send, calls } = served();
      const answer = await send(posted(version, enveloped(version, findBody.replace(">k<", ">&secret;<"), dtd)));
      expect(gist(answer)).toBe(version === "soap11" ? "400 empty" : "500 soap:Receiver +detail");
      expect(bodyOf(answer)).not.toMatch(/passwd|secret|DOCTYPE|ha/);
      expect(calls).toEqual([]);
    }
  });
});

test("a comment that resembles many sections is scanned once", async () => {
  const { send, calls } = served();
  const split = findBody.replace(">k<", `>k<!--${"<![CDATA[".repeat(100_000)}--><`);
  const answer = await send(posted("soap11", enveloped("soap11", split)));
  expect([gist(answer), calls]).toEqual(["400 empty", []]);
});

describe("a document over a limit (S02)", () => {
  test.each([
    { what: "depth", limit: "depth", make: () => "<a>".repeat(1_000_000) },
    {
      what: "attributes",
      limit: "attributes",
      make: () => `<a ${Array.from({ length: 100_000 }, (_, n) => `a${n}="x"`).join(" ")}/>`,
    },
    {
      what: "namespaces",
      limit: "namespaces",
      make: () => `<a ${Array.from({ length: 100_000 }, (_, n) => `xmlns:a${n}="x"`).join(" ")}/>`,
    },
    { what: "siblings", limit: "children", make: () => "<a/>".repeat(600_000) },
    { what: "comments", limit: "comments", make: () => "<!---->".repeat(100_000) },
    { what: "a name", limit: "nameChars", make: () => `<${"a".repeat(100_000)}/>` },
  ])("in $what is refused at the limit, inside the wrapper", async ({ limit, make }) => {
    const junk = make();
    for (const version of versions) {
      const { send, calls, incidents } = served();
      const answer = await send(posted(version, enveloped(version, findBody.replace("<Key>", `${junk}<Key>`))));
      expect(gist(answer)).toBe("400 empty");
      expect(calls).toEqual([]);
      expect(incidents).toMatchObject([{ kind: `limit.${limit}`, limit: { option: `limits.${limit}` } }]);
    }
  });

  test.each(versions)("is refused in the version of the %s envelope, wherever the limit is passed", async (version) => {
    const wide = Array.from({ length: 100 }, (_, n) => `a${n}="x"`).join(" ");
    const type = version === "soap11" ? "text/xml" : "application/soap+xml";
    for (const [header, body] of [
      ["", findBody.replace("<Find ", `<Find ${wide} `)],
      [`<soap:Header><h xmlns="urn:h" ${wide}/></soap:Header>`, findBody],
    ] as const) {
      const { send, calls, incidents } = served();
      const text = enveloped(version, body).replace("<soap:Body>", `${header}<soap:Body>`);
      const answer = await send(posted(version, text, [["Content-Type", `${type}; charset=utf-8`]]));
      expect(gist(answer)).toBe("400 empty");
      expect(headerOf(answer, "content-type")).toBe(`${type}; charset=utf-8`);
      expect(calls).toEqual([]);
      expect(incidents).toMatchObject([{ kind: "limit.attributes" }]);
    }
  });

  test("can be allowed by an option, and zero is zero", async () => {
    const deep = message("soap11", findBody.replace("<Key>", `<x>${"<a>".repeat(70)}${"</a>".repeat(70)}</x><Key>`));
    expect(gist(await served().send(deep))).toBe("400 empty");
    expect(gist(await served({}, { limits: { depth: 100 } }).send(deep))).toBe("200 FindResponse");
    expect(gist(await served({}, { limits: { depth: 0 } }).send(message("soap11", findBody)))).toBe("400 empty");
    expect(() => served({}, { limits: { depth: -1 } })).toThrowError(/depth/);
  });
});

describe("a document that is not well-formed (S03)", () => {
  test.each([
    "<Find>",
    findBody.replace("</Key>", "</key>"),
    findBody.replace("<Key>", "</Key><Key>"),
    findBody.replace("<Key>", '<Key a="1" a="2">'),
    findBody.replace("<Key>", '<Key xmlns:p="u" xmlns:q="u" p:a="1" q:a="2">'),
    findBody.replace(">k<", ">a & b<"),
    findBody.replace(">k<", ">]]><"),
    findBody.replace(">k<", ">&#1;<"),
    findBody.replace(">k<", ">\u0001<"),
    findBody.replace(">k<", ">&nope;<"),
    findBody.replace("<Key>", "<p:Key>").replace("</Key>", "</p:Key>"),
    `${findBody}<p:x/>`,
  ])("is refused without details, and no handler is called: %s", async (body) => {
    for (const version of versions) {
      const { send, calls } = served();
      const answer = await send(posted(version, enveloped(version, body)));
      // An error before the operation is known is a fault in SOAP 1.2.
      expect(["400 empty", "500 soap:Receiver +detail"]).toContain(gist(answer));
      expect(calls).toEqual([]);
    }
  });

  test.each(["", "   ", "hello", "\0", "<", "{}", "\u00ff\u00fe"])(
    "and so is text that is not XML: %j",
    async (text) => {
      expect(gist(await served().send(posted("soap11", text)))).toBe("400 empty");
      expect(gist(await served().send(posted("soap12", text)))).toBe("500 soap:Receiver +detail");
      const answer = await served().send(posted("soap11", text, [["Content-Type", "text/xml; charset=utf-8"]]));
      expect(gist(answer)).toBe("500 soap:Receiver +detail");
    },
  );

  test("and so is what follows the document", async () => {
    for (const version of versions) {
      expect(gist(await served().send(posted(version, `${enveloped(version, findBody)}<more/>`)))).toBe("400 empty");
    }
  });

  test("even where the input is wrong too", async () => {
    const body = findBody.replace(">1<", ">abc<");
    expect(gist(await served().send(posted("soap11", `${enveloped("soap11", body)}<more/>`)))).toBe("400 empty");
  });
});

describe("a parameter (S20, S21, S23)", () => {
  const child = (name: string, text: string) => `<${name}>${text}</${name}>`;
  const call = (...children: string[]) =>
    `<Find xmlns="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${children.join("")}</Find>`;
  const user = child("username", "u");

  test.each([
    { body: call(child("Count", "1"), user, child("Key", "k")), want: { Key: "k", Count: 1, username: "u" } },
    {
      body: call(child("Key", "A"), child("Key", "B"), child("Count", "1"), user),
      want: { Key: "A", Count: 1, username: "u" },
    },
    { body: call(child("Key", ""), child("Count", " 12 "), user), want: { Key: "", Count: 12, username: "u" } },
    { body: call("<Key/>", child("Count", "+1"), user), want: { Key: "", Count: 1, username: "u" } },
    {
      body: call(child("Key", " a  b "), child("Count", "007"), user),
      want: { Key: " a  b ", Count: 7, username: "u" },
    },
    {
      body: call("text", child("Key", "k"), child("x", "<y/>"), child("Count", "-5"), user),
      want: { Key: "k", Count: -5, username: "u" },
    },
    {
      body: call('<Key a="1" xsi:type="x">k</Key>', child("Count", "1"), user),
      want: { Key: "k", Count: 1, username: "u" },
    },
    {
      body: call(child("Key", "<![CDATA[<a>&]]>x"), child("Count", "1"), user),
      want: { Key: "<a>&x", Count: 1, username: "u" },
    },
    {
      body: call(child("__proto__", "p"), child("constructor", "c"), child("Key", "k"), child("Count", "1"), user),
      want: { Key: "k", Count: 1, username: "u" },
    },
  ])("is read: $body", async ({ body, want }) => {
    for (const version of versions) {
      const { send, calls } = served();
      expect(gist(await send(message(version, body)))).toBe("200 FindResponse");
      expect(calls[0]?.input).toEqual(want);
      expect(Object.getPrototypeOf(calls[0]?.input)).toBe(Object.prototype);
    }
    expect(Object.hasOwn(Object.prototype, "p")).toBe(false);
  });

  test.each([
    { body: call(child("Count", "1"), user) },
    { body: call(child("Key", "k"), user) },
    { body: call(child("Key", "k"), child("Count", "1")) },
    { body: call() },
    { body: call(child("key", "k"), child("Count", "1"), user) },
    { body: call('<Key xmlns="">k</Key>', child("Count", "1"), user) },
    ...["", "abc", "1.5", "1e3", "0x1F", "2147483648", "-2147483649", "1,000", "\u0661", "9".repeat(1_000_000)].map(
      (text) => ({
        body: call(child("Key", "k"), child("Count", text), user),
      }),
    ),
    { body: call(child("Key", "k"), '<Count xsi:nil="true"/>', user) },
  ])("is required and of its type", async ({ body }) => {
    for (const version of versions) {
      const { send, calls } = served();
      const answer = await send(message(version, body));
      expect(gist(answer)).toBe(version === "soap11" ? "500 soap:Client +detail" : "500 soap:Sender +detail");
      expect(bodyOf(answer).length).toBeLessThan(700);
      expect(calls).toEqual([]);
    }
  });

  test.each([
    { what: "an element", value: "a<b/>" },
    { what: "a comment", value: "a<!-- c -->b" },
    { what: "a comment after CDATA", value: "<![CDATA[<!--]]>x<!-- c -->" },
    { what: "an instruction", value: "a<?p x?>" },
  ])("with $what inside is refused", async ({ value }) => {
    const { send, calls } = served();
    expect(gist(await send(message("soap11", findBody.replace(">k<", `>${value}<`))))).toBe("400 empty");
    expect(calls).toEqual([]);
  });

  test.each([
    { what: "a comment between", body: findBody.replace("<Count>", "<!-- c --><Count>") },
    { what: "something like a comment", body: findBody.replace(">k<", "><![CDATA[<!-- c --> <? ?>]]><") },
  ])("with $what is read", async ({ body }) => {
    expect(gist(await served().send(message("soap11", body)))).toBe("200 FindResponse");
  });
});

describe("a body over its limit (S04, S05)", () => {
  const limits = { bodyBytes: 1_000 };

  test("is refused by its announced length, before a byte is read", async () => {
    for (const version of versions) {
      const { send, incidents } = served({}, { limits });
      const request = message(version, findBody);
      const answer = await send({
        ...request,
        headers: [...(request.headers ?? []), ["Content-Length", "1000000000000"]],
        body: unreadable(),
      });
      expect(gist(answer)).toBe(version === "soap11" ? "500 soap:Server +detail" : "500 soap:Receiver +detail");
      expect(answer.close).toBe(true);
      expect(incidents).toMatchObject([
        { kind: "limit.bodyBytes", limit: { value: 1_000, option: "limits.bodyBytes" } },
      ]);
    }
  });

  test("is refused at the limit, and the rest is not read", async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 100;
        yield new Uint8Array(100);
      }
    }
    const answer = await served({}, { limits }).send({ ...message("soap11", findBody), body: endless() });
    expect(gist(answer)).toBe("500 soap:Server +detail");
    expect(answer.close).toBe(true);
    expect(read).toBe(1_100);
  });

  test("is allowed up to the exact number of bytes", async () => {
    const request = message("soap11", findBody);
    const length = request.body instanceof Uint8Array ? request.body.length : 0;
    expect((await served({}, { limits: { bodyBytes: length } }).send(request)).status).toBe(200);
    expect((await served({}, { limits: { bodyBytes: length - 1 } }).send(request)).status).toBe(500);
    expect((await served({}, { limits: { bodyBytes: 0 } }).send(request)).status).toBe(500);
  });

  test("that is cut off gets no answer, and is not an incident", async () => {
    async function* broken() {
      yield new Uint8Array(10);
      throw new Error("aborted");
    }
    const { send, incidents, calls } = served();
    expect((await send({ ...message("soap11", findBody), body: broken() })).close).toBe(true);
    expect([incidents, calls]).toEqual([[], []]);
  });
});

async function* unreadable(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
  throw new Error("The body was read.");
}
