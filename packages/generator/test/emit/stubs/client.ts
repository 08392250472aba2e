// What generated clients need of the runtime, as long as the runtime does not export it.
import type {
  EndpointDescriptor,
  JsonValue,
  Method,
  OperationDescriptor,
  Protocol,
  RestInterfaceDescriptor,
  ServiceDescriptor,
  ServiceFacts,
} from "@bothends/runtime";

export interface SoapClientOptions {
  readonly baseUrl?: string | undefined;
  readonly protocol?: Protocol | undefined;
  readonly wireNames?: object | undefined;
}
export interface CallOptions {
  readonly protocol?: Protocol | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
}
type Held<Options> = {
  [K in keyof Options]-?: string extends Options[K] ? (Options[K] extends string ? K : never) : never;
}[keyof Options];
export type Supplied<Input, Options> = Omit<Input, Held<Options> & keyof Input> &
  Partial<Pick<Input, Held<Options> & keyof Input>>;
export declare class ServiceClient<Options extends SoapClientOptions = SoapClientOptions> {
  constructor(service: ServiceDescriptor, options: Options, facts: ServiceFacts);
  call<Input, Output>(
    operation: OperationDescriptor<Input, Output>,
    input: unknown,
    options?: CallOptions,
  ): Promise<Output>;
}
export interface RestClientOptions {
  readonly siteUrl?: string | undefined;
  readonly wireNames?: object | undefined;
}
export interface RestCallOptions {
  readonly method?: Method | undefined;
}
export declare class RestClient {
  constructor(descriptor: RestInterfaceDescriptor, options: RestClientOptions);
  call<Input>(endpoint: EndpointDescriptor<Input>, input: Input, options?: RestCallOptions): Promise<JsonValue>;
}
