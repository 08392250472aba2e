import type { ClientRequest, Hooks } from "../client/hooks.js";
import { ConfigError } from "../errors.js";
import { type Addressing, addressingHeaders, freshMessageId } from "../protocol/soap/addressing.js";
import { soapRequest, withHeaderBlocks } from "./add-header-blocks.js";

/** What a client may choose about addressing; whatever it leaves out follows from the request. */
export interface AddressingOptions extends Pick<Addressing, "replyTo" | "version"> {
  readonly to?: string | undefined;
  /** The action of an operation: one for all, or by the operation's name. */
  readonly action?: string | ((operation: string) => string) | undefined;
  /** Default a random `urn:uuid:`. */
  readonly messageId?: (() => string) | undefined;
}

/** Hooks that give every SOAP request the headers of WS-Addressing 1.0 (SOAP Binding §2). */
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
  if (chosen !== undefined) return typeof chosen === "string" ? chosen : chosen(operation);
  const header =
    headerOf(headers, "soapaction") ??
    /;\s*action=("(?:[^"\\]|\\.)*")/i.exec(headerOf(headers, "content-type") ?? "")?.[1];
  const action = header?.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") ?? "";
  if (action !== "") return action;
  throw new ConfigError(`WS-Addressing needs an action, and ${operation} has none: set the option action.`);
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}
