import { UPLOAD } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { newUser, reasonOf } from '../../testing/accounts.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { rendered } from './testing/pictures.ts'
import { bodyOf, sendBody } from './testing/sending.ts'

// On one database: all of this happens before a table is written.
describe.each(DATABASES.slice(0, 1))('the size of a picture, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })

  test.each([
    ['one byte less than the maximum is accepted', UPLOAD.bytesMax - 1, null],
    ['exactly the maximum is accepted', UPLOAD.bytesMax, null],
    ['one byte more is refused', UPLOAD.bytesMax + 1, 'payloadTooLarge'],
  ])('%s', async (_rule, bytes, refusal) => {
    const { token } = await newUser(server())
    const picture = await rendered(40, 30).jpeg().toBuffer()
    // Bytes after the end of a picture count for the size of the file only.
    const padded = Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
    expect(reasonOf(await sendBody(server(), token, bodyOf({ bytes: padded })))).toBe(refusal)
  })
})
