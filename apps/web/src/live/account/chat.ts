import { getChatState, type ChatState } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { useIsLoggedIn } from '../auth/token.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain, queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

const STATE_KEY = ['support', 'state']

/** Fetches the chat again when it is told that something has changed. Called once, at the start of the app. */
export function startChatUpdates(): void {
  onServerMessage('chat', ({ unread }) => {
    queryClient.setQueryData<ChatState>(STATE_KEY, (was) => was && { ...was, unread })
    void fetchAgain({ queryKey: ['support'] })
  })
}

/** How the chat with the support stands; undefined for a visitor and before the first answer. */
export function useChatState(): ChatState | undefined {
  const isLoggedIn = useIsLoggedIn()
  const { data } = useQuery({
    queryKey: STATE_KEY,
    queryFn: ({ signal }) => request(getChatState, null, { signal, isSilent: true }),
    enabled: isLoggedIn,
  })
  return isLoggedIn ? data : undefined
}
