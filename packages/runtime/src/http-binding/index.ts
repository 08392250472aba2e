export {
  type DecodeBytes,
  decodePart,
  encodePart,
  FormLimitError,
  type FormLimits,
  type FormValues,
  type ReadFormOptions,
  readForm,
  writeForm,
} from "./form-encoding.js";
export { fillLocation, matchLocation } from "./location.js";
export {
  type HttpParameters,
  MissingParameterError,
  readParameters,
  writeParameters,
  writeText,
} from "./parameters.js";
export { writeXmlAnswer } from "./xml-answer.js";
