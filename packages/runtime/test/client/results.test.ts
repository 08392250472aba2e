import { describe, expect, test } from "vitest";
import { SoapFault } from "../../src/answer-errors.js";
import {
  type CallOptions,
  call,
  connect,
  type OutcomeOf,
  type RestCallOptions,
  RestClient,
  type ResultOption,
  results,
  type Selected,
  ServiceClient,
  soap11,
  type Transport,
} from "../../src/client/index.js";
import type { EndpointDescriptor } from "../../src/index.js";
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

/** A client like a generated one: a class with private members, and endpoints in an object. */
class LookupClient {
  readonly #client: ServiceClient;
  constructor(transport: Transport, before?: () => never) {
    this.#client = new ServiceClient(lookup, { transport, protocol: "soap11", hooks: before ? [{ before }] : [] });
  }
  find<AsResult extends boolean = false>(
    parameters: Find,
    options?: CallOptions & ResultOption<AsResult>,
  ): Promise<OutcomeOf<Item | null, AsResult>> {
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
    // The type of the data, once there is no error.
    const item: Item | null = found.error === undefined ? found.data : null;
    expect(item?.Name).toBe("a");
    const refused = await results(new LookupClient(answer(fault, 500))).find(input);
    expect(refused.error).toBeInstanceOf(SoapFault);
    expect(refused.data).toBeUndefined();
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

  test("do not change other members, or exceptions of other code", async () => {
    const failing = () => {
      throw new Error("hook");
    };
    const client = results(new LookupClient(answer(good), failing));
    expect(client.close()).toBe("closed");
    expect(client.nested).toBe(client.nested);
    await expect(client.find(input)).rejects.toThrow("hook");
  });
});

describe("the option result", () => {
  test("turns one call into a result", async () => {
    const client = new ServiceClient(lookup, { transport: answer(fault, 500), protocol: "soap11" });
    const { data, error } = await client.call(find, input, { result: true });
    expect(error).toBeInstanceOf(SoapFault);
    expect(data).toBeUndefined();
    await expect(client.call(find, input, { result: false })).rejects.toBeInstanceOf(SoapFault);
    const found = await new ServiceClient(lookup, { transport: answer(good), protocol: "soap11" }).call(find, input, {
      result: true,
    });
    const name: string | undefined = found.data?.Name;
    expect(name).toBe("a");
  });

  test("applies to the methods of generated classes", async () => {
    const client = new LookupClient(answer(good));
    const { data, error } = await client.find(input, { result: true });
    expect(error).toBeUndefined();
    const name: string | undefined = data?.Name;
    expect(name).toBe("a");
    const refused = await new LookupClient(answer(fault, 500)).find(input, { result: true, timeout: 5_000 });
    expect(refused.error).toBeInstanceOf(SoapFault);
    const item: Item | null = await client.find(input, { timeout: 5_000 });
    expect(item?.Name).toBe("a");
    // A method can be assigned to a function type without the option.
    const findItem: (parameters: Find) => Promise<Item | null> = (parameters) => client.find(parameters);
    expect(await findItem(input)).toEqual(item);
    // @ts-expect-error the option is "result"
    await expect(client.find(input, { results: true })).rejects.toThrow('no option "results"');
  });

  test("applies to calls of a connection", async () => {
    const connection = connect({ protocols: [soap11], options: { transport: answer(fault, 500) } });
    const { error } = await call(connection, find, input, { result: true });
    expect(error).toBeInstanceOf(SoapFault);
  });

  test("of an endpoint has its body, or the error of the site", async () => {
    const site = { descriptorFormat: 2, name: "site", base: "/wp-json" } as const;
    const things: EndpointDescriptor<{ id: number }, { readonly id: number }> = {
      kind: "endpoint",
      interface: site,
      name: "things.get",
      route: "/things",
      path: ["/things"],
      methods: ["GET"],
      args: { id: { type: "integer" } },
    };
    const client = (status: number, body: string) =>
      new RestClient(site, {
        siteUrl: "http://site.test",
        transport: {
          send: async () => ({
            status,
            headers: new Map([["content-type", "application/json"]]),
            body: new TextEncoder().encode(body),
          }),
        },
      });
    expect(await client(200, `{"id":7}`).call(things, { id: 7 }, { result: true })).toEqual({ data: { id: 7 } });
    const gone = await client(410, `{"code":"gone","message":"Gone."}`).callWithAnswer(
      things,
      { id: 7 },
      { result: true },
    );
    expect(gone.error).toMatchObject({ name: "RestError", code: "gone", operation: "things.get" });
    // A mistake in the arguments is a result, too.
    const wrong = await client(200, "{}").call(things, { id: "7" as unknown as number }, { result: true });
    expect(wrong.error?.name).toBe("EncodeError");
  });
});
