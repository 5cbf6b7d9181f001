import { getChatState, type ChatState } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { useIsLoggedIn } from '../device/token.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain, queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

const STATE_KEY = ['support', 'state']

/** Fetches the chat again after a push about it. Called once. */
export function startChatUpdates(): void {
  onServerMessage('chat', ({ unread }) => {
    queryClient.setQueryData<ChatState>(STATE_KEY, (known) => known && { ...known, unread })
    void fetchAgain({ queryKey: ['support'] })
  })
}

/** State of the chat with support staff; undefined for a visitor and before the first response. */
export function useChatState(): ChatState | undefined {
  const isLoggedIn = useIsLoggedIn()
  const { data } = useQuery({
    queryKey: STATE_KEY,
    queryFn: ({ signal }) => request(getChatState, null, { signal, isSilent: true }),
    enabled: isLoggedIn,
  })
  return isLoggedIn ? data : undefined
}
