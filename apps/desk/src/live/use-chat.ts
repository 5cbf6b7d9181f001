import { type DeskChatMessage, listPersonChat, noteChatSeen } from '@fairlot/contract/desk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keyOf } from './query-client.ts'
import { refusalText, request } from './request.ts'

/** A person's conversation with the support, the oldest first; older pages come when they are asked for. */
export function useChat(id: number) {
  const query = useInfiniteQuery({
    queryKey: keyOf(listPersonChat, { id }),
    queryFn: ({ pageParam, signal }) => request(listPersonChat, { id, before: pageParam }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ messages, hasMore }) => (hasMore ? messages.at(-1)?.id : undefined),
    staleTime: 0,
  })
  const messages: readonly DeskChatMessage[] | undefined = query.data?.pages
    .flatMap((page) => page.messages)
    .toReversed()
  const first = query.data?.pages[0]
  useNoted(id, messages?.findLast(({ operator }) => operator === null)?.id)
  return {
    ...{ messages, unanswered: first?.unanswered ?? 0, seenTo: first?.seenTo ?? 0 },
    newest: messages?.at(-1)?.id ?? 0,
    problem: query.error && refusalText(query.error),
    retry: () => void query.refetch(),
    older: query.hasNextPage
      ? { onOlder: () => void query.fetchNextPage(), isLoading: query.isFetchingNextPage }
      : null,
  }
}

/** The person sees that their last message is being looked at, while somebody does. */
function useNoted(id: number, last: number | undefined): void {
  useEffect(() => {
    if (last === undefined) return
    const tell = () => {
      if (document.visibilityState === 'visible')
        request(noteChatSeen, { id, to: last }).catch(() => undefined)
    }
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [id, last])
}
