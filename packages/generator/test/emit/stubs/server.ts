// What generated servers need of the runtime, as long as the runtime does not export it.
import type {
  AnyEndpointDescriptor,
  AnyOperationDescriptor,
  JsonObject,
  JsonValue,
  RestInterfaceDescriptor,
  ServiceDescriptor,
  ServiceFacts,
} from "@bothends/runtime";

export type Answer<T> = T | Promise<T>;
export interface Routes {
  readonly name: string;
}
export interface OperationContext {
  readonly signal: AbortSignal;
}
export interface RestContext {
  readonly method: string;
}
export interface RestAnswer {
  readonly kind: "answer";
}
export type RestResult = JsonValue | RestAnswer;
export interface SoapServerOptions {
  readonly path?: string | undefined;
  readonly wireNames?: object | undefined;
}
export interface RestServerOptions {
  readonly url?: string | undefined;
  readonly wireNames?: object | undefined;
}
export type PublishedDocument = readonly (
  | string
  | {
      readonly slot: "address" | "namespace" | "operation";
      readonly name?: string;
      readonly escape: "text" | "attribute";
    }
)[];
export interface EndpointTree {
  readonly [word: string]: AnyEndpointDescriptor | EndpointTree;
}
export declare function soapRoutes(
  server: {
    readonly service: ServiceDescriptor;
    readonly operations: Readonly<Record<string, AnyOperationDescriptor>>;
    readonly handlers: object;
    readonly wsdl?: PublishedDocument;
    readonly facts: ServiceFacts;
  },
  options: SoapServerOptions,
): Routes;
export declare function restRoutes(
  server: {
    readonly interface: RestInterfaceDescriptor;
    readonly endpoints: EndpointTree;
    readonly handlers: object;
    readonly index: JsonObject;
  },
  options: RestServerOptions,
): Routes;
export declare function combineRoutes(name: string, routes: readonly Routes[]): Routes;
export declare function restAnswer(answer: object): RestAnswer;
