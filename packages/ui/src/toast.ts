import { create } from 'zustand'

export type ToastMessage = {
  text: string
  tone?: 'plain' | 'problem'
  /** Until it is closed by hand: for what must not be missed. */
  stays?: boolean
}

type Waiting = { messages: readonly ToastMessage[] }

/** Messages not yet handed to the toaster, which loads with the first of them. */
export const useWaitingToasts = create<Waiting>(() => ({ messages: [] }))

/** Says something for a few seconds. */
export const showToast = (message: ToastMessage): void =>
  useWaitingToasts.setState(({ messages }) => ({ messages: [...messages, message] }))
