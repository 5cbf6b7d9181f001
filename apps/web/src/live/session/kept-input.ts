import { createKeptInput } from '@fairlot/ui/forms/kept-input.ts'
import { currentToken, onTokenChange } from '../device/token.ts'
import { currentUser, onSessionEnded } from './user.ts'

/** What a user had typed when the session ended. */
export const { hasKeptInput, useKeptState, useKeptForm, keepText } = createKeptInput({
  userId: () => currentUser()?.id ?? null,
  isOpen: () => currentToken() !== null,
  onEnded: (listener) => onSessionEnded(({ id }) => listener(id)),
  onChange: (listener) => onTokenChange(listener),
})
