export {
  type Descriptors,
  describe,
  type InterfaceDescriptors,
  type RestDescriptors,
  type SoapDescriptors,
} from "./describe.js";
export { argsInOrder } from "./describe-rest.js";
export type { ObjectValue, Reference, Value } from "./value.js";
