import type { EndpointTypes, IndexTypes } from "../../descriptor.js";
import type { RestResult } from "../../rest/rest-answer.js";
import type { Answer } from "../routes.js";
import type { RestContext } from "./service.js";

/** The handlers of a tree of endpoints: a function for each endpoint, an object of handlers for each group. */
export type RestHandlers<Tree> = { readonly [Name in keyof Tree]: Handler<Tree[Name]> };

/** The handlers of a tree with an index, whose handler is optional: without it, the server answers from the index document. */
export type NamespaceHandlers<Tree extends { readonly index: unknown }> = HandlersFor<
  Tree,
  Exclude<keyof Tree, "index">
> &
  Partial<HandlersFor<Tree, "index">>;

type HandlersFor<Tree, Names extends keyof Tree> = { readonly [Name in Names]: Handler<Tree[Name]> };

/** Endpoints are functions, groups are not. */
type Handler<Node> = Node extends (...parameters: never) => unknown
  ? Node extends { readonly endpoint?: EndpointTypes<infer Input, infer Body> }
    ? EndpointHandler<Input, Body>
    : never
  : Node extends { readonly index: { readonly endpoint?: IndexTypes<unknown, unknown> } }
    ? NamespaceHandlers<Node>
    : RestHandlers<Node>;

/** Written as a method, so that a handler may declare the type of its principal. */
type EndpointHandler<Input, Body> = {
  handler(input: Input, context: RestContext): Answer<RestResult<Body>>;
}["handler"];
