import { deepEqual, equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { EncodeError, SoapFault } from "@bothends/runtime";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";
import { QuotesClient } from "#client/quotes";
import { type QuotesHandlers, quotesRoutes } from "#server/quotes";
import { computeValue } from "./portfolio.js";

const time = "2026-11-22T10:00:00Z";

/** Creates a client that calls the handlers in memory, without a port or a network. */
function clientOf(handlers: Partial<QuotesHandlers>): QuotesClient {
  const missing = () => {
    throw new SoapFault({ reason: "The test does not expect this call." });
  };
  const routes = quotesRoutes({ getQuote: missing, listQuotes: missing, ...handlers });
  return new QuotesClient({ baseUrl: "http://in-memory.example", transport: fetchTransport(webHandler([routes])) });
}

test("adds prices times shares", async () => {
  const requested: string[] = [];
  const client = clientOf({
    listQuotes: ({ symbol }) => {
      requested.push(...symbol);
      return [
        { symbol: "ACME", price: "101.50", currency: "EUR", time },
        { symbol: "EMCA", price: "7.25", currency: "EUR", time },
      ];
    },
  });
  equal(
    await computeValue(
      new Map([
        ["ACME", 2],
        ["EMCA", 4],
      ]),
      client,
    ),
    23_200,
  );
  deepEqual(requested, ["ACME", "EMCA"]);
});

test("reports the service's fault", async () => {
  const client = clientOf({
    listQuotes: () => {
      throw new SoapFault({ code: "Server", reason: "The market is closed." });
    },
  });
  await rejects(computeValue(new Map([["ACME", 1]]), client), /The market is closed\./);
});

test("refuses a symbol that the schema does not allow, before anything is sent", async () => {
  await rejects(computeValue(new Map([["acme", 1]]), clientOf({})), EncodeError);
});
