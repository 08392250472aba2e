export {
  createDynamicContract,
  type DynamicContract,
  type DynamicEndpoint,
  type DynamicInterface,
  type DynamicOperation,
  type DynamicRestInterface,
  type DynamicService,
  type DynamicSoapInterface,
} from "./dynamic-contract.js";
