import { CallError } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { setToken } from '../device/token.ts'
import { sendPicture } from './files.ts'

const picture = (bytes: number) => new File(['x'.repeat(bytes)], 'proof.png', { type: 'image/png' })

/** The response of the real server behind these tests, and the reported progress. */
async function sent(bytes: number, { signal }: Pick<AbortController, 'signal'> = new AbortController()) {
  const parts: number[] = []
  const failure = await sendPicture(picture(bytes), { signal, onProgress: (part) => parts.push(part) }).catch(
    (error: unknown) => (error instanceof CallError ? error.failure : error),
  )
  return { parts, failure }
}

test('the progress of an upload is reported to its end, and then the response', async () => {
  setToken('nobody')
  const { parts, failure } = await sent(200_000)
  expect(parts.at(-1)).toBe(1)
  expect(failure).toMatchObject({ reason: 'sessionGone' })
})

test('a cancelled upload shows no failure', async () => {
  const controller = new AbortController()
  const sending = sent(3_000_000, controller)
  controller.abort()
  expect((await sending).failure).toMatchObject({ reason: 'cancelled' })
})
