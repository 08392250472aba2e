import { checkAnswers } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { diffContracts } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { answerSchemasOf, modulesIn } from "./proof/packages.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

// A member enters or leaves the answers of endpoints with and without the argument `context`. Programs of handlers show
// the consequences for code, and answers without the member show whether clients that check answers refuse them.

const path = "/shop/v1/things/(?P<id>[\\d]+)";
const id = { type: "integer", required: true };
const context = { type: "string", enum: ["view", "embed", "edit"], default: "view" };

const endpoints = {
  "all endpoints have contexts": [{ args: { id, context } }, { methods: ["POST"], args: { id, context } }],
  "one endpoint has no contexts": [{ args: { id, context } }, { methods: ["POST"], args: { id } }],
  "no endpoint has contexts": [{ args: { id } }, { methods: ["POST"], args: { id } }],
};

const members = {
  "a required member": { required: ["note"], contexts: {}, isChecked: true },
  "an optional member": { required: [], contexts: {}, isChecked: false },
  "a member in two contexts": { required: [], contexts: { context: ["view", "edit"] }, isChecked: false },
  "a member in every context": { required: [], contexts: { context: ["view", "embed", "edit"] }, isChecked: true },
};

const cases = Object.entries(endpoints).flatMap(([which, routes]) =>
  Object.entries(members).map(([what, { required, contexts, isChecked }]) => {
    const [withMember, without] = [{ note: { type: "string", ...contexts } }, {}].map((properties) =>
      indexOf(
        { [path]: routes },
        {
          [path]: {
            $schema: "http://json-schema.org/draft-04/schema#",
            title: "thing",
            type: "object",
            properties: { id: { type: "integer", context: ["view", "embed", "edit"] }, ...properties },
            ...(required.length > 0 && "note" in properties && { required }),
          },
        },
      ),
    ) as [Sources, Sources];
    return { title: `${what}, ${which}`, withMember, without, isChecked };
  }),
);

/** Returns the change of the member between two versions. */
function findChange(before: Sources, after: Sources) {
  const [change, ...others] = withoutVanishedNames(diffContracts(sideOf(before), sideOf(after)).changes);
  expect(others).toEqual([]);
  return change;
}

/** Returns what a removed member does to handlers. Code that imports a name that vanished with it does not compile. */
function findHandlers(before: Sources, after: Sources) {
  const { consequences, vanishedNames = [] } = findChange(before, after) ?? {};
  return vanishedNames.length > 0 && consequences?.handlers === "breaks" ? "some" : consequences?.handlers;
}

test("code of handlers that returns a removed member compiles unless its object has a named type", () => {
  const head =
    'import type { ApiHandlers } from "./server/src/api/index.js";\nimport type { Thing } from "./server/src/api/index.js";\n';
  const programs = {
    returned: `${head}export const h: ApiHandlers["shop"]["things"]["get"] = () => ({ id: 1, note: "a" });\n`,
    named: `${head}export const t: Thing = { id: 1, note: "a" };\nexport type H = ApiHandlers;\n`,
  };
  const versions = cases.flatMap(({ withMember, without }, index) => [
    [`${index}-old`, withMember] as const,
    [`${index}-new`, without] as const,
  ]);
  const files = versions.flatMap(([folder, sources]) => [
    ...modulesIn(folder, sources),
    ...Object.entries(programs).map(([name, text]) => [`${folder}/${name}.ts`, text] as const),
  ]);
  const errors = compileErrors(new Map(files));
  const outcomes = cases.map(({ title, withMember, without }, index) => {
    const failing = ["old", "new"].flatMap((version) =>
      Object.keys(programs)
        .filter((name) => errors.has(`${index}-${version}/${name}.ts`))
        .map((name) => `${version} ${name}`),
    );
    return { title, failing, handlers: findHandlers(withMember, without) };
  });
  expect(outcomes).toEqual(cases.map(({ title }) => ({ title, failing: ["new named"], handlers: "some" })));
});

test.each(cases)(
  "the reason names the option `validate` only if it matters: $title",
  ({ withMember, without, isChecked }) => {
    const check = checkAnswers(answerSchemasOf(withMember));
    const isRefused = check({ operation: "shop.things.get", body: { id: 1 }, partial: false }) !== undefined;
    expect(isRefused).toBe(isChecked);
    for (const change of [findChange(withMember, without), findChange(without, withMember)]) {
      expect(change?.reason.includes("`validate`")).toBe(isRefused);
    }
  },
);
