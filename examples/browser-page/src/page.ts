// The page calls one operation over one protocol, so its bundle contains nothing else of the client.
import { BothendsError } from "@bothends/runtime";
import { call, connect } from "@bothends/runtime/call";
import { soap12 } from "@bothends/runtime/soap12";
import { getQuote } from "#operations/quotes";

const connection = connect({ protocols: [soap12], options: { baseUrl: location.origin, timeout: 5_000 } });
const form = document.querySelector("form");
const output = document.querySelector("output");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const symbol = String(new FormData(form).get("symbol"));
  let text: string;
  try {
    const { price, currency } = await call(connection, getQuote, { symbol });
    text = `${symbol}: ${price} ${currency}`;
  } catch (error) {
    text = error instanceof BothendsError ? error.message : String(error);
  }
  if (output !== null) {
    output.textContent = text;
  }
});
