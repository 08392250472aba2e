import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const service = made("rpc-literal");
const { RpcLiteralClient, Overflow, NoNumber, SoapFault } = await service.load("client");
const { rpcLiteralRoutes, Overflow: ServedOverflow, NoNumber: ServedNoNumber } = await service.load("server");

const logged: string[] = [];
const handlers = {
  add({ a, b }: { a: number; b: number }) {
    if (a + b > 100) {
      throw new ServedOverflow({ code: "Client", reason: "too much", detail: { limit: 100n } });
    }
    return a + b;
  },
  add2({ texts }: { texts: string }) {
    if (texts === "") {
      throw new ServedNoNumber({ reason: "none", detail: "empty" });
    }
    return texts.length;
  },
  divide: ({ number, by }: { number: number; by: number }) => ({
    division: { quotient: Math.trunc(number / by), rest: number % by },
    exact: number % by === 0,
  }),
  log({ text }: { text: string }) {
    logged.push(text);
    if (text === "bad") {
      throw new Error("a handler's own");
    }
  },
};

let server: Awaited<ReturnType<typeof served>>;
let client: InstanceType<typeof RpcLiteralClient>;
beforeAll(async () => {
  server = await served(rpcLiteralRoutes(handlers));
  client = new RpcLiteralClient(server.options);
});
afterAll(async () => {
  await server.close();
  service.remove();
});

test("operations of one name are distinguished by their action", async () => {
  expect(await client.add({ a: 1, b: 2 })).toBe(3);
  expect(server.wire.request).toContain('<add xmlns="urn:sums"><a xmlns="">1</a><b xmlns="">2</b></add>');
  expect(await client.add2({ texts: "abcd" })).toBe(4);
});

test("several parts are read as one record, and written in the order of the parameters", async () => {
  expect(await client.divide({ by: 3, number: 7 })).toEqual({ division: { quotient: 2, rest: 1 }, exact: false });
  expect(server.wire.request).toContain('<number xmlns="">7</number><by xmlns="">3</by>');
});

test("each operation has its own faults", async () => {
  const overflow = await client.add({ a: 99, b: 2 }).catch((thrown: unknown) => thrown);
  expect(overflow).toBeInstanceOf(Overflow);
  expect(overflow).toBeInstanceOf(SoapFault);
  expect(overflow).toMatchObject({ code: "Client", reason: "too much", detail: { limit: 100n } });
  const none = await client.add2({ texts: "" }).catch((thrown: unknown) => thrown);
  expect(none).toBeInstanceOf(NoNumber);
  expect(none).not.toBeInstanceOf(Overflow);
  expect(none.detail).toBe("empty");
});

test("a one-way operation answers nothing", async () => {
  expect(await client.log({ text: "good" })).toBe(undefined);
  expect(server.wire).toMatchObject({ status: 202, answer: "" });
  await expect(client.log({ text: "bad" })).rejects.toMatchObject({ status: 500 });
  expect(logged).toEqual(["good", "bad"]);
});

test("the name of an answer's wrapper is ignored", async () => {
  const after = (answer: { readonly body: Uint8Array }) => ({
    ...answer,
    body: new TextEncoder().encode(new TextDecoder().decode(answer.body).replaceAll("addResponse", "other")),
  });
  expect(await client.add({ a: 1, b: 2 }, { hooks: { after } })).toBe(3);
});
