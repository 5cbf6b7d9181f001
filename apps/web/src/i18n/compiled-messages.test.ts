import { expect, test } from 'vitest'
import { compiledMessages } from './compiled-messages.ts'

type Transform = (code: string, id: string) => { code: string } | null

const transform = compiledMessages().transform as unknown as Transform
const catalogue = JSON.stringify({
  app: { more: 'Show more' },
  funds: { title: 'Movements', after: 'Balance {amount}' },
})
const partOf = (part: string, language = 'en'): unknown => {
  const written = transform(catalogue, `/src/i18n/messages/${language}.json?part=${part}`)
  const [, json] = /^export default JSON\.parse\((.*)\)$/s.exec(written?.code ?? '') ?? []
  return JSON.parse(JSON.parse(json ?? 'null') as string)
}

test('a part of a catalogue contains its own texts, parsed, and no others', () => {
  expect(partOf('account')).toEqual({ funds: { title: 'Movements', after: ['Balance ', ['amount']] } })
  expect(partOf('first')).toMatchObject({ app: { more: 'Show more' } })
  expect(partOf('first')).not.toHaveProperty('funds')
})

test('texts shared with the desk are in the part that needs them', () => {
  expect(partOf('payments')).toHaveProperty('payIn')
  expect(partOf('account')).not.toHaveProperty('payIn')
  expect(partOf('payments', 'xx')).toEqual(partOf('payments'))
})

test('other files are left unchanged', () => {
  expect(transform(catalogue, '/src/i18n/messages/en.json')).toBeNull()
  expect(transform('export {}', '/src/main.tsx')).toBeNull()
})

test('in a language from right to left, arguments are isolated from the text around them', () => {
  const texts = {
    funds: {
      after: 'A {amount}',
      count: '{count, plural, one {# of {name}} other {# <b>of {name}</b>}}',
      side: '{side, select, buy {B {lots}} other {S}}',
      plain: 'P',
    },
  }
  const written = transform(JSON.stringify(texts), '/src/i18n/messages/ar.json?part=account')
  const [, json] = /^export default JSON\.parse\((.*)\)$/s.exec(written?.code ?? '') ?? []
  const [open, close] = ['\u2068', '\u2069']
  expect(JSON.parse(JSON.parse(json ?? 'null') as string)).toMatchObject({
    funds: {
      after: ['A ', open, ['amount'], close],
      count: [
        [
          'count',
          2,
          {
            one: [0, ' of ', open, ['name'], close],
            other: [0, ' ', ['b', 'of ', open, ['name'], close]],
          },
        ],
      ],
      side: [['side', 1, { buy: ['B ', open, ['lots'], close], other: 'S' }]],
      plain: 'P',
    },
  })
})
