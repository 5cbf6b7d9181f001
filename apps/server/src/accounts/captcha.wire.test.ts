import { type Challenge, pbkdf2, solveChallenge } from 'altcha/lib'
import { afterAll, expect, test, vi } from 'vitest'
import { application, newEmail, post, reasonOf } from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'

// A program cannot read the picture, so here it contains its digits as text. Test files share their modules, so the
// server is imported again for this file and for those after it.
vi.resetModules()
vi.doMock(import('./captcha.ts'), async (importOriginal) => {
  const captcha = await importOriginal()
  const draw = async (digits: string) => Buffer.from(digits)
  return { ...captcha, createCaptchas: (now: () => number) => captcha.createCaptchas(now, draw) }
})
const { serverOn } = await import('../testing/running-server.ts')
afterAll(() => {
  vi.doUnmock('./captcha.ts')
  vi.resetModules()
})

const server = serverOn('sqlite', { env: { SETTING_REGISTRATION_CHECK: 'captcha' } })

async function openPicture(): Promise<{ key: string; digits: string }> {
  const { id, b64s } = dataOf<{ id: string; b64s: string }>(await call(server(), '/api/notify/captcha'))
  return { key: id, digits: Buffer.from(b64s.split(',')[1] ?? '', 'base64').toString() }
}

const register = async (email: string, key: string, sms_code: string) =>
  reasonOf(await post(server(), '/api/user/register', application(email, { key, sms_code })))

test('the digits of a picture register a user; a second registration of the address is refused', async () => {
  const email = newEmail()
  const first = await openPicture()
  expect(await register(email, first.key, first.digits)).toBeNull()
  const second = await openPicture()
  expect(await register(email, second.key, second.digits)).toBe('accountTaken')
})

test('the calculation registers a user who cannot see the picture', async () => {
  const { id, altcha } = dataOf<{ id: string; altcha: string }>(await call(server(), '/api/notify/captcha'))
  const { deriveKey } = pbkdf2
  const solution = await solveChallenge({ challenge: JSON.parse(altcha) as Challenge, deriveKey })
  const email = newEmail()
  expect(await register(email, id, `altcha 0 ${solution?.derivedKey}`.slice(0, -1))).toBe('captchaWrong')
  const next = dataOf<{ id: string; altcha: string }>(await call(server(), '/api/notify/captcha'))
  const solved = await solveChallenge({ challenge: JSON.parse(next.altcha) as Challenge, deriveKey })
  expect(await register(email, next.id, `altcha ${solved?.counter} ${solved?.derivedKey}`)).toBeNull()
})

test('a picture is valid for one answer, right or wrong', async () => {
  const { key, digits } = await openPicture()
  const wrong = digits.replace(/^./, (first) => String((Number(first) + 1) % 10))
  expect(await register(newEmail(), key, wrong)).toBe('captchaWrong')
  expect(await register(newEmail(), key, digits)).toBe('captchaWrong')
  const used = await openPicture()
  expect(await register(newEmail(), used.key, used.digits)).toBeNull()
  expect(await register(newEmail(), used.key, used.digits)).toBe('captchaWrong')
})
