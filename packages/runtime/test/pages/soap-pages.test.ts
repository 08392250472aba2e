import { describe, expect, test } from "vitest";
import { asmxConventions, type ServerRequest, type SoapServerOptions, soapRoutes } from "../../src/server/index.js";
import { find, namespace, notify, ping, requestOf, service, settings } from "../server/fixture.js";
import { blocksOf, dangersOf, formOf, header, hostileTexts, markupOf, textOf, withoutCode } from "./page-text.js";
import { thingsWsdl } from "./things-wsdl.js";

const file = "/api/things.asmx";
const handlers = { find: () => null, notify: () => undefined, ping: () => ({ Number: 7 }) };

async function send(request: Partial<ServerRequest>, options: SoapServerOptions = {}) {
  const operations = { find, notify, ping };
  const routes = soapRoutes(
    { service, operations, handlers, wsdl: thingsWsdl, settings, conventions: asmxConventions },
    options,
  );
  const answer = await routes.answer(requestOf({ method: "GET", ...request }));
  if (answer === undefined) {
    throw new Error("The routes leave this request to others.");
  }
  return answer;
}

async function page(query: string, options: SoapServerOptions = {}) {
  const answer = await send({ target: file + query }, options);
  return { answer, markup: markupOf(answer) };
}

describe("the page of a service", () => {
  test("lists its operations and its documents", async () => {
    const { answer, markup } = await page("");
    expect(answer.status).toBe(200);
    expect(header(answer, "content-type")).toBe("text/html; charset=utf-8");
    for (const part of ["?op=Find", "?op=Notify", "?op=Ping", "?WSDL", "?singleWsdl", "?disco"]) {
      expect(markup).toContain(`href="${part}"`);
    }
    expect(textOf(markup)).toContain("SOAP 1.1, SOAP 1.2, HTTP GET, HTTP POST");
  });

  test("is safe to open in a browser", async () => {
    expect(dangersOf((await page("")).answer)).toEqual([]);
    expect(dangersOf((await page("?op=Find")).answer)).toEqual([]);
    expect(dangersOf((await page("?op=None")).answer)).toEqual([]);
  });
});

test("a service without a WSDL has a page with its address and protocols", async () => {
  const routes = soapRoutes({ service, operations: { find }, handlers: { find: () => null } });
  const answer = await routes.answer(requestOf({ method: "GET", target: file }));
  const text = answer === undefined ? "" : textOf(markupOf(answer));
  expect(text).toContain(`http://127.0.0.1:8080${file}`);
  expect(text).toContain("SOAP 1.1, SOAP 1.2, HTTP GET, HTTP POST");
  expect(text).toContain("This service publishes no WSDL");
  expect(answer === undefined ? [] : dangersOf(answer)).toEqual([]);
});

describe("the page of an operation", () => {
  test("shows the messages of all four protocols", async () => {
    const { markup } = await page("?op=Find");
    const blocks = blocksOf(markup);
    const envelope = (uri: string, body: string) =>
      `<?xml version="1.0" encoding="utf-8"?>
<soap:Envelope xmlns:soap="${uri}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <soap:Body>
${body}
  </soap:Body>
</soap:Envelope>`;
    const request = `    <Find xmlns="${namespace}">
      <Key>string</Key>
      <Count>1</Count>
      <username>string</username>
    </Find>`;
    const response = `    <FindResponse xmlns="${namespace}">
      <FindResult>
        <Name>string</Name>
        <Pair>
          <Code>string</Code>
          <Text>string</Text>
        </Pair>
      </FindResult>
    </FindResponse>`;
    const xml = `HTTP/1.1 200 OK
Content-Type: text/xml; charset=utf-8

<?xml version="1.0" encoding="utf-8"?>
<Thing xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="${namespace}">
  <Name>string</Name>
  <Pair>
    <Code>string</Code>
    <Text>string</Text>
  </Pair>
</Thing>`;
    const soap11 = "http://schemas.xmlsoap.org/soap/envelope/";
    const soap12 = "http://www.w3.org/2003/05/soap-envelope";
    expect(blocks).toEqual([
      `POST ${file} HTTP/1.1\nHost: 127.0.0.1:8080\nContent-Type: text/xml; charset=utf-8\nSOAPAction: "${namespace}/Find"\n\n${envelope(soap11, request)}`,
      `HTTP/1.1 200 OK\nContent-Type: text/xml; charset=utf-8\n\n${envelope(soap11, response)}`,
      `POST ${file} HTTP/1.1\nHost: 127.0.0.1:8080\nContent-Type: application/soap+xml; charset=utf-8\n\n${envelope(soap12, request)}`,
      `HTTP/1.1 200 OK\nContent-Type: application/soap+xml; charset=utf-8\n\n${envelope(soap12, response)}`,
      `GET ${file}/Find?Key=string&Count=1&username=string HTTP/1.1\nHost: 127.0.0.1:8080`,
      xml,
      `POST ${file}/Find HTTP/1.1\nHost: 127.0.0.1:8080\nContent-Type: application/x-www-form-urlencoded\n\nKey=string&Count=1&username=string`,
      xml,
    ]);
  });

  test("shows only the protocols that the operation has, and header blocks", async () => {
    const { markup } = await page("?op=Notify");
    expect(markup).toContain('id="httpGet-panel"');
    expect(markup).not.toContain('id="httpPost-panel"');
    const [request = "", response] = blocksOf(markup);
    expect(request).toContain(
      `  <soap:Header>\n    <Session xmlns="${namespace}">string</Session>\n  </soap:Header>\n  <soap:Body>`,
    );
    expect(response).toBe("HTTP/1.1 202 Accepted");
  });

  test("shows sibling parts", async () => {
    const [request = ""] = blocksOf((await page("?op=Ping")).markup);
    const parts = `    <Number xmlns="${namespace}">1</Number>\n    <Unit xmlns="${namespace}">string</Unit>\n`;
    expect(request).toContain(`  <soap:Body>\n${parts}  </soap:Body>`);
  });

  test("has a label for every control", async () => {
    for (const operation of ["Find", "Notify", "Ping"]) {
      const { markup } = await page(`?op=${operation}`);
      const controls = [...markup.matchAll(/<(?:input|select|textarea)(?![^>]*aria-label=)[^>]* id="([^"]*)"/g)].map(
        ([, id]) => id,
      );
      expect(controls.length).toBeGreaterThan(1);
      for (const id of controls) {
        expect(markup).toContain(`<label for="${id}">`);
      }
    }
  });

  test("has the data that its script needs for a call", async () => {
    expect(formOf((await page("?op=Find")).markup)).toMatchObject({
      wrapper: [`<Find xmlns="${namespace}">`, "</Find>"],
      fields: [
        { parameter: "Key", soap: { start: "<Key>", end: "</Key>", optional: false } },
        { parameter: "Count" },
        { parameter: "username" },
      ],
      protocols: {
        soap11: { url: "./things.asmx", headers: { SOAPAction: `"${namespace}/Find"` } },
        soap12: { url: "./things.asmx", headers: { "Content-Type": "application/soap+xml; charset=utf-8" } },
        httpGet: { url: "./things.asmx/Find", method: "GET" },
        httpPost: { url: "./things.asmx/Find", method: "POST" },
      },
    });
  });

  test.each(["?op=Nothing", "?op=", "?op=find", "?OP=%ZZ", "?op=constructor"])(
    "%s is a page that reports an unknown operation",
    async (query) => {
      const { answer, markup } = await page(query);
      expect(answer.status).toBe(404);
      expect(markup).toContain("<h1>Operation not found</h1>");
    },
  );

  test.each([
    { unknown: "find", want: ["Find"] },
    { unknown: "Pin", want: ["Ping"] },
    { unknown: "ThePingOfThings", want: [] },
    { unknown: "NotifyAll", want: ["Notify"] },
    { unknown: "otify", want: ["Notify"] },
  ])("instead of $unknown, it suggests $want", async ({ unknown, want }) => {
    const { markup } = await page(`?op=${unknown}`);
    const [, list = ""] = /Did you mean<\/h2>([\s\S]*?)<\/ul>/.exec(markup) ?? [];
    expect(
      textOf(list)
        .trim()
        .split(/\s+/)
        .filter((name) => name !== ""),
    ).toEqual(want);
    expect(markup).toContain('<a href="?">All operations of Things</a>');
  });

  test.each(["?OP=Find", "?x=1&op=Find"])("%s finds it", async (query) => {
    expect((await page(query)).markup).toContain("<h1>Find</h1>");
  });
});

test("names are shown as they are on the wire", async () => {
  const wireNames = { namespaces: { things: "http://real.example/ns" }, operations: { Find: "FindReal" } };
  const { markup } = await page("?op=FindReal", { wireNames });
  const [request = "", response = "", , , get = ""] = blocksOf(markup);
  expect(request).toContain('SOAPAction: "http://real.example/ns/FindReal"');
  expect(request).toContain('<FindReal xmlns="http://real.example/ns">');
  expect(response).toContain("<FindRealResult>");
  expect(get).toContain(`GET ${file}/FindReal?Key=`);
  expect(markup).not.toContain("things.example/ns");
  expect((await page("", { wireNames })).markup).toContain('href="?op=FindReal"');
  expect((await page("?op=Find", { wireNames })).markup).toContain("Operation not found");
});

test.each(hostileTexts)("%s in names, addresses and queries is text", async (text) => {
  const options = { wireNames: { namespaces: { things: text }, operations: { Find: text } } };
  const target = `${file}?op=${encodeURIComponent(text)}`;
  const shown = await send({ target, headers: [["Host", text]] }, options);
  expect(dangersOf(shown)).toEqual([]);
  const markup = withoutCode(markupOf(shown));
  expect(markup).not.toContain(text);
  expect(textOf(markup)).toContain(text);
  expect(dangersOf(await send({ target: file }, options))).toEqual([]);
  const unknown = await send({ target });
  expect(dangersOf(unknown)).toEqual([]);
  expect(textOf(markupOf(unknown))).toContain(text);
});
