import { afterAll, beforeAll, expect, test } from "vitest";
import { made } from "./made.js";
import { served } from "./served.js";

const service = made("identity");
const { IdentityClient } = await service.load("client");
const { identityRoutes } = await service.load("server");

const incidents: string[] = [];
const handlers = {
  check: ({ order: { first, ...order } }: { readonly order: { readonly first?: number } }) => order,
};
const routesWith = (identity: boolean) =>
  identityRoutes(handlers, {
    validate: { identity },
    onError: (incident: object) => void incidents.push(JSON.stringify(incident)),
  });

let checking: Awaited<ReturnType<typeof served>>;
let trusting: Awaited<ReturnType<typeof served>>;
beforeAll(async () => {
  checking = await served(routesWith(true));
  trusting = await served(routesWith(false));
});
afterAll(async () => {
  await checking.close();
  await trusting.close();
  service.remove();
});

const lines = (...numbers: readonly number[]) => ({ line: numbers.map((number) => ({ number })) });

test("a server checks keys and references on request", async () => {
  const client = new IdentityClient(checking.options);
  expect(await client.check({ order: { ...lines(1, 2), first: 2 } })).toEqual(lines(1, 2));
  await expect(client.check({ order: lines(1, 1) })).rejects.toMatchObject({ name: "SoapFault" });
  await expect(client.check({ order: { ...lines(1, 2), first: 3 } })).rejects.toMatchObject({ name: "SoapFault" });
  expect(incidents.join("\n")).toContain("the same key lineNumber");
  expect(incidents.join("\n")).toContain("keyref firstLine refers to a key that does not exist");
});

test("by default, keys and references are not checked", async () => {
  const client = new IdentityClient(trusting.options);
  expect(await client.check({ order: { ...lines(1, 1), first: 3 } })).toEqual(lines(1, 1));
});

test("a client checks answers on request", async () => {
  const client = new IdentityClient({ ...trusting.options, validate: { identity: true } });
  expect(await client.check({ order: lines(1, 2) })).toEqual(lines(1, 2));
  await expect(client.check({ order: lines(1, 1) })).rejects.toThrow("Two elements have the same unique answered");
});

test("an option validate of another type is refused", () => {
  expect(() => new IdentityClient({ ...trusting.options, validate: true })).toThrow("must be an object");
});
