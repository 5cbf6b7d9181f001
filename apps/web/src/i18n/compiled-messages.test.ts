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
