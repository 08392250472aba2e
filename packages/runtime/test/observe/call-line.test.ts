import { expect, test } from "vitest";
import type { CallEvent } from "../../src/observe/events.js";
import { lineLogger } from "../../src/observe/loggers.js";

const incident = { kind: "request", message: "No." };
const shortest: CallEvent = {
  side: "server",
  time: Date.UTC(2026, 10, 22, 19, 5, 1, 7),
  requestId: "r",
  method: "GET",
  address: "/",
  status: 200,
  durations: { total: 0 },
  completed: true,
};
const longest: CallEvent = {
  side: "client",
  time: Date.UTC(2026, 0, 1),
  requestId: 'a"b\\c\u2028\ud800\n',
  operation: "Zürich",
  protocol: "soap12",
  route: "/posts/(?P<id>[\\d]+)",
  method: "POST",
  address: "http://site.example/😀",
  remoteAddress: "::1",
  userAgent: 'shop/1 "x"',
  principal: { secret: 1 },
  status: 500,
  faultCode: "Server\u007f",
  durations: { total: 1234.5678, queued: 0.0004, read: 0.12, handler: 10.3, written: 0.005, waiting: 7 },
  retries: 2,
  requestBytes: 0,
  answerBytes: 123_456,
  completed: false,
  error: incident,
};

test.each([
  { name: "shortest", event: shortest },
  { name: "longest", event: longest },
])("the $name line of JSON has what JSON.stringify writes", ({ event }) => {
  const { principal: _, error, time, durations, ...others } = event;
  const rounded = Object.entries(durations).map(([step, value]) => [step, Math.round(value * 1000) / 1000]);
  const written = JSON.parse(line(event, "json"));
  expect(written).toEqual({
    time: new Date(time).toISOString(),
    level: "info",
    ...others,
    durations: Object.fromEntries(rounded),
    ...(error && { error: error.kind }),
  });
  expect(line(event, "json")).not.toMatch(/[\n\ud800-\udfff]/u);
});

test.each([
  { milliseconds: 0, want: "0" },
  { milliseconds: 0.0004, want: "0" },
  { milliseconds: 0.0005, want: "0.001" },
  { milliseconds: 0.01, want: "0.01" },
  { milliseconds: 0.1, want: "0.1" },
  { milliseconds: 0.25, want: "0.25" },
  { milliseconds: 0.999_6, want: "1" },
  { milliseconds: 12.305, want: "12.305" },
  { milliseconds: 30_000, want: "30000" },
])("$milliseconds ms are written as $want", ({ milliseconds, want }) => {
  const event = { ...shortest, durations: { total: milliseconds } };
  expect(line(event, "text")).toBe(`2026-11-22T19:05:01.007Z server GET / 200 total=${want}ms requestId=r`);
  expect(line(event, "json")).toContain(`"durations":{"total":${want}}`);
});

test("instants of other seconds are written", () => {
  const times = [0, 999, 1000, 59_999, -1, Date.UTC(2026, 11, 31, 23, 59, 59, 90)];
  for (const time of times) {
    expect(line({ ...shortest, time }, "text").split(" ")[0]).toBe(new Date(time).toISOString());
  }
});

test("a line of text has every fact of a call", () => {
  expect(line(longest, "text")).toBe(
    '2026-01-01T00:00:00.000Z client POST "http://site.example/😀" 500 incomplete total=1234.568ms queued=0ms read=0.12ms ' +
      'handler=10.3ms written=0.005ms waiting=7ms operation="Zürich" protocol=soap12 route=/posts/(?P<id>[\\d]+) ' +
      `remoteAddress=::1 userAgent="shop/1 \\"x\\"" faultCode="Server\\u007f" requestBytes=0 answerBytes=123456 retries=2 ` +
      `error=request requestId=${JSON.stringify(longest.requestId).replace("\u2028", "\\u2028")}`,
  );
});

test("the lines of two versions of a client differ", () => {
  const log = (version: string) => line({ ...shortest, operation: "Find", userAgent: version }, "text");
  expect([log("shop/1"), log("shop/2")]).toEqual([
    expect.stringContaining(" userAgent=shop/1 "),
    expect.stringContaining(" userAgent=shop/2 "),
  ]);
});

function line(event: CallEvent, format: "text" | "json"): string {
  let written = "";
  lineLogger({
    format,
    write: (text) => {
      written = text;
    },
  }).onCall(event);
  return written;
}
