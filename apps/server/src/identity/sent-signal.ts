/** Says to whoever listens that somebody has sent something to be looked at. */
export type SentSignal = { readonly tell: () => void; readonly listen: (listener: () => void) => void }

export function createSentSignal(): SentSignal {
  const listeners: (() => void)[] = []
  return {
    tell: () => {
      for (const listener of listeners) listener()
    },
    listen: (listener) => void listeners.push(listener),
  }
}
