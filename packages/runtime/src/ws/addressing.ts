import type { ClientRequest, Hooks } from "../client/hooks.js";
import type { AnyElement } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import type { SoapVersion } from "../soap/index.js";
import { soapRequest, withHeaderBlocks } from "./add-header-blocks.js";
import { mustUnderstand } from "./must-understand.js";

const namespaces = {
  "2005/08": "http://www.w3.org/2005/08/addressing",
  "2004/08": "http://schemas.xmlsoap.org/ws/2004/08/addressing",
} as const;
const anonymous = {
  "2005/08": "http://www.w3.org/2005/08/addressing/anonymous",
  "2004/08": "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous",
} as const;

/** What the addressing headers of a message say. */
export interface Addressing {
  /** What is asked: by default the binding's `soapAction`. */
  readonly action: string;
  /** Where the message goes. */
  readonly to: string;
  /** A URI that no other message has. */
  readonly messageId: string;
  /** Where the answer goes; default: back over the connection. */
  readonly replyTo?: string | undefined;
  /** The recommendation of August 2005, or the submission of August 2004. Default `2005/08`. */
  readonly version?: keyof typeof namespaces | undefined;
}

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
  const { messageId = () => `urn:uuid:${crypto.randomUUID()}`, replyTo, version } = options;
  return {
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

/** The header blocks of WS-Addressing (Core §3.2): action, message id, reply address and destination. */
export function addressingHeaders(
  { action, to, messageId, replyTo, version = "2005/08" }: Addressing,
  soapVersion: SoapVersion,
): readonly AnyElement[] {
  const named = (name: string, content: readonly (string | AnyElement)[]): AnyElement => ({
    name: `{${namespaces[version]}}${name}`,
    content,
  });
  return [
    { ...named("Action", [action]), attributes: [mustUnderstand(soapVersion)] },
    named("MessageID", [messageId]),
    named("ReplyTo", [named("Address", [replyTo ?? anonymous[version]])]),
    { ...named("To", [to]), attributes: [mustUnderstand(soapVersion)] },
  ];
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
