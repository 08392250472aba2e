export { type DynamicContract, type DynamicInterface, dynamicContract } from "./dynamic-contract.js";
export type { DynamicEndpoint, DynamicRestInterface } from "./rest-interface.js";
export type { DynamicOperation, DynamicService, DynamicSoapInterface } from "./soap-interface.js";
