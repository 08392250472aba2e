export {
  type DynamicContract,
  type DynamicEndpoint,
  type DynamicInterface,
  type DynamicOperation,
  type DynamicRestInterface,
  type DynamicService,
  type DynamicSoapInterface,
  dynamicContract,
} from "./dynamic-contract.js";
