import { describe, expect, test } from 'vitest'
import { decode } from './server.ts'
import { userLine, userText } from './user-text.ts'
import { plainLine, plainText } from './plain-text.ts'

describe('typed text', () => {
  test.each([
    ['marks that turn text around', 'paid \u202e001\u202c\u2066 twice\u2069', 'paid 001 twice'],
    ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
    ['signs without a width', 'f\u200bi\u2060n\ufeffe\u00ad, \u3164really\u115f', 'fine, really'],
    ['tags and annotations', 'x\u{e0041}y\ufff9z', 'xyz'],
    ['control characters', 'a\u0000b\u0007c\u001b[31md\u0080e', 'abc[31mde'],
    ['halves of characters', 'a\ud83dz', 'az'],
  ])('is kept without %s', (_what, given, kept) => {
    expect(plainText(given)).toBe(kept)
  })

  test('keeps joiners of letters and emoji in every script', () => {
    for (const text of [
      'می\u200cخواهم',
      '👩\u200d👩\u200d👧',
      '❤\ufe0f',
      '葛\u{e0100}城',
      'ありがとう',
      'สวัสดี',
      'مرحبا',
    ])
      expect(plainText(text)).toBe(text)
  })

  test('keeps its lines, with uniform line ends', () => {
    expect(plainText(' one\r\ntwo\rthree\u2028four\tfive\n ')).toBe('one\ntwo\nthree\nfour five')
    expect(plainLine('one\r\n two\nthree')).toBe('one two three')
  })

  test('is empty without a visible character', () => {
    for (const text of ['', ' \n\t', '\u200b\u2060', '\u200d\u200c', '\ufe0f', '\u3164 \u202e'])
      expect(plainText(text)).toBe('')
  })

  test('is cleaned by both codecs of typed text', () => {
    expect(decode(userText, 'x\u202ey\nz')).toEqual({ ok: true, value: 'xy\nz' })
    expect(decode(userLine(4), ' \u202ex\u200by\nz ')).toEqual({ ok: true, value: 'xy z' })
    expect(decode(userLine(3), 'xy z')).toMatchObject({ ok: false, reason: 'textTooLong' })
  })
})
