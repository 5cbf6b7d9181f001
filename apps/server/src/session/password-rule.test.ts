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
  ])('%s', (password) => expect(isCommon(password)).toBe(true))

  test('as each of the 17,950 commonest that are long enough', () => {
    const long = leaked.filter((password) => password.length >= PASSWORD_LENGTH.least)
    expect(long).toHaveLength(17_950)
    expect(
      long.filter((password) => refusalOfPassword(password, 'me')?.rejected !== 'passwordCommon'),
    ).toEqual([])
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
  ])('%s', (password) => expect(refusalOfPassword(password, 'me@mail.example')).toBeNull())

  test('from 8 to 128 characters, counted as people count', () => {
    expect(refusalOfPassword('Zx9#kk2', 'a')?.rejected).toBe('passwordTooShort')
    expect(refusalOfPassword('🦦🐌🌊🗻🦉🐝🌵🍋', 'a')).toBeNull()
    expect(refusalOfPassword('quiet otter'.padEnd(128, '~ -'), 'a')).toBeNull()
    expect(refusalOfPassword('quiet otter'.padEnd(129, '~ -'), 'a')?.rejected).toBe('passwordTooLong')
  })

  test('but not the account itself', () => {
    expect(refusalOfPassword('Somebody@mail.example', 'somebody@mail.example')?.rejected).toBe(
      'passwordCommon',
    )
    expect(refusalOfPassword('somebody.else', 'somebody.else@mail.example')?.rejected).toBe('passwordCommon')
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
