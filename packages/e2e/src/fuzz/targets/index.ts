import type { Target } from "../fuzz.js";
import { restAnswers, soapAnswers } from "./answers.js";
import { patterns } from "./patterns.js";
import { restRequests, soapRequests } from "./requests.js";
import { indexes, wsdls } from "./schemas.js";
import { wellFormed, xmlReader } from "./xml-reader.js";

export const targets: readonly Target[] = [
  xmlReader,
  wellFormed,
  patterns,
  soapRequests,
  restRequests,
  soapAnswers,
  restAnswers,
  wsdls,
  indexes,
];
