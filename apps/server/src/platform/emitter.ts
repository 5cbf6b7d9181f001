export type Unsubscribe = () => void
export type Subscribe<Value> = (listener: (value: Value) => void) => Unsubscribe

export type Emitter<Value> = { emit(value: Value): void; readonly subscribe: Subscribe<Value> }

/** Calls its listeners in the order of their subscription. One that throws does not stop the others. */
export function createEmitter<Value>(onError: (error: unknown) => void): Emitter<Value> {
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
