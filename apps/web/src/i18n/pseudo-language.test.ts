import compile from 'icu-minify/compile'
import { expect, test } from 'vitest'
import { longer, longerMessages, pseudoLanguageOf } from './pseudo-language.ts'

test('a text keeps its meaning, gets other letters and grows by a third', () => {
  expect(longer('Close position')).toBe('[Clöšé pöšîtîöñ~~~~~]')
  expect(longer('–')).toBe('–')
})

test('arguments and forms of a message stay', () => {
  const texts = {
    order: {
      sold: compile('{side, select, buy {Buy} other {Sell}} {lots}'),
      open: compile('{count, plural, one {# position} other {# positions of {name}}}'),
      date: compile('On {day, date, short}'),
    },
  }
  expect(longerMessages(texts)).toEqual({
    order: {
      sold: [['side', 1, { buy: '[Büý~~]', other: '[Šéll~~]' }], ' ', ['lots']],
      open: [['count', 2, { one: [0, '[ pöšîtîöñ~~~]'], other: [0, '[ pöšîtîöñš öf ~~~~]', ['name']] }]],
      date: ['[Öñ ~]', ['day', 5, 'short']],
    },
  })
})

test('only the two codes are pseudo-languages', () => {
  expect(['en-XA', 'en-XB', 'en', 'xa', null].map(pseudoLanguageOf)).toEqual([
    'en-XA',
    'en-XB',
    null,
    null,
    null,
  ])
})
