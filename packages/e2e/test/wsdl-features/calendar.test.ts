import { Temporal } from "temporal-polyfill";
import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const kinds = { dateTime: "Instant", date: "PlainDate", time: "PlainTime", duration: "Duration" };
const moments = Object.values(kinds).map(
  (kind) => `
export const read${kind} = (text) => Temporal.${kind}.from(text);
export const write${kind} = (value) => value.toString();`,
);
const service = made("calendar", {
  settings: {
    typeMap: {
      ...Object.fromEntries(
        Object.entries(kinds).map(([builtin, kind]) => [
          builtin,
          { module: "./moments.js", type: kind, read: `read${kind}`, write: `write${kind}` },
        ]),
      ),
      "{urn:calendar}Rate": "number",
    },
  },
  files: { "moments.js": `import { Temporal } from "temporal-polyfill";${moments.join("")}\n` },
});
const { CalendarClient } = await service.load("client");
const { calendarRoutes } = await service.load("server");

interface Event {
  readonly created: Temporal.Instant;
  readonly on: readonly Temporal.PlainDate[];
  readonly at?: Temporal.PlainTime;
  readonly lasts: Temporal.Duration | null;
  readonly rate?: number;
  readonly until?: Temporal.PlainDate;
}

const handlers = {
  move: ({ event }: { readonly event: Event }): Event => ({
    ...event,
    created: event.created.add({ hours: 1 }),
    on: event.on.map((day) => day.add({ months: 1 })),
    rate: (event.rate ?? 0) * 2,
  }),
};

let running: Awaited<ReturnType<typeof served>>;
beforeAll(async () => {
  running = await served(calendarRoutes(handlers));
});
afterAll(async () => {
  await running.close();
  service.remove();
});

const event: Event = {
  created: Temporal.Instant.from("2026-03-29T00:30:00.123456789Z"),
  on: [Temporal.PlainDate.from("2026-01-31")],
  at: Temporal.PlainTime.from("02:30"),
  lasts: Temporal.Duration.from("P1DT2H"),
  rate: 1.25,
  until: Temporal.PlainDate.from("2028-02-29"),
};

test("values of Temporal pass through a client and a server", async () => {
  const moved = await new CalendarClient(running.options).move({ event });
  expect(running.wire.request).toContain("<created>2026-03-29T00:30:00.123456789Z</created><on>2026-01-31</on>");
  expect(moved.created.toString()).toBe("2026-03-29T01:30:00.123456789Z");
  expect(moved.on.map((day: unknown) => String(day))).toEqual(["2026-02-28"]);
  expect(moved.at).toBeInstanceOf(Temporal.PlainTime);
  expect(moved.lasts.total("hours")).toBe(26);
  expect(moved.until.equals(event.until)).toBe(true);
});

test("a named type is a number although its built-in type is text", async () => {
  const moved = await new CalendarClient(running.options).move({ event: { ...event, lasts: null } });
  expect(running.wire.request).toContain("<rate>1.25</rate>");
  expect(moved).toMatchObject({ lasts: null, rate: 2.5 });
});

test("a value that is not one of Temporal's, or that its schema refuses, is an error before the request", async () => {
  const client = new CalendarClient(running.options);
  await expect(client.move({ event: { ...event, on: ["tomorrow"] } })).rejects.toMatchObject({ name: "EncodeError" });
  await expect(client.move({ event: { ...event, rate: 101 } })).rejects.toMatchObject({ name: "EncodeError" });
});
