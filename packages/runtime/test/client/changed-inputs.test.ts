import { expect, test } from "vitest";
import type { SoapClientOptions, Transport } from "../../src/client/index.js";
import { ServiceClient } from "../../src/client/index.js";
import type { OperationDescriptor, RecordDescriptor } from "../../src/index.js";
import * as xs from "../../src/xs.js";
import { envelope, find, found, type Item, itemXml, lookup, ns } from "./lookup.js";

interface Order {
  Name: string;
  Day?: Date;
  Photo?: Uint8Array;
  Sizes?: number[];
  id?: number;
}

const order: RecordDescriptor<Order> = {
  kind: "record",
  name: `{${ns}}Order`,
  namespace: ns,
  fields: {
    Name: { type: xs.string },
    Day: { type: xs.dateTimeAsDate, min: 0 },
    Photo: { type: xs.base64Binary, min: 0 },
    Sizes: { type: xs.int, min: 0, max: "unbounded" },
    id: { kind: "attribute", by: xs.attribute, type: xs.int },
  },
};
const { input: _input, http: _http, ...parts } = find;
const place: OperationDescriptor<Order, Item | null> = {
  ...parts,
  input: { body: { element: `{${ns}}Order`, type: () => order } },
};

/** A client that records the requests it sends. */
function recordingClient(options: Omit<SoapClientOptions, "transport"> = {}) {
  const bodies: string[] = [];
  const transport: Transport = {
    async send({ body }) {
      bodies.push(String(body));
      const answer = new TextEncoder().encode(envelope(found(itemXml)));
      return { status: 200, headers: new Map([["content-type", "text/xml"]]), body: answer };
    },
  };
  return {
    bodies,
    client: new ServiceClient(lookup, { baseUrl: "http://a.example", protocol: "soap11", ...options, transport }),
  };
}

// Only the first call waits: it loads the code for types with attributes.
test("an input that its caller changes after the call is sent as it was", async () => {
  const { bodies, client } = recordingClient();
  const changing = { Name: "v0", Day: new Date(0), Photo: Uint8Array.of(1), Sizes: [1], id: 1 };
  const call = client.call(place, changing);
  changing.Name = "v1";
  changing.Day.setTime(86_400_000);
  changing.Photo.fill(2);
  changing.Sizes.push(2);
  changing.id = 2;
  await call;
  expect(bodies[0]).toContain('id="1"');
  expect(bodies[0]).toContain(
    "<Name>v0</Name><Day>1970-01-01T00:00:00Z</Day><Photo>AQ==</Photo><Sizes>1</Sizes></Order>",
  );
});

test("an instance of a class that its caller changes after the call is sent as it was", async () => {
  const { bodies, client } = recordingClient();
  class FindInput {
    Key = "v0";
    user = "u";
  }
  const instance = new FindInput();
  const call = client.call(find, instance);
  instance.Key = "v1";
  await call;
  expect(bodies[0]).toContain("<Key>v0</Key>");
});

test.each<[option: string, options: Omit<SoapClientOptions, "transport">]>([
  ["tolerate", { tolerate: ["nil"] }],
  ["port", { port: "LookupSoap" }],
])(
  "an input that its caller changes while the code for the option %s is loaded is sent as it was",
  async (_, options) => {
    const { bodies, client } = recordingClient(options);
    const input = { Key: "v0", user: "u" };
    const call = client.call(find, input);
    input.Key = "v1";
    await call;
    expect(bodies[0]).toContain("<Key>v0</Key>");
  },
);

test("SOAP headers that their caller changes after the call are sent as they were", async () => {
  const { bodies, client } = recordingClient();
  const soapHeaders = { Token: "v0" };
  const call = client.call(find, { Key: "k", user: "u" }, { soapHeaders });
  soapHeaders.Token = "v1";
  await call;
  expect(bodies[0]).toContain("v0");
});

test("an input that cannot be copied is written from the original", async () => {
  const { bodies, client } = recordingClient();
  class Name {
    readonly written = true;
    readonly #text = "private";
    toString() {
      return this.#text;
    }
  }
  const nameType = { ...xs.string, write: (value: unknown) => String(value) };
  const fields = { ...order.fields, Name: { type: nameType } } as typeof order.fields;
  const placeName = { ...place, input: { body: { element: `{${ns}}Order`, type: () => ({ ...order, fields }) } } };
  await client.call(placeName, { Name: new Name() as never, id: 1 });
  expect(bodies[0]).toContain("<Name>private</Name>");
});
