import { ContentClient } from "@bothends/client/content";
import { VehicleClient } from "@bothends/client/vehicle";
import type { Transport, TransportAnswer, TransportRequest } from "@bothends/runtime/client";
import { createRouter, type HeaderLine, type ServerAnswer, type ServerIncident } from "@bothends/runtime/server";
import { contentRoutes } from "@bothends/server/content";
import { vehicleRoutes } from "@bothends/server/vehicle";
import { createContentSample } from "../sample/content.js";
import { listContentCalls } from "../sample/content-calls.js";
import { lookups, protocols, username } from "../sample/lookups.js";
import { vehicleSample } from "../sample/vehicle.js";

/**
 * A request as the server receives it. Each byte is written as a character below U+0100, so that an exchange can be
 * printed.
 */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: string;
}

/** An answer of the server in memory, with its body as text. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: string;
}

/** A call of a handler, with the input that it received. */
export interface HandledCall {
  readonly operation: string;
  readonly input: unknown;
}

/** A request with its answer, and the calls of handlers that it caused. */
export interface Exchange {
  readonly request: FuzzRequest;
  readonly answer: FuzzAnswer;
  readonly calls: readonly HandledCall[];
}

/** A server in memory, which serves both interfaces with sample data. */
export class MemoryServer {
  readonly incidents: ServerIncident[] = [];
  readonly calls: HandledCall[] = [];
  readonly #use = ({ operation, input }: HandledCall, next: () => Promise<unknown>) => {
    this.calls.push({ operation, input });
    return next();
  };
  readonly #router = createRouter(
    [
      vehicleRoutes(vehicleSample, { use: this.#use }),
      contentRoutes(createContentSample(), { ...site, use: this.#use }),
    ],
    {
      onError: (incident) => this.incidents.push(incident),
      // The hook onError receives only some of the incidents with the same cause, but a problem must be found again
      // while its input is made smaller.
      onCall: ({ error }) => void (error !== undefined && this.incidents.push(error)),
    },
  );

  async send({ method, target, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    const signal = new AbortController().signal;
    const bytes = Buffer.from(body, "latin1");
    return getAnswer(await this.#router({ method, target, headers, body: new Uint8Array(bytes), signal }));
  }
}

const site = { name: "Sample site", description: "", gmt_offset: "0", timezone_string: "" };

function getAnswer({ status, headers, body = "" }: ServerAnswer): FuzzAnswer {
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body);
  return { status, headers, body: bytes.toString("latin1") };
}

/** Returns a transport that gets its answers from a function. */
export function createMemoryTransport(answer: (request: FuzzRequest) => FuzzAnswer | Promise<FuzzAnswer>): Transport {
  return {
    rejectsOnCancel: true,
    async send(request): Promise<TransportAnswer> {
      const { status, headers, body } = await answer(fuzzRequest(request));
      const head = { status, headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value] as const)) };
      request.checkHead(head);
      return { ...head, body: new Uint8Array(Buffer.from(body, "latin1")) };
    },
  };
}

function fuzzRequest({ method, url, headers, body = "" }: TransportRequest): FuzzRequest {
  const { host, pathname, search } = new URL(url);
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body);
  return {
    method,
    target: pathname + search,
    headers: [["host", host], ...Object.entries(headers)],
    body: bytes.toString("latin1"),
  };
}

/** A call of the generated clients over a transport. */
export interface RecordedCall {
  readonly name: string;
  run(transport: Transport): Promise<unknown>;
}

/** Calls of every SOAP operation over every protocol, each with the operation's first input. */
export const soapCalls: readonly RecordedCall[] = [
  ...new Map(lookups.map((lookup) => [lookup.operation, lookup])).values(),
].flatMap(({ operation, call }) =>
  protocols.map(
    (protocol): RecordedCall => ({
      name: `${operation} ${protocol}`,
      run: (transport) =>
        call(new VehicleClient({ baseUrl: "http://fuzz.example", username, transport }), { protocol }),
    }),
  ),
);

/**
 * Calls of every method of every route, and a call with a non-ASCII query, whose escapes servers decode in a different
 * function.
 */
export const restCalls: readonly RecordedCall[] = [
  ...listContentCalls("http://fuzz.example").map(
    ({ operation, method }, index): RecordedCall => ({
      name: `${operation} ${method}`,
      run: async (transport) => listContentCalls("http://fuzz.example", transport)[index]?.run(),
    }),
  ),
  {
    name: "core.blocks.list GET outside ASCII",
    run: (transport) =>
      new ContentClient({ siteUrl: "http://fuzz.example", transport }).core.blocks.list({ search: "Łódź, Zürich" }),
  },
];

/** Records the requests and answers of the calls to the sample, in order. */
export async function recordExchanges(calls: readonly RecordedCall[]): Promise<readonly Exchange[]> {
  const server = new MemoryServer();
  const exchanges: Exchange[] = [];
  for (const { run } of calls) {
    const transport = createMemoryTransport(async (request) => {
      server.calls.length = 0;
      const answer = await server.send(request);
      exchanges.push({ request, answer, calls: [...server.calls] });
      return answer;
    });
    await run(transport);
  }
  return exchanges;
}
