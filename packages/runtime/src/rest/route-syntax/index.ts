export {
  compileRoute,
  compileRoutePattern,
  compileValuePattern,
  lowerCase,
  type Route,
  shadows,
} from "./compile-route.js";
export { type RoutePiece, splitRoute } from "./route-pieces.js";
