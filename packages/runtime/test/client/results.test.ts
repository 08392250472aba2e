import { describe, expect, test } from "vitest";
import { SoapFault } from "../../src/answer-errors.js";
import {
  type CallOptions,
  type RestCallOptions,
  results,
  type Selected,
  ServiceClient,
  type Transport,
} from "../../src/client/index.js";
import { type Find, find, type Item, lookup, ns } from "./lookup.js";

const answer = (body: string, status = 200): Transport => ({
  send: async () => ({
    status,
    headers: new Map([["content-type", "text/xml"]]),
    body: new TextEncoder().encode(
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`,
    ),
  }),
});
const good = `<FindResponse xmlns="${ns}"><FindResult><Name>a</Name><Size>1</Size><Note/></FindResult></FindResponse>`;
const fault = "<s:Fault><faultcode>s:Client</faultcode><faultstring>no</faultstring></s:Fault>";
const input = { Key: "a", Count: 1, user: "u" };

/** A client as generated code has it: a class with private members, and endpoints in an object. */
class LookupClient {
  readonly #client: ServiceClient;
  constructor(transport: Transport, before?: () => never) {
    this.#client = new ServiceClient(lookup, { transport, protocol: "soap11", hooks: before ? [{ before }] : [] });
  }
  find(parameters: Find, options?: CallOptions): Promise<Item | null> {
    return this.#client.call(find, parameters, options);
  }
  readonly nested = {
    list: async <Options extends RestCallOptions>(
      _input?: { readonly page?: number },
      _options?: Options,
    ): Promise<Selected<readonly { readonly id: number }[], Options>> =>
      [{ id: 7 }] as unknown as Selected<readonly { readonly id: number }[], Options>,
  };
  close(): string {
    return "closed";
  }
}

describe("results of a client", () => {
  test("have data, or an error of the call", async () => {
    const found = await results(new LookupClient(answer(good))).find(input);
    expect(found).toEqual({ data: { Name: "a", Size: 1, Note: "" } });
    const refused = await results(new LookupClient(answer(fault, 500))).find(input);
    expect(refused.error).toBeInstanceOf(SoapFault);
    expect(refused.data).toBeUndefined();
    if (refused.error === undefined) {
      // The type of the data, once there is no error.
      const item: Item | null = refused.data;
      expect(item).toBeDefined();
    }
  });

  test("of nested endpoints have their types, with fields too", async () => {
    const client = results(new LookupClient(answer(good)));
    const { data } = await client.nested.list({ page: 1 });
    const first: number | undefined = data?.[0]?.id;
    expect(first).toBe(7);
    const selected = await client.nested.list({}, { fields: ["id"] });
    const some: readonly { readonly id: number }[] | undefined = selected.data;
    expect(some).toEqual([{ id: 7 }]);
  });

  test("leave other members, and exceptions of other code, as they are", async () => {
    const failing = () => {
      throw new Error("hook");
    };
    const client = results(new LookupClient(answer(good), failing));
    expect(client.close()).toBe("closed");
    expect(client.nested).toBe(client.nested);
    await expect(client.find(input)).rejects.toThrow("hook");
  });
});
