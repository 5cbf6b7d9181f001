import { once } from 'node:events'
import { connect } from 'node:net'
import { uploadPicture } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { newUser, reasonOf } from '../../testing/accounts.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { rendered, noise } from './testing/pictures.ts'
import { bodyOf, MULTIPART, sendBody } from './testing/sending.ts'

const MEGA = 1024 * 1024
/** The rate of a body is checked every 5 s. */
const ABORTED_WITHIN_MS = 15_000

// One database is enough: these limits apply before any table is written.
describe.each(DATABASES.slice(0, 1))('limits on uploads, %s', (kind) => {
  const server = serverOn(kind, { env: { SETTING_UPLOADS_PER_HOUR: '8' } })

  test(
    'an upload of one byte a second is aborted with a reason',
    { timeout: 2 * ABORTED_WITHIN_MS },
    async () => {
      const { token } = await newUser(server())
      const began = performance.now()
      const answer = await trickled(
        `POST ${uploadPicture.path} HTTP/1.1\r\nHost: x\r\nlang: en\r\nAuthorization: ${token}\r\n` +
          `Content-Type: ${MULTIPART}\r\nContent-Length: ${MEGA}\r\n\r\n${String(bodyOf({ bytes: Buffer.alloc(9) })).slice(0, 150)}`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer).toContain('"reason":"requestTooSlow"')
      expect(performance.now() - began).toBeLessThan(ABORTED_WITHIN_MS)
    },
  )

  const trickled = (beginning: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(server().url)
      const stream = connect({ host: hostname, port: Number(port), noDelay: true })
      stream.write(beginning)
      const trickle = setInterval(() => stream.writable && stream.write('x'), 1_000)
      let answer = ''
      stream.on('data', (bytes) => (answer += String(bytes)))
      stream.on('error', () => undefined)
      stream.on('close', () => {
        clearInterval(trickle)
        resolve(answer)
      })
    })

  test('a rejection is sent once the whole body was received, for clients that close the connection on an answer', async () => {
    const body = bodyOf({ bytes: await noise(200) })
    const { hostname, port } = new URL(server().url)
    const stream = connect({ host: hostname, port: Number(port), noDelay: true })
    let answer = ''
    stream.on('data', (bytes) => (answer += String(bytes)))
    const closed = once(stream, 'close')
    stream.write(
      `POST ${uploadPicture.path} HTTP/1.1\r\nHost: x\r\nlang: en\r\nAuthorization: nobody\r\nConnection: close\r\n` +
        `Content-Type: ${MULTIPART}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    stream.write(body.subarray(0, body.length >> 1))
    // Another upload with this token is refused meanwhile; this one gets no answer yet.
    expect(reasonOf(await sendBody(server(), 'nobody', body))).toBe('sessionGone')
    expect(answer).toBe('')
    stream.write(body.subarray(body.length >> 1))
    await closed
    expect(answer).toContain('"reason":"sessionGone"')
  })

  test('an aborted upload does not count as one in progress', async () => {
    const { token } = await newUser(server())
    const body = bodyOf({ bytes: await rendered(40, 40).png().toBuffer() })
    for (let count = 0; count < 4; count += 1) {
      await new Promise<void>((resolve) => {
        const { hostname, port } = new URL(server().url)
        const stream = connect({ host: hostname, port: Number(port) }, () => {
          const head = `POST ${uploadPicture.path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Type: ${MULTIPART}\r\n`
          stream.write(`${head}Content-Length: ${body.length}\r\n\r\n`)
          stream.write(body.subarray(0, 200), () => stream.destroy())
        })
        stream.once('close', () => resolve())
      })
    }
    // A user may have two uploads at once; aborted ones do not count.
    await expect
      .poll(async () => reasonOf(await sendBody(server(), token, body)), { timeout: 10_000 })
      .toBeNull()
  })

  test('a user can upload the configured number of pictures an hour', async () => {
    const { token } = await newUser(server())
    const body = bodyOf({ bytes: await rendered(9, 9).png().toBuffer() })
    const reasons = []
    for (let count = 0; count < 9; count += 1) reasons.push(reasonOf(await sendBody(server(), token, body)))
    expect(reasons).toEqual([...Array<null>(8).fill(null), 'tooManyRequests'])
  })

  test('a user can upload two pictures at once', async () => {
    const { token } = await newUser(server())
    const body = bodyOf({ bytes: await noise(3 * MEGA) })
    const reasons = await Promise.all(
      [1, 2, 3].map(async () => reasonOf(await sendBody(server(), token, body))),
    )
    expect(reasons.filter((reason) => reason === 'tooManyRequests')).toHaveLength(1)
    expect(reasons.filter((reason) => reason === null)).toHaveLength(2)
  })

  test('fifty large uploads at once are all accepted in bounded memory', { timeout: 120_000 }, async () => {
    const users = []
    for (let count = 0; count < 50; count += 1) users.push(await newUser(server()))
    const body = bodyOf({
      bytes: Buffer.concat([await rendered(90, 90).jpeg().toBuffer(), Buffer.alloc(9 * MEGA)]),
    })
    const before = memory()
    let most = 0
    const watching = setInterval(() => (most = Math.max(most, memory() - before)), 5)
    const reasons = await Promise.all(
      users.map(async ({ token }) => reasonOf(await sendBody(server(), token, body))),
    )
    clearInterval(watching)
    expect(reasons).toEqual(users.map(() => null))
    // Fifty bodies total 450 MB but share a budget of 64 MB; network buffers add to that.
    expect(most / MEGA).toBeLessThan(200)
  })

  const memory = () => process.memoryUsage().arrayBuffers
})
