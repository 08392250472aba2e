/** A number of cents, for example. */
export class Decimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function parseDecimal(text: string): Decimal {
  return new Decimal(text);
}

export function formatDecimal(value: Decimal): string {
  return value.text;
}

export type Sku = { readonly shelf: string; readonly place: number };

export function parseSku(text: string): Sku {
  const [shelf = "", place = ""] = text.split("-");
  return { shelf, place: Number(place) };
}

export function formatSku({ shelf, place }: Sku): string {
  return `${shelf}-${place}`;
}
