import type { AnswerContexts, EndpointDescriptor, EndpointTypes, IndexTypes, JsonValue } from "../../descriptor.js";
import type { CallResult, OutcomeOf, RestCallOptions } from "../options.js";
import type { AnswerIn, ContextOr, HandlerAnswer, Selected } from "./answer.js";
import type { Accepted, Argument, InputOf } from "./arguments.js";

// The types of calls. The arguments and options of a call narrow the type of its answer.

/** The status, headers and body of an answer to a REST call. */
export interface RestCallAnswer<Body = JsonValue> {
  readonly status: number;
  /** Headers, keyed by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The JSON of the body; null if the answer has none. */
  readonly body: Body;
}

/**
 * The function that calls an endpoint, as the interfaces for the tree of endpoints declare it. The input may be left
 * out if all its members are optional. `Contexts` maps each value of the argument `context` to the type of the answer;
 * `Context` is the value for which the answer is `Answer`. Servers derive the types of handlers from this type.
 */
export interface RestEndpoint<Input, Answer = JsonValue, Contexts = unknown, Context extends string = "view">
  extends EndpointCall<Input, Answer, Contexts, Context> {
  /** Declares the types of a handler's input and answer for the compiler. Values do not have this member. */
  readonly endpoint?: EndpointTypes<Input, HandlerAnswer<Answer, Contexts>>;
  /** Declares the types of the answers in each context for the compiler. Values do not have this member. */
  readonly contexts?: AnswerContexts<Contexts, Context>;
}

/**
 * The endpoint of the index, or of one of its namespaces. Without a handler, servers answer from the index document.
 */
export interface RestIndexEndpoint<Input, Answer = JsonValue> extends RestEndpoint<Input, Answer> {
  readonly endpoint?: IndexTypes<Input, Answer>;
}

// A separate interface rather than an inline call signature, so that "go to definition" on a call leads only to the
// endpoint.
type EndpointCall<Input, Answer, Contexts, Initial extends string> = <
  const Options extends RestCallOptions,
  const Force extends boolean | undefined = false,
  const Context extends string | undefined = Initial,
>(
  ...parameters: CallParameters<Input, ForceIn<Input, Force> & ContextIn<Input, Contexts, Context>, Options>
) => Promise<
  OutcomeOf<Selected<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>, Options["result"]>
>;

/** The function that calls an endpoint, and resolves to a `CallResult`. */
export type ResultCall<Input, Answer, Contexts, Initial extends string> = <
  const Options extends RestCallOptions,
  const Force extends boolean | undefined = false,
  const Context extends string | undefined = Initial,
>(
  ...parameters: CallParameters<Input, ForceIn<Input, Force> & ContextIn<Input, Contexts, Context>, Options>
) => Promise<CallResult<Selected<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>>>;

/** A `RestClient` whose calls resolve to a `CallResult`. */
export interface RestClientResults {
  readonly call: <
    Input,
    Answer,
    Contexts,
    Initial extends string,
    const Options extends RestCallOptions,
    const Force extends boolean | undefined = false,
    const Context = Initial,
  >(
    endpoint: EndpointDescriptor<Input, Answer, Contexts, Initial>,
    input: InputOf<NoInfer<Input>, Force, Context>,
    options?: Options,
  ) => Promise<CallResult<Selected<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>>>;
  readonly callWithAnswer: <
    Input,
    Answer,
    Contexts,
    Initial extends string,
    const Options extends RestCallOptions,
    const Force extends boolean | undefined = false,
    const Context = Initial,
  >(
    endpoint: EndpointDescriptor<Input, Answer, Contexts, Initial>,
    input: InputOf<NoInfer<Input>, Force, Context>,
    options?: Options,
  ) => Promise<
    CallResult<RestCallAnswer<Selected<AnswerIn<Answer, Contexts, ContextOr<Initial, Context>, Force>, Options>>>
  >;
  readonly close: () => void;
}

/** Infers the argument `context` of endpoints whose answers depend on it. */
type ContextIn<Input, Contexts, Context> = unknown extends Contexts
  ? unknown
  : "context" extends keyof Input
    ? Argument<"context", Context>
    : unknown;

/** Infers the argument `force` of endpoints that have it. */
type ForceIn<Input, Force> = "force" extends keyof Input ? Argument<"force", Force> : unknown;

// This condition does not depend on the inferred arguments, so the compiler can evaluate it before it infers them.
type CallParameters<Input, Inferred, Options> =
  Partial<Input> extends Input
    ? [input?: Accepted<Input> & Inferred, options?: Options]
    : [input: Accepted<Input> & Inferred, options?: Options];
