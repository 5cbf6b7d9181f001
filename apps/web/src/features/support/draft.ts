import { create } from 'zustand'
import { onTokenChange } from '../../live/auth/token.ts'

/** What was typed and not sent yet: it stays while other screens are shown, and goes with the session. */
export const useDraft = create<{ readonly text: string }>(() => ({ text: '' }))

export const setDraft = (text: string): void => useDraft.setState({ text })

onTokenChange(() => setDraft(''))
