import { PASSWORD_LENGTH } from '@fairlot/contract'
import leaked from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { createHasher, HashingBusyError } from './password-hash.ts'
import { isCommon, refusalOfPassword } from './password-rule.ts'

describe('a password that anybody would guess is refused', () => {
  test.each([
    ...[
      'password',
      'Password1',
      'p@ssw0rd!',
      'PASSWORD123',
      'iloveyou',
      'sunshine99',
      'qwertyuiop',
      'qwerty123',
    ],
    ...[
      '12345678',
      '87654321',
      '11111111',
      'abcabcabc',
      'aaaaaaaa',
      '1qaz2wsx',
      'zxcvbnm,',
      'dragon2024',
      '20241231',
    ],
    ...['letmein!!', 'Football1', 'ｐａｓｓｗｏｒｄ', 'asdfghjkl', 'trustno1!'],
  ])('%s', async (password) => expect(await isCommon(password)).toBe(true))

  test('as each of the 17,950 commonest that are long enough', async () => {
    const long = leaked.filter((password) => password.length >= PASSWORD_LENGTH.least)
    expect(long).toHaveLength(17_950)
    const refusals = await Promise.all(long.map((password) => refusalOfPassword(password, 'me')))
    expect(refusals.filter((refusal) => refusal?.rejected !== 'passwordCommon')).toEqual([])
  })
})

describe('a password that is long or odd enough is taken, whatever it is made of', () => {
  test.each([
    ...[
      'quiet otter 71 maps',
      'correct horse battery staple',
      'Zx9#kk2p',
      '密碼是一隻貓在樹上',
      'пароль кота 5 лет',
    ],
    ...['x7Tq-plume', '        a b      c', '831947205561', "' or 1=1 -- ;"],
  ])('%s', async (password) => expect(await refusalOfPassword(password, 'me@mail.example')).toBeNull())

  test('from 8 to 128 characters, counted as people count', async () => {
    expect((await refusalOfPassword('Zx9#kk2', 'a'))?.rejected).toBe('passwordTooShort')
    expect(await refusalOfPassword('🦦🐌🌊🗻🦉🐝🌵🍋', 'a')).toBeNull()
    const long = (length: number) => refusalOfPassword('quiet otter'.padEnd(length, '~ -'), 'a')
    expect(await long(128)).toBeNull()
    expect((await long(129))?.rejected).toBe('passwordTooLong')
  })

  test.each([
    ['Somebody@mail.example', 'somebody@mail.example'],
    ['somebody.else', 'somebody.else@mail.example'],
  ])('but not the account itself: %s', async (password, account) => {
    expect((await refusalOfPassword(password, account))?.rejected).toBe('passwordCommon')
  })
})

describe('the hash of a password', () => {
  const hasher = createHasher()

  test('is Argon2id with a salt of its own, and knows its password', async () => {
    const [one, other] = [await hasher.hash('quiet otter'), await hasher.hash('quiet otter')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(other)
    expect([await hasher.verify('quiet otter', one), await hasher.verify('quiet Otter', one)]).toEqual([
      true,
      false,
    ])
  })

  test('knows the same letters however they are composed', async () => {
    const stored = await hasher.hash('caf\u00e9 otter')
    expect(await hasher.verify('cafe\u0301 otter', stored)).toBe(true)
  })

  test('of nobody fits nothing', async () => expect(await hasher.verify('', null)).toBe(false))

  test('is not worked out for a crowd that a machine cannot serve', async () => {
    const crowd = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.verify('x', null)))
    const refused = crowd.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    )
    expect(refused.length).toBeGreaterThanOrEqual(30)
    expect(refused.every((reason) => reason instanceof HashingBusyError)).toBe(true)
    expect(await hasher.verify('x', null)).toBe(false)
  })
})
