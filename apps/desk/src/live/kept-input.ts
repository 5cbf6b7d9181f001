import { type DeskSelf, getDeskSelf } from '@fairlot/contract/desk'
import { createKeptInput } from '@fairlot/ui/forms/kept-input.ts'
import { keyOf, queryClient } from './queries.ts'
import { currentToken, onSessionEnded, onTokenChange } from './token.ts'

const operatorId = (): number | null =>
  queryClient.getQueryData<DeskSelf>(keyOf(getDeskSelf, null))?.id ?? null

/** What an operator had entered when the session ended, by inactivity or on the server. */
export const { hasKeptInput, useKeptState, useKeptForm } = createKeptInput({
  userId: operatorId,
  isOpen: () => currentToken() !== null,
  onEnded: (listener) =>
    onSessionEnded(() => {
      const id = operatorId()
      if (id !== null) listener(id)
    }),
  onChange: (listener) => onTokenChange(listener),
})
