import { ENDPOINTS, toJsonSchema } from '@fairlot/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { application, newEmail, newUser, post, type TestUser } from '../testing/accounts.ts'
import { call } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const HOSTILE: readonly unknown[] = [
  "' or 1=1 --",
  "'; drop table app_user; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${7*7}',
  '%00',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '１２３４５６',
  '٠١٢٣٤٥',
  '',
  ' ',
  '\r\nBcc: x@y.example',
  '../../etc/passwd',
  0,
  -1,
  1.5,
  1e308,
  true,
  null,
  [],
  ['x'],
  {},
  { $gt: '' },
]

/** The calls of this area, most of which visitors can make. */
const PATHS = ['/api/user/', '/api/notify/', '/api/default/']
const ENDPOINTS_HERE = ENDPOINTS.filter(
  ({ path, name }) =>
    PATHS.some((start) => path.startsWith(start)) && !['logOut', 'logOutEverywhere'].includes(name),
)

describe.each(DATABASES)('hostile values in every field, %s', (kind) => {
  const server = serverOn(kind)
  let registered: TestUser
  beforeAll(async () => {
    registered = await newUser(server())
  })

  test.each(ENDPOINTS_HERE)('$name refuses them in the envelope', async ({ name, path, method, request }) => {
    const { properties = {} } = toJsonSchema(request) as { properties?: object }
    const good: Record<string, unknown> = {
      ...application(newEmail()),
      to: newEmail(),
      auth_code: '000000',
      new_password: 'brisk heron 52',
      id: 'x',
      secondary_password: 'brisk heron 52',
      key: 'is_show_mobile',
      login_type: 'email',
      // With the right password these calls would succeed.
      ...(['takeData', 'closeAccount'].includes(name) && { password: 'not the one' }),
    }
    for (const field of Object.keys(properties)) {
      for (const value of HOSTILE) {
        const body = {
          ...good,
          type: field === 'type' ? value : path.includes('notify') ? 2 : 'email',
          [field]: value,
        }
        const answer =
          method === 'GET'
            ? await call(server(), `${path}?${field}=${encodeURIComponent(String(value).toWellFormed())}`, {
                headers: { authorization: registered.token },
              })
            : await post(server(), path, body, registered.token)
        expect([field, value, answer.status]).toEqual([field, value, 200])
        expect(answer.body).toMatchObject({ code: expect.any(Number), msg: expect.stringMatching(/./) })
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      }
    }
  })

  test.each(ENDPOINTS_HERE.filter(({ method }) => method === 'POST'))(
    '$name does not read a megabyte',
    async ({ path }) => {
      const answer = await post(server(), path, { account: 'x'.repeat(1_048_576) }, registered.token)
      expect(answer).toMatchObject({ status: 413, body: { code: 0, data: { reason: 'payloadTooLarge' } } })
    },
  )

  test('leave the account usable', async () => {
    const answer = await call(server(), '/api/user/info', { headers: { authorization: registered.token } })
    expect(answer.body).toMatchObject({ code: 1, data: { id: registered.user.id } })
  })
})
