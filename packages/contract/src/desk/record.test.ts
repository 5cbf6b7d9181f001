import { expect, it } from 'vitest'
import { type Codec, encode, toJsonSchema } from '../protocol/codec.ts'
import { int, text } from '../protocol/field.ts'
import { decode } from '../protocol/server.ts'
import { listCompanies, saveCompany } from './companies.ts'
import { record, yesNo } from './record.ts'
import { getExposure, getMoveScenario, listNearAccounts } from './risk.ts'
import { listUserChat } from './support.ts'

it('reads and writes a field under its own name, or under the one given for the wire', () => {
  const codec = record({ name: text, lastSeenId: ['seenTo', int()] })
  const wire = { name: 'a', seenTo: 7 }
  expect(decode(codec, wire)).toEqual({ ok: true, value: { name: 'a', lastSeenId: 7 } })
  expect(encode(codec, { name: 'a', lastSeenId: 7 })).toEqual(wire)
})

it.each(['', 'yes', 1, null])('says that %j had to be true or false', (value) => {
  const expected = { expected: 'choice', choices: 'true, false' }
  expect(decode(record({ isOn: yesNo }), { isOn: value })).toMatchObject({ field: 'isOn', expected })
})

const WIRE_NAMES: readonly (readonly [string, Codec, readonly string[]])[] = [
  ['getExposure', getExposure.response, ['clientsProfit', 'trading', 'warned', 'stoppedOut']],
  ['listNearAccounts', listNearAccounts.response, ['clientsProfit']],
  ['getMoveScenario', getMoveScenario.response, ['clientsChange']],
  ['listCompanies', listCompanies.response, ['lossUrl']],
  ['saveCompany', saveCompany.request, ['lossUrl']],
  ['listUserChat', listUserChat.response, ['seenTo']],
]

it.each(WIRE_NAMES)('%s keeps its published names', (_, codec, names) => {
  const schema = JSON.stringify(toJsonSchema(codec))
  for (const name of names) expect(schema).toContain(`"${name}":`)
})
