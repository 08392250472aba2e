/**
 * Type tests: `codec/typed.test.ts` runs the compiler over this folder, too. What callers may leave out, and what they
 * may not.
 */
import {
  type CallOptions,
  call,
  connect,
  RestClient,
  ServiceClient,
  type SoapClientOptions,
  type Supplied,
  soap12,
} from "../../src/client/index.js";
import { type FindHeaders, find, lookup, settings } from "./lookup.js";

interface Options extends SoapClientOptions {
  readonly user?: string | undefined;
}

class LookupClient<O extends Options = Options> {
  readonly #client: ServiceClient<O>;
  constructor(options: O) {
    this.#client = new ServiceClient(lookup, options, settings);
  }
  find(
    input: Supplied<{ Key: string; Count?: number | undefined; user: string }, O>,
    options?: CallOptions<FindHeaders>,
  ) {
    return this.#client.call(find, input, options);
  }
}

export async function calls(): Promise<void> {
  const holding = new LookupClient({ baseUrl: "http://a", user: "u" });
  const item = await holding.find({ Key: "a" });
  const name: string | undefined = item?.Name;
  await holding.find({ Key: "a", user: "own" }, { soapHeaders: { Token: name } });
  const without = new LookupClient({ baseUrl: "http://a" });
  await without.find({ Key: "a", user: "u" });
  // @ts-expect-error nobody holds the user
  await without.find({ Key: "a" });
  // @ts-expect-error the key is not held
  await holding.find({});
  // @ts-expect-error the operation has no such header
  await holding.find({ Key: "a" }, { soapHeaders: { Tokem: "t" } });
  const maybe: Options = { user: "u" };
  // @ts-expect-error these options may hold no user
  await new LookupClient(maybe).find({ Key: "a" });
  // @ts-expect-error a protocol that there is not
  new LookupClient({ protocol: "soap13" });
  // @ts-expect-error a site is needed
  new RestClient({ descriptorFormat: 2, name: "a", base: "/a" }, {});
}

export async function functions(): Promise<void> {
  const holding = connect({ protocols: [soap12], settings, options: { baseUrl: "http://a", user: "u" } });
  await call(holding, find, { Key: "a" });
  // @ts-expect-error the key is not held
  await call(holding, find, {});
  const without = connect({ protocols: [soap12], options: {} });
  // @ts-expect-error nobody holds the user
  await call(without, find, { Key: "a" });
}

type Held = Supplied<{ timeout: number; user: string }, { timeout: number; user: string }>;
// @ts-expect-error an option of the client is not an argument that it holds
export const held: Held = {};
export const supplied: Held = { timeout: 1 };
