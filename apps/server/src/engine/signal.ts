export type Unsubscribe = () => void
export type Subscribe<Value> = (listener: (value: Value) => void) => Unsubscribe

/** A typed list of listeners, told in the order in which they came. */
export function createSignal<Value>(): { emit(value: Value): void; readonly subscribe: Subscribe<Value> } {
  const listeners = new Set<(value: Value) => void>()
  return {
    emit: (value) => {
      for (const listener of listeners) listener(value)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
