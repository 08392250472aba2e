// Serves handlers for the operations of the WSDL. Usage: node dist/main.js 8080
import { listen } from "@bothends/runtime/server/node";
import { type QuotesHandlers, quotesRoutes, SoapFault } from "#server/quotes";

const prices = new Map([
  ["ACME", "101.50"],
  ["EMCA", "7.25"],
]);

function quoteOf(symbol: string, price: string) {
  return { symbol, price, currency: "EUR", time: new Date().toISOString(), volume: 1_200_000n };
}

const handlers: QuotesHandlers = {
  getQuote({ symbol }) {
    const price = prices.get(symbol);
    if (price === undefined) {
      throw new SoapFault({ code: "Client", reason: `There is no symbol ${symbol}.` });
    }
    return quoteOf(symbol, price);
  },

  listQuotes({ symbol: symbols }) {
    return symbols.flatMap((symbol) => {
      const price = prices.get(symbol);
      return price === undefined ? [] : [quoteOf(symbol, price)];
    });
  },
};

const [port = "8080"] = process.argv.slice(2);
const server = await listen([quotesRoutes(handlers)], {
  port: Number(port),
  host: "127.0.0.1",
  onError: ({ kind, message }) => console.error(kind, message),
});
console.log(`${server.url}/quotes?wsdl`);
process.once("SIGTERM", () => void server.close());
process.once("SIGINT", () => void server.close());
