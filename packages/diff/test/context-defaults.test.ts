import { expect, test } from "vitest";
import { diffContracts, type Level } from "../src/index.js";
import { findWorstLevel } from "../src/rules/rule.js";
import { answersInContext } from "./pairs/rest.js";
import { compileErrors } from "./proof/compile.js";
import { sideOf } from "./proof/contracts.js";
import { modulesIn } from "./proof/packages.js";

const contexts = [undefined, "view", "edit", "embed"];
const cases = contexts.flatMap((before) =>
  contexts.filter((after) => after !== before).map((after) => ({ before, after })),
);

const folderOf = (context: string | undefined) => context ?? "none";
const members = ["id", "price", "secret", "link"];

/** The code of a caller that reads a member, and of a handler. */
const caller = (name: string) => `import type { ApiClient } from "./client/src/api/index.js";
declare const api: ApiClient;
export const used = (await api.shop.things.get({ id: 1 })).${name};`;
const handler = `import type { ApiHandlers } from "./server/src/api/index.js";
export const get: ApiHandlers["shop"]["things"]["get"] = (input) => ({ id: input.id, price: 1, link: "text" });`;

let errors: ReadonlyMap<string, string> | undefined;

/** Compiles the code with each default of `context`. */
function compileAll(): ReadonlyMap<string, string> {
  errors ??= compileErrors(
    new Map(
      contexts.flatMap((context) => {
        const folder = folderOf(context);
        return [
          ...modulesIn(folder, answersInContext(context)),
          ...members.map((name) => [`${folder}/${name}.ts`, caller(name)] as const),
          [`${folder}/handler.ts`, handler] as const,
        ];
      }),
    ),
  );
  return errors;
}

test.each(cases)("code compiles as reported if the context $before is no longer the default, but $after", (each) => {
  const { before, after } = each;
  const isCompiled = (context: string | undefined, file: string) =>
    !compileAll().has(`${folderOf(context)}/${file}.ts`);
  expect(contexts.flatMap((context) => ["id", "handler"].map((file) => isCompiled(context, file)))).not.toContain(
    false,
  );
  const { changes } = diffContracts(sideOf(answersInContext(before)), sideOf(answersInContext(after)));
  const levelOf = (files: readonly string[]): Level =>
    files.some((file) => isCompiled(before, file) && !isCompiled(after, file)) ? "breaks" : "none";
  expect({
    callers: findWorstLevel(changes.map(({ consequences }) => consequences.callers)),
    handlers: findWorstLevel(changes.map(({ consequences }) => consequences.handlers)),
  }).toEqual({ callers: levelOf(members), handlers: levelOf(["handler"]) });
});
