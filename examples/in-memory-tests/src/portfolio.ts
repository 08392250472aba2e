import type { QuotesClient } from "#client/quotes";

/** The value of a portfolio, in cents: the program that the test is about. */
export async function portfolioValue(shares: ReadonlyMap<string, number>, quotes: QuotesClient): Promise<number> {
  const latest = await quotes.listQuotes({ symbol: [...shares.keys()] });
  let cents = 0;
  for (const { symbol, price } of latest ?? []) {
    cents += Math.round(Number(price) * 100) * (shares.get(symbol) ?? 0);
  }
  return cents;
}
