import {
  type Dispatch,
  type SetStateAction,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Form, useForm } from './use-form.ts'

/** The session whose end takes forms away. */
type KeptSession = {
  /** Whose session it is; null while nobody is known to be logged in. */
  readonly userId: () => number | null
  readonly isOpen: () => boolean
  /** Calls back with its user when the session ends without their doing, before its forms are gone; returns what stops that. */
  readonly onEnded: (listener: (userId: number) => void) => () => void
  /** Calls back after a log-in or log-out, when `userId` is right already; returns what stops that. */
  readonly onChange: (listener: () => void) => () => void
}

/**
 * Brings back what a user had typed when the session ended, after the next log-in of the same user in this window. It is stored
 * nowhere, and gone as soon as the user logs out or somebody else logs in, from forms that are still mounted too.
 */
export function createKeptInput(session: KeptSession) {
  /** By the name of the form. */
  const kept = new Map<string, { readonly userId: number; readonly value: unknown }>()
  const keptValue = (name: string): unknown => kept.get(name)?.value ?? null
  const keep = (name: string, userId: number, value: unknown): void => {
    if (value === null) kept.delete(name)
    else kept.set(name, { userId, value })
  }

  /** Counts the users whose input is in the forms: those that stay mounted begin again at the next one. */
  let typists = 0
  let last: number | null = null
  let wasOpen = session.isOpen()
  let hasEnded = false
  session.onEnded((userId) => {
    last = userId
    hasEnded = true
  })
  session.onChange(() => {
    const isOpen = session.isOpen()
    const user = isOpen ? session.userId() : null
    const isSame = isOpen ? user === last || (!wasOpen && !hasEnded) : hasEnded
    if (!isSame) typists += 1
    if (isOpen) {
      // Somebody else at this device.
      for (const [name, { userId }] of kept) if (userId !== user) kept.delete(name)
    }
    if (isOpen || !hasEnded) last = user
    if (isOpen) hasEnded = false
    wasOpen = isOpen
  })
  const useTypist = () =>
    useSyncExternalStore(
      session.onChange,
      () => typists,
      () => 0,
    )

  /** Keeps a value while its form is shown, if the session ends under it. `valueOf` returns null for nothing worth keeping. */
  function useKeeping(name: string, by: number, valueOf: () => unknown): void {
    const onEnded = useEffectEvent((userId: number) => keep(name, userId, valueOf()))
    useEffect(() => {
      // It has been brought back; the next form of this name starts empty.
      if (session.isOpen()) kept.delete(name)
      const stop = session.onEnded((userId) => onEnded(userId))
      return () => {
        stop()
        // The user has left the form; without a session it was taken away.
        if (session.isOpen()) kept.delete(name)
      }
    }, [name, by])
  }

  return {
    /** Whether anything typed waits for the next log-in. */
    hasKeptInput: (): boolean => kept.size > 0,

    /** Like `useState`, for a part of a form: it is there again after a log-in that an ended session made necessary. */
    useKeptState<T>(name: string, start: T | (() => T)): [T, Dispatch<SetStateAction<T>>] {
      const by = useTypist()
      const [initial] = useState(start)
      const restored = () => (keptValue(name) as T | null) ?? initial
      const [value, setValue] = useState(restored)
      const [of, setOf] = useState(by)
      if (of !== by) {
        setOf(by)
        setValue(restored)
      }
      useKeeping(name, by, () => (value === initial ? null : value))
      return [value, setValue]
    },

    /**
     * Like `useForm`, for a form of a user: what was typed is there again after a log-in that an ended session made necessary.
     * `secrets` are the fields that are not: passwords, codes, and pictures that were chosen.
     */
    useKeptForm<Values extends object>(
      name: string,
      start: () => Values,
      secrets: readonly (keyof Values)[] = [],
    ): Form<Values> {
      const by = useTypist()
      const [initial] = useState(start)
      const restored = () => ({ ...initial, ...(keptValue(name) as Partial<Values> | null) })
      const form = useForm<Values>(restored)
      const [of, setOf] = useState(by)
      if (of !== by) {
        setOf(by)
        form.set(restored())
      }
      useKeeping(name, by, () => {
        const typed = Object.entries(form.values).filter(
          ([field, value]) =>
            !secrets.includes(field as keyof Values) && value !== initial[field as keyof Values],
        )
        return typed.length === 0 ? null : Object.fromEntries(typed)
      })
      return form
    },

    /**
     * The same for a text outside of components, which stays while other screens are shown. `set` gets what the user who has
     * logged in had typed, and the empty text at a log-out and for anybody else.
     */
    keepText(name: string, textOf: () => string, set: (text: string) => void): void {
      session.onEnded((userId) => keep(name, userId, textOf() || null))
      session.onChange(() => {
        if (!session.isOpen()) return set('')
        set((keptValue(name) as string | null) ?? '')
        kept.delete(name)
      })
    },
  }
}
