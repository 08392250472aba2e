import type { Decoder } from "../../codec/decoder.js";
import type { ServerLimits } from "../limits.js";
import type { CallSettings } from "./call.js";
import type { HeaderBlocks } from "./header-blocks.js";
import type { ServedNames } from "./served-names.js";
import type { ServiceTable } from "./table.js";

/** Everything that answering a request of one service needs, made once. */
export interface Serving extends CallSettings {
  readonly table: ServiceTable;
  readonly names: ServedNames;
  readonly decoder: Decoder;
  readonly blocks: HeaderBlocks;
  readonly limits: ServerLimits;
}
