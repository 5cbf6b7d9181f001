import { expect, test } from 'vitest'
import { fieldLabel, subjectLabel } from './field-labels.ts'

test.each([
  ['currencyCode', 'Currency'],
  ['asked.dayLimit', 'Requested: Daily limit, all users'],
  ['somethingNew', 'Something new'],
  ['constructor', 'Constructor'],
])('the field %s has the label "%s"', (field, label) => {
  expect(fieldLabel(field)).toBe(label)
})

test.each([
  ['depositChannel:new', undefined, 'New deposit address'],
  ['wireAccount:2', undefined, 'Bank account 2'],
  ['setting:payout_wait_hours', undefined, 'Setting: Hours until a new payout address can be used'],
  ['person:12', undefined, 'User 100012'],
  ['identity:2', undefined, 'Identity 100002'],
  ['chat:2', undefined, 'Chat with user 100002'],
  ['operator:3', 'Ada', 'Operator Ada'],
  ['operator:new', undefined, 'New operator'],
  ['instrument:EURUSD', undefined, 'Instrument EURUSD'],
  ['terms:settings', undefined, 'Trading settings'],
  ['hours:FX week', undefined, 'Trading hours FX week'],
  ['news-feed:4', undefined, 'News feed 4'],
  ['people:all', undefined, 'Users, all'],
  ['trading', undefined, 'Trading'],
  ['instruments', undefined, 'All instruments'],
  ['picture:/files/a:b.png', undefined, 'Picture /files/a:b.png'],
])('%s (%s) has the label "%s"', (subject, called, label) => {
  expect(subjectLabel(subject, called)).toBe(label)
})
