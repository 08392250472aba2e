import type { XmlReader } from "@bothends/xml";
import type { CodecOptions } from "../../codec/codec-options.js";
import { Decoder } from "../../codec/decoder.js";
import type { IgnoredPart } from "../../codec/element-attributes.js";
import type { Protocol } from "../../descriptor.js";
import type { ParsedRequest } from "../../http/server-request.js";
import type { OnError } from "../../observe/events.js";
import { report } from "../../observe/incidents.js";
import type { IgnoredName } from "../../observe/misspelled-names.js";
import { RepeatedProblem, RepeatedReports } from "../../observe/repeated-incidents.js";
import { describeUndeclaredNames } from "../missing-nodes.js";
import { bodyPath } from "./read-envelope.js";

/** The decoder of a service, and the elements that it has ignored in the current message. */
export interface ReportingDecoder {
  readonly decoder: Decoder;
  readonly ignoredElements: IgnoredElements;
}

/** Creates the decoder of a service. */
export function createReportingDecoder(options: CodecOptions, onError: OnError | undefined): ReportingDecoder {
  const ignoredElements = new IgnoredElements(onError);
  const decoder = new Decoder({ ...options, unknownTypes: "error", onIgnored: ignoredElements.add });
  return { decoder, ignoredElements };
}

/** The maximum number of ignored elements of a message that are reported. */
const maxElements = 5;

/** Why an element of a message is ignored. */
type IgnoredReason = IgnoredPart | "second" | "secondBody" | "lateHeader" | "afterBody";

type ElementName = Pick<XmlReader, "path"> & Partial<Pick<XmlReader, "namespace">>;

/**
 * Collects the elements of a message that are ignored, and reports them once a minute for each operation and path. The
 * decoder of a service calls `add` while it reads a message, which it reads without interruption, so a service needs
 * only one such object.
 */
export class IgnoredElements {
  readonly #onError: OnError | undefined;
  readonly #reports = new RepeatedReports();
  #elements: IgnoredName[] = [];

  constructor(onError: OnError | undefined) {
    this.#onError = onError;
  }

  readonly add = ({ path, namespace = "" }: ElementName, part: IgnoredReason, declaredNamespace?: string): void => {
    if (this.#elements.length < maxElements && !this.#elements.some((element) => element.path === path)) {
      const reason = declaredNamespace === undefined ? reasons[part] : describeNamespaces(namespace, declaredNamespace);
      this.#elements.push({ path, reason });
    }
  };

  /** Adds parameters that were ignored. */
  addParameters(parameters: readonly IgnoredName[]): void {
    this.#elements.push(...parameters);
  }

  /** Forgets the elements of the previous message, which may have been refused. */
  clear(): void {
    if (this.#elements.length > 0) {
      this.#elements = [];
    }
  }

  /** Returns a sentence with the names of the undeclared elements and attributes of a message. */
  describeUndeclared(): string | undefined {
    const undeclaredElements = this.#elements.filter(({ reason }) => reason === reasons.undeclared);
    return describeUndeclaredNames(
      undeclaredElements.map(({ path }) => path),
      "client",
    );
  }

  report({ operation, protocol, request }: ReadCall): void {
    for (const { path: wholePath, reason } of this.#elements) {
      const path = wholePath.startsWith(`${bodyPath}/`) ? wholePath.slice(bodyPath.length) : wholePath;
      const source = { operation, protocol, path };
      const message = `${reason} This is reported once a minute for each operation and path.`;
      const repeated = new RepeatedProblem(this.#reports, `${reason} ${operation} ${path}`);
      report(this.#onError, { kind: "request", message, ...source }, request, { endsCall: false, repeated });
    }
  }
}

interface ReadCall {
  /** The name of the operation. */
  readonly operation: string;
  readonly protocol: Protocol;
  readonly request: ParsedRequest;
}

const reasons: Readonly<Record<IgnoredReason, string>> = {
  second:
    "The element was ignored, because the body of the message (soap:Body) must have only one element: the client must call each operation with a message of its own.",
  secondBody:
    "The element was ignored, because a message must have only one body (soap:Body), and the first has been read: the client must call each operation with a message of its own.",
  lateHeader:
    "The element was ignored with its header blocks, because the header of a message (soap:Header) must precede the body (soap:Body): the client, or a proxy, has written it after the body.",
  afterBody:
    "The element was ignored, because it follows the body of the message (soap:Body): the element of the operation must be inside the body, and header blocks inside soap:Header.",
  undeclared:
    "The element was ignored, because the WSDL does not declare it here: the client may use another version of the WSDL, or misspell the name.",
  repeated:
    "The element was ignored, because it may occur only once here, and an earlier occurrence has been read: the client may use another version of the WSDL.",
};

/**
 * Explains why an element was ignored whose local name the WSDL declares in another namespace. The text does not
 * contain the element's own namespace, which comes from the request.
 */
function describeNamespaces(namespace: string, declaredNamespace: string): string {
  const declaration = "here, the WSDL declares an element of this name";
  if (declaredNamespace === "") {
    return `The element was ignored, because it is in a namespace: ${declaration} without a namespace. The client may have set the prefix or the default namespace of its parent.`;
  }
  return namespace === ""
    ? `The element was ignored, because it has no namespace: ${declaration} in the namespace ${declaredNamespace}. The client may have omitted the namespace.`
    : `The element was ignored, because it is in another namespace: ${declaration} in the namespace ${declaredNamespace}. The client may use another version of the WSDL.`;
}
