// Serves the page and the service that the page calls, on one port. Usage: node dist/main.js 8080
import { join } from "node:path";
import { SoapFault } from "@bothends/runtime";
import { expressMiddleware } from "@bothends/runtime/server/express";
import express from "express";
import { quotesRoutes } from "#server/quotes";

const routes = quotesRoutes({
  getQuote({ symbol }) {
    if (symbol !== "ACME") {
      throw new SoapFault({ code: "Client", reason: `There is no symbol ${symbol}.` });
    }
    return { symbol, price: "101.50", currency: "EUR", time: new Date().toISOString() };
  },
  listQuotes: () => [],
});

const app = express();
app.use(expressMiddleware([routes]));
app.use(express.static(join(import.meta.dirname, "..", "public")));
const [port = "8080"] = process.argv.slice(2);
const server = app.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/`));
process.once("SIGTERM", () => server.close());
process.once("SIGINT", () => server.close());
