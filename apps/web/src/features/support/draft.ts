import { create } from 'zustand'
import { onTokenChange } from '../../live/auth/token.ts'

/** What was typed and not sent yet: it stays while other screens are shown, and goes with the session. */
export const useDraft = create<{ readonly text: string }>(() => ({ text: '' }))

export const setDraft = (text: string): void => useDraft.setState({ text })

/** Takes away what has been sent; what was typed on meanwhile stays. */
export function dropSent(sent: string): void {
  const { text } = useDraft.getState()
  const typed = text.trimStart()
  setDraft(typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : text)
}

onTokenChange(() => setDraft(''))
