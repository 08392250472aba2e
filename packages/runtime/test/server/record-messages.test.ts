import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ClientIncident, type RecordedMessage, recordMessages, ServiceClient } from "../../src/client/index.js";
import { Redactor } from "../../src/observe/redact.js";
import { listen } from "../../src/server/adapters/node/listen.js";
import { createRouter, recordedRoutes, type ServerIncident } from "../../src/server/index.js";
import { usernameToken } from "../../src/ws/index.js";
import { find, findBody, message, requestOf, served, service } from "./fixture.js";

const input = { Key: "a", Count: 1, username: "u" };
const text = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString("utf8");

function recorder() {
  const messages: RecordedMessage[] = [];
  return { messages, write: (recorded: RecordedMessage) => void messages.push(recorded) };
}

describe("both ends", () => {
  test("record a request and its answer with all bytes, without secrets", async () => {
    const client = recorder();
    const server = recorder();
    const { routes, calls } = served();
    const running = await listen([recordedRoutes(routes, { write: server.write })], { host: "127.0.0.1" });
    onTestFinished(async () => void (await running.close()));
    const caller = new ServiceClient(service, {
      baseUrl: running.url,
      protocol: "soap11",
      authorization: "Bearer s3cret",
      headers: { "X-Request-Id": "r-1" },
      hooks: [recordMessages({ write: client.write })],
    });
    await caller.call(find, input);
    expect(calls).toHaveLength(1);
    expect(client.messages.map(({ direction }) => direction)).toEqual(["request", "answer"]);
    expect(server.messages.map(({ direction, id }) => `${direction} ${id}`)).toEqual(["request r-1", "answer r-1"]);
    const [sent, received] = client.messages;
    const [arrived, answered] = server.messages;
    expect(Buffer.from(sent?.body ?? [])).toEqual(Buffer.from(arrived?.body ?? []));
    expect(Buffer.from(received?.body ?? [])).toEqual(Buffer.from(answered?.body ?? []));
    expect(text(sent ?? { body: new Uint8Array() })).toContain("<Key>a</Key>");
    expect(sent?.headers).toContainEqual(["Authorization", "***"]);
    expect(arrived?.headers).toContainEqual(["Authorization", "***"]);
    expect(sent).toMatchObject({ method: "POST", address: `${running.url}/api/things.asmx` });
    expect(received).toMatchObject({ status: 200, id: sent?.id, bytes: answered?.bytes });
    expect(JSON.stringify([...client.messages, ...server.messages])).not.toContain("s3cret");
  });

  test("record no password of a WS-Security token", async () => {
    const { messages, write } = recorder();
    const { routes } = served({}, { understands: [] });
    const running = await listen([routes], { host: "127.0.0.1" });
    onTestFinished(async () => void (await running.close()));
    const hooks = [usernameToken({ username: "ada", password: "s3cret" }), recordMessages({ write })];
    await new ServiceClient(service, { baseUrl: running.url, protocol: "soap11", hooks })
      .call(find, input)
      .catch(() => {});
    expect(messages.map(text).join()).toMatch(/Username[^>]*>ada<.*Password[^>]*>\*\*\*</s);
  });
});

const failures: Readonly<Record<string, () => never>> = {
  throws() {
    throw new Error("full");
  },
  rejects: () => Promise.reject(new Error("full")) as never,
};

describe("a client", () => {
  test.each(Object.keys(failures))(
    "is not affected if the function in the option write %s, which its hook onError receives once",
    async (how) => {
      const incidents: ClientIncident[] = [];
      const running = await listen([served().routes], { host: "127.0.0.1" });
      onTestFinished(async () => void (await running.close()));
      const caller = new ServiceClient(service, {
        baseUrl: running.url,
        hooks: recordMessages({ write: failures[how] as never }),
        onError: (incident) => void incidents.push(incident),
      });
      await caller.call(find, input);
      await caller.call(find, input);
      await new Promise(setImmediate);
      expect(incidents).toMatchObject([
        { side: "client", kind: "hook", operation: "Find", error: { message: "full" }, requestId: expect.any(String) },
      ]);
      expect(incidents[0]?.message).toContain('the option "write" of recordMessages');
    },
  );
});

describe("a server", () => {
  test("records the requests that are chosen, refused ones included", async () => {
    const { messages, write } = recorder();
    const when = ({ remoteAddress }: { readonly remoteAddress: string | undefined }) => remoteAddress === "b";
    const router = createRouter([recordedRoutes(served().routes, { write, when })], { onError: () => {} });
    const request = message("soap11", findBody);
    await router(requestOf({ ...request, remoteAddress: "a" }));
    expect(messages).toEqual([]);
    await router(requestOf({ ...request, body: new TextEncoder().encode("<broken"), remoteAddress: "b" }));
    expect(messages.map(text)[0]).toBe("<broken");
  });

  test.each(Object.keys(failures).flatMap((how) => (["write", "when"] as const).map((option) => ({ how, option }))))(
    "is not affected if the function in the option $option $how, which is reported once",
    async ({ how, option }) => {
      const { messages, write } = recorder();
      const incidents: ServerIncident[] = [];
      const options = { write, [option]: failures[how] };
      const router = createRouter([recordedRoutes(served().routes, options)], {
        onError: (incident) => void incidents.push(incident),
      });
      for (const _ of [1, 2]) {
        expect((await router(requestOf(message("soap11", findBody)))).status).toBe(200);
      }
      await new Promise(setImmediate);
      expect(incidents).toMatchObject([{ kind: "hook", message: expect.stringContaining(`the option "${option}"`) }]);
      expect(messages).toEqual([]);
    },
  );

  test("records a body that arrives in chunks, and still limits it", async () => {
    const { messages, write } = recorder();
    const { routes } = served({}, { limits: { bodyBytes: 100 } });
    const router = createRouter([recordedRoutes(routes, { write })], { onError: () => {} });
    async function* chunks() {
      for (let index = 0; index < 1_000; index += 1) {
        yield new TextEncoder().encode("0123456789");
      }
    }
    const { headers = [] } = message("soap11", findBody);
    const lines = headers.filter(([name]) => name.toLowerCase() !== "content-length");
    const answer = await router(requestOf({ ...message("soap11", findBody), headers: lines, body: chunks() }));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(messages[0]?.bytes).toBeLessThan(200);
  });
});

describe("redaction", () => {
  const redacted = (body: string | Uint8Array, secrets?: readonly string[], encoding?: string) =>
    Buffer.from(
      new Redactor({ secrets }).redactBody(typeof body === "string" ? new TextEncoder().encode(body) : body, encoding),
    ).toString("utf8");

  test.each([
    ["<a><x:Password Type='t'>s3</x:Password><b>ä</b></a>", "<a><x:Password Type='t'>***</x:Password><b>ä</b></a>"],
    ["<Token><Password>s3</Password></Token>", "<Token><Password>***</Password></Token>"],
    ["<Password><![CDATA[s<3]]>s<!-- < -->3</Password>", "<Password>***</Password>"],
    ["<Password>s<![CDATA[cut", "<Password>***"],
    ['<a userPassword="s3" b="1"/>', '<a userPassword="***" b="1"/>'],
    ['{"password":"s\\"3","b":1,"token":123}', '{"password":"***","b":1,"token":"***"}'],
    ['{"password":"cut', '{"password":"***"'],
    ["user=a&password=s3&b=1", "user=a&password=***&b=1"],
    ["code=s3&key=s3&user=a", "code=***&key=***&user=a"],
    ["postcode=D02&keyword=a&keys=1", "postcode=D02&keyword=a&keys=1"],
    ["a=1&t=%7B%22password%22%3A+%22s3%22%7D&u=%7B%22code%22%3A1%7D", "a=1&t=***&u=%7B%22code%22%3A1%7D"],
    ["t=[draft]+of+a+password", "t=[draft]+of+a+password"],
    ['{"code":"rest_no_route","key":"a"}', '{"code":"rest_no_route","key":"a"}'],
    ["<?xml version='1.0'?><?password s3?><a><?x token='s3'?></a>", "<?xml version='1.0'?><?***?><a><?***?></a>"],
    ["<a/><?password s3", "<a/><?***?>"],
    ["<Card>4111</Card>", "<Card>4111</Card>"],
    ['{"nested":{"api_token":["s3"]},"b":1}', '{"nested":{"api_token":"***"},"b":1}'],
    ['{"authToken":{"v":"s3","w":["]}"]} , "b":{"c":[2]}}', '{"authToken":"***" , "b":{"c":[2]}}'],
    ['{"secrets":["s3"', '{"secrets":"***"'],
    ['{"secrets":["s3"}],"b":1}', '{"secrets":"***"'],
    ['{"pass\\u0077ord":"s3","p\\u0061ssword" : 3,"b":1}', '{"pass\\u0077ord":"***","p\\u0061ssword" : "***","b":1}'],
    ["{'password':'s3'}", "{***"],
    ...["s3", 's"3', "s\\3", "s\n3", "ä", "\u4e2d"].map((secret) => [
      JSON.stringify({ data: JSON.stringify({ list: [{ b: 1, password: secret }] }), c: 1 }),
      JSON.stringify({ data: JSON.stringify({ list: [{ b: 1, password: "***" }] }), c: 1 }),
    ]),
    [
      JSON.stringify(JSON.stringify([1, JSON.stringify({ a: JSON.stringify({ token: "s3", b: "ä\n" }) })])).slice(
        0,
        -1,
      ),
      JSON.stringify(JSON.stringify([1, JSON.stringify({ a: JSON.stringify({ token: "***", b: "ä\n" }) })])).slice(
        0,
        -1,
      ),
    ].map((text) => `[${text}"]`),
    ['{"a":"{\\u0022\\u0070assword\\u0022:\\u0022s3\\u0022}"}', '{"a":"{\\"password\\":\\"***\\"}"}'],
    ['{"a":"{\\"password\\":\\"cut', '{"a":"{\\"password\\":\\"***\\""'],
    ['{"a":"[draft] {x}","b":"{y}","c":"\\"d"}', '{"a":"[draft] {x}","b":"{y}","c":"\\"d"}'],
    ['{"a":"{\\"b\\":\\"\\u00e4\\/\\"}"}', '{"a":"{\\"b\\":\\"\\u00e4\\/\\"}"}'],
    ['{"password":"a" "s3","b":1}', '{"password":"***"'],
    ['/**/cb({"token":"s3","b":1})', '/**/cb({"token":"***","b":1})'],
    [
      '{"b":{"a":-1.5e3,"c":[true,null]}}\n{"b":"<password>"}',
      '{"b":{"a":-1.5e3,"c":[true,null]}}\n{"b":"<password>"}',
    ],
    ["api_key=s3&access_key=s3&session_id=s3&b=1", "api_key=***&access_key=***&session_id=***&b=1"],
    [
      "p%61ssword=s3&token[a]=s3&token%5B%5D=s3&user+password=s 3&b=1",
      "p%61ssword=***&token[a]=***&token%5B%5D=***&user+password=***&b=1",
    ],
    ["b=1;token=s3&c=/x?token=s3", "b=1;token=***&c=/x?token=***"],
    ["<Token><Value>s3</Value></Token><b>1</b>", "<Token><Value>***</Value></Token><b>1</b>"],
    ["<password><!--x--><v>s3</v></password>", "<password>***<v>***</v></password>"],
    ["<password>a<password>x</password>s3</password>", "<password>***<password>***</password>***</password>"],
    ['<Token xmlns="u"><Value xmlns="w" v="s3"/> </Token>', '<Token xmlns="u"><Value xmlns="w" v="***"/> </Token>'],
    ['<Token value="s3"/><b c="1"/>', '<Token value="***"/><b c="1"/>'],
    ['<a><password c="/>">s3</password></a>', '<a><password c="***">***</password></a>'],
    ["<a><password>s3</pass><b>s3", "<a><password>******"],
    ['<a password="s3', '<a password="***"'],
    ['<a b="1><password>s3</password><c d="2">', '<a b="1><password>***</password><c d="2">'],
    ["<!-- <password>s3</password> --><b>1</b>", "<!-- <password>***</password> --><b>1</b>"],
    ["<b><![CDATA[<password>s3</password>]]></b>", "<b><![CDATA[<password>***</password>]]></b>"],
    ['<!DOCTYPE a [<!ENTITY b "s3">]><a/>', "<!DOCTYPE ***"],
    ["<?a <b ?><!-- <? <Token>s3 --><c>1</c>", "<?a <b ?><!-- <? <Token>***<c>1</c>"],
    ["<UsernameToken>s3</UsernameToken><b><c>1</c></b>", "<UsernameToken>***</UsernameToken><b><c>1</c></b>"],
    [
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\ncontent-disposition: form-data; name="password"\r\n\r\ns3\r\n--y\r\nb: 1\r\n\r\ns3\r\n--x\r\nContent-Disposition: form-data; name="b"\r\n\r\n{"token":"s3"}\r\n--x--\r\n',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\ncontent-disposition: form-data; name="password"\r\n\r\n***\r\n--x\r\nContent-Disposition: form-data; name="b"\r\n\r\n{"token":"***"}\r\n--x--\r\n',
    ],
    [
      '--x\nContent-Disposition: form-data; name="t[token]"; filename="a"\nContent-Type: text/plain\n\ns3',
      '--x\nContent-Disposition: form-data; name="t[token]"; filename="a"\nContent-Type: text/plain\n\n***',
    ],
  ])("of %s gives %s", (body, wanted) => {
    expect(redacted(body)).toBe(wanted);
  });

  // Names that Sentry, Rails, Datadog and OpenTelemetry hide by default, and those of WordPress, WooCommerce, OAuth,
  // WS-Security and SAML.
  const secretNames = [
    ...[
      "user_pass",
      "userPass",
      "USER_PASS",
      "userpass",
      "pass1",
      "pass2",
      "post_pass",
      "meta[user_pass]",
      "mysql_pwd",
    ],
    ...[
      "pin",
      "PIN",
      "newPin",
      "card_pin",
      "user[pin]",
      "sPIN",
      "otp",
      "smsOtp",
      "totp",
      "cvv",
      "cvv2",
      "cardCvc",
      "ssn",
    ],
    ...["bearer", "bearerValue", "passcode", "passphrase", "passwd", "PasswordDigest", "PasswordText", "Nonce"],
    ...["BinarySecurityToken", "BinarySecret", "SignatureValue", "Assertion", "client_assertion", "SAMLResponse"],
    ...[
      "consumer_key",
      "consumer_secret",
      "user_activation_key",
      "license_key",
      "_wpnonce",
      "wordpress_logged_in_token",
    ],
    ...[
      "private_key",
      "sessionKey",
      "connect.session_id",
      "PHPSESSID",
      "csrftoken",
      "_xsrf",
      "code_verifier",
      "authCode",
    ],
    ...["X-Amz-Credential", "X-Amz-Signature", "X-Goog-Signature", "AWSAccessKeyId", "x-shopify-hmac-sha256"],
  ];
  test.each(secretNames)("hides the value of %s everywhere", (name) => {
    const redactor = new Redactor({});
    const part = `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`;
    const element = name.replace(/\W/g, "_");
    expect(redacted(JSON.stringify({ a: 1, [name]: "s3" }))).toBe(JSON.stringify({ a: 1, [name]: "***" }));
    expect(redacted(`<a><x:${element}>s3</x:${element}></a>`)).toBe(`<a><x:${element}>***</x:${element}></a>`);
    expect(redacted(`<a ${element}="s3"/>`)).toBe(`<a ${element}="***"/>`);
    expect(redacted(`a=1&${encodeURIComponent(name)}=s3`)).toBe(`a=1&${encodeURIComponent(name)}=***`);
    expect(redacted(`${part}s3\r\n--x--\r\n`)).toBe(`${part}***\r\n--x--\r\n`);
    expect(redactor.redactHeaders([[name, "s3"]])).toEqual([[name, "***"]]);
    expect(redactor.redactAddress(`/a?${name}=s3`)).toBe(`/a?${name}=***`);
  });

  test.each(["X-Forwarded-Client-Cert", "X-SSL-Client-Cert", "X-ARR-ClientCert", "X-WSSE", "DPoP", "rp_key", "pass"])(
    "hides the header and the parameter %s",
    (name) => {
      expect(new Redactor({}).redactHeaders([[name, "s3"]])).toEqual([[name, "***"]]);
      expect(redacted(`a=1&${name}=s3`)).toBe(`a=1&${name}=***`);
      expect(redacted(`--x\r\nA: b; name=${name}\r\n\r\ns3\r\n--x--`)).not.toContain("s3");
    },
  );

  const harmlessNames = [
    ...["pass", "passenger", "passed", "passport", "compass", "pinCode", "pin_code", "pinned", "spin", "shopping"],
    ...[
      "pinterest",
      "options",
      "hotp_counter",
      "author",
      "authorName",
      "design",
      "signal",
      "keyword",
      "code",
      "status",
    ],
    ...["insight", "session", "assessment", "tokyo", "bear", "bearing", "cardHolder", "lesson", "certificate_number"],
  ];
  test.each(harmlessNames)("shows the value of %s", (name) => {
    const json = JSON.stringify({ [name]: "visible" });
    const text = `<a><${name} ${name}="visible">visible</${name}></a>`;
    expect([redacted(json), redacted(text)]).toEqual([json, text]);
  });

  test("accepts additional names", () => {
    expect(redacted("<CardNumber>4111</CardNumber>", ["card"])).toBe("<CardNumber>***</CardNumber>");
    expect(redacted('{"Schl\\u00fcssel":"s3","schlüssel":"s3","b":1}', ["Schlüssel"])).toBe(
      '{"Schl\\u00fcssel":"***","schlüssel":"***","b":1}',
    );
  });

  test("leaves out bodies that are not text", () => {
    expect(redacted(gzipSync("password=s3"), undefined, "gzip")).toMatch(/^\[\d+ bytes that are not shown\]$/);
    expect(redacted(Buffer.from("<Password>s3</Password>", "utf16le"))).toMatch(/not shown/);
  });

  test("of addresses and headers", () => {
    const redactor = new Redactor({});
    expect(redactor.redactAddress("http://u:p@h/a?api_key=1&api-key=s3&x=2#f")).not.toMatch(/s3|u:p/);
    expect(redactor.redactAddress("/a?api_key=s3&access_key=s3&p%61ssword=s3&token[]=s3&session_id=s3&x=2")).toBe(
      "/a?api_key=***&access_key=***&p%61ssword=***&token[]=***&session_id=***&x=2",
    );
    expect(redactor.redactAddress("/a;jsessionid=s3;b=1/c?jwt=s3&sig=s3&code=s3&auth=s3&key=s3&pass=s3&_csrf=s3")).toBe(
      "/a;jsessionid=***;b=1/c?jwt=***&sig=***&code=***&auth=***&key=***&pass=***&_csrf=***",
    );
    const visible = "/a;code/key?postcode=D02&keyword=a&author=1&design=b&passenger=c&status_code=5&monkey=d";
    expect(redactor.redactAddress(visible)).toBe(visible);
    expect(redactor.redactHeaders([["Referer", "http://h/a?x=1&token=s3"]])).toEqual([
      ["Referer", "http://h/a?x=1&token=***"],
    ]);
    expect(
      redactor.redactHeaders([
        ["X-Api-Key", "1"],
        ["Accept", "a"],
      ]),
    ).toEqual([
      ["X-Api-Key", "***"],
      ["Accept", "a"],
    ]);
  });
});

test.each([
  ...["Ocp-Apim-Subscription-Key", "X-Jwt", "X-Auth", "X-Session", "X-CSRF", "X-XSRF-Token", "Authentication"],
  ...["X-Auth-Key", "X-Key", "Key", "X-Api-Key", "x-amz-security-token", "X-WP-Nonce"],
])("the value of the header %s is hidden", (name) => {
  expect(new Redactor({}).redactHeaders([[name, "s3"]])).toEqual([[name, "***"]]);
});

test.each([
  "Idempotency-Key",
  "Surrogate-Key",
  "X-Status-Code",
  "Author",
  "Keep-Alive",
  "Sec-WebSocket-Key",
  "X-Author",
])("the value of the header %s is shown", (name) => {
  expect(new Redactor({}).redactHeaders([[name, "a"]])).toEqual([[name, "a"]]);
});
