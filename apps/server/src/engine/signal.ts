export type Unsubscribe = () => void
export type Subscribe<Value> = (listener: (value: Value) => void) => Unsubscribe

export type Signal<Value> = { emit(value: Value): void; readonly subscribe: Subscribe<Value> }

/** A typed list of listeners, told in the order in which they came. One that throws does not keep the others from it. */
export function createSignal<Value>(onError: (error: unknown) => void): Signal<Value> {
  const listeners = new Set<(value: Value) => void>()
  return {
    emit: (value) => {
      for (const listener of listeners) {
        try {
          listener(value)
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
