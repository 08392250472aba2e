export { type IndexPageRequest, indexPage } from "./index-page.js";
export type { PageAnswer } from "./page.js";
export type { IndexLinks } from "./published-index.js";
export { protocols } from "./published-wsdl.js";
export { type ServicePageRequest, servicePage } from "./service-page.js";
