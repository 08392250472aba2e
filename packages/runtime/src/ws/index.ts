export { type Addressing, addressingHeaders } from "../protocol/soap/addressing.js";
export { type AddressingOptions, addressing } from "./addressing.js";
export { type UsernameTokenOptions, usernameToken, usernameTokenHeader } from "./username-token.js";
export {
  memoryNonces,
  type NonceStore,
  securityHeader,
  type TokenUser,
  type UsernameTokenVerification,
  verifyUsernameToken,
} from "./verify-username-token.js";
