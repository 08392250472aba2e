import { expect, test } from "vitest";
import { describe } from "../../src/describe/describe.js";
import { emit } from "../../src/emit/emit.js";
import { widenAnswers } from "../../src/lower/wsdl/widened-answers.js";
import type { FileTree, Interface, TypeDefinition } from "../../src/model/index.js";
import { planFiles } from "../../src/plan/index.js";
import { Diagnostics } from "../../src/source/diagnostics.js";
import { contentInterface, everythingInterface, vehicleInterface } from "./contracts.js";
import {
  attribute,
  builtin,
  configOf,
  contractOf,
  element,
  endpoint,
  enumeration,
  field,
  group,
  named,
  recordType,
  restInterface,
  service,
  soapInterface,
  wrapped,
} from "./fixtures.js";
import { complaints } from "./type-check.js";

function emitted(...interfaces: readonly Interface[]): FileTree {
  const contract = contractOf(...interfaces);
  const plan = planFiles(contract, configOf(), new Diagnostics());
  return emit({ plan, descriptors: describe(contract), publishedWsdls: new Map() });
}

test("generated code compiles under every strict flag", () => {
  const tree = emitted(vehicleInterface(), everythingInterface(), contentInterface());
  expect(complaints(tree)).toEqual([]);
});

test("a published WSDL is imported by code that compiles, however long the name of its service is", () => {
  const types: TypeDefinition[] = [];
  const ping = wrapped("Ping", { input: [], result: undefined, types });
  const contract = contractOf(soapInterface([service(`a${"Name".repeat(20)}`, [ping])], types));
  const plan = planFiles(contract, configOf(), new Diagnostics());
  const publishedWsdls = new Map(
    plan.interfaces.flatMap((planned) =>
      planned.kind === "soap"
        ? planned.services.map((each) => [each.service, { sharedPieces: [], specificPieces: [] }] as const)
        : [],
    ),
  );
  const tree = emit({ plan, descriptors: describe(contract), publishedWsdls });
  expect([...tree.keys()].some((path) => path.includes("/wsdl/"))).toBe(true);
  expect(complaints(tree)).toEqual([]);
});

const usage = `
import { VehicleClient } from "../client/src/vehicle/index.js";
import { ContentClient } from "../client/src/content/index.js";
import type { VehicleHandlers } from "../server/src/vehicle/index.js";

export async function use(): Promise<void> {
  const held = new VehicleClient({ baseUrl: "http://test.example", username: "demo", protocol: "soap12" });
  const found = await held.reg.checkUSA({ RegistrationNumber: "A", State: "NY" }, { timeout: 5000 });
  const text: string | null | undefined = found?.Make?.CurrentValue;
  const bare = new VehicleClient({ baseUrl: "http://test.example" });
  await bare.reg.checkUSA({ RegistrationNumber: "A", State: "NY", username: text ?? "" });
  // @ts-expect-error neither the options nor the call supply the username
  await bare.reg.checkUSA({ RegistrationNumber: "A", State: "NY" });
  // @ts-expect-error a member that the operation does not take
  await held.reg.checkUSA({ RegistrationNumber: "A", State: "NY", state: "NY" });
  const addressed = new VehicleClient();
  await addressed.reg.checkUSA({ RegistrationNumber: "A", State: "NY", username: "demo" });
  // @ts-expect-error nothing supplies the username
  await addressed.reg.checkUSA({ RegistrationNumber: "A", State: "NY" });
  const content = new ContentClient({ siteUrl: "http://test.example", lang: "pt-pt" });
  await content.core.blocks.list({ status: ["draft"], page: 2 });
  await content.core.blocks.autosaves.create({ id: 7 }, { method: "PUT" });
  // @ts-expect-error not a status
  await content.core.blocks.list({ status: ["drafts"] });
  // @ts-expect-error the path needs an id
  await content.core.blocks.delete({});
}

export const handlers: VehicleHandlers = {
  reg: {
    checkUSA: (input) => ({ vehicleJson: input.State }),
    checkAustria: async (input) => (input.NatCode > 0 ? {} : null),
  },
  bespokeapi: { checkUSAMinimal: () => null, checkTaxi: ({ regNumber }) => ({ vehicleJson: regNumber }) },
};
`;

test("clients and handlers can be used as the README shows", () => {
  const tree = emitted(vehicleInterface(), contentInterface());
  expect(complaints(new Map([...tree, ["packages/usage/usage.ts", usage]]))).toEqual([]);
});

test("types of answers share the descriptors and values of the types that they widen", () => {
  const sky = enumeration("Sky", ["blue", "gray"]);
  const day = recordType("Day", [
    element("sky", named(sky.id)),
    element("gusts", builtin("double"), { max: "unbounded" }),
    attribute("station", builtin("int"), { required: true }),
  ]);
  const rainyDay = {
    ...recordType(
      "RainyDay",
      day.fields.map((field) => ({ ...field, inherited: true })),
    ),
    base: day.id,
  };
  const anyDay: TypeDefinition = {
    ...day,
    kind: "polymorphic",
    id: `${day.id}*`,
    name: undefined,
    declared: day.id,
    blocked: [],
    alternatives: [day, rainyDay].map(({ id, words }) => ({ tag: words.join(), type: id })),
  };
  const types: TypeDefinition[] = [sky, day, rainyDay, anyDay];
  const days = element("days", named(anyDay.id), { max: "unbounded" });
  const operation = wrapped("Put", { input: [days], result: days, types });
  const tolerant = soapInterface([service("reg", [operation])], types, { tolerate: ["enumeration", "nil", "empty"] });
  const tree = emitted(widenAnswers(tolerant));
  expect(complaints(tree)).toEqual([]);
  const declared = tree.get("packages/contract/src/vehicle/types.ts");
  expect(declared).toContain("export type SkyAnswer = Sky | (string & {});");
  expect(declared).toContain("export type AnyDayAnswer =");
  expect(tree.get("packages/contract/src/vehicle/operations.ts")).not.toMatch(/answer(Descriptor|Values)/i);
});

test("a member that a restriction prohibits or removes is printed as `?: undefined`", () => {
  const notice = recordType("Notice", [element("text", builtin("string"))], { removed: ["title"] });
  const types: TypeDefinition[] = [notice];
  const operation = wrapped("Put", { input: [element("notice", named(notice.id))], result: undefined, types });
  const tree = emitted(soapInterface([service("reg", [operation])], types));
  expect(complaints(tree)).toEqual([]);
  expect(tree.get("packages/contract/src/vehicle/types.ts")).toMatch(/interface Notice \{[^}]*\btitle\?: undefined;/);
});

test("a choice of up to six alternatives is written out, and a larger choice uses OneOf", () => {
  const declarationOf = (count: number) => {
    const keys = Array.from({ length: count }, (_, index) => `m${index}`);
    const place = recordType(
      "Place",
      keys.map((key) => element(key, builtin("string"), { min: 0 })),
      { content: [group("choice", keys.map(field))] },
    );
    const types: TypeDefinition[] = [place];
    const operation = wrapped("Put", { input: [element("place", named(place.id))], result: undefined, types });
    const tree = emitted(soapInterface([service("reg", [operation])], types));
    expect(complaints(tree)).toEqual([]);
    return tree.get("packages/contract/src/vehicle/types.ts")?.match(/export type Place =[^;]*/)?.[0];
  };
  expect(declarationOf(6)).not.toContain("OneOf");
  expect(declarationOf(7)).toMatch(/^export type Place = OneOf</);
});

test("a descriptor without a required member does not compile", () => {
  const tree = emitted(vehicleInterface());
  const path = "packages/contract/src/vehicle/operations.ts";
  const text = tree.get(path) ?? "";
  const broken = text
    .replace("State: { type: xs.string }, ", "")
    .replace("    State: { type: xs.string },\n    username", "    username");
  expect(broken).not.toBe(text);
  expect(complaints(new Map([...tree, [path, broken]])).join("\n")).toContain("error TS2741");
});

test("every operation's comment describes it, in the schema's words or in a generated sentence", () => {
  const types: TypeDefinition[] = [];
  const bare = { ...wrapped("Forecast", { input: [], result: undefined, types }), documentation: undefined };
  const oneWay = { ...wrapped("Notify", { input: [], result: undefined, types }), output: undefined };
  const documented = { ...wrapped("Ask", { input: [], result: undefined, types }), documentation: "Asks." };
  const tree = emitted(
    soapInterface([service("reg", [bare, { ...oneWay, documentation: undefined }, documented])], types),
    restInterface([
      endpoint("core.index", { route: "/core/v2", path: ["/core/v2"] }),
      endpoint("core.shuffle", { documentation: "Shuffles." }),
    ]),
  );
  const comments = (file: string) =>
    [...tree].flatMap(([path, text]) =>
      path.endsWith(file) ? [...text.matchAll(/\/\*\*(?:\n +\*)? (.*?)(?: \*\/)?\n/g)].map(([, line]) => line) : [],
    );
  const callers = [
    "Calls the operation Forecast.",
    "Sends the message of the operation Notify, which has no answer.",
    "Asks.",
  ];
  expect(comments("contract/src/vehicle/operations.ts")).toEqual(expect.arrayContaining(callers));
  expect(comments("client/src/vehicle/index.ts")).toEqual(expect.arrayContaining(callers));
  expect(comments("reg-handlers.ts")).toEqual(
    expect.arrayContaining([
      "Answers the operation Forecast.",
      "Receives the message of the operation Notify, which has no answer.",
      "Asks.",
    ]),
  );
  expect(comments("core-v2.endpoints.ts")).toEqual(
    expect.arrayContaining(["Gets the index of /core/v2.", "Shuffles."]),
  );
  expect(comments("contract/src/content/operations.ts")).toContain("Describes `core.index`: GET /core/v2");
});
