import { afterAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

// The items of an array may be arrays (SOAP 1.1 §5.4.2). Here, they have the type of the array itself, or a type whose
// items have that type.

const service = made("rpc-recursive-arrays");
const { RpcRecursiveArraysClient } = await service.load("client");
const { rpcRecursiveArraysRoutes } = await service.load("server");
afterAll(() => service.remove());

test("arrays whose items have the same type are sent and received", async () => {
  const received: unknown[] = [];
  const grow = (input: { readonly tree: unknown; readonly even: unknown }) => {
    received.push(input);
    return { tree: [input.tree, []], even: [[input.even]] };
  };
  const server = await served(rpcRecursiveArraysRoutes({ grow }));
  try {
    const client = new RpcRecursiveArraysClient({ ...server.options, protocol: "soap11" });
    const question = { tree: [[], [[], []]], even: [[[], []]] };
    expect(await client.grow(question)).toEqual({ tree: [question.tree, []], even: [[question.even]] });
    expect(received).toEqual([question]);
  } finally {
    await server.close();
  }
});

test("the pages of the service show such arrays by the names of their types", async () => {
  const server = await served(rpcRecursiveArraysRoutes({ grow: (input: unknown) => input }));
  try {
    const overview = await (await fetch(`${server.url}/soap`)).text();
    expect(overview).toContain("Tree[]");
    expect(overview).toContain("Odd[]");
    expect((await fetch(`${server.url}/soap?op=grow`)).status).toBe(200);
  } finally {
    await server.close();
  }
});
