import { expect, test } from 'vitest'
import { createMessageWriter } from './message-writer.ts'

const LOG_IN = { origin: 'Chrome, 203.0.113.7' }

/** What is sent over a channel. */
async function sentBy(
  channel: 'email' | 'sms',
  name: 'newLogin' | 'registerCode',
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const bodies: string[] = []
  const { write } = createMessageWriter({
    add: async ({ body }) => String(bodies.push(body)),
    wake: () => undefined,
    stop: () => Promise.resolve(),
  })
  await write(name, { channel, recipient: 'somebody', language: 'en' }, values)
  return bodies.join()
}

test('a text message says what has happened, and names no address, amount or account', async () => {
  expect(await sentBy('sms', 'newLogin', LOG_IN)).toBe(
    'A new log-in to your account\nDetails are in the app.',
  )
  expect(await sentBy('email', 'newLogin', LOG_IN)).toContain(LOG_IN.origin)
})

test('a text message with a code has the code', async () => {
  expect(await sentBy('sms', 'registerCode', { code: '123456' })).toContain('123456')
})
