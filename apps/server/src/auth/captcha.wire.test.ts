import { afterAll, expect, test, vi } from 'vitest'
import { application, newEmail, post, reasonOf } from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'

// No machine can read the picture, which is its purpose: here it holds its digits as they are. Test files share what they import, so the
// server is imported anew for it, and for those who come after.
vi.resetModules()
vi.doMock('./captcha-picture.ts', () => ({ drawDigits: async (digits: string) => Buffer.from(digits) }))
const { serverOn } = await import('../testing/running-server.ts')
afterAll(() => {
  vi.doUnmock('./captcha-picture.ts')
  vi.resetModules()
})

const server = serverOn('sqlite', { env: { SETTING_REGISTRATION_CHECK: 'captcha' } })

async function openPicture(): Promise<{ key: string; digits: string }> {
  const { id, b64s } = dataOf<{ id: string; b64s: string }>(await call(server(), '/api/notify/captcha'))
  return { key: id, digits: Buffer.from(b64s.split(',')[1] ?? '', 'base64').toString() }
}

const register = async (email: string, key: string, sms_code: string) =>
  reasonOf(await post(server(), '/api/user/register', application(email, { key, sms_code })))

test('the digits of a picture open an account, and a taken address is named', async () => {
  const email = newEmail()
  const first = await openPicture()
  expect(await register(email, first.key, first.digits)).toBeNull()
  const second = await openPicture()
  expect(await register(email, second.key, second.digits)).toBe('accountTaken')
})

test('a picture is good for one answer, right or wrong', async () => {
  const { key, digits } = await openPicture()
  expect(await register(newEmail(), key, 'wrong')).toBe('captchaWrong')
  expect(await register(newEmail(), key, digits)).toBe('captchaWrong')
  const used = await openPicture()
  expect(await register(newEmail(), used.key, used.digits)).toBeNull()
  expect(await register(newEmail(), used.key, used.digits)).toBe('captchaWrong')
})
