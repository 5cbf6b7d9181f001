import { CallError } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { setToken } from '../auth/token.ts'
import { sendPicture } from './upload.ts'

const picture = (bytes: number) => new File(['x'.repeat(bytes)], 'proof.png', { type: 'image/png' })

/** What the real server behind these tests says, and what was told of the way there. */
async function sent(bytes: number, { signal }: Pick<AbortController, 'signal'> = new AbortController()) {
  const parts: number[] = []
  const failure = await sendPicture(picture(bytes), { signal, onProgress: (part) => parts.push(part) }).catch(
    (error: unknown) => (error instanceof CallError ? error.failure : error),
  )
  return { parts, failure }
}

test('the way of a picture is told to its end, and so is the answer of the server', async () => {
  setToken('nobody')
  const { parts, failure } = await sent(200_000)
  expect(parts.at(-1)).toBe(1)
  expect(failure).toMatchObject({ reason: 'sessionGone' })
})

test('one that is taken back is no failure to tell of', async () => {
  const taking = new AbortController()
  const sending = sent(3_000_000, taking)
  taking.abort()
  expect((await sending).failure).toMatchObject({ reason: 'cancelled' })
})
