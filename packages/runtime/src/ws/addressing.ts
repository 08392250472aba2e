import type { ClientRequest, Hooks } from "../client/hooks.js";
import { ConfigError } from "../errors.js";
import { type Addressing, addressingHeaders, freshMessageId } from "../protocol/soap/addressing.js";
import { soapRequest, withHeaderBlocks } from "./add-header-blocks.js";

/** Options of `addressing`. Absent ones follow from the request. */
export interface AddressingOptions extends Pick<Addressing, "replyTo" | "version"> {
  readonly to?: string | undefined;
  /** The action: one for all operations, or a function of the operation's name. */
  readonly action?: string | ((operation: string) => string) | undefined;
  /** Default a random `urn:uuid:`. */
  readonly messageId?: (() => string) | undefined;
}

/** Hooks that add WS-Addressing 1.0 headers to every SOAP request (SOAP Binding §2). */
export function addressing(options: AddressingOptions = {}): Hooks {
  const { messageId = freshMessageId, replyTo, version } = options;
  return {
    addresses: true,
    before(request) {
      const message = soapRequest(request);
      const blocks = addressingHeaders(
        {
          action: actionOf(request, options.action),
          to: options.to ?? request.url,
          messageId: messageId(),
          replyTo,
          version,
        },
        message.version,
      );
      return withHeaderBlocks(message, blocks);
    },
  };
}

/** The SOAPAction of SOAP 1.1, or the `action` of SOAP 1.2's content type. */
function actionOf({ operation, headers }: ClientRequest, chosen: AddressingOptions["action"]): string {
  if (chosen !== undefined) {
    return typeof chosen === "string" ? chosen : chosen(operation);
  }
  const header =
    headerOf(headers, "soapaction") ??
    /;\s*action=("(?:[^"\\]|\\.)*")/i.exec(headerOf(headers, "content-type") ?? "")?.[1];
  const action = header?.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") ?? "";
  if (action !== "") {
    return action;
  }
  throw new ConfigError(`WS-Addressing needs an action, which ${operation} does not have. Set the option action.`);
}

function headerOf(headers: Readonly<Record<string, string>>, lowerCaseName: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1];
}
