import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  type ChatMessage,
  type ChatState,
  getSupportEmail,
  listChat,
  markChatSeen,
  reportText,
  sendChatMessage,
  type TextReport,
} from '@fairlot/contract'
import { change } from '../../live/requests/change.ts'
import { fetchAgain } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'

/** The messages of the chat, the oldest first; older pages are loaded on request. */
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

/** Sends a message; the form shows a failure. */
export const useSendMessage = (onSent: (text: string) => void) =>
  useMutation({
    mutationFn: (message: { readonly text: string; readonly picture: string | null }) =>
      change(sendChatMessage, message, { isSilent: true }),
    onSuccess: async (_sent, { text }) => {
      onSent(text)
      await fetchAgain({ queryKey: ['support'] })
    },
  })

/** Reports a text that reads wrongly, as a message of the chat; the form shows a failure. */
export async function sendTextReport(report: TextReport): Promise<void> {
  await change(reportText, report, { isSilent: true })
  await fetchAgain({ queryKey: ['support'] })
}

/** Reports to the server that the messages on the screen have been seen, while the page is visible. */
export function useMarkChatSeen(
  messages: readonly ChatMessage[] | undefined,
  state: ChatState | undefined,
): void {
  const last = messages?.at(-1)?.id
  const isUnread = (state?.unread ?? 0) > 0
  useEffect(() => {
    if (last === undefined || !isUnread) return
    const report = () => {
      if (document.visibilityState !== 'visible') return
      // If this fails, the next change reports it.
      request(markChatSeen, { id: last }, { isSilent: true }).catch(() => undefined)
    }
    report()
    document.addEventListener('visibilitychange', report)
    return () => document.removeEventListener('visibilitychange', report)
  }, [last, isUnread])
}

/** The e-mail address for complaints. */
export const useSupportEmail = () =>
  useQuery({
    queryKey: ['supportEmail'],
    queryFn: ({ signal }) => request(getSupportEmail, null, { signal, isSilent: true }),
  })
