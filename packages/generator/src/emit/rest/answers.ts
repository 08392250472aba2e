import type { Value } from "../../describe/index.js";
import type { JsonType } from "../../model/index.js";
import type { EndpointPlan } from "../../plan/index.js";
import {
  code,
  comment,
  type Declaration,
  entry,
  type Fragment,
  identifier,
  literal,
  object,
  runtimeType,
  type TypeScriptFile,
  use,
} from "../../print/index.js";
import { valueCode } from "../descriptor-code.js";
import type { RestContext } from "./context.js";
import { answerType } from "./json-types.js";

const typesFile = "answers.ts";
const schemasFile = "answer-schemas.ts";

/** The type of an endpoint's answer; undefined where no schema declares it. */
export function endpointAnswer({ endpoint: { answer } }: EndpointPlan, context: RestContext): Fragment | undefined {
  return answer && typeOf(answer, context);
}

/** The types of answers, and the constant that answers can be checked by; no files where there are none. */
export function emitAnswers(context: RestContext): readonly TypeScriptFile[] {
  const { plan, folders } = context;
  if (plan.interface.answers.length === 0) {
    return [];
  }
  const types = folders.contract.file(typesFile);
  for (const { id, type, documentation } of plan.interface.answers) {
    const name = nameOf(id, context);
    types.add({
      // An alias fits JsonValue, which an interface would not.
      kind: "alias",
      name,
      code: code`
        ${comment(documentation)}
        export type ${identifier(name)} = ${typeOf(type, context)};`,
    });
  }
  const schemas = folders.contract.file(schemasFile);
  schemas.add(schemasDeclaration(context));
  return [types, schemas];
}

function schemasDeclaration(context: RestContext): Declaration {
  const { answers } = context.descriptors;
  const name = context.plan.answerSchemas;
  const schemaCode = (value: Value) =>
    valueCode(value, (reference) => {
      if (reference.kind !== "answer") {
        throw new Error(`The schema of an answer refers to a ${reference.kind}.`);
      }
      return literal(nameOf(reference.id, context));
    });
  const schemas = object([
    entry("descriptorFormat", literal(1)),
    entry("types", object([...answers.types].map(([id, value]) => entry(nameOf(id, context), schemaCode(value))))),
    entry("endpoints", schemaCode(answers.endpoints)),
  ]);
  return {
    kind: "constant",
    name,
    code: code`
      ${comment("The schemas of answers, for `checkAnswers`.")}
      export const ${identifier(name)}: ${runtimeType("@bothends/runtime", "AnswerSchemas")} = ${schemas};`,
  };
}

function typeOf(type: JsonType, context: RestContext): Fragment {
  return answerType(type, (id) => use(context.folders.contract.type(nameOf(id, context), typesFile)));
}

function nameOf(id: string, { plan }: RestContext): string {
  const name = plan.answers.get(id);
  if (name === undefined) {
    throw new Error(`The type ${id} has no name.`);
  }
  return name;
}
