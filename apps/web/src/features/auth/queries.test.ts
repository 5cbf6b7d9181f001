import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { captchaQuery } from './queries.ts'

/** A captcha on the screen whose answers come from here instead of the server. */
function shown(answer: () => string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryFn = async () => ({ id: answer(), image: '' })
  const observer = new QueryObserver(client, { ...captchaQuery, queryFn })
  observer.subscribe(() => undefined)
  return { client, observer, id: () => observer.getCurrentResult().data?.id }
}

test('a reconnect leaves the picture that digits were typed for', async () => {
  let asked = 0
  const { client, observer, id } = shown(() => `${++asked}`)
  await observer.refetch({ cancelRefetch: false })
  await client.invalidateQueries()
  expect(id()).toBe('1')
  await observer.refetch()
  expect(id()).toBe('2')
})

test('a reconnect fetches a picture that did not come', async () => {
  let asked = 0
  const { client, observer, id } = shown(() => {
    if (++asked === 1) throw new Error('no answer')
    return `${asked}`
  })
  await observer.refetch({ cancelRefetch: false })
  expect(id()).toBeUndefined()
  await client.invalidateQueries()
  expect(id()).toBe('2')
})
