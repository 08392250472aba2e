// Clients load this module with the first answer that is a `multipart/related`. Nothing else imports it, so that bundlers keep it
// apart; servers import `related.ts`.
export { readRelatedMessageOrProblem } from "./related.js";
