import type { Protocol } from "../../descriptor.js";
import type { ServedNames } from "../soap/served-names.js";
import type { ServedOperation } from "../soap/table.js";

/** What the pages of one service are made from. */
export interface DescribedService {
  readonly name: string;
  readonly operations: readonly ServedOperation[];
  readonly names: ServedNames;
  /** The WSDL that is published, where there is one: what it documents is shown. */
  readonly wsdl: (() => string) | undefined;
  readonly addressOf: (protocol: Protocol) => string;
  /** The path of each port; the page is at one of them. */
  readonly pathOf: (protocol: Protocol) => string;
}
