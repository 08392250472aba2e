import { rmSync } from "node:fs";
import { join } from "node:path";
import type { SoapClientOptions } from "@bothends/runtime/client";
import type { Routes } from "@bothends/runtime/server";
import { afterAll, expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { element, sequence, wsdlOf } from "./pairs/pair.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { memoryTransport } from "./proof/memory-transport.js";
import { modulesIn, writeModules } from "./proof/packages.js";

// Compares every TypeScript type that `typeMap` may give to a type with every other one, for a built-in type and for a
// named type. Generated clients of one version send the largest values of their type to generated servers of the other.

const packages = Object.fromEntries(
  ["contract", "client", "server"].map((path) => [path, { path, name: `api-${path}` }]),
);
const large = "12345678901234567890";

/** For each TypeScript type of a built-in type, a value that the other types may not be able to represent. */
const valuesByType = {
  integer: { bigint: BigInt(large), string: large, number: Number.MAX_SAFE_INTEGER },
  decimal: { string: `${large}.125`, number: 0.125 },
  dateTime: { string: "12026-03-31T10:00:00Z", Date: new Date("9999-12-31T23:59:59Z") },
  date: { string: "12026-03-31", Date: new Date("9999-12-31T00:00:00Z") },
} as const;

type Builtin = keyof typeof valuesByType;

/** A type in a version: a restriction of a built-in type. `typeMap` names the restriction or the built-in type. */
interface Version {
  readonly builtin: Builtin;
  readonly mapped: string;
  readonly isNamed: boolean;
  readonly facets?: string;
}

function sourcesOf({ builtin, mapped, isNamed, facets = "" }: Version): Sources {
  const restricted = `<simpleType name="M"><restriction base="${builtin}">${facets}</restriction></simpleType>`;
  const [defaultType] = Object.keys(valuesByType[builtin]);
  const typeMap = defaultType === mapped ? {} : { [isNamed ? "{urn:t}M" : builtin]: mapped };
  return {
    ...wsdlOf(`${restricted}${sequence(element("a:t:M"))}`),
    "bothends.json": JSON.stringify({ packages, interfaces: { api: { wsdl: ["t.wsdl"], typeMap } } }),
  };
}

const versions = (Object.keys(valuesByType) as Builtin[]).flatMap((builtin) =>
  Object.keys(valuesByType[builtin]).flatMap((mapped) =>
    [false, true].map((isNamed) => ({ builtin, mapped, isNamed })),
  ),
);
const pathOf = ({ builtin, mapped, isNamed }: Version): string => `${builtin}-${mapped}-${isNamed}`;
const folder = writeModules(
  new Map(versions.flatMap((version) => [...modulesIn(pathOf(version), sourcesOf(version))])),
);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface ClientModule {
  readonly TClient: new (options: SoapClientOptions) => { put(input: object): Promise<unknown> };
}

interface ServerModule {
  readonly tRoutes: (handlers: object) => Routes;
}

/** Whether a server of one version accepts the value from a client of the other one. */
async function isAccepted(client: Version, server: Version): Promise<boolean> {
  const load = (version: Version, name: string) => import(join(folder, pathOf(version), name, "src/api/index.ts"));
  const [{ TClient }, { tRoutes }]: [ClientModule, ServerModule] = [
    await load(client, "client"),
    await load(server, "server"),
  ];
  const routes = tRoutes({ put: () => ({}), get: () => ({}) });
  const value = (valuesByType[client.builtin] as Readonly<Record<string, unknown>>)[client.mapped];
  return new TClient({ transport: memoryTransport([routes]) }).put({ value: { a: value } }).then(
    () => true,
    () => false,
  );
}

function compare(before: Version, after: Version) {
  const { changes } = diffContracts(sideOf(sourcesOf(before)), sideOf(sourcesOf(after)));
  return changes.filter(({ rule, direction }) => rule === "type-in-code-changed" && direction === "input");
}

const pairs = versions.flatMap((before) =>
  versions
    .filter((after) => pathOf({ ...after, mapped: before.mapped }) === pathOf(before) && after.mapped !== before.mapped)
    .map((after) => ({ ...before, before, after, to: after.mapped })),
);

test.each(pairs)("$builtin from $mapped to $to (named: $isNamed): readers refuse other values", async (pair) => {
  const { before, after } = pair;
  const changes = compare(before, after);
  const [oldClients, newClients] = [await isAccepted(before, after), await isAccepted(after, before)].map((accepted) =>
    accepted ? "none" : "some",
  );
  expect(changes.map(({ consequences }) => consequences)).toEqual([
    { oldClients, newClients, callers: "breaks", handlers: "breaks" },
  ]);
});

test("facets can exclude the values that a number cannot represent", () => {
  const facets = '<minInclusive value="0"/><maxInclusive value="1000"/>';
  const [before, after] = ["bigint", "number"].map(
    (mapped) => ({ builtin: "integer", mapped, isNamed: false, facets }) as const,
  ) as [Version, Version];
  expect(compare(before, after)).toMatchObject([{ consequences: { oldClients: "none", newClients: "none" } }]);
});

test("patterns can exclude the values that a number cannot represent", () => {
  const consequences = ["\\d{5}", "\\d{1,20}"].map((pattern) => {
    const facets = `<pattern value="${pattern}"/>`;
    const [before, after] = ["bigint", "number"].map(
      (mapped) => ({ builtin: "integer", mapped, isNamed: true, facets }) as const,
    ) as [Version, Version];
    return compare(before, after).map((change) => change.consequences.oldClients);
  });
  expect(consequences).toEqual([["none"], ["some"]]);
});
