export { restRoutes } from "./rest-routes.js";
export type { RestCallToAuthorize, RestContext, RestServerOptions, RestService } from "./service.js";
