import { useEffect, useEffectEvent, useState } from 'react'
import { type Form, useForm } from '@fairlot/ui/forms/use-form.ts'
import { currentToken, onTokenChange } from '../device/token.ts'
import { currentUser, onSessionEnded } from './user.ts'

/**
 * What a user had typed when the session ended, by the name of its form. For the next log-in of the same user in this window: it is
 * stored nowhere.
 */
const kept = new Map<string, { readonly userId: number; readonly value: unknown }>()

// Somebody else at this device.
onTokenChange((token) => {
  if (token === null) return
  for (const [name, { userId }] of kept) if (userId !== currentUser()?.id) kept.delete(name)
})

/** Whether anything typed waits for the next log-in. */
export const hasKeptInput = (): boolean => kept.size > 0

/** Keeps a value while its form is shown, if the session ends under it. `valueOf` returns null for nothing worth keeping. */
function useKeeping(name: string, valueOf: () => unknown): void {
  const keep = useEffectEvent((userId: number) => {
    const value = valueOf()
    if (value !== null) kept.set(name, { userId, value })
  })
  useEffect(() => {
    const stop = onSessionEnded(({ id }) => keep(id))
    return () => {
      stop()
      // The user has left the form; without a session it was taken away.
      if (currentToken() !== null) kept.delete(name)
    }
  }, [name])
}

const keptValue = (name: string): unknown => kept.get(name)?.value ?? null

/** Like `useState`, for a choice that belongs to a form: it is there again after a log-in that an ended session made necessary. */
export function useKeptState<T>(name: string, start: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => (keptValue(name) as T | null) ?? start)
  useKeeping(name, () => (value === start ? null : value))
  return [value, setValue]
}

/**
 * Like `useForm`, for a form of a user: what was typed is there again after a log-in that an ended session made necessary.
 * `secrets` are the fields that are not: passwords, codes, and pictures that were chosen.
 */
export function useKeptForm<Values extends object>(
  name: string,
  start: () => Values,
  secrets: readonly (keyof Values)[] = [],
): Form<Values> {
  const [initial] = useState(start)
  const form = useForm<Values>(() => ({ ...initial, ...(keptValue(name) as Partial<Values> | null) }))
  useKeeping(name, () => {
    const typed = Object.entries(form.values).filter(
      ([field, value]) =>
        !secrets.includes(field as keyof Values) && value !== initial[field as keyof Values],
    )
    return typed.length === 0 ? null : Object.fromEntries(typed)
  })
  return form
}
