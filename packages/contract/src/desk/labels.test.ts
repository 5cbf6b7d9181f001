import { expect, test } from 'vitest'
import { fieldLabel, subjectLabel } from './labels.ts'

test.each([
  ['currencyCode', 'Currency'],
  ['asked.dayLimit', 'Asked for: Limit a day, from everybody'],
  ['somethingNew', 'Something new'],
  ['constructor', 'Constructor'],
])('the field %s is called "%s"', (field, label) => {
  expect(fieldLabel(field)).toBe(label)
})

test.each([
  ['depositChannel:new', undefined, 'New deposit address'],
  ['wireAccount:2', undefined, 'Bank account 2'],
  ['operator:3', 'Ada', 'Operator Ada'],
  ['operator:new', undefined, 'New operator'],
  ['instrument:EURUSD', undefined, 'Instrument EURUSD'],
  ['terms:settings', undefined, 'Settings of trading'],
  ['hours:FX week', undefined, 'Trading hours FX week'],
  ['news-feed:4', undefined, 'News feed 4'],
  ['people:all', undefined, 'People, all'],
  ['trading', undefined, 'Trading'],
  ['instruments', undefined, 'All instruments'],
  ['picture:/files/a:b.png', undefined, 'Picture /files/a:b.png'],
])('%s (%s) is called "%s"', (subject, called, label) => {
  expect(subjectLabel(subject, called)).toBe(label)
})
