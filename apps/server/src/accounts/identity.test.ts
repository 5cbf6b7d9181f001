import { expect, test } from 'vitest'
import { createCountries } from './countries.ts'
import { emailIdentity, attemptKey, identityOf, phoneIdentity } from './identity.ts'

test.each([
  ['Some.Body+x@Mail.Example', 'some.body+x@mail.example'],
  [' a@b.example ', 'a@b.example'],
  ["o'neil@sub.mail.example", "o'neil@sub.mail.example"],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
])('accepts %j as the address %s', (typed, target) => expect(emailIdentity(typed)?.target).toBe(target))

test.each([
  '',
  '@',
  'a',
  'a@',
  '@b.example',
  'a@b',
  'a@b..example',
  '.a@b.example',
  'a.@b.example',
  'a..b@c.example',
  'a b@c.example',
  'a@b.example,c@d.example',
  'a@b.example\nBcc: c@d.example',
  'a\u0000@b.example',
  '"a"@b.example',
  'a@b.example/c',
  'a@b.example?c',
  'a@b.example#c',
  'a@b.example\\c',
  'a@%62.example',
  'a@b.example:25',
  'а@b.example',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  `${'a'.repeat(65)}@b.example`,
  `a@${'b'.repeat(260)}.example`,
])('refuses %j as an address', (typed) => expect(emailIdentity(typed)).toBeNull())

test.each([
  ['91234567', 'HK', '+85291234567'],
  ['9123 4567', 'HK', '+85291234567'],
  ['07400 123456', 'GB', '+447400123456'],
  ['(201) 555-0123', 'US', '+12015550123'],
  ['+1 201.555.0123', 'US', '+12015550123'],
  ['07911 710003', 'GB', '+447911710003'],
  ['+447911710003', 'GB', '+447911710003'],
  ['+44 7911 710003', 'GB', '+447911710003'],
  ['+44 (0)7911 710003', 'GB', '+447911710003'],
  ['＋44 7911 710003', 'GB', '+447911710003'],
  ['0044 (0) 7911 710003', 'GB', '+447911710003'],
  ['44 7911 710003', 'GB', '+447911710003'],
  ['+44.7911.710003', 'GB', '+447911710003'],
  ['07911\u00a0710\u202f003', 'GB', '+447911710003'],
  ['07911\u2011710\u2011003', 'GB', '+447911710003'],
  ['07911–710—003', 'GB', '+447911710003'],
  ['07911/710003', 'GB', '+447911710003'],
  ['0 79 11\u300071 00 03\n', 'GB', '+447911710003'],
  ['8 (912) 345-67-89', 'RU', '+79123456789'],
  ['+39 06 1234 5678', 'IT', '+390612345678'],
  ['+85291234567', 'HK', '+85291234567'],
  ['９１２３４５６７', 'HK', '+85291234567'],
  ['٩١٢٣ ٤٥٦٧', 'HK', '+85291234567'],
  ['9１234567', 'HK', '+85291234567'],
  ['＋८५२ ९१२३४५६७', 'HK', '+85291234567'],
  ['৯১২৩৪৫৬৭', 'HK', '+85291234567'],
  ['๙๑๒๓๔๕๖๗', 'HK', '+85291234567'],
] as const)('reads %s in %s as %s', (typed, area, target) =>
  expect(phoneIdentity(typed, area)?.target).toBe(target),
)

test.each([
  '',
  '1',
  '12',
  '91234567x',
  '+447911710003',
  '++85291234567',
  '852+91234567',
  '+',
  ' ',
  '\u00a0\u3000',
  '91234567 ext. 5',
  'tel:91234567',
  '1-800-FLOWERS',
  'ann@mail.example',
  '\u202a91234567\u202c',
  '9123\u200e4567',
  '9123\u00004567',
  '9123\n4567',
  "91234567' or 1",
  '9'.repeat(18),
  '00000000',
  '\u000091234567',
])('refuses %j as a number in Hong Kong', (typed) => expect(phoneIdentity(typed, 'HK')).toBeNull())

test('refuses a number that is too long, however it is grouped', () => {
  for (const typed of [
    '9'.repeat(10_000),
    `+852${' '.repeat(10_000)}91234567`,
    `91234567${'-'.repeat(10_000)}`,
  ])
    expect(phoneIdentity(typed, 'HK')).toBeNull()
})

test.each([
  ['+44 (0)7911 710003', null],
  ['+44 7911 710003', 'HK'],
  ['0044 7911 710003', null],
  ['0044 7911 710003', 'HK'],
  ['07911 710003', 'GB'],
] as const)('knows the account by %s typed with the country %s', (typed, area) =>
  expect(identityOf('mobile', typed, area)?.target).toBe('+447911710003'),
)

test.each([
  ['07911 710003', null],
  ['07911 710003', 'HK'],
  ['', null],
  ['+', null],
  ['+44', null],
] as const)('knows no account by %j typed with the country %s', (typed, area) =>
  expect(identityOf('mobile', typed, area)).toBeNull(),
)

test('countries keep their ids, and a setting with an unknown country is an error', () => {
  const areas = createCountries({ mainArea: 'DE', blockedAreas: ['CU'] })
  const [, main] = areas.list('en')
  expect(main).toMatchObject({ id: 83, code: 'DE', callingCode: '49', name: 'Germany' })
  expect(areas.byId(83)).toBe('DE')
  expect([areas.isBlocked('CU'), areas.isBlocked('CN'), areas.byId(null), areas.byId(0)]).toEqual([
    true,
    false,
    null,
    null,
  ])
  expect(() => createCountries({ mainArea: 'XX', blockedAreas: [] })).toThrow(/^There is no country "XX"/)
})

test.each([
  ['91234567', 'HK', '9123 4567', null],
  ['07400 123456', 'GB', '7400123456', null],
  ['06 1234 5678', 'IT', '061234 5678', 'IT'],
  ['+44 (0)7911 710003', null, '07911710003', null],
  ['0044 7911.710003', 'GB', '+447911710003', 'HK'],
  ['0044 7911.710003', 'JP', '+447911710003', null],
  ['0044 7911.710003', null, '7911 710003', 'GB'],
] as const)('counts guesses at %s in %s like those at %s', (typed, area, other, otherArea) =>
  expect(attemptKey('mobile', typed, area)).toBe(attemptKey('mobile', other, otherArea)),
)
