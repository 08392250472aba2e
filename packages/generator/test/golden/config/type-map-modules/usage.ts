import { type Decimal, ShopClient, type Sku } from "type-map-modules-client/shop";

const client = new ShopClient({ baseUrl: "http://shop.example" });

export async function total(skus: readonly Sku[], price: Decimal): Promise<string> {
  const answer = await client.order({ Sku: skus, Price: price, Rate: null, On: new Date(0), share: price });
  return answer.text;
}

export async function wrong(): Promise<void> {
  // @ts-expect-error a text is not a Decimal
  await client.order({ Sku: [{ shelf: "A", place: 1 }], Price: "1.00", On: new Date(0) });
}
