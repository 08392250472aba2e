export { type Addressing, type AddressingOptions, addressing, addressingHeaders } from "./addressing.js";
export { type UsernameTokenOptions, usernameToken, usernameTokenHeader } from "./username-token.js";
