// The signals that users and supervisors send to end a process.
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a synchronous action that changes files. If a signal arrives that would end the process, the process ends after
 * the action. So an interrupted command leaves either all old files or all new ones. A signal for which the process
 * already has a listener is left to that listener.
 */
export function holdSignals<T>(action: () => T): T {
  const heldSignals = signals.filter((signal) => process.listenerCount(signal) === 0);
  const release = () => {
    for (const signal of heldSignals) {
      process.off(signal, endProcess);
    }
  };
  const endProcess = (signal: NodeJS.Signals) => {
    release();
    process.kill(process.pid, signal);
  };
  for (const signal of heldSignals) {
    process.on(signal, endProcess);
  }
  try {
    return action();
  } finally {
    // Node calls the listeners of signals in the next turn of its event loop, before the second of these callbacks.
    setImmediate(() => setImmediate(release));
  }
}
