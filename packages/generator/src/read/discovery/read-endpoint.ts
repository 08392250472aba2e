import type { Diagnostics } from "../../source/diagnostics.js";
import type { JsonNode } from "../../source/json.js";
import type { Arg, Endpoint, Method } from "./model.js";
import { readRequired, readSchema } from "./read-schema.js";
import { itemsOf, namedMembersOf, wrongShape } from "./shape.js";

const methodNames = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly Method[];

/** Reads one endpoint: `{ methods, args }`. `taken` are the methods that earlier endpoints of the route answer. */
export function readEndpoint(node: JsonNode, taken: Set<Method>, diagnostics: Diagnostics): Endpoint | undefined {
  if (node.kind !== "object") return wrongShape(node, "an object", diagnostics);
  const methodsNode = node.members.get("methods")?.value;
  if (methodsNode === undefined) {
    diagnostics.error("IDX011", node.span, { message: `${node.pointer} has no methods.` });
    return undefined;
  }
  const methods = readMethods(methodsNode, taken, diagnostics);
  const argsNode = node.members.get("args")?.value;
  const args = argsNode === undefined ? [] : readArgs(argsNode, diagnostics);
  return methods.length === 0 ? undefined : { span: node.span, methods, args };
}

function readMethods(node: JsonNode, taken: Set<Method>, diagnostics: Diagnostics): readonly Method[] {
  const methods: Method[] = [];
  for (const word of methodWords(node, diagnostics)) {
    if (word.kind !== "scalar" || typeof word.value !== "string") {
      wrongShape(word, "a string", diagnostics);
      continue;
    }
    const text = word.value.toUpperCase();
    const method = methodNames.find((known) => known === text);
    if (method === undefined) unknownMethod(word, text, diagnostics);
    else if (methods.includes(method)) continue;
    else if (taken.has(method)) {
      diagnostics.warning("IDX014", word.span, {
        message: `${word.pointer} repeats ${method}, which an earlier endpoint of the route answers.`,
      });
    } else methods.push(method);
  }
  for (const method of methods) taken.add(method);
  return methods;
}

/** HEAD and OPTIONS are answered on every route, listed or not; anything else is not HTTP's or not WordPress's. */
function unknownMethod(word: JsonNode, text: string, diagnostics: Diagnostics): void {
  const message = `${word.pointer} is not GET, POST, PUT, PATCH or DELETE.`;
  if (text === "HEAD" || text === "OPTIONS") diagnostics.warning("IDX012", word.span, { message });
  else diagnostics.error("IDX012", word.span, { message });
}

/** A list of names; a map from names to true, as routes are registered, is one too. */
function methodWords(node: JsonNode, diagnostics: Diagnostics): readonly JsonNode[] {
  if (node.kind === "object") {
    const members = [...node.members.values()];
    if (members.length > 0 && members.every(({ value }) => value.kind === "scalar" && value.value === true)) {
      diagnostics.warning("IDX013", node.span, { message: `${node.pointer} is a list, written as an object.` });
      return members.map(({ name, nameSpan, value }) => ({
        kind: "scalar",
        value: name,
        span: nameSpan,
        pointer: value.pointer,
      }));
    }
  }
  return itemsOf(node, diagnostics) ?? [];
}

function readArgs(node: JsonNode, diagnostics: Diagnostics): readonly Arg[] {
  const members = namedMembersOf(node, diagnostics);
  if (members === undefined) return [];
  return [...members.values()].map(({ name, nameSpan, value }) => ({
    name,
    span: nameSpan,
    required: readArgRequired(value, diagnostics),
    schema: readSchema(value, diagnostics),
  }));
}

function readArgRequired(arg: JsonNode, diagnostics: Diagnostics): boolean {
  const node = arg.kind === "object" ? arg.members.get("required")?.value : undefined;
  // Draft 4's list of required properties says nothing about the argument itself.
  return node?.kind === "array" ? false : readRequired(node, diagnostics);
}
