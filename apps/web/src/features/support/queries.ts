import {
  type ChatMessage,
  type ChatState,
  getSupportEmail,
  listChat,
  markChatSeen,
  sendChatMessage,
} from '@fairlot/contract'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { change } from '../../live/requests/change.ts'
import { fetchAgain } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'

/** The messages of the chat, the oldest first; older pages come when they are asked for. */
export function useChat() {
  const query = useInfiniteQuery({
    queryKey: ['support', 'messages'],
    queryFn: ({ pageParam, signal }) => request(listChat, { before: pageParam }, { signal, isSilent: true }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ messages, hasMore }) => (hasMore ? messages.at(-1)?.id : undefined),
    staleTime: 0,
  })
  const messages: readonly ChatMessage[] | undefined = query.data?.pages
    .flatMap((page) => page.messages)
    .toReversed()
  return { ...query, messages }
}

/** Sends a message; what went wrong is the form's to show. */
export const useSendMessage = (onSent: (text: string) => void) =>
  useMutation({
    mutationFn: (written: { readonly text: string; readonly picture: string | null }) =>
      change(sendChatMessage, written, { isSilent: true }),
    onSuccess: async (_sent, { text }) => {
      onSent(text)
      await fetchAgain({ queryKey: ['support'] })
    },
  })

/** Tells the server that the answers on the screen have been seen, while somebody looks at it. */
export function useSeen(messages: readonly ChatMessage[] | undefined, state: ChatState | undefined): void {
  const last = messages?.at(-1)?.id
  const isUnread = (state?.unread ?? 0) > 0
  useEffect(() => {
    if (last === undefined || !isUnread) return
    const tell = () => {
      if (document.visibilityState !== 'visible') return
      // Unanswered, it is told with the next change.
      request(markChatSeen, { id: last }, { isSilent: true }).catch(() => undefined)
    }
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [last, isUnread])
}

/** The address that complaints go to. */
export const useSupportEmail = () =>
  useQuery({
    queryKey: ['supportEmail'],
    queryFn: ({ signal }) => request(getSupportEmail, null, { signal, isSilent: true }),
  })
