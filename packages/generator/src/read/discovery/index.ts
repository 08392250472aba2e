export { AnswerSchemas, splitReference } from "./answer-schemas.js";
export type {
  AnswerDefinition,
  AnswerProperty,
  AnswerSchema,
  Arg,
  Endpoint,
  Index,
  Method,
  Namespace,
  PathPiece,
  PathVariable,
  Property,
  Route,
  Schema,
  TypeWord,
} from "./documents.js";

export { type IndexLocation, readIndex } from "./read-index.js";
