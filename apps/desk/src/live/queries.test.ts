import { listOperators } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { keyOf, queryClient, refetchTopics, topicOf } from './queries.ts'

test('the topic of an endpoint is the part of its path after /desk/api/', () => {
  expect(topicOf({ path: '/desk/api/operators/invite' })).toBe('operators')
})

test('only the queries of a changed topic become stale', () => {
  const isStale = () => queryClient.getQueryState(keyOf(listOperators, null))?.isInvalidated
  queryClient.setQueryData(keyOf(listOperators, null), { operators: [] })
  refetchTopics(['people'])
  expect(isStale()).toBe(false)
  refetchTopics(['operators'])
  expect(isStale()).toBe(true)
})

test('amounts inside an input distinguish two queries', () => {
  const keyFor = (limit: bigint) => JSON.stringify(keyOf(listOperators, { settings: { limits: [limit] } }))
  expect(keyFor(1n)).not.toBe(keyFor(2n))
})
