import { create } from 'zustand'

export type ToastMessage = {
  text: string
  tone?: 'plain' | 'problem'
  /** Stays until it is closed: for messages that must not be missed. */
  isPersistent?: boolean
  /** The path of a screen that a press on the text opens. */
  to?: string
}

type Waiting = { messages: readonly ToastMessage[] }

/** Messages that the toaster has not taken yet; its code loads with the first of them. */
export const useWaitingToasts = create<Waiting>(() => ({ messages: [] }))

/** Shows a toast for a few seconds. */
export const showToast = (message: ToastMessage): void =>
  useWaitingToasts.setState(({ messages }) => ({ messages: [...messages, message] }))
