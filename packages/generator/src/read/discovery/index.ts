export type { AnswerDefinition, AnswerProperty, AnswerSchema } from "./answer-model.js";
export { AnswerSchemas, splitReference } from "./answer-schemas.js";
export type {
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
} from "./model.js";
export { type IndexLocation, readIndex } from "./read-index.js";
