import { execFileSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { codeScript, curlScript } from "../../src/pages/browser/call-scripts.js";
import { operationScript, routeScript, searchScript } from "../../src/pages/browser/scripts.js";
import { style } from "../../src/pages/browser/style.js";
import { hostileTexts } from "./page-text.js";

type Token = readonly [kind: string, text: string];
interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly upload?: { readonly name: string };
}
interface Credentials {
  readonly header: string;
  readonly shown: string;
  readonly curl: string;
  readonly notice: string;
}

/** A function of the scripts, which a browser would run. */
function scriptFunction<Result>(name: string): (...parameters: readonly unknown[]) => Result {
  const document = { querySelectorAll: () => [], getElementById: () => null };
  return runInNewContext(`${codeScript}${curlScript}; ${name}`, { document, TextEncoder, btoa });
}

const splitXml = scriptFunction<Token[]>("splitXml");
const splitJson = scriptFunction<Token[]>("splitJson");
const splitHttp = scriptFunction<Token[]>("splitHttp");
const writeCurlCommand = scriptFunction<string>("writeCurlCommand");
const readCredentials = scriptFunction<Credentials | undefined>("readCredentials");
const colored = (tokens: readonly Token[]) =>
  tokens.filter(([kind]) => kind !== "").map(([kind, text]) => `${kind} ${text}`);
const joined = (tokens: readonly Token[]) => tokens.map(([, text]) => text).join("");

describe("colors", () => {
  test("distinguish tags, attributes, values and comments of XML", () => {
    expect(colored(splitXml(`<?xml?><a:b c='1' d="<">"x" = 'y'<!-- <n> --></a:b><e/>`))).toEqual([
      "comment <?xml?>",
      "tag <a:b",
      "name c",
      "value '1'",
      "name d",
      'value "<"',
      "tag >",
      "comment <!-- <n> -->",
      "tag </a:b",
      "tag >",
      "tag <e",
      "tag />",
    ]);
  });

  test("distinguish names, strings and numbers of JSON", () => {
    expect(colored(splitJson('{"a": ["b\\"c", -1.5e3, true, null], "d" : "false"}'))).toEqual([
      'name "a"',
      'value "b\\"c"',
      "number -1.5e3",
      "number true",
      "number null",
      'name "d"',
      'value "false"',
    ]);
  });

  test("distinguish the first line, headers and body of a message", () => {
    expect(colored(splitHttp("POST /a HTTP/1.1\nX-A: b: c\n\n<a/>"))).toEqual([
      "head POST /a HTTP/1.1\n",
      "name X-A",
      "tag <a",
      "tag />",
    ]);
  });

  const texts = [
    ...hostileTexts,
    "",
    "<",
    "<<",
    "< a",
    "<a",
    '<a b="',
    "<a b='c",
    "<!--",
    "<![CDATA[ <b> ]]>x",
    "<a =>",
    '"',
    '{"a',
    "[1,",
    "]]>",
    "a\n\nb",
    "é😀\u0000",
    "-",
    "truefalse nulls 12a",
  ];
  test.each(texts)("neither lose nor add characters: %j", (text) => {
    for (const tokens of [splitXml(text), splitJson(text), splitHttp(text)]) {
      expect(joined(tokens)).toBe(text);
    }
  });
});

describe("a curl command", () => {
  /** The arguments that a shell passes to curl. */
  function argumentsOf(command: string, environment: Readonly<Record<string, string>> = {}): readonly string[] {
    const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
    return execFileSync("/bin/sh", ["-c", script], { encoding: "utf8", env: environment }).split("\0").slice(0, -1);
  }
  const url = "http://h.example/a?b=c&d=$HOME";

  test.each([
    {
      what: "SOAP 1.1",
      request: {
        method: "POST",
        url,
        headers: { "Content-Type": "text/xml; charset=utf-8", SOAPAction: '"urn:a"' },
        body: '<a>\n  it\'s $HOME `id` \\ "x" !x</a>',
      },
      want: [
        url,
        "--header",
        "Content-Type: text/xml; charset=utf-8",
        "--header",
        'SOAPAction: "urn:a"',
        "--data-raw",
        '<a>\n  it\'s $HOME `id` \\ "x" !x</a>',
      ],
    },
    {
      what: "SOAP 1.2",
      request: {
        method: "POST",
        url,
        headers: { "Content-Type": "application/soap+xml; charset=utf-8" },
        body: "<a/>",
      },
      want: [url, "--header", "Content-Type: application/soap+xml; charset=utf-8", "--data-raw", "<a/>"],
    },
    { what: "GET", request: { method: "GET", url, headers: {} }, want: [url] },
    {
      what: "POST of a form",
      request: {
        method: "POST",
        url,
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "a=1&b='",
      },
      want: [url, "--header", "Content-Type: application/x-www-form-urlencoded", "--data-raw", "a=1&b='"],
    },
    { what: "POST without a body", request: { method: "POST", url, headers: {} }, want: [url, "--request", "POST"] },
    {
      what: "DELETE",
      request: { method: "DELETE", url, headers: { Accept: "*/*" } },
      want: [url, "--request", "DELETE", "--header", "Accept: */*"],
    },
    {
      what: "PATCH",
      request: { method: "PATCH", url, headers: {}, body: "@file" },
      want: [url, "--request", "PATCH", "--data-raw", "@file"],
    },
    {
      what: "a path with braces",
      request: { method: "GET", url: "http://h/{id}", headers: {} },
      want: ["http://h/{id}", "--globoff"],
    },
    {
      what: "an upload",
      request: { method: "POST", url, headers: {}, upload: { name: "it's.png" } },
      want: [url, "--data-binary", "@it's.png"],
    },
  ] satisfies readonly { what: string; request: Request; want: readonly string[] }[])(
    "of $what passes a shell unchanged",
    ({ request, want }) => {
      expect(argumentsOf(writeCurlCommand(request, undefined))).toEqual(want);
    },
  );

  test.each(hostileTexts)("keeps %s in its words", (text) => {
    const request = { method: "POST", url: `http://h/?${text}`, headers: { X: text }, body: `${text}'; id; '` };
    expect(argumentsOf(writeCurlCommand(request, undefined))).toEqual([
      request.url,
      "--header",
      `X: ${text}`,
      "--data-raw",
      request.body,
    ]);
  });

  test.each([
    {
      scheme: "basic",
      header: "Basic ScOpOnNlY3JldA==",
      notice: "Copied without the password: curl asks for it.",
      want: ["--user", "Ié"],
    },
    {
      scheme: "bearer",
      header: "Bearer secret-token",
      notice: "Copied without the token: set the variable TOKEN.",
      want: ["--header", "Authorization: Bearer of-the-shell"],
    },
  ])("has no secret of the scheme $scheme, and says so", ({ scheme, header, notice, want }) => {
    const credentials = readCredentials(scheme, { user: "Ié", password: "secret", token: "secret-token" });
    expect(credentials).toMatchObject({ header, notice });
    expect(credentials?.shown).not.toContain("secret");
    const command = writeCurlCommand({ method: "GET", url, headers: {} }, credentials);
    expect(command).not.toContain("secret");
    expect(argumentsOf(command, { TOKEN: "of-the-shell" })).toEqual([url, ...want]);
  });

  test("has no password that was typed after the user name", () => {
    const credentials = readCredentials("basic", { user: "me:secret", password: "", token: "" });
    expect(writeCurlCommand({ method: "GET", url, headers: {} }, credentials)).not.toContain("secret");
  });

  test.each([
    { scheme: "", user: "a", password: "b", token: "c" },
    { scheme: "basic", user: "", password: "", token: "c" },
    { scheme: "bearer", user: "a", password: "b", token: "" },
  ])("has no credentials for %j", ({ scheme, ...texts }) => {
    expect(readCredentials(scheme, texts)).toBeUndefined();
  });
});

test.each([
  { what: "the script of lists", text: searchScript },
  { what: "the script of operations", text: operationScript },
  { what: "the script of routes", text: routeScript },
  { what: "the style", text: style },
])("$what is at most 30 KB, and cannot end its element", ({ text }) => {
  expect(text.length).toBeGreaterThan(1000);
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(30 * 1024);
  expect(text).not.toMatch(/<\/(?:script|style)|<!--(?![^\n]*-->)|\b(?:innerHTML|outerHTML|insertAdjacentHTML|eval)\b/);
});
