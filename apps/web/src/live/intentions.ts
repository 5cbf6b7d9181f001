/** Names changes, so that trying one again has no second effect. */
export type Intentions = {
  /**
   * The name for a change: the one of the last try as long as it asks for the same and has not succeeded. `subject` is what the
   * change is about, such as the call and its order.
   */
  nameOf: (subject: string, payload: string) => string
  /** It has happened: the same again is another change. */
  done: (subject: string) => void
  /** Another user's intentions are none of theirs. */
  forget: () => void
}

/** How many changes without an answer are remembered; the oldest goes first. */
const REMEMBERED_MAX = 200

/**
 * A name belongs to what somebody means to do, not to the tap: who gets no answer and taps again means the same change. What was
 * refused has had no effect, so its name is as good as new.
 */
export function createIntentions(newName: () => string): Intentions {
  const open = new Map<string, { readonly payload: string; readonly name: string }>()
  return {
    nameOf: (subject, payload) => {
      const known = open.get(subject)
      if (known?.payload === payload) return known.name
      const name = newName()
      open.delete(subject)
      open.set(subject, { payload, name })
      const [oldest] = open.keys()
      if (open.size > REMEMBERED_MAX && oldest !== undefined) open.delete(oldest)
      return name
    },
    done: (subject) => void open.delete(subject),
    forget: () => open.clear(),
  }
}
