import { expect, test } from 'vitest'
import { call, dataOf } from '../testing/calls.ts'
import { startServerOn } from '../../../../testing/server-process.ts'
import { makePlace } from '../testing/running-server.ts'
import { openSocket } from '../testing/socket-reader.ts'
import { newTrader } from '../../../../testing/traders.ts'

test('even a talkative log holds no token and no secret', async () => {
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
