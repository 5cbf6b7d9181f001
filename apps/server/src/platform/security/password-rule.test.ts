import { PASSWORD_LENGTH } from '@fairlot/contract'
import leaked from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { createHasher, HashingBusyError } from './password-hash.ts'
import { isCommon, checkPassword } from './password-rule.ts'

describe('a common password is rejected', () => {
  test.each([
    'password',
    'Password1',
    'p@ssw0rd!',
    'PASSWORD123',
    'iloveyou',
    'sunshine99',
    'qwertyuiop',
    'qwerty123',
    '12345678',
    '87654321',
    '11111111',
    'abcabcabc',
    'aaaaaaaa',
    '1qaz2wsx',
    'zxcvbnm,',
    'dragon2024',
    '20241231',
    'letmein!!',
    'Football1',
    'ｐａｓｓｗｏｒｄ',
    'asdfghjkl',
    'trustno1!',
  ])('%s', async (password) => expect(await isCommon(password)).toBe(true))

  test('as are all of the 17,950 most common ones that are long enough', async () => {
    const long = leaked.filter((password) => password.length >= PASSWORD_LENGTH.min)
    expect(long).toHaveLength(17_950)
    const refusals = await Promise.all(long.map((password) => checkPassword(password, 'me')))
    expect(refusals.filter((refusal) => refusal?.rejected !== 'passwordCommon')).toEqual([])
  })
})

describe('an uncommon password is accepted, with any characters', () => {
  test.each([
    'quiet otter 71 maps',
    'correct horse battery staple',
    'Zx9#kk2p',
    '密碼是一隻貓在樹上',
    'пароль кота 5 лет',
    'x7Tq-plume',
    '        a b      c',
    '831947205561',
    "' or 1=1 -- ;",
  ])('%s', async (password) => expect(await checkPassword(password, 'me@mail.example')).toBeNull())

  test('from 8 to 128 characters, counted as code points', async () => {
    expect((await checkPassword('Zx9#kk2', 'a'))?.rejected).toBe('passwordTooShort')
    expect(await checkPassword('🦦🐌🌊🗻🦉🐝🌵🍋', 'a')).toBeNull()
    const long = (length: number) => checkPassword('quiet otter'.padEnd(length, '~ -'), 'a')
    expect(await long(128)).toBeNull()
    expect((await long(129))?.rejected).toBe('passwordTooLong')
  })

  test.each([
    ['Somebody@mail.example', 'somebody@mail.example'],
    ['somebody.else', 'somebody.else@mail.example'],
  ])('unless it equals the account: %s', async (password, account) => {
    expect((await checkPassword(password, account))?.rejected).toBe('passwordCommon')
  })
})

describe('the hash of a password', () => {
  const hasher = createHasher()

  test('is Argon2id with a random salt, and verifies its password only', async () => {
    const [one, other] = [await hasher.hash('quiet otter'), await hasher.hash('quiet otter')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(other)
    expect([await hasher.verify('quiet otter', one), await hasher.verify('quiet Otter', one)]).toEqual([
      true,
      false,
    ])
  })

  test('verifies composed and decomposed letters alike', async () => {
    const stored = await hasher.hash('caf\u00e9 otter')
    expect(await hasher.verify('cafe\u0301 otter', stored)).toBe(true)
  })

  test('of no account verifies nothing', async () => expect(await hasher.verify('', null)).toBe(false))

  test('is not computed for callers beyond the queue', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.verify('x', null)))
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    )
    expect(refused.length).toBeGreaterThanOrEqual(30)
    expect(refused.every((reason) => reason instanceof HashingBusyError)).toBe(true)
    expect(await hasher.verify('x', null)).toBe(false)
  })
})
