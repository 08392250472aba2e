import { once } from "node:events";
import { connect } from "node:net";
import { lineLogger } from "@bothends/runtime/observe";
import { type ListenOptions, listen } from "@bothends/runtime/server/node";
import { regRoutes } from "@bothends/server/vehicle";
import { expect, onTestFinished, test } from "vitest";
import { cert, key } from "../../../runtime/test/client/certificate.js";

const path = "/api/reg.asmx";
const action = "http://vehicle.example/reg/CheckUSA";

/** A server with its log. What the handler does depends on the registration number. */
async function failingServer(options: ListenOptions = {}) {
  const lines: string[] = [];
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const routes = regRoutes(
    {
      async checkUSA({ RegistrationNumber }, { signal }) {
        switch (RegistrationNumber) {
          case "throws":
            throw new TypeError("Cannot read properties of undefined (reading 'make')");
          case "database": {
            const socket = connect(1, "127.0.0.1");
            const [cause] = await once(socket, "error").catch((error: unknown) => [error]);
            throw new Error("The vehicles cannot be read.", { cause });
          }
          case "slow":
            await pause(400);
            return null;
          case "misfit":
            return { vehicleJson: 5, vehicleData: null } as never;
          default:
            await pause(signal.aborted ? 0 : 150);
            return null;
        }
      },
    },
    {
      missing: "fault",
      path,
      limits: { handlerTimeout: 300, bodyBytes: 5_000 },
      authorize: ({ headers }) => headers.has("x-user"),
    },
  );
  const server = await listen([routes], {
    port: 0,
    host: "127.0.0.1",
    ...lineLogger({ write: (line) => lines.push(line) }),
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, lines, port: Number(new URL(server.url).port) };
}

function message(number: string, more = ""): string {
  return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><CheckUSA xmlns="http://vehicle.example/reg"><RegistrationNumber>${number}</RegistrationNumber>${more}<State>NY</State><username>u</username></CheckUSA></s:Body></s:Envelope>`;
}

interface Sent {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(port: number, { body, headers }: Sent): Promise<number> {
  const soap = { "Content-Type": "text/xml", SOAPAction: `"${action}"`, "X-User": "ada" };
  const all = Object.entries({ ...soap, ...headers }).filter(([, value]) => value !== "");
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers: all, body });
  await answer.text();
  return answer.status;
}

/** The lines of a log, once one of them has the text. */
async function logged(lines: readonly string[], text: string): Promise<string> {
  await expect.poll(() => lines.join("\n"), { timeout: 5_000 }).toContain(text);
  return lines.join("\n");
}

const place = "address=/api/reg.asmx";

test.each([
  [
    "a handler throws",
    { body: message("throws") },
    ["error handler:", "TypeError: Cannot read properties", "causes.test"],
  ],
  [
    "the database refuses",
    { body: message("database") },
    ["error handler:", "Caused by: ", "ECONNREFUSED 127.0.0.1:1"],
  ],
  ["a handler is slow", { body: message("slow") }, ["limit.handlerTimeout", "The option limits.handlerTimeout"]],
  ["an answer does not fit", { body: message("misfit") }, ["error encode: The answer does not fit", "vehicleJson"]],
  [
    "nobody calls",
    { body: message("x"), headers: { "X-User": "" } },
    ["request: The option authorize refused the call"],
  ],
])("when %s, the log names cause, operation and place", async (_, sent, causes) => {
  const { port, lines } = await failingServer();
  await send(port, sent);
  const log = await logged(lines, causes[0] ?? "");
  for (const text of [...causes, "operation=CheckUSA", place]) {
    expect(log).toContain(text);
  }
});

test.each([
  [
    "a request does not fit the schema",
    { body: message("x").replace("<State>NY</State>", "") },
    ["request: The element is required", "path=/CheckUSA/State", "operation=CheckUSA"],
  ],
  [
    "a request is too large",
    { body: message("x".repeat(6_000)) },
    ["limit.bodyBytes = 5000", "The option limits.bodyBytes"],
  ],
  [
    "the SOAPAction is wrong",
    { body: message("x"), headers: { SOAPAction: '"urn:other"' } },
    ["request: The SOAPAction is unknown"],
  ],
  [
    "the content type is wrong",
    { body: message("x"), headers: { "Content-Type": "application/json" } },
    ["request: The Content-Type is not one of this service"],
  ],
])("when %s, the log names cause and place", async (_, sent, causes) => {
  const { port, lines } = await failingServer();
  await send(port, sent);
  const log = await logged(lines, (causes[0] ?? "").replace(/ = .*/, ""));
  for (const text of [...causes.map((cause) => cause.replace("limit.bodyBytes =", "bodyBytes =")), place]) {
    expect(log).toContain(text);
  }
});

test("when a body arrives too slowly, the log names cause and place", async () => {
  const limits = { bodyRate: 1_000, bodyRateGracePeriod: 100, checkInterval: 50 };
  const { port, lines } = await failingServer({ limits });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: text/xml\r\nSOAPAction: "${action}"\r\nContent-Length: 3000\r\n\r\n<`,
  );
  expect(await logged(lines, "limit.bodyRate")).toContain(place);
});

test("when too many calls come at the same time, the log names the limit and the place", async () => {
  const { port, lines } = await failingServer({ limits: { inFlight: 1 } });
  await Promise.all([send(port, { body: message("a") }), send(port, { body: message("b") })]);
  const log = await logged(lines, "limit.inFlight");
  expect(log).toContain("The option limits.inFlight");
  expect(log).toContain(place);
});

test("when a client does not speak TLS, the log names the client and the reason", async () => {
  const { port, lines } = await failingServer({ tls: { cert, key } });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  expect(await logged(lines, "warning tls")).toContain("A TLS connection of 127.0.0.1 failed: ERR_SSL_HTTP_REQUEST");
});

test("when a server stops during a call, the log names cause, operation and place", async () => {
  const { port, lines, server } = await failingServer({ limits: { drainTimeout: 20 } });
  const sent = send(port, { body: message("slow") }).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  await server.close();
  await sent;
  expect(await logged(lines, "limit.drainTimeout")).toContain(place);
  expect(await logged(lines, "incomplete")).toContain("operation=CheckUSA");
});
