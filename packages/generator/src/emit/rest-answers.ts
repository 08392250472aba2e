import type { JsonType } from "../model/index.js";
import type { EndpointPlan } from "../plan/index.js";
import { type Declaration, runtimeType, type TypeNode, type TypeScriptFile } from "../print/index.js";
import { expressionOf } from "./expression-of.js";
import { answerTypeNode } from "./json-type-of.js";
import { entry, literal, objectOf, typeOf } from "./nodes.js";
import type { RestContext } from "./rest-context.js";

const typesFile = "answers.ts";
const schemasFile = "answer-schemas.ts";

/** What an endpoint answers; undefined where no schema says. */
export function answerNode({ endpoint: { answer } }: EndpointPlan, context: RestContext): TypeNode | undefined {
  return answer && node(answer, context);
}

/** The types of answers, and the constant that answers can be checked by; no files where there are none. */
export function emitAnswers(context: RestContext): readonly TypeScriptFile[] {
  const { plan, places } = context;
  if (plan.interface.answers.length === 0) return [];
  const types = places.contract.file(typesFile);
  // An alias fits JsonValue, which an interface would not.
  types.add(
    ...plan.interface.answers.map(
      ({ id, type, documentation }): Declaration => ({
        kind: "alias",
        name: nameOf(id, context),
        type: node(type, context),
        documentation,
      }),
    ),
  );
  const schemas = places.contract.file(schemasFile);
  schemas.add(schemasDeclaration(context));
  return [types, schemas];
}

function schemasDeclaration(context: RestContext): Declaration {
  const { answers } = context.descriptors;
  const expression = (value: Parameters<typeof expressionOf>[0]) =>
    expressionOf(value, (reference) => {
      if (reference.kind !== "answer") throw new Error(`The schema of an answer refers to a ${reference.kind}.`);
      return literal(nameOf(reference.id, context));
    });
  return {
    kind: "constant",
    name: context.plan.answerSchemas,
    type: typeOf(runtimeType("@bothends/runtime", "AnswerSchemas")),
    value: objectOf([
      entry("descriptorFormat", literal(1)),
      entry("types", objectOf([...answers.types].map(([id, value]) => entry(nameOf(id, context), expression(value))))),
      entry("endpoints", expression(answers.endpoints)),
    ]),
    documentation: "What answers are, for `checkAnswers`.",
  };
}

function node(type: JsonType, context: RestContext): TypeNode {
  return answerTypeNode(type, (id) => typeOf(context.places.contract.type(nameOf(id, context), typesFile)));
}

function nameOf(id: string, { plan }: RestContext): string {
  const name = plan.answers.get(id);
  if (name === undefined) throw new Error(`The type ${id} has no name.`);
  return name;
}
