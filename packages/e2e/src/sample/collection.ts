import type { JsonObject } from "@bothends/runtime";
import { RestError, restAnswer } from "@bothends/server/content";

/** What the listing arguments of a collection have in common. */
interface Listing {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly status?: readonly string[] | undefined;
  readonly search?: string | undefined;
}

/** Objects of one kind in memory, with WordPress's ways: ids count up, delete goes to the trash first. */
export class Collection {
  readonly #kind: string;
  readonly #items = new Map<number, JsonObject>();
  #next: number;

  constructor(kind: string, first: number, titles: readonly string[]) {
    this.#kind = kind;
    this.#next = first;
    for (const title of titles) this.create({ title, status: "publish" });
  }

  list(input: Listing) {
    const perPage = input.per_page ?? 10;
    const found = [...this.#items.values()].filter((item) => input.status?.includes(String(item["status"])) ?? true);
    const start = ((input.page ?? 1) - 1) * perPage;
    return restAnswer({
      status: 200,
      headers: { "X-WP-Total": String(found.length), "X-WP-TotalPages": String(Math.ceil(found.length / perPage)) },
      body: found.slice(start, start + perPage),
    });
  }

  create(fields: JsonObject): JsonObject {
    const id = this.#next++;
    const item = { status: "draft", ...fields, id, type: this.#kind };
    this.#items.set(id, item);
    return item;
  }

  get(id: number): JsonObject {
    const item = this.#items.get(id);
    if (item === undefined)
      throw new RestError({ code: "rest_post_invalid_id", message: "Invalid post ID.", status: 404 });
    return item;
  }

  update(id: number, fields: JsonObject): JsonObject {
    const item = { ...this.get(id), ...fields, id };
    this.#items.set(id, item);
    return item;
  }

  delete(id: number, force: boolean): JsonObject {
    const previous = this.get(id);
    if (!force) return this.update(id, { status: "trash" });
    this.#items.delete(id);
    return { deleted: true, previous };
  }
}
