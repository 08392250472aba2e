export { type Addressing, addressingHeaders } from "../protocol/soap/addressing.js";
export { type AddressingOptions, addressing } from "./header-blocks.js";
export { type MemoryReplayCacheOptions, memoryReplayCache, type ReplayCache } from "./replay-cache.js";
export { securityHeader, type UsernameTokenOptions, usernameToken, usernameTokenHeader } from "./username-token.js";
export {
  type TokenUser,
  type UsernameTokenVerification,
  verifyUsernameToken,
} from "./verify-username-token.js";
