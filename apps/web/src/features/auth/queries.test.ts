import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { captchaQuery } from './queries.ts'

/** A mounted captcha query with responses from this test instead of the server. */
function mountCaptcha(answer: () => string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const queryFn = async () => ({ id: answer(), image: '', challenge: '' })
  const observer = new QueryObserver(client, { ...captchaQuery, queryFn })
  observer.subscribe(() => undefined)
  return { client, observer, id: () => observer.getCurrentResult().data?.id }
}

test('a reconnect keeps the loaded picture, whose digits may have been typed', async () => {
  let requests = 0
  const { client, observer, id } = mountCaptcha(() => `${++requests}`)
  await observer.refetch({ cancelRefetch: false })
  await client.invalidateQueries()
  expect(id()).toBe('1')
  await observer.refetch()
  expect(id()).toBe('2')
})

test('a reconnect loads a picture that failed to load', async () => {
  let requests = 0
  const { client, observer, id } = mountCaptcha(() => {
    if (++requests === 1) throw new Error('no response')
    return `${requests}`
  })
  await observer.refetch({ cancelRefetch: false })
  expect(id()).toBeUndefined()
  await client.invalidateQueries()
  expect(id()).toBe('2')
})
