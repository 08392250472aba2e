export { type Addressing, addressingHeaders } from "../protocol/soap/addressing.js";
export { type AddressingOptions, addressing } from "./header-blocks.js";
export {
  memoryReplayCache,
  type ReplayCache,
  securityHeader,
  type TokenUser,
  type UsernameTokenOptions,
  type UsernameTokenVerification,
  usernameToken,
  usernameTokenHeader,
  verifyUsernameToken,
} from "./username-token.js";
