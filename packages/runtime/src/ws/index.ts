export { type Addressing, addressingHeaders } from "../protocol/soap/addressing.js";
export { type AddressingOptions, addressing } from "./header-blocks.js";
export {
  memoryNonces,
  type NonceStore,
  securityHeader,
  type TokenUser,
  type UsernameTokenOptions,
  type UsernameTokenVerification,
  usernameToken,
  usernameTokenHeader,
  verifyUsernameToken,
} from "./username-token.js";
