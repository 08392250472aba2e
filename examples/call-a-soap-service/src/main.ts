// Calls the service at an address. Usage: node dist/main.js http://127.0.0.1:8080
import { SoapFault, TimeoutError } from "@bothends/runtime";
import { QuotesClient } from "#client/quotes";

const [baseUrl = "http://127.0.0.1:8080"] = process.argv.slice(2);
const quotes = new QuotesClient({ baseUrl, protocol: "soap12", timeout: 5_000 });

try {
  const { price, currency, time } = await quotes.getQuote({ symbol: "ACME" });
  console.log(`ACME: ${price} ${currency} at ${time}`);

  const several = await quotes.listQuotes({ symbol: ["ACME", "EMCA"] });
  console.log(`${several?.length ?? 0} quotes`);

  await quotes.getQuote({ symbol: "NONE" });
} catch (error) {
  if (error instanceof SoapFault) {
    console.log(`The service refused: ${error.reason}`);
  } else if (error instanceof TimeoutError) {
    console.log("The service did not answer in time.");
  } else {
    throw error;
  }
}
