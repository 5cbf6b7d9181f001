import Fastify, { type FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { registerSecurity } from './security.ts'
import { scriptHashesOf } from './static-site.ts'

async function serverWith(prepare: (server: FastifyInstance) => void): Promise<FastifyInstance> {
  const server = Fastify()
  prepare(server)
  await registerSecurity(server, () => null)
  server.get('/', () => 'hello')
  onTestFinished(() => server.close())
  return server
}

test('a header that another hook sets for one request is not repeated in the answers to others', async () => {
  const server = await serverWith((other) =>
    other.addHook('onRequest', (request, reply, next) => {
      const mark = request.headers['x-mark']
      if (mark !== undefined) reply.raw.setHeader('x-mark', mark)
      next()
    }),
  )
  const marked = await server.inject({ url: '/', headers: { 'x-mark': 'a secret' } })
  expect(marked.headers).toMatchObject({ 'x-mark': 'a secret', 'x-frame-options': 'SAMEORIGIN' })
  const { headers } = await server.inject({ url: '/' })
  expect(headers).not.toHaveProperty('x-mark')
  expect(headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'x-content-type-options': 'nosniff' })
})

test('a browser runs the scripts of the page, by their hashes, and no other that stands in a page', async () => {
  const page = '<script>one()</script><script src="/two.js"></script><script data-a="b">three()</script>'
  const hashes = scriptHashesOf(page)
  expect(hashes).toEqual([hashOf('one()'), hashOf('three()')])
  const server = Fastify()
  await registerSecurity(server, () => null, hashes)
  server.get('/', () => page)
  const { headers } = await server.inject('/')
  expect(headers['content-security-policy']).toContain(`script-src 'self' ${hashes.join(' ')};`)
  await server.close()
})

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

test('the refusal of two Host headers has the security headers of every other answer', async () => {
  const server = await serverWith(() => undefined)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const answer = await new Promise<string>((resolve, reject) => {
    const chunks: string[] = []
    connect(port, '127.0.0.1')
      .setEncoding('utf8')
      .on('data', (chunk: string) => chunks.push(chunk))
      .on('error', reject)
      .on('close', () => resolve(chunks.join('')))
      .end('GET / HTTP/1.1\r\nHost: one.example\r\nHost: two.example\r\n\r\n')
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff')
})
