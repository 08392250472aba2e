import type { QuotesClient } from "#client/quotes";

/** Returns the value of a portfolio in cents. The tests check this function. */
export async function computeValue(shares: ReadonlyMap<string, number>, quotes: QuotesClient): Promise<number> {
  const latest = await quotes.listQuotes({ symbol: [...shares.keys()] });
  let cents = 0;
  for (const { symbol, price } of latest ?? []) {
    cents += Math.round(Number(price) * 100) * (shares.get(symbol) ?? 0);
  }
  return cents;
}
