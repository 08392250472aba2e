export { type IndexPageRequest, indexPage } from "./index-page.js";
export type { PageAnswer } from "./page.js";
export type { IndexLinks } from "./published-index.js";
export { type ServicePageRequest, servicePage } from "./service-page.js";
export { type ServedEntry, sitePage } from "./site-page.js";
export { protocols } from "./wsdl/published-wsdl.js";
