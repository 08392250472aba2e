import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../testing/temporary-folder.js";
import { Encoder } from "../../src/codec/encoder.js";
import { lineLogger } from "../../src/observe/loggers.js";
import * as xs from "../../src/xs.js";

const event = {
  side: "server",
  time: 0,
  requestId: "r",
  operation: "Find",
  protocol: "soap11",
  method: "POST",
  address: "/find",
  status: 200,
  requestBytes: 1,
  answerBytes: 2,
  completed: true,
  durations: { total: 1 },
} as const;
const incident = {
  side: "server",
  kind: "request",
  message: "No.",
  requestId: "r",
  method: "POST",
  address: "/",
} as const;

const written: string[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(process.stdout, "write").mockImplementation((text, ...others) => {
    written.push(String(text));
    const done = others.find((other) => typeof other === "function");
    done?.();
    return true;
  });
  vi.spyOn(console, "error").mockImplementation((text: string) => void written.push(text));
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.restoreAllMocks();
  written.length = 0;
});

test("the lines of a few milliseconds are written at once", () => {
  const { onCall } = lineLogger();
  onCall(event as never);
  onCall(event as never);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(20);
  expect(written.map((text) => text.match(/\n/g)?.length)).toEqual([2]);
  onCall(event as never);
  vi.advanceTimersByTime(20);
  expect(written).toHaveLength(2);
});

test("many lines are written before their time", () => {
  const { onCall } = lineLogger();
  for (let count = 0; count < 128; count += 1) {
    onCall(event as never);
  }
  expect(written.map((text) => text.match(/\n/g)?.length)).toEqual([128]);
});

test("lines longer than usual, with characters outside ASCII, are written as UTF-8", () => {
  const { onCall } = lineLogger({ format: "json" });
  const long = { ...event, operation: `Zürich${"x".repeat(600)}`, address: "/😀", requestId: 'a"ü' };
  for (const faultCode of ["A", "B", "C"]) {
    onCall({ ...long, faultCode } as never);
  }
  vi.advanceTimersByTime(20);
  const lines = written.join("").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    ["A", "B", "C"].map((faultCode) => ({
      operation: long.operation,
      address: long.address,
      requestId: long.requestId,
      faultCode,
    })),
  );
});

test.each(["text", "json"] as const)("a line of %s contains the first 200 characters of a long address", (format) => {
  const lines: string[] = [];
  const { onCall, onError } = lineLogger({ format, write: (line) => lines.push(line) });
  for (const length of [200, 8_000]) {
    onCall({ ...event, address: `/${"a".repeat(length - 1)}` } as never);
    onError({ ...incident, address: `/${"a".repeat(length - 1)}` } as never);
  }
  expect(lines.map((line) => /\/a+(?:… \(.+?\))?/.exec(line)?.[0])).toEqual(
    [`/${"a".repeat(199)}`, `/${"a".repeat(199)}… (7800 more characters)`].flatMap((address) => [address, address]),
  );
});

test("loggers of both formats share the output, in the order of the calls", () => {
  const loggers = [lineLogger(), lineLogger({ format: "json" }), lineLogger()];
  for (const [index, { onCall }] of loggers.entries()) {
    onCall({ ...event, requestId: `id${index}` } as never);
  }
  vi.advanceTimersByTime(20);
  expect(written.join("").match(/id\d/g)).toEqual(["id0", "id1", "id2"]);
});

test.each(["text", "json"] as const)("a line of %s contains no characters that could change a terminal", (format) => {
  // A control sequence of 8 bits, a new line, and a mark that reverses the order of text.
  const text = "a\u009b31mb\u0085c\u2028d\u202ee\nf\u001b[0m";
  const lines: string[] = [];
  const { onCall, onError } = lineLogger({ format, write: (line) => lines.push(line) });
  onCall({ ...event, requestId: text, userAgent: text, address: text, faultCode: text } as never);
  onError({ ...incident, requestId: text, address: text, message: text, error: new Error(text) } as never);
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  if (format === "json") {
    expect(lines.map((line) => JSON.parse(line).address)).toEqual([text, text]);
  }
});

test("an incident is written at once, after the lines of earlier calls", () => {
  const { onCall, onError } = lineLogger({ format: "json" });
  onCall(event as never);
  onError(incident as never);
  expect(written.map((text) => JSON.parse(text).level)).toEqual(["info", "warning"]);
});

test.each([
  ["calls process.exit", "process.exit();", 0],
  ["throws an error", 'setTimeout(() => { throw new Error("x"); });', 1],
  ["does not catch a rejection", 'Promise.reject(new Error("x"));', 1],
  [
    "ends at SIGTERM",
    'process.once("SIGTERM", () => process.exit()); setTimeout(() => {}, 60_000); process.kill(process.pid, "SIGTERM");',
    0,
  ],
])("pending lines are written when the process %s", (_, end, code) => {
  const program = `
    import { lineLogger } from ${JSON.stringify(new URL("../../dist/observe/index.js", import.meta.url).href)};
    lineLogger().onCall(${JSON.stringify(event)});
    ${end}`;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(stdout).toMatch(/ server POST \/find 200 .*\n$/);
  expect(status).toBe(code);
});

test("lines that are lost because the disk is full are reported once", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  vi.spyOn(process.stdout, "write").mockImplementation(((_: unknown, done: (error: Error) => void) => {
    done(full);
    return false;
  }) as never);
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const { onCall } = lineLogger();
  for (let count = 0; count < 3; count += 1) {
    onCall(event as never);
    vi.advanceTimersByTime(10);
  }
  expect(errors.mock.calls.flat()).toEqual([
    expect.stringMatching(
      / error hook: Lines about calls cannot be written to standard output and are lost: ENOSPC: no sp/,
    ),
  ]);
});

test("a burst of calls writes every line, without a warning about listeners", async () => {
  const program = `
    import { lineLogger } from ${JSON.stringify(new URL("../../dist/observe/index.js", import.meta.url).href)};
    const { onCall } = lineLogger();
    for (let count = 0; count < 20_000; count += 1) {
      onCall(${JSON.stringify(event)});
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
  const errors: string[] = [];
  child.stderr.on("data", (text) => errors.push(String(text)));
  let lines = 0;
  child.stdout.on("data", (text) => {
    lines += String(text).match(/\n/g)?.length ?? 0;
  });
  const [code] = await once(child, "close");
  expect({ code, errors, lines }).toEqual({ code: 0, errors: [], lines: 20_000 });
});

test.each([
  ["each call is written", `const timer = setInterval(call, 1);`],
  [
    "lines are written between a failure and its event",
    `const burst = () => {
      [1, 2, 3, 4, 5].forEach(call);
      onError(${JSON.stringify(incident)});
    };
    const timer = setInterval(() => {
      burst();
      process.nextTick(burst);
    }, 10);`,
  ],
])("a closed pipe does not end the program when %s", async (_, calls) => {
  const program = `
    import { lineLogger } from ${JSON.stringify(new URL("../../dist/observe/index.js", import.meta.url).href)};
    const { onCall, onError } = lineLogger();
    console.error = () => {};
    const call = () => onCall(${JSON.stringify(event)});
    ${calls}
    setTimeout(() => clearInterval(timer), 300);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
  const errors: string[] = [];
  child.stderr.on("data", (text) => errors.push(String(text)));
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = await once(child, "close");
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
});

test("standard output has a listener for errors only while lines are written", () => {
  const counts: number[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation(((_: unknown, done: () => void) => {
    counts.push(process.stdout.listenerCount("error"));
    done();
    return true;
  }) as never);
  const { onCall } = lineLogger();
  for (let count = 0; count < 2; count += 1) {
    onCall(event as never);
    vi.runAllTimers();
  }
  const after = process.stdout.listenerCount("error");
  expect(counts).toEqual([after + 1, after + 1]);
});

test.runIf(existsSync("/dev/full"))(
  "lines of consoleLogger that are lost on a full disk are reported once a minute",
  async () => {
    const program = `
    import { consoleLogger } from ${JSON.stringify(new URL("../../dist/observe/loggers.js", import.meta.url).href)};
    const { onCall } = consoleLogger();
    const timer = setInterval(() => onCall(${JSON.stringify(event)}), 10);
    setTimeout(() => clearInterval(timer), 200);`;
    const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: [...stdio] });
    const errors: string[] = [];
    child.stderr?.on("data", (text) => errors.push(String(text)));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(errors.join("")).toMatch(/^\S+ error hook: Lines about calls cannot be .* are lost: ENOSPC: .*\n$/);
  },
);

test.runIf(existsSync("/dev/full")).each([
  { name: "incidents", isFull: [false, true], calls: "onError(incident); logIncident(incident);" },
  { name: "calls with consoleLogger", isFull: [true, false], calls: "viaConsole.onCall(event);" },
  { name: "incidents with consoleLogger", isFull: [false, true], calls: "viaConsole.onError(incident);" },
])("a full disk does not end a program that logs $name", async ({ isFull, calls }) => {
  const modules = ["observe/loggers.js", "observe/incidents.js"].map((file) =>
    JSON.stringify(new URL(`../../dist/${file}`, import.meta.url).href),
  );
  const program = `
    import { consoleLogger, lineLogger } from ${modules[0]};
    import { logIncident } from ${modules[1]};
    const { onError } = lineLogger();
    const viaConsole = consoleLogger();
    const incident = ${JSON.stringify(incident)};
    const event = ${JSON.stringify(event)};
    const timer = setInterval(() => { ${calls} }, 10);
    setTimeout(() => clearInterval(timer), 300);`;
  const [output, errors] = isFull.map((full) => (full ? openSync("/dev/full", "w") : "ignore"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", output, errors] });
  expect(await once(child, "close")).toEqual([0, null]);
});

const modules = ["observe/index.js", "observe/incidents.js", "server/adapters/node/listen.js"].map((file) =>
  JSON.stringify(new URL(`../../dist/${file}`, import.meta.url).href),
);

/** A program whose log lines nobody reads for a while. */
interface Unread {
  /** The lines that its standard output and standard error received. */
  readonly output: readonly string[];
  readonly errors: readonly string[];
  /** The number of lines that it logged, and the figures that it wrote before anybody read a line. */
  readonly logged: number;
  readonly ticks: number;
  readonly grownBytes: number;
  readonly lostLines: number;
  readonly code: unknown;
}

/** Runs a program that logs 120 MB of lines with `log`, and reads its output only afterwards. */
async function runUnread(log: string): Promise<Unread> {
  const program = `
    import { consoleLogger, lineLogger } from ${modules[0]};
    import { logIncident } from ${modules[1]};
    import { listen } from ${modules[2]};
    const event = ${JSON.stringify({ ...event, operation: "x".repeat(20_000) })};
    const incident = ${JSON.stringify({ ...incident, operation: "x".repeat(20_000) })};
    const viaLines = lineLogger();
    const viaJson = lineLogger({ format: "json" });
    const viaConsole = consoleLogger();
    const server = await listen([], { host: "127.0.0.1" });
    const usedBytes = () => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = usedBytes();
    let logged = 0;
    let ticks = 0;
    const timer = setInterval(async () => {
      for (let count = 0; count < 200; count += 1) {
        ${log};
        logged += 1;
      }
      ticks += 1;
      if (ticks < 30) {
        return;
      }
      clearInterval(timer);
      // Waits for the lines of the last calls.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { lostLines } = await server.state();
      process.send({ logged, ticks, grownBytes: usedBytes() - before, lostLines });
      process.once("message", async () => {
        await server.close();
        ${log};
        process.disconnect();
      });
    }, 10);`;
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", program], { stdio: [...stdio] });
  const [figures] = (await once(child, "message")) as [Omit<Unread, "output" | "errors" | "code">];
  const texts = ["", ""];
  for (const [index, stream] of [child.stdout, child.stderr].entries()) {
    stream?.on("data", (data) => {
      texts[index] += String(data);
    });
  }
  // The line after the loss must be written even if the program logs nothing more.
  await vi.waitFor(() => expect(texts.join("")).toMatch(/Lines of the log were lost since/), 10_000);
  child.send("log once more");
  const [code] = await once(child, "close");
  const [output = [], errors = []] = texts.map((text) => text.split("\n").slice(0, -1));
  return { ...figures, output, errors, code };
}

test.each([
  ["calls", "viaLines.onCall(event)"],
  ["calls with consoleLogger", "viaConsole.onCall(event)"],
  ["incidents", "viaLines.onError(incident)"],
  ["incidents in JSON", "viaJson.onError(incident)"],
  ["incidents without onError", "logIncident(incident)"],
  ["incidents with consoleLogger", "viaConsole.onError(incident)"],
])("if nobody reads the lines of %s, newer lines are lost and counted, and the program continues", async (_, log) => {
  const { logged, grownBytes, lostLines, code, ...streams } = await runUnread(log);
  const isOutput = log.includes("onCall");
  const lines = isOutput ? streams.output : streams.errors;
  const isLoss = (line: string) => line.includes("Lines of the log were lost since");
  const written = lines.filter((line) => line.includes("xxxx")).length;
  expect(grownBytes).toBeLessThan(40_000_000);
  expect(lostLines).toBeGreaterThan(5_000);
  expect(written + lostLines).toBe(logged + 1);
  const losses = lines.filter(isLoss);
  expect(losses).toHaveLength(1);
  expect(losses[0]).toMatch(`: ${lostLines}. They could not be written to standard ${isOutput ? "output" : "error"}: `);
  expect(losses[0]).toContain("has stopped reading");
  expect(losses[0]?.startsWith("{")).toBe(log.includes("Json"));
  expect(lines.findIndex(isLoss)).toBe(lines.length - 2);
  expect(code).toBe(0);
  // The other stream works, so it announces the loss of calls when it begins.
  expect(streams.errors.filter((line) => line.includes("Lines about calls cannot be written"))).toHaveLength(
    isOutput ? 1 : 0,
  );
});

test.each([
  ["calls", "viaLines.onCall(event)"],
  ["incidents", "viaLines.onError(incident)"],
])("if the reader of %s stops reading and ends later, the program continues", async (_, log) => {
  const program = `
    import { lineLogger } from ${modules[0]};
    const event = ${JSON.stringify({ ...event, operation: "x".repeat(20_000) })};
    const incident = ${JSON.stringify({ ...incident, operation: "x".repeat(20_000) })};
    const viaLines = lineLogger();
    for (let count = 0; count < 20; count += 1) {
      ${log};
    }
    process.once("message", () => setTimeout(() => process.disconnect(), 100));
    setTimeout(() => process.send("The lines have waited."), 1_300);`;
  const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: [...stdio] });
  await once(child, "message");
  (log.includes("onCall") ? child.stdout : child.stderr)?.destroy();
  child.send("end");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test.each([
  { name: "calls", stream: "output", log: "viaLines.onCall(event)" },
  { name: "calls with consoleLogger", stream: "output", log: "viaConsole.onCall(event)" },
  { name: "incidents", stream: "error", log: "viaLines.onError(incident)" },
  { name: "incidents without onError", stream: "error", log: "logIncident(incident)" },
])("lines of $name that are lost on a full disk are counted in the next line", async ({ stream, log }) => {
  const program = `
    import { appendFileSync, truncateSync } from "node:fs";
    import { consoleLogger, lineLogger } from ${modules[0]};
    import { logIncident } from ${modules[1]};
    import { listen } from ${modules[2]};
    const event = ${JSON.stringify(event)};
    const incident = ${JSON.stringify(incident)};
    const viaLines = lineLogger();
    const viaConsole = consoleLogger();
    const server = await listen([], { host: "127.0.0.1" });
    const logOnce = async () => {
      ${log};
      await new Promise((resolve) => setTimeout(resolve, 30));
    };
    // The limit of the file's size acts like a full disk.
    appendFileSync(process.argv[1], "-".repeat(1_024));
    await logOnce();
    const firstLostBefore = Date.now();
    ${log};
    await logOnce();
    const { lostLines } = await server.state();
    truncateSync(process.argv[1]);
    await logOnce();
    await logOnce();
    process.send({ lostLines, firstLostBefore });
    await server.close();
    process.disconnect();`;
  const file = join(mkdtempSync(join(temporaryFolder, "lines-")), "log");
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const opened = openSync(file, "a");
  const stdio = stream === "output" ? ["ignore", opened, "ignore", "ipc"] : ["ignore", "ignore", opened, "ipc"];
  const node = [process.execPath, "--input-type=module", "-e", program, file];
  const child = spawn("sh", ["-c", 'ulimit -f 2; exec "$@"', "sh", ...node], { stdio: stdio as never });
  const [{ lostLines, firstLostBefore }] = await once(child, "message");
  await once(child, "close");
  expect(lostLines).toBe(3);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(` error hook: Lines of the log were lost since `);
  const [, since = ""] = /lost since (\S+): /.exec(lines[0] ?? "") ?? [];
  expect(Date.parse(since)).toBeLessThanOrEqual(firstLostBefore);
  expect(lines[0]).toMatch(`: 3. They could not be written to standard ${stream}: EFBIG: `);
});

test.each([
  ...[xs.base64Binary, xs.hexBinary].map((type) => ({
    type,
    value: "AQI=",
    advice:
      '(a string) is not a valid NAME: it must be a Uint8Array. Convert an ArrayBuffer with new Uint8Array(buffer), Base64 text with Buffer.from(text, "base64")',
  })),
  ...[xs.date, xs.dateTime].map((type) => ({
    type,
    value: new Date(0),
    advice: "Convert a Date with fromDate of @bothends/runtime/values.",
  })),
  ...[xs.date, xs.dateTime, xs.dateAsDate, xs.dateTimeAsDate].map((type) => ({
    type,
    value: new Date("x"),
    advice: "the Date is not valid (Invalid Date).",
  })),
  {
    type: xs.int,
    value: 1n,
    advice: "The value (a bigint) is not a valid NAME: it must be a whole number, for example 5.",
  },
  { type: xs.int, value: "1", advice: "The value (a string) is not a valid NAME: it must be a whole number" },
  { type: xs.boolean, value: 1, advice: "The value (a number) is not a valid NAME: it must be true or false." },
  { type: xs.boolean, value: "true", advice: "The value (a string) is not a valid NAME: it must be true or false." },
  { type: xs.string, value: 5, advice: "The value (a number) is not a valid NAME: it must be a string." },
  { type: xs.int, value: [1], advice: "The list is not a valid NAME: it must be a whole number" },
  { type: xs.decimal, value: new (class Decimal {})(), advice: "an object of class Decimal is not a valid NAME" },
  { type: xs.decimal, value: Buffer.from("1"), advice: "an object of class Uint8Array is not a valid NAME" },
])("a handler's answer $value where $type.name is expected is explained", ({ type, value, advice }) => {
  const record = { kind: "record", name: "{urn:a}A", namespace: "urn:a", fields: { at: { type } } } as const;
  const encode = () => new Encoder().encode("{urn:a}A", () => record as never, { at: value });
  expect(encode).toThrow(
    expect.objectContaining({ reason: expect.stringContaining(advice.replace("NAME", type.name)) }),
  );
});
