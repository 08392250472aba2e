/** Type tests: the answers that a handler may return if a schema declares the answer. */
import type { JsonValue } from "../../src/index.js";
import { type Answer, type RestResult, restAnswer } from "../../src/server/index.js";

// A type alias, like the generated types of answers, is assignable to JsonValue.
type Thing = {
  readonly id: number;
  readonly status: "draft" | "publish";
  readonly parts?: readonly Thing[] | undefined;
};
type List = () => Answer<RestResult<readonly Thing[]>>;
type Json = () => Answer<RestResult>;

const thing: Thing = { id: 1, status: "draft" };

export const right: readonly List[] = [
  () => [thing],
  async () => [{ id: 1, status: "publish", parts: [thing] }],
  () => restAnswer({ status: 201, body: [{ id: 1, status: "draft" }] }),
  async () => restAnswer({ total: 1, body: [thing] }),
  () => restAnswer({ status: 204 }),
  () => restAnswer({ headers: { "Content-Type": "image/png" }, body: new Uint8Array() }),
];

export const wrong: readonly List[] = [
  // @ts-expect-error no list
  () => thing,
  // @ts-expect-error a member is missing
  () => [{ id: 1 }],
  // @ts-expect-error an enumeration
  () => [{ id: 1, status: "gone" }],
  // @ts-expect-error the body of an answer counts, too
  () => restAnswer({ body: [{ id: "1", status: "draft" }] }),
];

export const json: readonly Json[] = [() => [thing], () => restAnswer({ body: { thing } }), () => null];
export const value: JsonValue = [thing];
