import { once } from 'node:events'
import { connect } from 'node:net'
import { uploadPicture } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { newMember, reasonOf } from '../testing/accounts.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { drawn, noise } from './testing/pictures.ts'
import { bodyOf, MULTIPART, sendBody } from './testing/sending.ts'

const MEGA = 1024 * 1024
/** A slow body is looked at every 5 s. */
const CUT_WITHIN_MS = 15_000

// What is tried here happens before any table is written.
describe.each(DATABASES.slice(0, 1))('uploads without measure, %s', (kind) => {
  const server = serverOn(kind, { env: { SETTING_UPLOADS_PER_HOUR: '8' } })

  test('one byte a second is cut, and told so', { timeout: 2 * CUT_WITHIN_MS }, async () => {
    const { token } = await newMember(server())
    const began = performance.now()
    const answer = await trickled(
      `POST ${uploadPicture.path} HTTP/1.1\r\nHost: x\r\nlang: en\r\nAuthorization: ${token}\r\n` +
        `Content-Type: ${MULTIPART}\r\nContent-Length: ${MEGA}\r\n\r\n${String(bodyOf({ bytes: Buffer.alloc(9) })).slice(0, 150)}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toContain('"reason":"requestTooSlow"')
    expect(performance.now() - began).toBeLessThan(CUT_WITHIN_MS)
  })

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

  test('a refusal waits for what is still on its way, for those who close the connection with it', async () => {
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
    // Another one is refused meanwhile, as this one would have been.
    expect(reasonOf(await sendBody(server(), 'nobody', body))).toBe('sessionGone')
    expect(answer).toBe('')
    stream.write(body.subarray(body.length >> 1))
    await closed
    expect(answer).toContain('"reason":"sessionGone"')
  })

  test('who stops in the middle leaves nothing behind', async () => {
    const { token } = await newMember(server())
    const whole = bodyOf({ bytes: await drawn(40, 40).png().toBuffer() })
    for (let count = 0; count < 4; count += 1) {
      await new Promise<void>((resolve) => {
        const { hostname, port } = new URL(server().url)
        const stream = connect({ host: hostname, port: Number(port) }, () => {
          const head = `POST ${uploadPicture.path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Type: ${MULTIPART}\r\n`
          stream.write(`${head}Content-Length: ${whole.length}\r\n\r\n`)
          stream.write(whole.subarray(0, 200), () => stream.destroy())
        })
        stream.once('close', () => resolve())
      })
    }
    // Two at once is what one person may have: those that are gone do not count.
    await expect
      .poll(async () => reasonOf(await sendBody(server(), token, whole)), { timeout: 10_000 })
      .toBeNull()
  })

  test('one person sends so many an hour', async () => {
    const { token } = await newMember(server())
    const body = bodyOf({ bytes: await drawn(9, 9).png().toBuffer() })
    const reasons = []
    for (let count = 0; count < 9; count += 1) reasons.push(reasonOf(await sendBody(server(), token, body)))
    expect(reasons).toEqual([...Array<null>(8).fill(null), 'tooManyRequests'])
  })

  test('and two at once', async () => {
    const { token } = await newMember(server())
    const body = bodyOf({ bytes: await noise(3 * MEGA) })
    const reasons = await Promise.all(
      [1, 2, 3].map(async () => reasonOf(await sendBody(server(), token, body))),
    )
    expect(reasons.filter((reason) => reason === 'tooManyRequests')).toHaveLength(1)
    expect(reasons.filter((reason) => reason === null)).toHaveLength(2)
  })

  test('fifty large ones at once are all taken, in bounded memory', { timeout: 120_000 }, async () => {
    const members = []
    for (let count = 0; count < 50; count += 1) members.push(await newMember(server()))
    const body = bodyOf({
      bytes: Buffer.concat([await drawn(90, 90).jpeg().toBuffer(), Buffer.alloc(9 * MEGA)]),
    })
    const before = memory()
    let most = 0
    const watching = setInterval(() => (most = Math.max(most, memory() - before)), 5)
    const reasons = await Promise.all(
      members.map(async ({ token }) => reasonOf(await sendBody(server(), token, body))),
    )
    clearInterval(watching)
    expect(reasons).toEqual(members.map(() => null))
    // Fifty bodies are 450 MB; the room for all of them is 64 MB, and pieces on their way come on top.
    expect(most / MEGA).toBeLessThan(200)
  })

  const memory = () => process.memoryUsage().arrayBuffers
})
