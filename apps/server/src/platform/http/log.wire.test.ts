import { expect, test } from 'vitest'
import { call, dataOf } from '../../testing/calls.ts'
import { startServerOn } from '../../../../../testing/server-process.ts'
import { makePlace } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
import { newTrader } from '../../../../../testing/traders.ts'

test('the log contains no token or secret, even at level debug', async () => {
  const place = await makePlace('sqlite')
  const server = await startServerOn(place, { FEED: 'ws://127.0.0.1:9', LOG_LEVEL: 'debug' })
  const created = await call(server, '/api/user/createAccountDemoForU', { body: {} })
  const { demo_id: demoId } = dataOf<{ demo_id: string }>(created)
  await call(server, '/api/user/loginForU', { body: { demo_id: demoId } })
  const { token } = await newTrader(server)
  await call(server, '/v1/api/main/account/figures', { headers: { authorization: `Bearer ${token}` } })
  await call(server, '/v1/api/forex/submit', { headers: { authorization: token }, body: '{"type":' })
  const reader = await openSocket(server)
  reader.send({ type: 'login', params: token })
  await reader.next('login_result')
  await server.stop()
  await place.remove()
  expect(server.output()).toContain('/v1/api/main/account/figures')
  expect(server.output()).not.toContain(token)
  expect(server.output()).not.toContain(demoId)
})

test('the log never contains the query of a URL, and a POST ignores it', async () => {
  const place = await makePlace('sqlite')
  const server = await startServerOn(place, { FEED: 'ws://127.0.0.1:9', LOG_LEVEL: 'debug' })
  const created = await call(server, '/api/user/createAccountDemoForU', { body: {} })
  const { demo_id } = dataOf<{ demo_id: string }>(created)
  const query = `account=a@b.example&login_type=email&password=hidden-words&demo_id=${demo_id}`
  const paths = [
    '/api/user/loginForU',
    '/desk/api/log-in',
    '/api/news/list',
    '/nowhere',
    '/',
    '/assets/nothing.js',
    '/rss.xml',
    '/v1/ws',
    '/desk/socket',
    '/%zz',
    '//x',
    '/docs',
  ]
  const bodies = [undefined, {}, '{"type":', 'hidden-words']
  for (const path of paths)
    for (const body of bodies) await call(server, `${path}?${query}`, { ...(body !== undefined && { body }) })
  const refused = await call(server, `/api/user/loginForU?${query}`, { body: {} })
  await server.stop()
  await place.remove()
  expect(refused.body?.code).toBe(0)
  expect(server.output()).toContain('/api/user/loginForU?[redacted]')
  expect(server.output()).not.toContain('hidden-words')
  expect(server.output()).not.toContain(demo_id)
})
