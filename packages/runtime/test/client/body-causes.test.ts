import { expect, onTestFinished, test } from "vitest";
import { RestClient, ServiceClient } from "../../src/client/index.js";
import type { EndpointDescriptor, RestInterfaceDescriptor } from "../../src/index.js";
import { lineLogger } from "../../src/observe/index.js";
import { always, failureOf, localServer } from "./local-server.js";
import { find, lookup } from "./lookup.js";

// The lines of clients about answers whose body is not what the Content-Type or the schema says.

type Answer = Parameters<typeof always>;

const shop: RestInterfaceDescriptor = { descriptorFormat: 2, name: "shop", base: "/wp-json", segments: [] };
const list: EndpointDescriptor<object> = {
  kind: "endpoint",
  interface: shop,
  name: "shop.list",
  route: "/items",
  path: ["/items"],
  methods: ["GET"],
  args: {},
};

/** Returns the line with reasons about a failed call. */
async function readLine(answer: Answer, protocol: "rest" | "soap11" | "httpGet" = "rest"): Promise<string> {
  const server = await localServer(always(...answer));
  const lines: string[] = [];
  const { onError } = lineLogger({ format: "text", reasons: true, write: (line) => void lines.push(line) });
  if (protocol === "rest") {
    await failureOf(new RestClient(shop, { siteUrl: server.url, onError }).call(list, {}));
  } else {
    const client = new ServiceClient(lookup, { baseUrl: server.url, protocol, onError });
    onTestFinished(() => client.close());
    await failureOf(client.call(find, { Key: "A", Count: 1, user: "u" }));
  }
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

const json = "application/json; charset=UTF-8";
const html = "text/html; charset=UTF-8";
const notice = '\nWarning: Undefined array key "x" in /var/www/b.php on line 12\n';
const htmlAdvice = "The answer is an HTML page";
const precedingText = "Other text precedes the message: a program such as PHP may have written a warning before it.";
const envelope = (body: string) =>
  `<?xml version="1.0"?>\n<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`;
const fault = envelope("<s:Fault><faultcode>s:Server</faultcode><faultstring>ORA-12541</faultstring></s:Fault>");
const largeJson = JSON.stringify([{ note: "a".repeat(70_000) }]);

test.each<[what: string, answer: Answer, want: string]>([
  ["a notice of PHP before JSON", [200, json, `${notice}[]`], precedingText],
  ["a notice of PHP before JSON as HTML", [200, html, `${notice}[{"id":1}]`], precedingText],
  ["a notice of PHP before a large answer", [200, json, `${notice}${largeJson}`], precedingText],
  ["two notices of PHP", [200, json, `${notice}\nDeprecated: x in /a.php on line 1\n{"a":1}`], precedingText],
  ["other text before JSON", [200, json, 'debug [1]\n{"a":1}'], precedingText],
  ["other text and JSON in one line", [200, json, 'string(3) "abc"[{"a":1}]'], precedingText],
  ["HTML before JSON", [200, json, "<br />\n<b>Warning</b>: x\n[]"], "The answer begins with HTML"],
  ["two byte-order marks", [200, json, "\ufeff\ufeff[]"], "The answer begins with a second byte-order mark, or"],
  ["a byte-order mark after a line", [200, json, "\n\ufeff[]"], "The answer begins with a second byte-order mark, or"],
  ["UTF-16", [200, json, Buffer.from('[{"a":1}]', "utf16le")], "The answer is in UTF-16"],
  ["big-endian UTF-16", [200, json, Buffer.from("[1]", "utf16le").swap16()], "The answer is in UTF-16"],
  ["a prefix against inclusion", [200, json, ")]}',\n[]"], "The answer begins with a prefix such as )]}', which"],
  ["a loop before JSON", [200, json, "for(;;);[]"], "The answer begins with a prefix such as )]}', which"],
  ["JSON as HTML", [200, "text/html", "[]"], "The body is JSON, but the Content-Type of the answer is another one"],
  ["large JSON as HTML", [200, html, largeJson], "The body is JSON, but the Content-Type of the answer is another one"],
  ["JSON as bytes", [200, "application/octet-stream", '{"a":1}'], "The body is JSON, but the Content-Type"],
  ["an error in JSON as HTML", [422, html, '{"error":"No"}'], "The body is JSON, but the Content-Type"],
  ["Latin-1", [200, json, Buffer.from('["\xe9"]', "latin1")], "The answer is not in UTF-8: the server must send UTF-8"],
  ["an infinite number", [200, json, "[1e400]"], "The answer contains a number that is too large"],
  ["a comma too many", [200, json, "[\n1,\n]"], "at line 3, column 1. A comma precedes a closing bracket"],
  ["single quotation marks", [200, json, "{'a':1}"], "at line 1, column 2. A name or a text is in single quotation"],
  ["an HTML page as JSON", [200, json, "<!DOCTYPE html><p>a</p>"], htmlAdvice],
  ["an unknown mistake", [200, json, "[!]"], "The first mistake is at line 1, column 2. side="],
  ["a mistake in a large answer", [200, json, `[!${largeJson}`], "The first mistake is at line 1, column 2. "],
  ["a page", [200, html, "<!doctype html><title>Blog</title>"], htmlAdvice],
  ["a page with a list", [200, html, "<p>[1]</p>"], htmlAdvice],
  ["text as HTML", [200, html, "[shortcode] Log in"], htmlAdvice],
])("names the cause of a REST answer with %s", async (_, answer, want) => {
  const line = await readLine(answer);
  expect(line).toContain(want);
  expect(line.includes(htmlAdvice)).toBe(want === htmlAdvice);
});

test.each<[what: string, answer: Answer, want: string]>([
  [
    "a message as HTML",
    [200, "text/html", envelope("")],
    "The body is XML, but the Content-Type of the answer is another",
  ],
  ["a fault as HTML", [500, html, fault], "The body is XML, but the Content-Type of the answer is another"],
  [
    "another message as HTML, with an error status",
    [500, html, envelope("")],
    "The server failed: its log has the cause.",
  ],
  ["a notice of PHP before a message", [200, "text/xml", notice + envelope("")], precedingText],
  ["a page of XHTML", [200, html, '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html></html>'], htmlAdvice],
  ["another XHTML page", [200, html, '<?xml version="1.0"?><html></html>'], htmlAdvice],
])("names the cause of a SOAP answer with %s", async (_, answer, want) => {
  const line = await readLine(answer, "soap11");
  expect(line).toContain(want);
  expect(line.includes(htmlAdvice)).toBe(want === htmlAdvice);
});

test("names XML in an answer of HTTP GET that is sent as HTML", async () => {
  const line = await readLine([200, html, '<?xml version="1.0"?>\n<string>a</string>'], "httpGet");
  expect(line).toContain("The body is XML, but the Content-Type of the answer is another");
});

test("has the reason of a fault that is sent as HTML", async () => {
  expect(await readLine([500, html, fault], "soap11")).toContain(" reason=ORA-12541");
});

test.each<[body: unknown, reason: string]>([
  [{ error: "Bad nonce" }, "Bad nonce"],
  [{ error: { message: "Bad nonce", code: 3 } }, "Bad nonce"],
  [{ error: { code: 1020 } }, "1020"],
  [{ error: "invalid_client", error_description: "Unknown client" }, "invalid_client: Unknown client"],
  [{ error: true, message: "Out of stock" }, "Out of stock"],
  [{ message: "Not valid", errors: { sku: ["Too long"] } }, "Not valid: sku: Too long"],
  [{ message: "Not valid.", errors: { sku: ["Too long"] } }, "Not valid. sku: Too long"],
  [{ errors: [{ message: "Cannot query field" }] }, "Cannot query field"],
  [{ errors: ["Out of stock"] }, "Out of stock"],
  [{ title: "Out of stock", detail: "Item 5", status: 422 }, "Out of stock: Item 5"],
  [{ title: "Out of stock" }, "Out of stock"],
  [{ detail: [{ loc: ["query"], msg: "field required" }] }, "field required"],
  [{ Message: "No resource", ExceptionMessage: "x" }, "No resource"],
  [{ fault: { faultstring: "Quota", detail: { errorcode: "policies.Quota" } } }, "Quota: policies.Quota"],
  [{ success: false, data: "Bad nonce" }, "Bad nonce"],
  [{ success: false, data: [{ code: "gone", message: "Gone" }] }, "Gone"],
  [{ code: "x_bad" }, "x_bad"],
  [{ code: 42, message: "Number" }, "Number"],
  ["Bad nonce", "Bad nonce"],
  [["Bad nonce"], "Bad nonce"],
  [{ message: "a\u001b[31m\n b" }, "a [31m b"],
])("has the reason in %j", async (body, reason) => {
  const quoted = /^[\w-]+$/.test(reason) ? reason : JSON.stringify(reason);
  expect(await readLine([422, json, JSON.stringify(body)])).toContain(` reason=${quoted}`);
  expect(await readLine([500, "application/problem+json", JSON.stringify(body)], "soap11")).toContain(`=${quoted}`);
  expect(await readLine([422, html, JSON.stringify(body)])).toContain(` reason=${quoted}`);
});

test.each<[body: string]>([
  ['{"id":1}'],
  ["[]"],
  ["{}"],
  ["null"],
  ['{"error":{"error":{"error":{"error":{"error":"deep"}}}}}'],
  ['{"error":'],
])("has no reason for %s", async (body) => {
  expect(await readLine([422, json, body])).not.toContain("reason=");
});

test("names the limit that an error in JSON exceeds", async () => {
  const line = await readLine([500, json, "[".repeat(200) + "]".repeat(200)]);
  expect(line).toContain(
    'status 500. A part of the answer was not read, because it exceeds a limit: to read it, increase the option "limits.jsonDepth".',
  );
});

test("has no position of a mistake that the error does not contain", async () => {
  expect(await readLine([200, json, `${largeJson}!`])).not.toContain("mistake");
});

test("has no position in an answer of another charset", async () => {
  const body = Buffer.from("\ufeff[!]", "utf16le");
  expect(await readLine([200, json, body])).not.toContain("mistake");
});

test("has no reason from a successful answer in JSON or XML, which has no error", async () => {
  expect(await readLine([200, html, '[{"title":"Secret"}]'])).not.toMatch(/Secret|reason=/);
  expect(await readLine([200, html, envelope("<a>Secret</a>")], "soap11")).not.toMatch(/Secret|reason=/);
});

test.each([
  ["/wp-login.php?redirect_to=x&reauth=1", true],
  ["/account/login", true],
  ["/SignIn?next=a", true],
  ["https://login.example/common/oauth2/v2.0/authorize", true],
  ["https://sso.example/", true],
  ["/blog/catalogin", false],
  ["/wp-json/items/", false],
])("a redirect to %s leads to a login page: %s", async (location, isLogin) => {
  const line = await readLine([302, undefined, "", { Location: location }]);
  expect(line).toContain("The redirect leads to ");
  expect(line.includes("which seems to be a login page")).toBe(isLogin);
  expect(line.includes("If the service has moved there")).toBe(!isLogin);
});

test.each(["soap11", "httpGet"] as const)(
  "the line about an empty answer over %s says where to look",
  async (protocol) => {
    const line = await readLine([200, "text/xml; charset=utf-8", ""], protocol);
    expect(line).toContain(
      "The answer is empty. The server may have failed, or a proxy may have removed the body: check their logs.",
    );
  },
);

test("the line about a Content-Type that is not a media type does not say that there is none", async () => {
  const line = await readLine([200, "text\u00e9/xml", fault], "soap11");
  expect(line).toContain("The Content-Type of the answer is not a media type");
  expect(line).not.toContain("has no Content-Type");
});

test("the error of a site that limits its requests says how long to wait", async () => {
  const body = JSON.stringify({ code: "too_many", message: "Slow down.", data: { status: 429 } });
  const line = await readLine([429, json, body, { "Retry-After": "7" }]);
  expect(line).toContain("The server asks to wait 7 s (Retry-After): it is overloaded, limits its requests");
});
