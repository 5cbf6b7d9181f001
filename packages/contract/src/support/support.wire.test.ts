/** The wire of the chat, pinned: each sample is read to clean values and written again to the letter. */
import { expect, it } from 'vitest'
import { type Codec, encode } from '../protocol/codec.ts'
import { decode } from '../protocol/server.ts'
import {
  chatMessage,
  chatPage,
  chatQuery,
  chatState,
  markChatSeenRequest,
  newChatMessage,
  supportEmail,
  textReport,
} from './support.wire.ts'

const answer = { id: 8, from: 'support', text: 'It is booked.', image: null, time: 1_700_000_000_000 }
const picture = { ...answer, id: 7, from: 'user', text: '', image: '/api/common/image/k' }

const SAMPLES: readonly (readonly [name: string, codec: Codec, wire: unknown])[] = [
  ['a message', chatMessage, picture],
  ['a page', chatPage, { data: [answer, picture], more: 1 }],
  ['what list takes', chatQuery, { before_id: 8 }],
  ['the state', chatState, { unread: 1, seen_to: 7, usual_minutes: 10 }],
  ['a state without a measured time', chatState, { unread: 0, seen_to: 0, usual_minutes: null }],
  ['what send takes', newChatMessage, { text: 'Where is it?', image: '/api/common/image/k' }],
  ['what seen takes', markChatSeenRequest, { id: 8 }],
  [
    'what a report of a text takes',
    textReport,
    { language: 'ru', path: '/mine/charge', wrong: 'Отзыв средств', better: '' },
  ],
  ['the address for complaints', supportEmail, { email: 'care@house.example' }],
]

it.each(SAMPLES)('%s', (_, codec, wire) => {
  const read = decode(codec, wire)
  expect(read.ok).toBe(true)
  if (read.ok) expect(encode(codec, read.value)).toEqual(wire)
})

it('reads an empty picture as none, and accepts an omitted text', () => {
  expect(decode(newChatMessage, { image: '' })).toMatchObject({ value: { text: null, picture: null } })
})

it.each([
  [{ language: 'xx' }],
  [{ path: 'https://elsewhere.example/' }],
  [{ path: '/trade?token=secret' }],
  [{ wrong: 'x'.repeat(501) }],
  [{ better: 'x'.repeat(501) }],
])('refuses a report of a text with %j', (change) => {
  const report = { language: 'ru', path: '/trade', wrong: 'a', better: 'b' }
  expect(decode(textReport, report).ok).toBe(true)
  expect(decode(textReport, { ...report, ...change }).ok).toBe(false)
})
