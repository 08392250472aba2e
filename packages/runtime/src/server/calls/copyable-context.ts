/** Returns a proxy handler that makes the getters of a class appear as own properties of an instance. */
export function exposeGetters(prototype: object): ProxyHandler<object> {
  const getters = Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([, { get }]) => get !== undefined)
    .map(([name]) => name);
  return {
    ownKeys: (context) => [...Reflect.ownKeys(context), ...getters],
    getOwnPropertyDescriptor: (context, name) =>
      typeof name === "string" && getters.includes(name)
        ? { value: Reflect.get(context, name), enumerable: true, configurable: true }
        : Reflect.getOwnPropertyDescriptor(context, name),
    // Getters are called on the real context and not on the proxy, because only the real context has the private
    // members that they read.
    get: (context, name) => Reflect.get(context, name),
  };
}

/**
 * Wraps a context so that a copy, `{ ...context }`, also contains the members that are getters. If the getters were own
 * properties instead, a SOAP call would take 75 µs instead of 60 µs.
 */
export function makeCopyable<Context extends object>(context: Context, proxyHandler: ProxyHandler<object>): Context {
  // The cast is safe, because the proxy has all members of the context.
  return new Proxy(context, proxyHandler as ProxyHandler<Context>);
}
