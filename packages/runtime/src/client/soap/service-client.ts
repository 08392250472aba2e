import type { InterfaceSettings, OperationDescriptor, ServiceDescriptor } from "../../descriptor.js";
import { httpGet } from "../../protocol/http-get/client.js";
import { httpPost } from "../../protocol/http-post/client.js";
import { soap11 } from "../../protocol/soap11/client.js";
import { soap12 } from "../../protocol/soap12/client.js";
import {
  type CallOptions,
  checkFormat,
  type OutcomeOf,
  type ResultOption,
  type SoapClientOptions,
  type Supplied,
} from "../options.js";
import { convertOutcome } from "../results.js";
import { Connection, callOperation } from "./connection.js";

/** Calls the operations of one service, in all protocols. Each generated client class uses one. */
export class ServiceClient<Options extends SoapClientOptions = SoapClientOptions> {
  readonly #connection: Connection;

  constructor(service: ServiceDescriptor, options: Options, settings: InterfaceSettings = {}) {
    checkFormat(service);
    this.#connection = new Connection({ protocols: [soap11, soap12, httpGet, httpPost], options, settings });
  }

  /** Calls one operation of the service. */
  call<Input, Output, Result extends boolean = false>(
    operation: OperationDescriptor<Input, Output>,
    input: NoInfer<Input> | Supplied<NoInfer<Input>, Options>,
    options?: CallOptions<object, never> & ResultOption<Result>,
  ): Promise<OutcomeOf<Output, Result>> {
    const value = callOperation(this.#connection, operation, { input, options });
    // The descriptor guarantees that the operation's value has this type.
    return convertOutcome(value as Promise<Output>, options);
  }

  /** Closes the idle connections of this client. */
  close(): void {
    this.#connection.settings.transport.close?.();
  }
}
