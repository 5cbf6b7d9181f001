import { listOperators } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { keyOf, queryClient, renew, topicOf } from './query-client.ts'

test('what a call is about is the word behind /desk/api/', () => {
  expect(topicOf({ path: '/desk/api/operators/invite' })).toBe('operators')
})

test('what is about a topic is out of date once it has changed, and nothing else', () => {
  const isStale = () => queryClient.getQueryState(keyOf(listOperators, null))?.isInvalidated
  queryClient.setQueryData(keyOf(listOperators, null), { operators: [] })
  renew(['people'])
  expect(isStale()).toBe(false)
  renew(['operators'])
  expect(isStale()).toBe(true)
})
