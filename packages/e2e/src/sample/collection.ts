import { RestError, restAnswer } from "@bothends/server/content";

/** The arguments that all listings have. */
interface Listing {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly status?: readonly string[] | undefined;
  readonly search?: string | undefined;
}

/** An object in a collection. */
interface StoredItem {
  readonly id: number;
  readonly status?: string | undefined;
}

/** Creates an object from the fields of a call and its previous state. */
export type MakeItem<Item, Fields> = (id: number, fields: Fields, before: Item | undefined) => Item;

/** In-memory objects of one kind, numbered as in WordPress. */
export class Collection<Item extends StoredItem, Fields> {
  readonly #make: MakeItem<Item, Fields>;
  readonly #items = new Map<number, Item>();
  #nextId: number;

  constructor(make: MakeItem<Item, Fields>, firstId: number, fields: readonly NoInfer<Fields>[]) {
    this.#make = make;
    this.#nextId = firstId;
    for (const record of fields) {
      this.create(record);
    }
  }

  list(input: Listing) {
    const perPage = input.per_page ?? 10;
    const matches = [...this.#items.values()].filter(({ status }) => input.status?.includes(String(status)) ?? true);
    const start = ((input.page ?? 1) - 1) * perPage;
    return restAnswer<readonly Item[]>({
      status: 200,
      headers: { "X-WP-Total": String(matches.length), "X-WP-TotalPages": String(Math.ceil(matches.length / perPage)) },
      body: matches.slice(start, start + perPage),
    });
  }

  create(fields: Fields): Item {
    return this.store(this.#make(this.#nextId++, fields, undefined));
  }

  get(id: number): Item {
    const item = this.#items.get(id);
    if (item === undefined) {
      throw new RestError({ code: "rest_post_invalid_id", message: "Invalid post ID.", status: 404 });
    }
    return item;
  }

  update(id: number, fields: Fields): Item {
    return this.store(this.#make(id, fields, this.get(id)));
  }

  store(item: Item): Item {
    this.#items.set(item.id, item);
    return item;
  }

  /** Deletes an object permanently. */
  remove(id: number): { readonly deleted: boolean; readonly previous: Item } {
    const previous = this.get(id);
    this.#items.delete(id);
    return { deleted: true, previous };
  }
}
